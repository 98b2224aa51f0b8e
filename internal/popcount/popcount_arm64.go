//go:build !purego

package popcount

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels take n >= 0 words, and no more than a piece (pieces.go).

//go:noescape
func countNEON(p *uint64, n int) int

//go:noescape
func andCountNEON(a, b *uint64, n int) int

//go:noescape
func orCountNEON(a, b *uint64, n int) int

//go:noescape
func xorCountNEON(a, b *uint64, n int) int

//go:noescape
func andNotCountNEON(a, b *uint64, n int) int

// minCountNEON is the length in words from which the kernels are called: about where
// whole calls cost as much as the Go loops in the models of scripts/mca (cycles on
// Neoverse N1 and V2: count of 8 words 35 and 33, in Go 37 and 31).
const minCountNEON = 8

// Count returns the number of set bits in p.
func Count(p []uint64) int {
	if !cpu.NEON || len(p) < minCountNEON {
		return countGeneric(p)
	}
	if len(p) > pieceCount {
		return countPieces(p)
	}
	race.Read(p)
	return countNEON(&p[0], len(p))
}

// And returns the number of set bits in a & b, of the words that a has.
func And(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return andCountGeneric(a, b)
	}
	if len(a) > pieceCount2 {
		return count2Pieces(opAnd, a, b)
	}
	b = raceCount2(a, b)
	return andCountNEON(&a[0], &b[0], len(a))
}

// Or returns the number of set bits in a | b, of the words that a has.
func Or(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return orCountGeneric(a, b)
	}
	if len(a) > pieceCount2 {
		return count2Pieces(opOr, a, b)
	}
	b = raceCount2(a, b)
	return orCountNEON(&a[0], &b[0], len(a))
}

// Xor returns the number of set bits in a ^ b, of the words that a has.
func Xor(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return xorCountGeneric(a, b)
	}
	if len(a) > pieceCount2 {
		return count2Pieces(opXor, a, b)
	}
	b = raceCount2(a, b)
	return xorCountNEON(&a[0], &b[0], len(a))
}

// AndNot returns the number of set bits in a &^ b, of the words that a has.
func AndNot(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return andNotCountGeneric(a, b)
	}
	if len(a) > pieceCount2 {
		return count2Pieces(opAndNot, a, b)
	}
	b = raceCount2(a, b)
	return andNotCountNEON(&a[0], &b[0], len(a))
}

// There is no kernel that counts what it writes. With NEON, package bitsieve calls one
// that writes and one that counts, on words that stay in the first-level cache.

// AndWithCount sets dst = a & b and returns the number of set bits in it.
func AndWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return andWithCountGeneric(dst[:n], a[:n], b[:n])
}

// OrWithCount sets dst = a | b and returns the number of set bits in it.
func OrWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return orWithCountGeneric(dst[:n], a[:n], b[:n])
}

// XorWithCount sets dst = a ^ b and returns the number of set bits in it.
func XorWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return xorWithCountGeneric(dst[:n], a[:n], b[:n])
}

// AndNotWithCount sets dst = a &^ b and returns the number of set bits in it.
func AndNotWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return andNotWithCountGeneric(dst[:n], a[:n], b[:n])
}
