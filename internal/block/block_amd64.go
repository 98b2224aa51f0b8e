//go:build !purego

package block

import (
	"math"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// The batch kernels take n keys, n a positive multiple of 8, and fewer than
// 2^32 blocks. With mixed set the keys are integers that hash.Mix turns into
// hashes on the way; otherwise they are hashes. A testing kernel writes
// (n+31)/32 words of 32 bits to hits, and clears the bits of the last one that
// stand for no key.
//
// Those named 8 are for k = 8, Rot for k < 8 and Two for k > 8. lanes is
// lanePattern(k) for AVX-512; for AVX2 a row of lanesOff in tests and of
// laneSigns in additions.

//go:noescape
func test8AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testRotAVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testTwoAVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func add8AVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addRotAVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addTwoAVX512(blocks *Block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func test8AVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testRotAVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testTwoAVX2(blocks *Block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func add8AVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addRotAVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addTwoAVX2(blocks *Block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)

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
// the 8 are on, in the order in which testRotAVX2 has the lanes.
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

// lanePattern returns 16 bits of which bit i tells whether i mod 8 is below the
// number of lanes, of the 8, that the rotation chooses: shifted right by a
// word's rotation, its low byte tells which lanes are on.
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

// A probe is what the kernels for single keys read of a filter besides its
// blocks. It follows from K, the hashing and the level in force.
type probe struct {
	level uint8       // one of the below
	k     int         // K, or more than MaxK for a filter with a secret key
	on    [8]uint8    // by rotation: bit j tells that lane j is on
	off   [8]uint8    // a row of lanesOff
	signs *[16]uint64 // one of laneSigns
}

const (
	probeGeneric = iota // in Go: also for a Filter without blocks
	probeAVX2
	probeAVX512
)

func newProbe(k int, h hash.Hasher) probe {
	p := probe{k: k, off: lanesOff[rotated(k)], signs: &laneSigns[rotated(k)]}
	if h.Keyed() {
		p.k = MaxK + 1
	}
	for r := range p.on {
		p.on[r] = uint8(lanePattern(k) >> r)
	}
	switch {
	case cpu.AVX512:
		p.level = probeAVX512
	case cpu.AVX2:
		p.level = probeAVX2
	}
	return p
}

// vector reports whether the kernels take filters of that many blocks: their
// arithmetic is of 32 bits there.
func vector(blocks []Block) bool { return cpu.AVX2 && uint64(len(blocks)) <= math.MaxUint32 }

func addKernel(blocks []Block, k int, keys []uint64, mixed bool) {
	if !vector(blocks) {
		addGeneric(blocks, k, keys, mixed)
		return
	}
	b, nb, n := &blocks[0], uint64(len(blocks)), len(keys)
	if cpu.AVX512 {
		lanes := lanePattern(k)
		switch {
		case k == 8:
			add8AVX512(b, nb, lanes, &keys[0], n, mixed)
		case k < 8:
			addRotAVX512(b, nb, lanes, &keys[0], n, mixed)
		default:
			addTwoAVX512(b, nb, lanes, &keys[0], n, mixed)
		}
		return
	}
	signs := &laneSigns[rotated(k)]
	switch {
	case k == 8:
		add8AVX2(b, nb, signs, &keys[0], n, mixed)
	case k < 8:
		addRotAVX2(b, nb, signs, &keys[0], n, mixed)
	default:
		addTwoAVX2(b, nb, signs, &keys[0], n, mixed)
	}
}

func testKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	if !vector(blocks) {
		testGeneric(blocks, k, keys, hits, mixed)
		return
	}
	b, nb, n := &blocks[0], uint64(len(blocks)), len(keys)
	if cpu.AVX512 {
		lanes := lanePattern(k)
		switch {
		case k == 8:
			test8AVX512(b, nb, lanes, &keys[0], n, mixed, &hits[0])
		case k < 8:
			testRotAVX512(b, nb, lanes, &keys[0], n, mixed, &hits[0])
		default:
			testTwoAVX512(b, nb, lanes, &keys[0], n, mixed, &hits[0])
		}
		return
	}
	off := &lanesOff[rotated(k)]
	switch {
	case k == 8:
		test8AVX2(b, nb, off, &keys[0], n, mixed, &hits[0])
	case k < 8:
		testRotAVX2(b, nb, off, &keys[0], n, mixed, &hits[0])
	default:
		testTwoAVX2(b, nb, off, &keys[0], n, mixed, &hits[0])
	}
}

func testAndAddKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	testAndAddGeneric(blocks, k, keys, hits, mixed)
}
