//go:build !purego

package counters

import (
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// fieldShifts holds by how much to shift a word left to have every lane's field,
// multiplied by 4, at its low end: negative numbers.
var fieldShifts = func() (shifts [8]int64) {
	for j := range shifts {
		shifts[j] = -int64(block.FieldShift + block.FieldBits*j - 2)
	}
	return shifts
}()

// The kernels take n > 0 hashes and write (n+63)/64 words to hits, whose bits past
// n are 0.

//go:noescape
func testNEON(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)

//go:noescape
func addNEON(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)

//go:noescape
func removeNEON(blocks *Block, nblocks uint64, lanes, lanes2 *[16]uint64, hashes *uint64, n int, hits *uint64)

// vector reports whether there are kernels at the level in force.
func vector() bool { return cpu.NEON }

func kernel(v verb, blocks []Block, k int, hashes, hits []uint64) {
	if !cpu.NEON {
		generic(v, blocks, k, hashes, hits)
		return
	}
	b, nb, n := &blocks[0], uint64(len(blocks)), len(hashes)
	lanes, lanes2 := &laneMasks[min(k, 8)], (*[16]uint64)(nil)
	if k > 8 {
		lanes2 = &laneMasks[k-8]
	}
	switch v {
	case test:
		testNEON(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
	case add:
		addNEON(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
	case remove:
		removeNEON(b, nb, lanes, lanes2, &hashes[0], n, &hits[0])
	}
}
