//go:build !purego

package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels take n >= 0 words, and no more than a piece (bitset_pieces.go). dst may
// be a or b.

//go:noescape
func countNEON(p *uint64, n int) int

//go:noescape
func andNEON(dst, a, b *uint64, n int)

//go:noescape
func orNEON(dst, a, b *uint64, n int)

//go:noescape
func xorNEON(dst, a, b *uint64, n int)

//go:noescape
func andNotNEON(dst, a, b *uint64, n int)

//go:noescape
func andCountNEON(a, b *uint64, n int) int

//go:noescape
func orCountNEON(a, b *uint64, n int) int

//go:noescape
func xorCountNEON(a, b *uint64, n int) int

//go:noescape
func andNotCountNEON(a, b *uint64, n int) int

// The lengths in words from which the kernels are called: about where whole calls
// cost as much as the Go loops in the models of scripts/mca (cycles on Neoverse
// N1 and V2: count of 8 words 35 and 33, in Go 37 and 31; And of 12 words 27 and
// 26, in Go 29 and 22).
const (
	minCountNEON  = 8
	minBinaryNEON = 12
)

// pieceWithCount is how many words go through two kernels, one that writes and one
// that counts, while they stay in the first-level cache.
const pieceWithCount = 256

func countWords(p []uint64) int {
	if !cpu.NEON || len(p) < minCountNEON {
		return countGeneric(p)
	}
	if len(p) > pieceCount {
		return countPieces(p)
	}
	race.Read(p)
	return countNEON(&p[0], len(p))
}

func andWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		andGeneric(dst, a, b)
		return
	}
	if len(dst) > piecePair {
		binaryPieces(opAnd, dst, a, b)
		return
	}
	a, b = raceBinary(dst, a, b)
	andNEON(&dst[0], &a[0], &b[0], len(dst))
}

func orWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		orGeneric(dst, a, b)
		return
	}
	if len(dst) > piecePair {
		binaryPieces(opOr, dst, a, b)
		return
	}
	a, b = raceBinary(dst, a, b)
	orNEON(&dst[0], &a[0], &b[0], len(dst))
}

func xorWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		xorGeneric(dst, a, b)
		return
	}
	if len(dst) > piecePair {
		binaryPieces(opXor, dst, a, b)
		return
	}
	a, b = raceBinary(dst, a, b)
	xorNEON(&dst[0], &a[0], &b[0], len(dst))
}

func andNotWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		andNotGeneric(dst, a, b)
		return
	}
	if len(dst) > piecePair {
		binaryPieces(opAndNot, dst, a, b)
		return
	}
	a, b = raceBinary(dst, a, b)
	andNotNEON(&dst[0], &a[0], &b[0], len(dst))
}

func andCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return andCountGeneric(a, b)
	}
	if len(a) > piecePair {
		return count2Pieces(opAnd, a, b)
	}
	b = raceCount2(a, b)
	return andCountNEON(&a[0], &b[0], len(a))
}

func orCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return orCountGeneric(a, b)
	}
	if len(a) > piecePair {
		return count2Pieces(opOr, a, b)
	}
	b = raceCount2(a, b)
	return orCountNEON(&a[0], &b[0], len(a))
}

func xorCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return xorCountGeneric(a, b)
	}
	if len(a) > piecePair {
		return count2Pieces(opXor, a, b)
	}
	b = raceCount2(a, b)
	return xorCountNEON(&a[0], &b[0], len(a))
}

func andNotCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return andNotCountGeneric(a, b)
	}
	if len(a) > piecePair {
		return count2Pieces(opAndNot, a, b)
	}
	b = raceCount2(a, b)
	return andNotCountNEON(&a[0], &b[0], len(a))
}

func andWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return andWithCountGeneric(dst, a, b)
	}
	if len(dst) > pieceWithCount {
		return withCountPieces(opAnd, dst, a, b)
	}
	andWords(dst, a, b)
	return countWords(dst)
}

func orWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return orWithCountGeneric(dst, a, b)
	}
	if len(dst) > pieceWithCount {
		return withCountPieces(opOr, dst, a, b)
	}
	orWords(dst, a, b)
	return countWords(dst)
}

func xorWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return xorWithCountGeneric(dst, a, b)
	}
	if len(dst) > pieceWithCount {
		return withCountPieces(opXor, dst, a, b)
	}
	xorWords(dst, a, b)
	return countWords(dst)
}

func andNotWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return andNotWithCountGeneric(dst, a, b)
	}
	if len(dst) > pieceWithCount {
		return withCountPieces(opAndNot, dst, a, b)
	}
	andNotWords(dst, a, b)
	return countWords(dst)
}
