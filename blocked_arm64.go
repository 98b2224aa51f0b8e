//go:build !purego

package bitsieve

// The batch kernels take n keys, n a positive multiple of 4. With mixed set the
// keys are integers that mixUint64 turns into hashes on the way; otherwise they
// are hashes. A testing kernel writes (n+31)/32 words of 32 bits to hits, and
// clears the bits of the last one that stand for no key.
//
// Those named 8 are for k = 8, Rot for k < 8 and Two for k > 8. lanes is
// lanePattern(k).

//go:noescape
func test8NEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testRotNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func testTwoNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool, hits *uint64)

//go:noescape
func add8NEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addRotNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)

//go:noescape
func addTwoNEON(blocks *block, nblocks, lanes uint64, keys *uint64, n int, mixed bool)

// kernelKeys is the number of keys from which the vector kernels are called: they
// cost less from 4 on, but for filling the miss buffers (scripts/mca: 8 keys with
// k = 8 take 175 cycles on Neoverse N1 and 67 on V2, in Go 257 and 138).
const kernelKeys = 8

// lanePattern returns eight bytes of which byte i is 1 if i is below the number
// of lanes, of the 8, that the rotation chooses, and 0 if not: rotated right by 8
// times a word's rotation, its byte j tells whether lane j is on.
func lanePattern(k int) uint64 {
	n := (k-1)&7 + 1
	return 0x0101010101010101 >> (64 - 8*n)
}

func addHashes(blocks []block, k int, hashes []uint64) {
	if !useNEON || len(hashes) < kernelKeys {
		addHashesGeneric(blocks, k, hashes)
		return
	}
	addVector(blocks, k, hashes, false)
}

func addUint64s(blocks []block, k int, keys []uint64) {
	if !useNEON || len(keys) < kernelKeys {
		addUint64sGeneric(blocks, k, keys)
		return
	}
	addVector(blocks, k, keys, true)
}

func testHashes(blocks []block, k int, hashes, hits []uint64) int {
	if !useNEON || len(hashes) < kernelKeys {
		return testHashesGeneric(blocks, k, hashes, hits)
	}
	return testVector(blocks, k, hashes, hits, false)
}

func testUint64s(blocks []block, k int, keys, hits []uint64) int {
	if !useNEON || len(keys) < kernelKeys {
		return testUint64sGeneric(blocks, k, keys, hits)
	}
	return testVector(blocks, k, keys, hits, true)
}

// addVector adds at least 4 keys.
func addVector(blocks []block, k int, keys []uint64, mixed bool) {
	raceReadWords(keys)
	raceWriteBlocks(blocks)
	whole := len(keys) &^ 3
	addFours(blocks, k, keys[:whole], mixed)
	if mixed {
		addUint64sGeneric(blocks, k, keys[whole:])
	} else {
		addHashesGeneric(blocks, k, keys[whole:])
	}
}

func addFours(blocks []block, k int, keys []uint64, mixed bool) {
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

// testVector tests at least 4 keys.
func testVector(blocks []block, k int, keys, hits []uint64, mixed bool) int {
	hits = hits[:(len(keys)+63)/64]
	raceReadWords(keys)
	raceReadBlocks(blocks)
	raceWriteWords(hits)
	hits[len(hits)-1] = 0
	whole := len(keys) &^ 3
	testFours(blocks, k, keys[:whole], hits, mixed)
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

func testFours(blocks []block, k int, keys, hits []uint64, mixed bool) {
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
