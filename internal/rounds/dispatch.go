//go:build !purego && (amd64 || arm64)

package rounds

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels of rounds_amd64.s and rounds_arm64.s take 1 <= n <= Size. x and y are
// b.terms(i); m and inv are a Divisor; words may lie at any address, and the bit that
// they have for bit is bit^flip. One call takes at most Size cache misses,
// some 10 µs.
//
// Under the race detector the rounds are Go, so that it sees which words they
// touch.

//go:noescape
func firstKernel(words *uint64, b *Batch, n int, m, inv uint64)

//go:noescape
func testKernel(words *uint64, b *Batch, n int, x, y *[Size]uint64, i, m, inv, flip uint64) int

//go:noescape
func addKernel(words *uint64, b *Batch, n int, x, y *[Size]uint64, i, m, inv uint64)

func first(words []uint64, b *Batch, n int, d Divisor) {
	if (cpu.AVX2 || cpu.NEON) && !race.Enabled {
		b.near = cpu.Tune.Batches.BloomNear
		firstKernel(&words[0], b, n, d.M, d.inv)
		return
	}
	firstGeneric(b, n, d)
}

func test(words []uint64, b *Batch, n int, i uint64, d Divisor) int {
	if (cpu.AVX2 || cpu.NEON) && !race.Enabled {
		x, y := b.terms(i)
		return testKernel(&words[0], b, n, x, y, i, d.M, d.inv, 0)
	}
	return testGeneric(words, b, n, i, d)
}

func add(words []uint64, b *Batch, n int, i uint64, d Divisor) {
	if (cpu.AVX2 || cpu.NEON) && !race.Enabled {
		x, y := b.terms(i)
		addKernel(&words[0], b, n, x, y, i, d.M, d.inv)
		return
	}
	addGeneric(words, b, n, i, d)
}

func firstBits(bits Bits, b *Batch, n int, d Divisor) {
	if (cpu.AVX2 || cpu.NEON) && !race.Enabled {
		b.near = cpu.Tune.Batches.BloomNear
		firstKernel(bits.words(), b, n, d.M, d.inv)
		return
	}
	firstGeneric(b, n, d)
}

func testBits(bits Bits, b *Batch, n int, i uint64, d Divisor) int {
	if (cpu.AVX2 || cpu.NEON) && !race.Enabled {
		x, y := b.terms(i)
		return testKernel(bits.words(), b, n, x, y, i, d.M, d.inv, bits.Flip)
	}
	return testBitsGeneric(bits, b, n, i, d)
}

// words returns the address of the bytes, for kernels: they may not be aligned.
func (s Bits) words() *uint64 { return (*uint64)(unsafe.Pointer(&s.Bytes[0])) }
