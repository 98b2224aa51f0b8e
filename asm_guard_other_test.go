//go:build !unix

package bitsieve

import "testing"

// guardedWords returns plain memory where pages cannot be protected: canaries
// alone watch over writes, and nothing over reads.
func guardedWords(_ *testing.T, n int) []uint64 { return make([]uint64, n) }
