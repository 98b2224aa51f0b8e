//go:build !purego

package bitsieve

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels below take n >= 1 words, those of AVX-512 that count n >= 4.
// countStreamAVX2 takes four times quarter, a multiple of 16 words.

//go:noescape
func countAVX2(p *uint64, n int) int

//go:noescape
func countStreamAVX2(p *uint64, quarter int) int

//go:noescape
func countAVX512(p *uint64, n int) int

//go:noescape
func andAVX2(dst, a, b *uint64, n int)

//go:noescape
func andStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func orAVX2(dst, a, b *uint64, n int)

//go:noescape
func orStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func xorAVX2(dst, a, b *uint64, n int)

//go:noescape
func xorStreamAVX2(dst, a, b *uint64, n int)

//go:noescape
func andNotAVX2(dst, a, b *uint64, n int)

//go:noescape
func andNotStreamAVX2(dst, a, b *uint64, n int)

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

// The decoding kernels do what decodeGeneric does, but places after those written
// may change.

//go:noescape
func decodeAVX2(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)

//go:noescape
func decodeAVX512(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)

//go:noescape
func decode32AVX2(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)

//go:noescape
func decode32AVX512(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)

// The lengths in words from which the kernels are called. The figures behind
// these thresholds come from
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v .
const (
	minCount  = 4
	minCount2  = 4
	minBinary = 8
)

// The lengths in words from which operands stream through the caches. There the
// loads that a core has in flight are the limit and no longer its work. Count then
// reads in four places at once, because the prefetching by hardware starts anew in
// each page: 33 GB/s of 64 MiB and not 27 on Zen 4, without huge pages. And a
// destination apart from the operands is better not read before it is overwritten:
// Or of 8 MiB takes half the time. (Of 4 MiB it takes 0.8 times as long, but what
// reads the result next takes longer than that saves.)
//
// The cardinalities of two operands have no such length. The 256-bit loads of
// their AVX2 kernels gain up to a tenth from 64 MiB on, but where the operands lie
// a power of two apart, as 256 MiB of each do in a common allocation, they read 7.7
// GB/s of each and those of 512 bits 13 (bitsieve bench -sizes 256MiB -run AndCount).
const (
	streamCount  = 1 << 23 // 64 MiB
	streamBinary = 1 << 20
)

func countWords(p []uint64) int {
	if cpu.AVX2 && len(p) >= minCount {
		race.Read(p)
		if len(p) >= streamCount {
			return countStream(p)
		}
		if cpu.AVX512 {
			return countAVX512(&p[0], len(p))
		}
		return countAVX2(&p[0], len(p))
	}
	return countGeneric(p)
}

// countStream counts 64 words at least.
func countStream(p []uint64) int {
	quarter := len(p) / 64 * 16
	return countStreamAVX2(&p[0], quarter) + countGeneric(p[4*quarter:])
}

func andWords(dst, a, b []uint64) {
	if cpu.AVX2 && len(dst) >= minBinary {
		a, b = raceBinary(dst, a, b)
		if streams(dst, a, b) {
			andStreamAVX2(&dst[0], &a[0], &b[0], len(dst))
			return
		}
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
		a, b = raceBinary(dst, a, b)
		if streams(dst, a, b) {
			orStreamAVX2(&dst[0], &a[0], &b[0], len(dst))
			return
		}
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
		a, b = raceBinary(dst, a, b)
		if streams(dst, a, b) {
			xorStreamAVX2(&dst[0], &a[0], &b[0], len(dst))
			return
		}
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
		a, b = raceBinary(dst, a, b)
		if streams(dst, a, b) {
			andNotStreamAVX2(&dst[0], &a[0], &b[0], len(dst))
			return
		}
		andNotAVX2(&dst[0], &a[0], &b[0], len(dst))
		return
	}
	if len(dst) <= shortWords {
		andNotShort(dst, a, b)
		return
	}
	andNotGeneric(dst, a, b)
}

// streams reports whether dst is to be written past the caches.
func streams(dst, a, b []uint64) bool {
	return len(dst) >= streamBinary && &dst[0] != &a[0] && &dst[0] != &b[0]
}

// raceBinary tells the race detector what a binary kernel reads and writes.
// It returns a and b at the length of dst, and panics if one is shorter.
func raceBinary(dst, a, b []uint64) (_, _ []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	race.Read(a)
	race.Read(b)
	race.Write(dst)
	return a, b
}

func andCountWords(a, b []uint64) int {
	if cpu.AVX2 && len(a) >= minCount2 {
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

// raceCount2 is raceBinary for the kernels that only count.
func raceCount2(a, b []uint64) []uint64 {
	b = b[:len(a)]
	race.Read(a)
	race.Read(b)
	return b
}

func decodeWords(dst []uint, words []uint64, base uint) (written, consumed int) {
	race.Read(words)
	if cpu.AVX512 {
		written, consumed = decodeAVX512(unsafe.SliceData(dst), len(dst), unsafe.SliceData(words), len(words), base)
	} else if cpu.AVX2 {
		written, consumed = decodeAVX2(unsafe.SliceData(dst), len(dst), unsafe.SliceData(words), len(words), base)
	} else {
		return decodeGeneric(dst, words, base)
	}
	declareIndices(dst, written)
	return written, consumed
}

func decodeWords32(dst []uint32, words []uint64, base uint32) (written, consumed int) {
	race.Read(words)
	if cpu.AVX512 {
		written, consumed = decode32AVX512(unsafe.SliceData(dst), len(dst), unsafe.SliceData(words), len(words), base)
	} else if cpu.AVX2 {
		written, consumed = decode32AVX2(unsafe.SliceData(dst), len(dst), unsafe.SliceData(words), len(words), base)
	} else {
		return decodeGeneric(dst, words, base)
	}
	declareIndices(dst, written)
	return written, consumed
}

// declareIndices tells the race detector what a decoding kernel has written: the
// indices and up to 64 places after them.
func declareIndices[T uint | uint32](dst []T, written int) {
	race.Write(dst[:min(len(dst), written+64)])
}

// byteNumbers has the numbers of the set bits of each byte, the lowest first.
var byteNumbers = func() (table [256][8]uint8) {
	for b := range table {
		n := 0
		for i := range uint8(8) {
			if b>>i&1 != 0 {
				table[b][n] = i
				n++
			}
		}
	}
	return table
}()
