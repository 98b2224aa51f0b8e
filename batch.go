package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/counters"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/spectral"
	"github.com/bitsieve/bitsieve/internal/stages"
)

// Batches of keys, for every filter that knows them by a 64-bit hash. Hashes and
// plain integers go to the filter's kernels as they are; strings, byte slices and
// integers under a secret key are hashed into a chunk on the stack first.

const (
	// chunkKeys is the number of keys hashed between two calls of a kernel, a
	// multiple of 64, so that chunks of results meet at a word's boundary. Keys of
	// 44 bytes take a tenth longer with 256. Where the row of the CPU says so, batches
	// that are long enough go in larger chunks, of cpu.Tune.Batches.Chunk: shorter ones
	// would take up to a tenth longer, for clearing the chunk.
	chunkKeys = 512
	// smallChunk is that number for batches of no more: to clear a large chunk
	// would be most of the work for a few keys.
	smallChunk = 64
	// countKeys is the number of keys per call when the results are counted and
	// thrown away.
	countKeys = 4096
)

// A batchVerb is what is done with a batch of hashes or, if its name says so, of
// integers. It is a number, and a target is a struct of pointers, so that arrays
// given to the verb stay on the stack: a call through an interface or a variable
// would move them to the heap.
type batchVerb uint8

const (
	addHashes batchVerb = iota
	testHashes
	testUint64s
	testAndAddHashes
	testAndAddUint64s
	removeHashes // of a Counting
)

// A target is the filter that a batch goes to: the one of the pointers that is not
// nil, or the bits of a view. They are a value, for a view whose address is taken may
// be moved to the heap.
type target struct {
	blocked  *block.Filter
	atomic   *block.Atomic
	sharded  *Sharded
	counting *counters.Filter
	spectral *spectral.Filter
	scalable *stages.Filter
	bits     block.Bits
}

func (f *Blocked) target() target { return target{blocked: &f.filter} }

// do does the verb for keys. Of those with results bit i of hits says what came of
// keys[i], and the other bits of the last word are cleared.
func (t target) do(verb batchVerb, keys, hits []uint64) {
	switch {
	case t.blocked != nil:
		doBlocked(t.blocked, verb, keys, hits)
	case t.atomic != nil:
		doAtomic(t.atomic, verb, keys, hits)
	case t.sharded != nil:
		t.sharded.do(verb, keys, hits)
	case t.counting != nil:
		doCounting(t.counting, verb, keys, hits)
	case t.spectral != nil:
		doSpectral(t.spectral, verb, keys, hits)
	case t.scalable != nil:
		doScalable(t.scalable, verb, keys, hits)
	default:
		doBits(&t.bits, verb, keys, hits)
	}
}

// doBlocked is target.do for a Blocked. Those of the other types look the same, but
// each calls its own type's methods.
func doBlocked(f *block.Filter, verb batchVerb, keys, hits []uint64) {
	switch verb {
	case addHashes:
		f.AddHashes(keys)
	case testHashes:
		f.TestHashes(keys, hits)
	case testUint64s:
		f.TestUint64s(keys, hits)
	case testAndAddHashes:
		f.TestAndAddHashes(keys, hits)
	case testAndAddUint64s:
		f.TestAndAddUint64s(keys, hits)
	}
}

// doBits is target.do for a BlockedView.
func doBits(f *block.Bits, verb batchVerb, keys, hits []uint64) {
	switch verb {
	case testHashes:
		f.TestHashes(keys, hits)
	case testUint64s:
		f.TestUint64s(keys, hits)
	}
}

// run does a verb with results and returns the number of bits set in hits.
func (t target) run(verb batchVerb, keys, hits []uint64) int {
	t.do(verb, keys, hits)
	return popcount.Count(hits[:wordsFor(uint(len(keys)))])
}

// batch does a verb with results for hashes or integers that need no other hashing.
func batch(t target, keys []uint64, hits *BitSet, verb batchVerb) int {
	if hits == nil {
		return countBatch(t, keys, verb)
	}
	return t.run(verb, keys, hits.resize(uint(len(keys))))
}

// countBatch does a verb for keys when only the number of results is wanted.
func countBatch(t target, keys []uint64, verb batchVerb) (n int) {
	var hits [countKeys / 64]uint64
	for len(keys) > 0 {
		chunk := keys[:min(countKeys, len(keys))]
		n += t.run(verb, chunk, hits[:])
		keys = keys[len(chunk):]
	}
	return n
}

// addKeys adds keys by way of a chunk of hashes.
func addKeys[K string | []byte | uint64](t target, h hash.Hasher, keys []K) {
	if len(keys) <= smallChunk {
		var chunk [smallChunk]uint64
		addChunks(t, h, keys, chunk[:])
		return
	}
	if largeChunks(len(keys)) {
		addLarge(t, h, keys)
		return
	}
	var chunk [chunkKeys]uint64
	addChunks(t, h, keys, chunk[:])
}

// largeChunks reports whether n keys go in larger chunks than others.
func largeChunks(n int) bool {
	return cpu.Tune.Batches.Chunk > chunkKeys && n >= cpu.Tune.Batches.Chunk
}

// addLarge is addKeys for large chunks. It is a function of its own, so that only
// those who need it have its array on their stack.
//
//go:noinline
func addLarge[K string | []byte | uint64](t target, h hash.Hasher, keys []K) {
	var chunk [cpu.MaxChunk]uint64
	addChunks(t, h, keys, chunk[:cpu.Tune.Batches.Chunk])
}

func addChunks[K string | []byte | uint64](t target, h hash.Hasher, keys []K, chunk []uint64) {
	for len(keys) > 0 {
		hashes := chunk[:min(len(chunk), len(keys))]
		hash.Batch(h, hashes, keys)
		t.do(addHashes, hashes, nil)
		keys = keys[len(hashes):]
	}
}

// testKeys does a verb with results for keys by way of a chunk of hashes.
func testKeys[K string | []byte | uint64](t target, h hash.Hasher, keys []K, hits *BitSet, verb batchVerb) int {
	var words []uint64
	if hits != nil {
		words = hits.resize(uint(len(keys)))
	}
	if len(keys) <= smallChunk {
		var chunk [smallChunk]uint64
		return testChunks(t, h, keys, words, chunk[:], verb)
	}
	if largeChunks(len(keys)) {
		return testLarge(t, h, keys, words, verb)
	}
	var chunk [chunkKeys]uint64
	return testChunks(t, h, keys, words, chunk[:], verb)
}

// testLarge is testKeys for large chunks, as addLarge is addKeys.
//
//go:noinline
func testLarge[K string | []byte | uint64](t target, h hash.Hasher, keys []K, words []uint64, verb batchVerb) int {
	var chunk [cpu.MaxChunk]uint64
	return testChunks(t, h, keys, words, chunk[:cpu.Tune.Batches.Chunk], verb)
}

// testChunks writes the results to words, if they are not nil.
func testChunks[K string | []byte | uint64](t target, h hash.Hasher, keys []K, words, chunk []uint64, verb batchVerb) (n int) {
	var scratch [cpu.MaxChunk / 64]uint64
	for len(keys) > 0 {
		hashes := chunk[:min(len(chunk), len(keys))]
		hash.Batch(h, hashes, keys)
		out := scratch[:]
		if words != nil {
			out = words[:wordsFor(uint(len(hashes)))]
			words = words[len(out):]
		}
		n += t.run(verb, hashes, out)
		keys = keys[len(hashes):]
	}
	return n
}
