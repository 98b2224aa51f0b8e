//go:build !purego

package block

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// The batch kernels take n keys, n a positive multiple of 4. If how has mixBit the
// keys are integers that hash.Mix turns into hashes on the way; otherwise they are
// hashes. Blocks are prefetched ahead groups of four keys before they are needed, 1
// to cpu.MaxLookaheadNEON, into the second level of cache if how has farBit, otherwise into the
// first. A kernel with hits writes (n+31)/32 words of 32 bits there, and clears the
// bits of the last one that stand for no key. lanes is lanePattern(k).

//go:noescape
func testK8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)

//go:noescape
func testK1to7NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)

//go:noescape
func testK9to16NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)

//go:noescape
func addK8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64)

//go:noescape
func addK1to7NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64)

//go:noescape
func addK9to16NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64)

//go:noescape
func testAddK8NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)

//go:noescape
func testAddK1to7NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)

//go:noescape
func testAddK9to16NEON(blocks *Block, nblocks, lanes uint64, keys *uint64, n int, how, ahead uint64, hits *uint64)

// lanePattern returns eight bytes of which byte i is 1 if i is below the number
// of lanes, of the 8, that the rotation chooses, and 0 if not: rotated right by 8
// times a word's rotation, its byte j is 1 if lane j is on.
func lanePattern(k int) uint64 {
	n := (k-1)&7 + 1
	return allLanes >> (64 - 8*n)
}

const allLanes = 0x0101010101010101 // lanePattern(8)

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
// blocks. It follows from K, the hashing and the level in force.
type probe struct {
	path    uint8  // one of the below
	uint64s uint8  // the same for integers: in Go under a secret key
	on      uint64 // lanePattern(K)
	off     uint64 // 64 in the bytes in which on has 0, 0 in the others
}

// The kinds of K, in the order in which the kernels compare them.
const (
	pathGeneric = iota // in Go: also for a Filter without blocks
	pathK1to7
	pathK8
	pathK9to16
)

func newProbe(k int, h hash.Hasher) (p probe) {
	if !cpu.NEON {
		return p
	}
	p.on = lanePattern(k)
	p.off = (allLanes ^ p.on) << 6
	switch {
	case k < 8:
		p.path = pathK1to7
	case k == 8:
		p.path = pathK8
	default:
		p.path = pathK9to16
	}
	if !h.Keyed() {
		p.uint64s = p.path
	}
	return p
}

// The bits of how.
const (
	mixBit = iota
	farBit
)

// howNEON returns how and ahead for a batch, by the row of tuning in force. Values
// that no row may have are cut, for the kernels trust them.
func howNEON(blocks []Block, mixed bool) (how, ahead uint64) {
	t := &cpu.Tune.Arm.Blocked[0]
	if len(blocks)*Bytes > cpu.Tune.Arm.BlockedCached {
		t = &cpu.Tune.Arm.Blocked[1]
	}
	if mixed {
		how = 1 << mixBit
	}
	if !t.Near {
		how |= 1 << farBit
	}
	return how, min(max(uint64(t.Ahead), 1), cpu.MaxLookaheadNEON)
}

func addKernel(blocks []Block, k int, keys []uint64, mixed bool) {
	if !cpu.NEON {
		addGeneric(blocks, k, keys, mixed)
		return
	}
	b, nb, lanes, n := &blocks[0], uint64(len(blocks)), lanePattern(k), len(keys)
	how, ahead := howNEON(blocks, mixed)
	switch {
	case k == 8:
		addK8NEON(b, nb, lanes, &keys[0], n, how, ahead)
	case k < 8:
		addK1to7NEON(b, nb, lanes, &keys[0], n, how, ahead)
	default:
		addK9to16NEON(b, nb, lanes, &keys[0], n, how, ahead)
	}
}

func testKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	if !cpu.NEON {
		testGeneric(blocks, k, keys, hits, mixed)
		return
	}
	b, nb, lanes, n := &blocks[0], uint64(len(blocks)), lanePattern(k), len(keys)
	how, ahead := howNEON(blocks, mixed)
	switch {
	case k == 8:
		testK8NEON(b, nb, lanes, &keys[0], n, how, ahead, &hits[0])
	case k < 8:
		testK1to7NEON(b, nb, lanes, &keys[0], n, how, ahead, &hits[0])
	default:
		testK9to16NEON(b, nb, lanes, &keys[0], n, how, ahead, &hits[0])
	}
}

func testAndAddKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	if !cpu.NEON {
		testAndAddGeneric(blocks, k, keys, hits, mixed)
		return
	}
	b, nb, lanes, n := &blocks[0], uint64(len(blocks)), lanePattern(k), len(keys)
	how, ahead := howNEON(blocks, mixed)
	switch {
	case k == 8:
		testAddK8NEON(b, nb, lanes, &keys[0], n, how, ahead, &hits[0])
	case k < 8:
		testAddK1to7NEON(b, nb, lanes, &keys[0], n, how, ahead, &hits[0])
	default:
		testAddK9to16NEON(b, nb, lanes, &keys[0], n, how, ahead, &hits[0])
	}
}

func vectorBlocks(uint64) bool { return cpu.NEON }

func testBits(bits *byte, n, k int, h uint64, level cpu.Level) bool {
	return testBitsGeneric(bits, n, k, h, level)
}
