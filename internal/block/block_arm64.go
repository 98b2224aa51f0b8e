//go:build !purego

package block

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// The batch kernels take n keys, n a positive multiple of 4. With mixed set the
// keys are integers that hash.Mix turns into hashes on the way; otherwise they
// are hashes. A testing kernel writes (n+31)/32 words of 32 bits to hits, and
// clears the bits of the last one that stand for no key.
//
// Those named 8 are for k = 8, Rot for k < 8 and Two for k > 8. lanes is
// lanePattern(k).

//go:noescape
func test8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testRotNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testTwoNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func add8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addRotNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addTwoNEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)

// lanePattern returns eight bytes of which byte i is 1 if i is below the number
// of lanes, of the 8, that the rotation chooses, and 0 if not: rotated right by 8
// times a word's rotation, its byte j tells whether lane j is on.
func lanePattern(k int) uint64 {
	n := (k-1)&7 + 1
	return 0x0101010101010101 >> (64 - 8*n)
}

// The kernels for single keys take a filter of any k and size.

//go:noescape
func testHash(f *Filter, h uint64) bool

//go:noescape
func testUint64(f *Filter, x uint64) bool

//go:noescape
func addHash(f *Filter, h uint64)

//go:noescape
func addUint64(f *Filter, x uint64)

// A probe is what the kernels for single keys read of a filter besides its
// blocks, k and hashing.
type probe struct {
	level   uint8 // one of the below
	uint64s uint8 // the same for integers: in Go under a secret key
}

const (
	probeGeneric = iota // in Go: also for a Filter without blocks
	probeNEON
)

func newProbe(_ int, h hash.Hasher) (p probe) {
	if cpu.NEON {
		p.level = probeNEON
		if !h.Keyed() {
			p.uint64s = probeNEON
		}
	}
	return p
}

func addKernel(blocks []Block, k int, keys []uint64, mixed bool) {
	if !cpu.NEON {
		addGeneric(blocks, k, keys, mixed)
		return
	}
	b, nb, lanes, n := &blocks[0], uint64(len(blocks)), lanePattern(k), len(keys)
	switch {
	case k == 8:
		add8NEON(b, nb, lanes, &keys[0], n, mixed)
	case k < 8:
		addRotNEON(b, nb, lanes, &keys[0], n, mixed)
	default:
		addTwoNEON(b, nb, lanes, &keys[0], n, mixed)
	}
}

func testKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	if !cpu.NEON {
		testGeneric(blocks, k, keys, hits, mixed)
		return
	}
	b, nb, lanes, n := &blocks[0], uint64(len(blocks)), lanePattern(k), len(keys)
	switch {
	case k == 8:
		test8NEON(b, nb, lanes, &keys[0], n, mixed, &hits[0])
	case k < 8:
		testRotNEON(b, nb, lanes, &keys[0], n, mixed, &hits[0])
	default:
		testTwoNEON(b, nb, lanes, &keys[0], n, mixed, &hits[0])
	}
}

func testAndAddKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	testAndAddGeneric(blocks, k, keys, hits, mixed)
}
