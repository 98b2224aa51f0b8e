//go:build !purego

package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// The kernels take n >= 0 words, and no more than a piece (bitset_pieces.go). dst may
// be a or b.

//go:noescape
func andNEON(dst, a, b *uint64, n int)

//go:noescape
func orNEON(dst, a, b *uint64, n int)

//go:noescape
func xorNEON(dst, a, b *uint64, n int)

//go:noescape
func andNotNEON(dst, a, b *uint64, n int)

// minBinaryNEON is the length in words from which the kernels are called: about where
// whole calls cost as much as the Go loops in the models of scripts/mca (cycles on
// Neoverse N1 and V2: And of 12 words 27 and 26, in Go 29 and 22).
const minBinaryNEON = 12

// pieceWithCount is how many words go through two kernels, one that writes and one
// that counts, while they stay in the first-level cache.
const pieceWithCount = 256

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

// The verbs for the first n words, which the exported functions call (bitset_generic.go).

func andRest(dst, a, b []uint64, n int)    { andWords(dst[:n], a[:n], b[:n]) }
func orRest(dst, a, b []uint64, n int)     { orWords(dst[:n], a[:n], b[:n]) }
func xorRest(dst, a, b []uint64, n int)    { xorWords(dst[:n], a[:n], b[:n]) }
func andNotRest(dst, a, b []uint64, n int) { andNotWords(dst[:n], a[:n], b[:n]) }

func andWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return popcount.AndWithCount(dst, a, b)
	}
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if n > pieceWithCount {
		return withCountPieces(opAnd, dst, a, b)
	}
	andWords(dst, a, b)
	return popcount.Count(dst)
}

func orWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return popcount.OrWithCount(dst, a, b)
	}
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if n > pieceWithCount {
		return withCountPieces(opOr, dst, a, b)
	}
	orWords(dst, a, b)
	return popcount.Count(dst)
}

func xorWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return popcount.XorWithCount(dst, a, b)
	}
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if n > pieceWithCount {
		return withCountPieces(opXor, dst, a, b)
	}
	xorWords(dst, a, b)
	return popcount.Count(dst)
}

func andNotWithCountWords(dst, a, b []uint64) int {
	if !cpu.NEON {
		return popcount.AndNotWithCount(dst, a, b)
	}
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if n > pieceWithCount {
		return withCountPieces(opAndNot, dst, a, b)
	}
	andNotWords(dst, a, b)
	return popcount.Count(dst)
}

// withCountPieces sets dst = a op b and returns the number of set bits in it, in
// pieces.
func withCountPieces(op wordOp, dst, a, b []uint64) (count int) {
	for len(dst) > 0 {
		n := min(len(dst), pieceWithCount)
		switch op {
		case opAnd:
			count += andWithCountWords(dst[:n], a[:n], b[:n])
		case opOr:
			count += orWithCountWords(dst[:n], a[:n], b[:n])
		case opXor:
			count += xorWithCountWords(dst[:n], a[:n], b[:n])
		case opAndNot:
			count += andNotWithCountWords(dst[:n], a[:n], b[:n])
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
	return count
}
