//go:build !unix

package kerneltest

import "testing"

// Guarded returns plain memory where pages cannot be protected: canaries
// alone watch over writes, and nothing over reads.
func Guarded(_ *testing.T, n int) []uint64 { return make([]uint64, n) }
