package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Batches of keys. Hashes and plain integers go to internal/block as they are;
// strings, byte slices and integers under a secret key are hashed into a chunk on
// the stack first.

const (
	// chunkKeys is the number of keys hashed between two calls of a kernel, a
	// multiple of 64, so that chunks of results meet at a word's boundary. Keys of
	// 44 bytes take a tenth longer with 256. With 1024 batches of 4096 take 5 %
	// less, but those of 80 to 512, for clearing the chunk, up to a tenth more.
	chunkKeys = 512
	// smallChunk is that number for batches of no more: to clear a large chunk
	// would be most of the work for a few keys.
	smallChunk = 64
	// countKeys is the number of keys per call when the results are counted and
	// thrown away.
	countKeys = 4096
)

// AddHashes adds keys by their hashes. See AddHash.
func (f *Blocked) AddHashes(hashes []uint64) { f.filter.AddHashes(hashes) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Blocked) AddUint64s(keys []uint64) {
	if f.Keyed() {
		addKeys(f, keys)
		return
	}
	f.filter.AddUint64s(keys)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Blocked) AddStrings(keys []string) { addKeys(f, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Blocked) AddBytes(keys [][]byte) { addKeys(f, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits says whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Blocked) TestHashes(hashes []uint64, hits *BitSet) int {
	return f.batch(hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (f *Blocked) TestUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f, keys, hits, testHashes)
	}
	return f.batch(keys, hits, testUint64s)
}

// TestStrings is TestHashes for strings.
func (f *Blocked) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(f, keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (f *Blocked) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f, keys, hits, testHashes)
}

// TestAndAddHashes adds keys by their hashes, in order, and returns how many may
// have been there before: in the filter, or earlier in the batch. Bit i of hits
// says whether the key with hashes[i] may have been, as TestAndAddHash would for
// one key after the other: hits is resized to len(hashes) bits and overwritten. It
// may be nil if only the number is wanted.
func (f *Blocked) TestAndAddHashes(hashes []uint64, hits *BitSet) int {
	return f.batch(hashes, hits, testAndAddHashes)
}

// TestAndAddUint64s is TestAndAddHashes for integers.
func (f *Blocked) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f, keys, hits, testAndAddHashes)
	}
	return f.batch(keys, hits, testAndAddUint64s)
}

// TestAndAddStrings is TestAndAddHashes for strings.
func (f *Blocked) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testKeys(f, keys, hits, testAndAddHashes)
}

// TestAndAddBytes is TestAndAddHashes for byte slices.
func (f *Blocked) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f, keys, hits, testAndAddHashes)
}

// A batchVerb is one of the verbs of block.Filter that write results. It is a
// number, so that arrays given to the verb stay on the stack.
type batchVerb uint8

const (
	testHashes batchVerb = iota
	testUint64s
	testAndAddHashes
	testAndAddUint64s
)

// run does the verb for keys and returns the number of bits set in hits.
func (f *Blocked) run(verb batchVerb, keys, hits []uint64) int {
	switch verb {
	case testHashes:
		f.filter.TestHashes(keys, hits)
	case testUint64s:
		f.filter.TestUint64s(keys, hits)
	case testAndAddHashes:
		f.filter.TestAndAddHashes(keys, hits)
	case testAndAddUint64s:
		f.filter.TestAndAddUint64s(keys, hits)
	}
	return popcount.Count(hits[:wordsFor(uint(len(keys)))])
}

// batch does a verb for hashes or integers that need no other hashing.
func (f *Blocked) batch(keys []uint64, hits *BitSet, verb batchVerb) int {
	if hits == nil {
		return f.count(keys, verb)
	}
	return f.run(verb, keys, hits.resize(uint(len(keys))))
}

// count does a verb for keys when only the number of results is wanted.
func (f *Blocked) count(keys []uint64, verb batchVerb) (n int) {
	var hits [countKeys / 64]uint64
	for len(keys) > 0 {
		chunk := keys[:min(countKeys, len(keys))]
		n += f.run(verb, chunk, hits[:])
		keys = keys[len(chunk):]
	}
	return n
}

// addKeys adds keys by way of a chunk of hashes.
func addKeys[K string | []byte | uint64](f *Blocked, keys []K) {
	if len(keys) <= smallChunk {
		var chunk [smallChunk]uint64
		addChunks(f, keys, chunk[:])
		return
	}
	var chunk [chunkKeys]uint64
	addChunks(f, keys, chunk[:])
}

func addChunks[K string | []byte | uint64](f *Blocked, keys []K, chunk []uint64) {
	for len(keys) > 0 {
		hashes := chunk[:min(len(chunk), len(keys))]
		hash.Batch(f.filter.Hash, hashes, keys)
		f.filter.AddHashes(hashes)
		keys = keys[len(hashes):]
	}
}

// testKeys does a verb for keys by way of a chunk of hashes.
func testKeys[K string | []byte | uint64](f *Blocked, keys []K, hits *BitSet, verb batchVerb) int {
	var words []uint64
	if hits != nil {
		words = hits.resize(uint(len(keys)))
	}
	if len(keys) <= smallChunk {
		var chunk [smallChunk]uint64
		return testChunks(f, keys, words, chunk[:], verb)
	}
	var chunk [chunkKeys]uint64
	return testChunks(f, keys, words, chunk[:], verb)
}

// testChunks writes the results to words, if they are not nil.
func testChunks[K string | []byte | uint64](f *Blocked, keys []K, words, chunk []uint64, verb batchVerb) (n int) {
	var scratch [chunkKeys / 64]uint64
	for len(keys) > 0 {
		hashes := chunk[:min(len(chunk), len(keys))]
		hash.Batch(f.filter.Hash, hashes, keys)
		out := scratch[:]
		if words != nil {
			out = words[:wordsFor(uint(len(hashes)))]
			words = words[len(out):]
		}
		n += f.run(verb, hashes, out)
		keys = keys[len(hashes):]
	}
	return n
}
