package sbbf

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/race"
)

const (
	// minBatch is the number of keys from which the batch kernels are called.
	minBatch = 16
	// kernelKeys divides the number of keys that the kernels take. What is left
	// goes one by one.
	kernelKeys = 8
	// maxBatch is the largest number of keys for one call of a kernel, which cannot
	// be preempted: 80 µs at 20 ns a key. It is a multiple of 64, so that the
	// results of the next call begin with a word.
	maxBatch = 4096
)

const (
	// far is the size in bytes from which the bitset lies in memory for the most
	// part, where more prefetches in flight pay.
	far = 8 << 20
	// nearAhead and farAhead are the distances of prefetching, in bytes of hashes:
	// 32 and 128 keys.
	nearAhead = 8 * 32
	farAhead  = 8 * 128
)

// distance returns how far ahead the kernels prefetch in a bitset of n bytes.
func distance(n int) int {
	if n > far {
		return farAhead
	}
	return nearAhead
}

// AddHashes adds keys to the bitset b by their hashes. It panics if b has no block
// and there are hashes, as the other batches that add do.
func AddHashes(b []byte, hashes []uint64) {
	race.Read(hashes)
	raceWrite(b)
	for n := nextBatch(len(hashes)); n > 0; n = nextBatch(len(hashes)) {
		_ = b[Bytes-1]
		addKernel(b, hashes[:n])
		hashes = hashes[n:]
	}
	one := Of(b)
	for _, h := range hashes {
		one.Add(h)
	}
}

// TestHashes returns how many of the keys with the given hashes may be in the
// bitset b. Unless hits is nil, it sets bit i of hits to whether hashes[i] may be,
// and clears the other bits of the last word: hits has at least (len(hashes)+63)/64
// words, and those beyond are left alone.
func TestHashes(b []byte, hashes, hits []uint64) (count int) {
	raceRead(b)
	return batch(b, hashes, hits, false)
}

// TestAndAddHashes adds keys to the bitset b, in order, and returns how many may
// have been there before: in the bitset, or earlier in the batch. hits is that of
// TestHashes.
func TestAndAddHashes(b []byte, hashes, hits []uint64) (count int) {
	raceWrite(b)
	return batch(b, hashes, hits, true)
}

// nextBatch returns how many of n keys go to the next call of a kernel: none if
// there are too few.
func nextBatch(n int) int {
	if n < minBatch {
		return 0
	}
	return min(n&^(kernelKeys-1), maxBatch)
}

// batch tests hashes and, if adds is set, adds them.
func batch(b []byte, hashes, hits []uint64, adds bool) (count int) {
	race.Read(hashes)
	var own [maxBatch / 64]uint64
	keep := hits != nil
	if keep {
		hits = hits[:(len(hashes)+63)/64]
		race.Write(hits)
	}
	if len(b) < Bytes && !adds {
		clear(hits)
		return 0
	}
	for len(hashes) > 0 {
		n := min(len(hashes), maxBatch)
		words := (n + 63) / 64
		part := own[:words]
		if keep {
			part, hits = hits[:words], hits[words:]
		}
		piece(b, hashes[:n], part, adds)
		for _, w := range part {
			count += bits.OnesCount64(w)
		}
		hashes = hashes[n:]
	}
	return count
}

// piece is batch for at most maxBatch hashes.
func piece(b []byte, hashes, hits []uint64, adds bool) {
	n := nextBatch(len(hashes))
	hits[len(hits)-1] = 0 // the kernels write halves of words
	if n > 0 {
		_ = b[Bytes-1]
		if adds {
			testAddKernel(b, hashes[:n], hits)
		} else {
			testKernel(b, hashes[:n], hits)
		}
	}
	one := Of(b)
	for i := n; i < len(hashes); i++ {
		hit := one.Test(hashes[i])
		if adds {
			one.Add(hashes[i])
		}
		hits[i/64] |= bit(hit) << (i & 63)
	}
}

// bit returns 1 for true, in the form that compiles to no branch: hits cannot be
// predicted.
func bit(b bool) (x uint64) {
	if b {
		x = 1
	}
	return x
}

// The batch verbs in Go, for any number of keys: the specification of the
// kernels, and what runs where there is none.

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
