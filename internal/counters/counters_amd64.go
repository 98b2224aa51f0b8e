//go:build !purego

package counters

import (
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// fieldShifts holds where every lane's field begins, less 2, so that its number
// comes out multiplied by 4; lineBits its bit of value 16.
var fieldShifts, lineBits = func() (shifts, lines [8]uint64) {
	for j := range shifts {
		first := block.FieldShift + block.FieldBits*j
		shifts[j], lines[j] = uint64(first-2), 1<<(first+4)
	}
	return shifts, lines
}()

// The kernels take n > 0 hashes and write (n+63)/64 words to hits, whose bits past
// n are 0.

//go:noescape
func testAVX512(blocks *Block, nblocks, lanes, lanes2 uint64, hashes *uint64, n int, hits *uint64)

//go:noescape
func addAVX512(blocks *Block, nblocks, lanes, lanes2 uint64, hashes *uint64, n int, hits *uint64)

//go:noescape
func removeAVX512(blocks *Block, nblocks, lanes, lanes2 uint64, hashes *uint64, n int, hits *uint64)

//go:noescape
func testAVX2(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)

//go:noescape
func addAVX2(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)

//go:noescape
func removeAVX2(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)

// lanePattern returns 16 bits of which bit i is set if i mod 8 is below n: shifted
// right by a word's rotation, its low byte has the bits of the lanes that are on when
// n of the 8 are.
func lanePattern(n int) uint64 {
	p := uint64(1)<<n - 1
	return p | p<<8
}

// vector reports whether there are kernels at the level in force.
func vector() bool { return cpu.AVX2 }

func kernel(v verb, blocks []Block, k int, hashes, hits []uint64) {
	b, nb, n := &blocks[0], uint64(len(blocks)), len(hashes)
	first, second := min(k, 8), max(k-8, 0)
	if cpu.AVX512 {
		lanes, lanes2 := lanePattern(first), lanePattern(second)
		switch v {
		case test:
			testAVX512(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
		case add:
			addAVX512(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
		case remove:
			removeAVX512(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
		}
		return
	}
	if cpu.AVX2 {
		lanes, lanes2 := &laneMasks[first], (*[16]uint64)(nil)
		if second > 0 {
			lanes2 = &laneMasks[second]
		}
		switch v {
		case test:
			testAVX2(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
		case add:
			addAVX2(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
		case remove:
			removeAVX2(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
		}
		return
	}
	generic(v, blocks, k, hashes, hits)
}
