package sbbf

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/race"
)

// maxBatch is the largest number of keys for one call of a kernel, which cannot be
// preempted: 80 µs at 20 ns a key. It is a multiple of 64, so that the results of
// the next call begin with a word.
const maxBatch = 4096

// AddHashes adds keys to the bitset b by their hashes.
func AddHashes(b []byte, hashes []uint64) {
	race.Read(hashes)
	raceWrite(b)
	for len(hashes) > 0 {
		n := min(len(hashes), maxBatch)
		addBatchGeneric(b, hashes[:n])
		hashes = hashes[n:]
	}
}

// TestHashes returns how many of the keys with the given hashes may be in the
// bitset b. Unless hits is nil, it sets bit i of hits to whether hashes[i] may be,
// and clears the other bits of the last word: hits has at least (len(hashes)+63)/64
// words, and those beyond are left alone.
func TestHashes(b []byte, hashes, hits []uint64) (count int) {
	race.Read(hashes)
	raceRead(b)
	return batches(b, hashes, hits, testBatchGeneric)
}

// TestAndAddHashes adds keys to the bitset b, in order, and returns how many may
// have been there before: in the bitset, or earlier in the batch. hits is that of
// TestHashes.
func TestAndAddHashes(b []byte, hashes, hits []uint64) (count int) {
	race.Read(hashes)
	raceWrite(b)
	return batches(b, hashes, hits, testAddBatchGeneric)
}

func batches(b []byte, hashes, hits []uint64, verb func(b []byte, hashes, hits []uint64)) (count int) {
	var own [maxBatch / 64]uint64
	for len(hashes) > 0 {
		n := min(len(hashes), maxBatch)
		words := (n + 63) / 64
		part := own[:words]
		if hits != nil {
			part, hits = hits[:words], hits[words:]
		}
		verb(b, hashes[:n], part)
		for _, w := range part {
			count += bits.OnesCount64(w)
		}
		hashes = hashes[n:]
	}
	return count
}

func addBatchGeneric(b []byte, hashes []uint64) {
	for _, h := range hashes {
		addGeneric(b, h)
	}
}

func testBatchGeneric(b []byte, hashes, hits []uint64) {
	clear(hits)
	for i, h := range hashes {
		hits[i/64] |= testGeneric(b, h) << (i & 63)
	}
}

func testAddBatchGeneric(b []byte, hashes, hits []uint64) {
	clear(hits)
	for i, h := range hashes {
		hits[i/64] |= testGeneric(b, h) << (i & 63)
		addGeneric(b, h)
	}
}
