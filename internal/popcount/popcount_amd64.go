//go:build !purego

package popcount

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels take n >= 1 words, those of AVX-512 n >= 4, and no more than a piece
// (pieces.go). dst may be a or b.

//go:noescape
func countAVX2(p *uint64, n int) int

//go:noescape
func countAVX512(p *uint64, n int) int

//go:noescape
func andCountAVX2(a, b *uint64, n int) int

//go:noescape
func andCountAVX512(a, b *uint64, n int) int

//go:noescape
func orCountAVX2(a, b *uint64, n int) int

//go:noescape
func orCountAVX512(a, b *uint64, n int) int

//go:noescape
func xorCountAVX2(a, b *uint64, n int) int

//go:noescape
func xorCountAVX512(a, b *uint64, n int) int

//go:noescape
func andNotCountAVX2(a, b *uint64, n int) int

//go:noescape
func andNotCountAVX512(a, b *uint64, n int) int

//go:noescape
func andWithCountAVX2(dst, a, b *uint64, n int) int

//go:noescape
func andWithCountAVX512(dst, a, b *uint64, n int) int

//go:noescape
func orWithCountAVX2(dst, a, b *uint64, n int) int

//go:noescape
func orWithCountAVX512(dst, a, b *uint64, n int) int

//go:noescape
func xorWithCountAVX2(dst, a, b *uint64, n int) int

//go:noescape
func xorWithCountAVX512(dst, a, b *uint64, n int) int

//go:noescape
func andNotWithCountAVX2(dst, a, b *uint64, n int) int

//go:noescape
func andNotWithCountAVX512(dst, a, b *uint64, n int) int

// countAheadAVX512 counts n words, a positive multiple of 64, and prefetches.
//
//go:noescape
func countAheadAVX512(p *uint64, n, far int) int

// countStreamAVX2 counts n words from p on, n from p + quarter words on, and so
// from each quarter. n is a positive multiple of 16.
//
//go:noescape
func countStreamAVX2(p *uint64, quarter, n int) int

// The lengths in words from which the kernels are called. The figures behind
// these thresholds come from
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v ./internal/popcount
const (
	minCount  = 4
	minCount2 = 4 // and for those that write, too
)

// Count returns the number of set bits in p.
func Count(p []uint64) int {
	if cpu.AVX2 && len(p) >= minCount {
		if len(p) > pieceCount {
			return countLong(p)
		}
		race.Read(p)
		if cpu.AVX512 {
			return countAVX512(&p[0], len(p))
		}
		return countAVX2(&p[0], len(p))
	}
	return countGeneric(p)
}

// countLong is Count for more than a piece. Past the caches the loads that a core has
// in flight are the limit and no longer its work, and the prefetching by hardware
// starts anew in each page. Some CPUs then want four places at once, others to be told
// what is next (TUNING.md).
func countLong(p []uint64) int {
	switch {
	case cpu.AVX512 && len(p) >= cpu.Tune.Words.CountAheadFrom:
		return countAhead(p, cpu.Tune.Words.CountAhead)
	case len(p) >= cpu.Tune.Words.CountStream:
		return countStream(p)
	}
	return countPieces(p)
}

// countAhead prefetches so many bytes ahead, in pieces.
func countAhead(p []uint64, ahead int) (n int) {
	head := min(int(-uintptr(unsafe.Pointer(unsafe.SliceData(p)))/8%8), len(p)) // words to a line
	n = countGeneric(p[:head])
	p = p[head:]
	for len(p) >= 64 {
		piece := min(len(p)&^63, pieceCount)
		race.Read(p[:piece])
		n += countAheadPiece(&p[0], piece, ahead)
		p = p[piece:]
	}
	return n + countGeneric(p)
}

// Inlined, it would not be a place to stop a goroutine at.
//
//go:noinline
func countAheadPiece(p *uint64, n, ahead int) int {
	return countAheadAVX512(p, n, ahead)
}

// countStream reads in four places at once, in pieces: each goes on where the one
// before stopped in all four quarters.
func countStream(p []uint64) (n int) {
	quarter := len(p) / 64 * 16
	race.Read(p[:4*quarter])
	for i := 0; i < quarter; i += pieceCount / 4 {
		n += countStreamPiece(&p[i], quarter, min(quarter-i, pieceCount/4))
	}
	return n + countGeneric(p[4*quarter:])
}

// Inlined, it would not be a place to stop a goroutine at.
//
//go:noinline
func countStreamPiece(p *uint64, quarter, n int) int {
	return countStreamAVX2(p, quarter, n)
}

// And returns the number of set bits in a & b, of the words that a has.
func And(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > pieceCount2 {
			return count2Pieces(opAnd, a, b)
		}
		b = raceCount2(a, b)
		if cpu.AVX512 {
			return andCountAVX512(&a[0], &b[0], len(a))
		}
		return andCountAVX2(&a[0], &b[0], len(a))
	}
	if len(a) <= shortWords {
		return andCountShort(a, b)
	}
	return andCountGeneric(a, b)
}

// Or returns the number of set bits in a | b, of the words that a has.
func Or(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > pieceCount2 {
			return count2Pieces(opOr, a, b)
		}
		b = raceCount2(a, b)
		if cpu.AVX512 {
			return orCountAVX512(&a[0], &b[0], len(a))
		}
		return orCountAVX2(&a[0], &b[0], len(a))
	}
	if len(a) <= shortWords {
		return orCountShort(a, b)
	}
	return orCountGeneric(a, b)
}

// Xor returns the number of set bits in a ^ b, of the words that a has.
func Xor(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > pieceCount2 {
			return count2Pieces(opXor, a, b)
		}
		b = raceCount2(a, b)
		if cpu.AVX512 {
			return xorCountAVX512(&a[0], &b[0], len(a))
		}
		return xorCountAVX2(&a[0], &b[0], len(a))
	}
	if len(a) <= shortWords {
		return xorCountShort(a, b)
	}
	return xorCountGeneric(a, b)
}

// AndNot returns the number of set bits in a &^ b, of the words that a has.
func AndNot(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > pieceCount2 {
			return count2Pieces(opAndNot, a, b)
		}
		b = raceCount2(a, b)
		if cpu.AVX512 {
			return andNotCountAVX512(&a[0], &b[0], len(a))
		}
		return andNotCountAVX2(&a[0], &b[0], len(a))
	}
	if len(a) <= shortWords {
		return andNotCountShort(a, b)
	}
	return andNotCountGeneric(a, b)
}

// AndWithCount sets dst = a & b and returns the number of set bits in it.
func AndWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if cpu.AVX2 && n >= minCount2 {
		if n > pieceCount2 {
			return withCountPieces(opAnd, dst, a, b)
		}
		raceWithCount(dst, a, b)
		if cpu.AVX512 {
			return andWithCountAVX512(&dst[0], &a[0], &b[0], n)
		}
		return andWithCountAVX2(&dst[0], &a[0], &b[0], n)
	}
	return andWithCountGeneric(dst, a, b)
}

// OrWithCount sets dst = a | b and returns the number of set bits in it.
func OrWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if cpu.AVX2 && n >= minCount2 {
		if n > pieceCount2 {
			return withCountPieces(opOr, dst, a, b)
		}
		raceWithCount(dst, a, b)
		if cpu.AVX512 {
			return orWithCountAVX512(&dst[0], &a[0], &b[0], n)
		}
		return orWithCountAVX2(&dst[0], &a[0], &b[0], n)
	}
	return orWithCountGeneric(dst, a, b)
}

// XorWithCount sets dst = a ^ b and returns the number of set bits in it.
func XorWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if cpu.AVX2 && n >= minCount2 {
		if n > pieceCount2 {
			return withCountPieces(opXor, dst, a, b)
		}
		raceWithCount(dst, a, b)
		if cpu.AVX512 {
			return xorWithCountAVX512(&dst[0], &a[0], &b[0], n)
		}
		return xorWithCountAVX2(&dst[0], &a[0], &b[0], n)
	}
	return xorWithCountGeneric(dst, a, b)
}

// AndNotWithCount sets dst = a &^ b and returns the number of set bits in it.
func AndNotWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	dst, a, b = dst[:n], a[:n], b[:n]
	if cpu.AVX2 && n >= minCount2 {
		if n > pieceCount2 {
			return withCountPieces(opAndNot, dst, a, b)
		}
		raceWithCount(dst, a, b)
		if cpu.AVX512 {
			return andNotWithCountAVX512(&dst[0], &a[0], &b[0], n)
		}
		return andNotWithCountAVX2(&dst[0], &a[0], &b[0], n)
	}
	return andNotWithCountGeneric(dst, a, b)
}

// withCountPieces sets dst = a op b and returns the number of set bits in it, in
// pieces.
func withCountPieces(op wordOp, dst, a, b []uint64) (count int) {
	for len(dst) > 0 {
		n := min(len(dst), pieceCount2)
		switch op {
		case opAnd:
			count += AndWithCount(dst[:n], a[:n], b[:n])
		case opOr:
			count += OrWithCount(dst[:n], a[:n], b[:n])
		case opXor:
			count += XorWithCount(dst[:n], a[:n], b[:n])
		case opAndNot:
			count += AndNotWithCount(dst[:n], a[:n], b[:n])
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
	return count
}

// raceWithCount declares to the race detector what a kernel reads and writes.
func raceWithCount(dst, a, b []uint64) {
	race.Read(a)
	race.Read(b)
	race.Write(dst)
}
