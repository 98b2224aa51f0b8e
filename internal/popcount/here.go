//go:build amd64 || arm64

package popcount

import "math/bits"

// The functions named Here are inlined into the exported functions and methods of the
// root, and with them into what calls those. They have a loop for fewer than minCall
// words, for a call takes longer, and take operands of different lengths: the shorter
// decides.
//
// rest does minCall words or more; it is a parameter for the inliner's sake, as
// bitset_generic.go of the root explains.

// minCall is the length in words from which these functions call anything (TUNING.md;
// BenchmarkShort of tests).
const minCall = 4

// CountHere is Count.
func CountHere(p []uint64) int { return countHere(p, countRest) }

// AndHere returns the number of set bits in a & b.
func AndHere(a, b []uint64) int { return andHere(a, b, andRest) }

// OrHere returns the number of set bits in a | b.
func OrHere(a, b []uint64) int { return orHere(a, b, orRest) }

// XorHere returns the number of set bits in a ^ b.
func XorHere(a, b []uint64) int { return xorHere(a, b, xorRest) }

// AndNotHere returns the number of set bits in a &^ b.
func AndNotHere(a, b []uint64) int { return andNotHere(a, b, andNotRest) }

func countHere(p []uint64, rest func(p []uint64) int) (count int) {
	if len(p) >= minCall {
		return rest(p)
	}
	for _, w := range p {
		count += bits.OnesCount64(w)
	}
	return count
}

func andHere(a, b []uint64, rest func(a, b []uint64, n int) int) (count int) {
	n := min(len(a), len(b))
	if n >= minCall {
		return rest(a, b, n)
	}
	for i := range n {
		count += bits.OnesCount64(a[i] & b[i])
	}
	return count
}

func orHere(a, b []uint64, rest func(a, b []uint64, n int) int) (count int) {
	n := min(len(a), len(b))
	if n >= minCall {
		return rest(a, b, n)
	}
	for i := range n {
		count += bits.OnesCount64(a[i] | b[i])
	}
	return count
}

func xorHere(a, b []uint64, rest func(a, b []uint64, n int) int) (count int) {
	n := min(len(a), len(b))
	if n >= minCall {
		return rest(a, b, n)
	}
	for i := range n {
		count += bits.OnesCount64(a[i] ^ b[i])
	}
	return count
}

func andNotHere(a, b []uint64, rest func(a, b []uint64, n int) int) (count int) {
	n := min(len(a), len(b))
	if n >= minCall {
		return rest(a, b, n)
	}
	for i := range n {
		count += bits.OnesCount64(a[i] &^ b[i])
	}
	return count
}
