//go:build !purego

package bitsieve

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels take n >= 1 words, those of AVX-512 n >= 8, and no more than a piece
// (bitset_pieces.go). dst may be a or b.

//go:noescape
func andAVX2(dst, a, b *uint64, n int)

//go:noescape
func andAVX512(dst, a, b *uint64, n int)

//go:noescape
func orAVX2(dst, a, b *uint64, n int)

//go:noescape
func orAVX512(dst, a, b *uint64, n int)

//go:noescape
func xorAVX2(dst, a, b *uint64, n int)

//go:noescape
func xorAVX512(dst, a, b *uint64, n int)

//go:noescape
func andNotAVX2(dst, a, b *uint64, n int)

//go:noescape
func andNotAVX512(dst, a, b *uint64, n int)

// Those for streams take a positive multiple of 32 words, a dst aligned to 32
// bytes, and operands apart from it.

//go:noescape
func andStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func orStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func xorStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func andNotStreamAVX2(dst, a, b *uint64, n int)

// minBinary is the length in words from which the kernels are called. The figures
// behind it come from
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v .
const minBinary = 8

// minWide is the least length in words from which any row of cpu.Tune has vectors of
// 512 bits, so that what is shorter does not look.
const minWide = 64

func andWords(dst, a, b []uint64) {
	if cpu.AVX2 && len(dst) >= minBinary {
		if len(dst) >= minWide {
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
		if len(dst) >= minWide {
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
		if len(dst) >= minWide {
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
		if len(dst) >= minWide {
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

// What the exported functions call for n words, minCall at least (bitset_generic.go),
// straight from their callers: a kernel without the verb before it up to maxDirect
// words, for a quarter of the time of 8 to 32 words is that call (TUNING.md).

// maxDirect is up to how many words one kernel does all.
const maxDirect = 64

func direct(dst, a, b []uint64, n int, kernel, verb func(dst, a, b []uint64, n int)) {
	if cpu.AVX2 && n < maxDirect && !race.Enabled {
		kernel(dst, a, b, n)
		return
	}
	verb(dst, a, b, n)
}

func andRest(dst, a, b []uint64, n int)    { direct(dst, a, b, n, andKernel, andVerb) }
func orRest(dst, a, b []uint64, n int)     { direct(dst, a, b, n, orKernel, orVerb) }
func xorRest(dst, a, b []uint64, n int)    { direct(dst, a, b, n, xorKernel, xorVerb) }
func andNotRest(dst, a, b []uint64, n int) { direct(dst, a, b, n, andNotKernel, andNotVerb) }

func andKernel(dst, a, b []uint64, n int) {
	andAVX2(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func orKernel(dst, a, b []uint64, n int) {
	orAVX2(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func xorKernel(dst, a, b []uint64, n int) {
	xorAVX2(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func andNotKernel(dst, a, b []uint64, n int) {
	andNotAVX2(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func andVerb(dst, a, b []uint64, n int)    { andWords(dst[:n], a[:n], b[:n]) }
func orVerb(dst, a, b []uint64, n int)     { orWords(dst[:n], a[:n], b[:n]) }
func xorVerb(dst, a, b []uint64, n int)    { xorWords(dst[:n], a[:n], b[:n]) }
func andNotVerb(dst, a, b []uint64, n int) { andNotWords(dst[:n], a[:n], b[:n]) }

// binaryLong sets dst = a op b, for minWide words or more.
func binaryLong(op wordOp, dst, a, b []uint64) {
	n := len(dst)
	if n > piecePair {
		if streams(dst, a, b) {
			binaryStream(op, dst, a, b)
		} else {
			binaryPieces(op, dst, a, b)
		}
		return
	}
	a, b = raceBinary(dst, a, b)
	if wide(dst, a, b) {
		switch op {
		case opAnd:
			andAVX512(&dst[0], &a[0], &b[0], n)
		case opOr:
			orAVX512(&dst[0], &a[0], &b[0], n)
		case opXor:
			xorAVX512(&dst[0], &a[0], &b[0], n)
		case opAndNot:
			andNotAVX512(&dst[0], &a[0], &b[0], n)
		}
		return
	}
	switch op {
	case opAnd:
		andAVX2(&dst[0], &a[0], &b[0], n)
	case opOr:
		orAVX2(&dst[0], &a[0], &b[0], n)
	case opXor:
		xorAVX2(&dst[0], &a[0], &b[0], n)
	case opAndNot:
		andNotAVX2(&dst[0], &a[0], &b[0], n)
	}
}

// wide reports whether minWide words or more are to be done by vectors of 512 bits. Not
// so if both operands lie half a cache line off dst: vectors of 256 bits then cross no
// line, and all those of 512 do.
func wide(dst, a, b []uint64) bool {
	if !cpu.AVX512 || len(dst) < cpu.Tune.Words.Wide {
		return false
	}
	to := uintptr(unsafe.Pointer(&dst[0]))
	return (to-uintptr(unsafe.Pointer(&a[0])))%64 != 32 || (to-uintptr(unsafe.Pointer(&b[0])))%64 != 32
}

// streams reports whether dst is to be written past the caches. The instructions
// that do so need its alignment, which a slice made by unsafe may not have.
func streams(dst, a, b []uint64) bool {
	return len(dst) >= cpu.Tune.Words.StreamBinary && &dst[0] != &a[0] && &dst[0] != &b[0] &&
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

// The kernels that count what they write are in one room with those that count.

func andWithCountWords(dst, a, b []uint64) int    { return popcount.AndWithCount(dst, a, b) }
func orWithCountWords(dst, a, b []uint64) int     { return popcount.OrWithCount(dst, a, b) }
func xorWithCountWords(dst, a, b []uint64) int    { return popcount.XorWithCount(dst, a, b) }
func andNotWithCountWords(dst, a, b []uint64) int { return popcount.AndNotWithCount(dst, a, b) }
