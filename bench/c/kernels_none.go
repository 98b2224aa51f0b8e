//go:build !cbench || !cgo

package c

// Kernels returns none: this build has no C in it.
func Kernels() []Kernel { return nil }
