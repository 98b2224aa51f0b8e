//go:build !purego

package bitsieve

import "math"

// The batch kernels take n keys, n a positive multiple of 8, and fewer than
// 2^32 blocks. With mixed set the keys are integers that mixUint64 turns into
// hashes on the way; otherwise they are hashes. A testing kernel writes
// (n+31)/32 words of 32 bits to hits, and clears the bits of the last one that
// stand for no key.
//
// Those named 8 are for k = 8, Rot for k < 8 and Two for k > 8. lanes is
// lanePattern(k) for AVX-512; for AVX2 a row of lanesOff in tests and of
// laneSigns in additions.

//go:noescape
func test8AVX512(blocks *block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testRotAVX512(blocks *block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testTwoAVX512(blocks *block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func add8AVX512(blocks *block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addRotAVX512(blocks *block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addTwoAVX512(blocks *block, nblocks uint64, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func test8AVX2(blocks *block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testRotAVX2(blocks *block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testTwoAVX2(blocks *block, nblocks uint64, lanes *[8]uint8, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func add8AVX2(blocks *block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addRotAVX2(blocks *block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addTwoAVX2(blocks *block, nblocks uint64, lanes *[16]uint64, keys *uint64, n int, mixed bool)

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

// kernelKeys is the least that the batch kernels take.
const kernelKeys = 8

func vectorised(blocks []block, n int) bool {
	return useAVX2 && n >= kernelKeys && uint64(len(blocks)) <= math.MaxUint32
}

func addHashes(blocks []block, k int, hashes []uint64) {
	if !vectorised(blocks, len(hashes)) {
		addHashesGeneric(blocks, k, hashes)
		return
	}
	addVector(blocks, k, hashes, false)
}

func addUint64s(blocks []block, k int, keys []uint64) {
	if !vectorised(blocks, len(keys)) {
		addUint64sGeneric(blocks, k, keys)
		return
	}
	addVector(blocks, k, keys, true)
}

func testHashes(blocks []block, k int, hashes, hits []uint64) int {
	if !vectorised(blocks, len(hashes)) {
		return testHashesGeneric(blocks, k, hashes, hits)
	}
	return testVector(blocks, k, hashes, hits, false)
}

func testUint64s(blocks []block, k int, keys, hits []uint64) int {
	if !vectorised(blocks, len(keys)) {
		return testUint64sGeneric(blocks, k, keys, hits)
	}
	return testVector(blocks, k, keys, hits, true)
}

// addVector adds at least 8 keys: as many as the kernels take, a multiple of 8,
// by them.
func addVector(blocks []block, k int, keys []uint64, mixed bool) {
	raceReadWords(keys)
	raceWriteBlocks(blocks)
	whole := len(keys) &^ (kernelKeys - 1)
	addWhole(blocks, k, keys[:whole], mixed)
	if mixed {
		addUint64sGeneric(blocks, k, keys[whole:])
	} else {
		addHashesGeneric(blocks, k, keys[whole:])
	}
}

func addWhole(blocks []block, k int, keys []uint64, mixed bool) {
	b, nb, n := &blocks[0], uint64(len(blocks)), len(keys)
	if useAVX512 {
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

// testVector tests at least 8 keys.
func testVector(blocks []block, k int, keys, hits []uint64, mixed bool) int {
	hits = hits[:(len(keys)+63)/64]
	raceReadWords(keys)
	raceReadBlocks(blocks)
	raceWriteWords(hits)
	hits[len(hits)-1] = 0
	whole := len(keys) &^ (kernelKeys - 1)
	testWhole(blocks, k, keys[:whole], hits, mixed)
	if whole < len(keys) {
		var last [1]uint64
		if mixed {
			testUint64sGeneric(blocks, k, keys[whole:], last[:])
		} else {
			testHashesGeneric(blocks, k, keys[whole:], last[:])
		}
		hits[whole/64] |= last[0] << (whole & 63)
	}
	return countWords(hits)
}

func testWhole(blocks []block, k int, keys, hits []uint64, mixed bool) {
	b, nb, n := &blocks[0], uint64(len(blocks)), len(keys)
	if useAVX512 {
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
