//go:build !purego && (amd64 || arm64)

package cpu

// HasAsm reports whether this build holds assembly.
const HasAsm = true
