//go:build !purego

package block

import (
	"math"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// The batch kernels take n keys, n a positive multiple of 8, and fewer than
// 2^32 blocks. If mixed, the keys are integers that hash.Mix turns into hashes on
// the way; otherwise they are hashes. A kernel with results writes (n+31)/32 masks
// of 32 bits to hits, and clears the bits of the last one that stand for no key.
//
// lanes is lanePattern(k) for AVX-512; for AVX2 it is a row of lanesOff in tests
// and one of laneSigns where keys are added. With k = 8 all lanes are on.
//
// ahead, fill and near are lookahead's; no answer depends on them.

//go:noescape
func testK8AVX512(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testK1to7AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testK9to16AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func addK8AVX512(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool)

//go:noescape
func addK1to7AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool)

//go:noescape
func addK9to16AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool)

//go:noescape
func testAddK8AVX512(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testAddK1to7AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testAddK9to16AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testK8AVX2(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testK1to7AVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testK9to16AVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func addK8AVX2(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool)

//go:noescape
func addK1to7AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool)

//go:noescape
func addK9to16AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool)

//go:noescape
func testAddK8AVX2(blocks *Block, nblocks uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testAddK1to7AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

//go:noescape
func testAddK9to16AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n, ahead, fill int, mixed, near bool, hits *uint64)

// laneFields holds the first bit of every lane's field. Like laneSigns and
// laneOne it is read by the kernels only.
var laneFields = [8]uint64{16, 22, 28, 34, 40, 46, 52, 58}

var laneOne uint64 = 1

// laneSigns[n][r:r+8] has the sign bit set in the lanes that rotation r turns
// on when n of the 8 are.
var laneSigns = func() (t [9][16]uint64) {
	for n := range t {
		for i := range t[n] {
			if i&7 < n {
				t[n][i] = 1 << 63
			}
		}
	}
	return t
}()

// lanesOff[n][r] has a bit set for each lane that rotation r turns off when n of
// the 8 are on, in the order in which testK1to7AVX2 has the lanes.
var lanesOff = func() (t [9][8]uint8) {
	for n := range t {
		for r := range t[n] {
			for bit, lane := range [8]int{0, 1, 4, 5, 2, 3, 6, 7} {
				if (lane+r)&7 >= n {
					t[n][r] |= 1 << bit
				}
			}
		}
	}
	return t
}()

// lanesOn[n][r] has bit j set if rotation r turns lane j on when n of the 8 are.
var lanesOn = func() (t [9][8]uint8) {
	for n := 1; n < len(t); n++ {
		for r := range t[n] {
			t[n][r] = uint8(lanePattern(n) >> r)
		}
	}
	return t
}()

// lanePattern returns 16 bits of which bit i is set if i mod 8 is below the number
// of lanes, of the 8, that the rotation turns on: shifted right by a word's
// rotation, its low byte has the bits of the lanes that are on.
func lanePattern(k int) uint64 {
	n := rotated(k)
	p := uint64(1)<<n - 1
	return p | p<<8
}

// rotated returns the number of lanes that the rotation turns on.
func rotated(k int) int { return (k-1)&7 + 1 }

// The kernels for single keys take a filter of any k and size.

//go:noescape
func testHash(f *Filter, h uint64) bool

//go:noescape
func testUint64(f *Filter, x uint64) bool

//go:noescape
func addHash(f *Filter, h uint64)

//go:noescape
func addUint64(f *Filter, x uint64)

// testBits is that for blocks in bytes, which need not be valid.
//
//go:noescape
func testBits(bits *byte, n, k int, h uint64, level cpu.Level) bool

// The levels, for testBits.
const (
	levelAVX2   = cpu.LevelAVX2
	levelAVX512 = cpu.LevelAVX512
)

// A probe is what the kernels for single keys read of a filter besides its
// blocks. It follows from K, the hashing and the level in force.
type probe struct {
	path    uint8       // for hashes: one of the below
	uint64s uint8       // for integers: the same, or in Go under a secret key
	on      [8]uint8    // by rotation: bit j is set if lane j is on
	off     [8]uint8    // a row of lanesOff
	signs   *[16]uint64 // one of laneSigns
}

// The paths through the kernels for single keys, in an order that lets one
// comparison decide several branches: the kernels look for the last first.
const (
	pathGeneric = iota // in Go: also for a Filter without blocks
	pathK9to16AVX2
	pathK8AVX2
	pathK1to7AVX2
	pathK1to7AVX512
	pathK9to16AVX512
	pathK8AVX512
)

func newProbe(k int, h hash.Hasher) probe {
	p := probe{on: lanesOn[rotated(k)], off: lanesOff[rotated(k)], signs: &laneSigns[rotated(k)]}
	switch {
	case cpu.AVX512:
		p.path = kind(k, pathK1to7AVX512, pathK8AVX512, pathK9to16AVX512)
	case cpu.AVX2:
		p.path = kind(k, pathK1to7AVX2, pathK8AVX2, pathK9to16AVX2)
	}
	if !h.Keyed() {
		p.uint64s = p.path
	}
	return p
}

// kind returns that of the three paths which is for k.
func kind(k int, k1to7, k8, k9to16 uint8) uint8 {
	switch {
	case k < 8:
		return k1to7
	case k == 8:
		return k8
	}
	return k9to16
}

// vector reports whether the kernels take filters of that many blocks: their
// arithmetic is of 32 bits there.
func vector(blocks []Block) bool { return vectorBlocks(uint64(len(blocks))) }

func vectorBlocks(n uint64) bool { return cpu.AVX2 && n <= math.MaxUint32 }

// ringGroups is the number of groups of keys that the kernels' pipeline holds.
const ringGroups = 32

// lookahead returns how far ahead a kernel works on n keys, a multiple of
// kernelKeys, in a filter of so many blocks: the distances in bytes of the
// pipeline's arrays, a word for each key, and whether to prefetch into L1. What the
// row says is for long batches. Short ones have at most half of their keys
// prefetched before the first is probed, and no more rounds that only fill the
// pipeline than it takes to hash them all.
func lookahead(blocks, n int) (ahead, fill int, near bool) {
	t := &cpu.Tune.Batches
	l := &t.Blocked256
	if cpu.AVX512 {
		l = &t.Blocked512
	}
	size := 0
	if blocks > t.BlockedCached/Bytes {
		size = 1
	}
	a := &l[size]
	groups := n / kernelKeys
	ahead = min(int(a.Ahead), max(groups/2, 1))
	fill = min(ahead+int(a.Fill), groups+1) // one apart: what was just stored is slow to read
	return ahead * 8 * kernelKeys, fill * 8 * kernelKeys, a.Near
}

func testKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	if !vector(blocks) {
		testGeneric(blocks, k, keys, hits, mixed)
		return
	}
	b, nb, n := &blocks[0], uint64(len(blocks)), len(keys)
	ahead, fill, near := lookahead(len(blocks), n)
	if cpu.AVX512 {
		lanes := lanePattern(k)
		switch {
		case k == 8:
			testK8AVX512(b, nb, &keys[0], n, ahead, fill, mixed, near, &hits[0])
		case k < 8:
			testK1to7AVX512(b, nb, lanes, &keys[0], n, ahead, fill, mixed, near, &hits[0])
		default:
			testK9to16AVX512(b, nb, lanes, &keys[0], n, ahead, fill, mixed, near, &hits[0])
		}
		return
	}
	off := &lanesOff[rotated(k)]
	switch {
	case k == 8:
		testK8AVX2(b, nb, &keys[0], n, ahead, fill, mixed, near, &hits[0])
	case k < 8:
		testK1to7AVX2(b, nb, off, &keys[0], n, ahead, fill, mixed, near, &hits[0])
	default:
		testK9to16AVX2(b, nb, off, &keys[0], n, ahead, fill, mixed, near, &hits[0])
	}
}

func addKernel(blocks []Block, k int, keys []uint64, mixed bool) {
	if !vector(blocks) {
		addGeneric(blocks, k, keys, mixed)
		return
	}
	b, nb, n := &blocks[0], uint64(len(blocks)), len(keys)
	ahead, fill, near := lookahead(len(blocks), n)
	if cpu.AVX512 {
		lanes := lanePattern(k)
		switch {
		case k == 8:
			addK8AVX512(b, nb, &keys[0], n, ahead, fill, mixed, near)
		case k < 8:
			addK1to7AVX512(b, nb, lanes, &keys[0], n, ahead, fill, mixed, near)
		default:
			addK9to16AVX512(b, nb, lanes, &keys[0], n, ahead, fill, mixed, near)
		}
		return
	}
	signs := &laneSigns[rotated(k)]
	switch {
	case k == 8:
		addK8AVX2(b, nb, &keys[0], n, ahead, fill, mixed, near)
	case k < 8:
		addK1to7AVX2(b, nb, signs, &keys[0], n, ahead, fill, mixed, near)
	default:
		addK9to16AVX2(b, nb, signs, &keys[0], n, ahead, fill, mixed, near)
	}
}

func testAndAddKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	if !vector(blocks) {
		testAndAddGeneric(blocks, k, keys, hits, mixed)
		return
	}
	b, nb, n := &blocks[0], uint64(len(blocks)), len(keys)
	ahead, fill, near := lookahead(len(blocks), n)
	if cpu.AVX512 {
		lanes := lanePattern(k)
		switch {
		case k == 8:
			testAddK8AVX512(b, nb, &keys[0], n, ahead, fill, mixed, near, &hits[0])
		case k < 8:
			testAddK1to7AVX512(b, nb, lanes, &keys[0], n, ahead, fill, mixed, near, &hits[0])
		default:
			testAddK9to16AVX512(b, nb, lanes, &keys[0], n, ahead, fill, mixed, near, &hits[0])
		}
		return
	}
	signs := &laneSigns[rotated(k)]
	switch {
	case k == 8:
		testAddK8AVX2(b, nb, &keys[0], n, ahead, fill, mixed, near, &hits[0])
	case k < 8:
		testAddK1to7AVX2(b, nb, signs, &keys[0], n, ahead, fill, mixed, near, &hits[0])
	default:
		testAddK9to16AVX2(b, nb, signs, &keys[0], n, ahead, fill, mixed, near, &hits[0])
	}
}
