//go:build !purego

package bitsieve

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels take n >= 0 words, those of AVX-512 that only count n >= 4, and no more
// than a piece (bitset_pieces.go). dst may be a or b.

//go:noescape
func countAVX2(p *uint64, n int) int

//go:noescape
func countAVX512(p *uint64, n int) int

//go:noescape
func andAVX2(dst, a, b *uint64, n int)

//go:noescape
func orAVX2(dst, a, b *uint64, n int)

//go:noescape
func xorAVX2(dst, a, b *uint64, n int)

//go:noescape
func andNotAVX2(dst, a, b *uint64, n int)

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

// countStreamAVX2 counts n words from p on, n from p + quarter words on, and so
// from each quarter. n > 0 is a multiple of 16.
//
//go:noescape
func countStreamAVX2(p *uint64, quarter, n int) int

// The kernels that write streams take n > 0, a multiple of 32, a dst aligned to 32
// bytes, and operands apart from it.

//go:noescape
func andStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func orStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func xorStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func andNotStreamAVX2(dst, a, b *uint64, n int)

// The lengths in words from which the kernels are called. The figures behind
// these thresholds come from
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v .
const (
	minCount  = 4
	minCount2 = 4
	minBinary = 8
)

// The lengths in words from which operands stream through the caches. There the
// loads that a core has in flight are the limit and no longer its work. Count then
// reads in four places at once, because the prefetching by hardware starts anew in
// each page: 33 GB/s of 64 MiB and not 27 on Zen 4. And a destination apart from the
// operands is not read before it is overwritten: Or of 8 MiB takes half the time.
// The cardinalities of two operands have no such length (TUNING.md).
const (
	streamCount  = 1 << 23 // 64 MiB
	streamBinary = 1 << 20
)

// pieceWithCount is how many words are written and counted in one piece.
const pieceWithCount = piecePair

func countWords(p []uint64) int {
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

// countLong is countWords for more than a piece.
func countLong(p []uint64) int {
	if len(p) >= streamCount {
		return countStream(p)
	}
	return countPieces(p)
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

func andWords(dst, a, b []uint64) {
	if cpu.AVX2 && len(dst) >= minBinary {
		if len(dst) > piecePair {
			binaryLong(opAnd, dst, a, b)
			return
		}
		a, b = raceBinary(dst, a, b)
		andAVX2(&dst[0], &a[0], &b[0], len(dst))
		return
	}
	if len(dst) <= shortWords {
		andShort(dst, a, b)
		return
	}
	andGeneric(dst, a, b)
}

func orWords(dst, a, b []uint64) {
	if cpu.AVX2 && len(dst) >= minBinary {
		if len(dst) > piecePair {
			binaryLong(opOr, dst, a, b)
			return
		}
		a, b = raceBinary(dst, a, b)
		orAVX2(&dst[0], &a[0], &b[0], len(dst))
		return
	}
	if len(dst) <= shortWords {
		orShort(dst, a, b)
		return
	}
	orGeneric(dst, a, b)
}

func xorWords(dst, a, b []uint64) {
	if cpu.AVX2 && len(dst) >= minBinary {
		if len(dst) > piecePair {
			binaryLong(opXor, dst, a, b)
			return
		}
		a, b = raceBinary(dst, a, b)
		xorAVX2(&dst[0], &a[0], &b[0], len(dst))
		return
	}
	if len(dst) <= shortWords {
		xorShort(dst, a, b)
		return
	}
	xorGeneric(dst, a, b)
}

func andNotWords(dst, a, b []uint64) {
	if cpu.AVX2 && len(dst) >= minBinary {
		if len(dst) > piecePair {
			binaryLong(opAndNot, dst, a, b)
			return
		}
		a, b = raceBinary(dst, a, b)
		andNotAVX2(&dst[0], &a[0], &b[0], len(dst))
		return
	}
	if len(dst) <= shortWords {
		andNotShort(dst, a, b)
		return
	}
	andNotGeneric(dst, a, b)
}

// binaryLong sets dst = a op b, for more than a piece.
func binaryLong(op wordOp, dst, a, b []uint64) {
	if streams(dst, a, b) {
		binaryStream(op, dst, a, b)
		return
	}
	binaryPieces(op, dst, a, b)
}

// streams reports whether dst is to be written past the caches. The instructions
// that do so need its alignment, which a slice made by unsafe may not have.
func streams(dst, a, b []uint64) bool {
	return len(dst) >= streamBinary && &dst[0] != &a[0] && &dst[0] != &b[0] &&
		uintptr(unsafe.Pointer(&dst[0]))%8 == 0
}

// binaryStream sets dst = a op b past the caches, in pieces. It takes a word at
// least.
func binaryStream(op wordOp, dst, a, b []uint64) {
	a, b = raceBinary(dst, a, b)
	head := int(-uintptr(unsafe.Pointer(&dst[0])) / 8 % 4) // words to the alignment
	head = min(head, len(dst))
	binaryWords(op, dst[:head], a[:head], b[:head])
	dst, a, b = dst[head:], a[head:], b[head:]
	for len(dst) >= 32 {
		n := min(len(dst)&^31, piecePair)
		binaryStreamPiece(op, &dst[0], &a[0], &b[0], n)
		dst, a, b = dst[n:], a[n:], b[n:]
	}
	binaryWords(op, dst, a, b)
}

// Inlined, it would not be a place to stop a goroutine at.
//
//go:noinline
func binaryStreamPiece(op wordOp, dst, a, b *uint64, n int) {
	switch op {
	case opAnd:
		andStreamAVX2(dst, a, b, n)
	case opOr:
		orStreamAVX2(dst, a, b, n)
	case opXor:
		xorStreamAVX2(dst, a, b, n)
	case opAndNot:
		andNotStreamAVX2(dst, a, b, n)
	}
}

func andCountWords(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > piecePair {
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

func orCountWords(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > piecePair {
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

func xorCountWords(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > piecePair {
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

func andNotCountWords(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
		if len(a) > piecePair {
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

func andWithCountWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minCount2 {
		if len(dst) > pieceWithCount {
			return withCountPieces(opAnd, dst, a, b)
		}
		a, b = raceBinary(dst, a, b)
		if cpu.AVX512 {
			return andWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return andWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return andWithCountGeneric(dst, a, b)
}

func orWithCountWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minCount2 {
		if len(dst) > pieceWithCount {
			return withCountPieces(opOr, dst, a, b)
		}
		a, b = raceBinary(dst, a, b)
		if cpu.AVX512 {
			return orWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return orWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return orWithCountGeneric(dst, a, b)
}

func xorWithCountWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minCount2 {
		if len(dst) > pieceWithCount {
			return withCountPieces(opXor, dst, a, b)
		}
		a, b = raceBinary(dst, a, b)
		if cpu.AVX512 {
			return xorWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return xorWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return xorWithCountGeneric(dst, a, b)
}

func andNotWithCountWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minCount2 {
		if len(dst) > pieceWithCount {
			return withCountPieces(opAndNot, dst, a, b)
		}
		a, b = raceBinary(dst, a, b)
		if cpu.AVX512 {
			return andNotWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return andNotWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return andNotWithCountGeneric(dst, a, b)
}
