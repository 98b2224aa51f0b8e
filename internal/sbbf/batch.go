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
	// nearAhead and farAhead are the distances of prefetching, 8 bytes a key: 32 and
	// 128 keys.
	nearAhead = 8 * 32
	farAhead  = 8 * 128
)

// distance returns how far ahead the kernels prefetch in a bitset of n bytes, among
// some keys: not past the last eight.
func distance(n, keys int) int {
	d := nearAhead
	if n > far {
		d = farAhead
	}
	return min(d, 8*(keys-kernelKeys))
}

// What keys are: hashes, or integers of 8 or 4 bytes to be hashed.
const (
	kindHash = iota
	kindUint64
	kindUint32
)

type key interface{ uint64 | uint32 }

// hashOf returns the hash of a key.
func hashOf[K key](x K, kind uint64) uint64 {
	switch kind {
	case kindUint64:
		return HashUint64(uint64(x))
	case kindUint32:
		return HashUint32(uint32(x))
	}
	return uint64(x)
}

// The verbs for batches. Were they inlined, then what a caller of another package passes
// would go to the heap: the compiler knows too little there of the generic functions below.

// AddHashes adds keys to the bitset b by their hashes. It panics if b has no block
// and there are hashes, as the other batches that add do.
//
//go:noinline
func AddHashes(b []byte, hashes []uint64) { add(b, hashes, kindHash) }

// AddUint64s adds integers of 8 bytes.
//
//go:noinline
func AddUint64s(b []byte, keys []uint64) { add(b, keys, kindUint64) }

// AddUint32s adds integers of 4 bytes.
//
//go:noinline
func AddUint32s(b []byte, keys []uint32) { add(b, keys, kindUint32) }

// TestHashes returns how many of the keys with the given hashes may be in the
// bitset b. Unless hits is nil, it sets bit i of hits to whether hashes[i] may be,
// and clears the other bits of the last word: hits has at least (len(hashes)+63)/64
// words, and those beyond are left alone.
//
//go:noinline
func TestHashes(b []byte, hashes, hits []uint64) (count int) {
	raceRead(b)
	return batch(b, hashes, hits, kindHash, false)
}

// TestUint64s is TestHashes for integers of 8 bytes.
//
//go:noinline
func TestUint64s(b []byte, keys, hits []uint64) (count int) {
	raceRead(b)
	return batch(b, keys, hits, kindUint64, false)
}

// TestUint32s is TestHashes for integers of 4 bytes.
//
//go:noinline
func TestUint32s(b []byte, keys []uint32, hits []uint64) (count int) {
	raceRead(b)
	return batch(b, keys, hits, kindUint32, false)
}

// TestAndAddHashes adds keys to the bitset b, in order, and returns how many may
// have been there before: in the bitset, or earlier in the batch. hits is that of
// TestHashes.
//
//go:noinline
func TestAndAddHashes(b []byte, hashes, hits []uint64) (count int) {
	raceWrite(b)
	return batch(b, hashes, hits, kindHash, true)
}

// TestAndAddUint64s is TestAndAddHashes for integers of 8 bytes.
//
//go:noinline
func TestAndAddUint64s(b []byte, keys, hits []uint64) (count int) {
	raceWrite(b)
	return batch(b, keys, hits, kindUint64, true)
}

// TestAndAddUint32s is TestAndAddHashes for integers of 4 bytes.
//
//go:noinline
func TestAndAddUint32s(b []byte, keys []uint32, hits []uint64) (count int) {
	raceWrite(b)
	return batch(b, keys, hits, kindUint32, true)
}

// nextBatch returns how many of n keys go to the next call of a kernel: none if
// there are too few.
func nextBatch(n int) int {
	if n < minBatch {
		return 0
	}
	return min(n&^(kernelKeys-1), maxBatch)
}

// add adds keys.
func add[K key](b []byte, keys []K, kind uint64) {
	race.Read(keys)
	raceWrite(b)
	for n := nextBatch(len(keys)); n > 0; n = nextBatch(len(keys)) {
		_ = b[Bytes-1]
		addKernel(b, keys[:n], kind)
		keys = keys[n:]
	}
	one := Of(b)
	for _, x := range keys {
		one.Add(hashOf(x, kind))
	}
}

// batch tests keys and, if adds is set, adds them.
func batch[K key](b []byte, keys []K, hits []uint64, kind uint64, adds bool) (count int) {
	race.Read(keys)
	var own [maxBatch / 64]uint64
	keep := hits != nil
	if keep {
		hits = hits[:(len(keys)+63)/64]
		race.Write(hits)
	}
	if len(b) < Bytes && !adds {
		clear(hits)
		return 0
	}
	for len(keys) > 0 {
		n := min(len(keys), maxBatch)
		words := (n + 63) / 64
		part := own[:words]
		if keep {
			part, hits = hits[:words], hits[words:]
		}
		piece(b, keys[:n], part, kind, adds)
		for _, w := range part {
			count += bits.OnesCount64(w)
		}
		keys = keys[n:]
	}
	return count
}

// piece is batch for at most maxBatch keys.
func piece[K key](b []byte, keys []K, hits []uint64, kind uint64, adds bool) {
	n := nextBatch(len(keys))
	hits[len(hits)-1] = 0 // the kernels write halves of words
	if n > 0 {
		_ = b[Bytes-1]
		if adds {
			testAddKernel(b, keys[:n], hits, kind)
		} else {
			testKernel(b, keys[:n], hits, kind)
		}
	}
	one := Of(b)
	for i, x := range keys[n:] {
		i += n
		h := hashOf(x, kind)
		hit := one.Test(h)
		if adds {
			one.Add(h)
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

func addBatchGeneric[K key](b []byte, keys []K, kind uint64) {
	for _, x := range keys {
		addGeneric(b, hashOf(x, kind))
	}
}

func testBatchGeneric[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	clear(hits)
	for i, x := range keys {
		hits[i/64] |= testGeneric(b, hashOf(x, kind)) << (i & 63)
	}
}

func testAddBatchGeneric[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	clear(hits)
	for i, x := range keys {
		h := hashOf(x, kind)
		hits[i/64] |= testGeneric(b, h) << (i & 63)
		addGeneric(b, h)
	}
}
