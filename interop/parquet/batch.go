package parquet

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/sbbf"
	"github.com/bitsieve/bitsieve/interop/internal/results"
)

// Batches. Numbers go to the kernels as they are, which hash them too; strings and
// byte arrays are hashed into a chunk on the stack first.

const (
	// chunkKeys is the number of values hashed between two calls of a kernel, a
	// multiple of 64, so that chunks of results meet at a word's boundary.
	chunkKeys = 512
	// smallChunk is that number for batches of no more: to clear a large chunk would
	// be most of the work for a few values.
	smallChunk = 64
)

// as returns numbers as those of another type, of the same size, with the same bits.
func as[To, From any](p []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(p))), len(p))
}

// hashKeys fills dst with the hashes of the first len(dst) values.
func hashKeys[K string | []byte](dst []uint64, keys []K) {
	const group = 64 // that hash.Touch is made for
	for len(dst) > 0 {
		n := min(group, len(dst))
		hash.Touch(keys[:n])
		out := dst[:n]
		for i, key := range keys[:n] {
			if b := hash.KeyBytes(key); len(b) <= pieceBytes {
				out[i] = xxhash.Sum64(b)
			} else {
				out[i] = hashLong(b)
			}
		}
		dst, keys = dst[n:], keys[n:]
	}
}

// addKeys adds values by way of a chunk of hashes.
func addKeys[K string | []byte](bitset []byte, keys []K) {
	if len(keys) <= smallChunk {
		var chunk [smallChunk]uint64
		addChunks(bitset, keys, chunk[:])
		return
	}
	var chunk [chunkKeys]uint64
	addChunks(bitset, keys, chunk[:])
}

func addChunks[K string | []byte](bitset []byte, keys []K, chunk []uint64) {
	for len(keys) > 0 {
		hashes := chunk[:min(len(chunk), len(keys))]
		hashKeys(hashes, keys)
		sbbf.AddHashes(bitset, hashes)
		keys = keys[len(hashes):]
	}
}

// testKeys tests values by way of a chunk of hashes and, if adds is set, adds them.
func testKeys[K string | []byte](bitset []byte, keys []K, hits *bitsieve.BitSet, adds bool) int {
	words := results.Words(hits, len(keys))
	if len(keys) <= smallChunk {
		var chunk [smallChunk]uint64
		return testChunks(bitset, keys, words, chunk[:], adds)
	}
	var chunk [chunkKeys]uint64
	return testChunks(bitset, keys, words, chunk[:], adds)
}

// testChunks writes the results to words, if they are not nil.
func testChunks[K string | []byte](bitset []byte, keys []K, words, chunk []uint64, adds bool) (n int) {
	for len(keys) > 0 {
		hashes := chunk[:min(len(chunk), len(keys))]
		hashKeys(hashes, keys)
		n += testHashes(bitset, hashes, words, adds)
		words = words[min(len(chunk)/64, len(words)):]
		keys = keys[len(hashes):]
	}
	return n
}

func testHashes(bitset []byte, hashes, words []uint64, adds bool) int {
	if adds {
		return sbbf.TestAndAddHashes(bitset, hashes, words)
	}
	return sbbf.TestHashes(bitset, hashes, words)
}

// checkLength panics unless values of the given length make up the bytes.
func checkLength(values []byte, length int) {
	if length <= 0 || len(values)%length != 0 {
		panic("parquet: the bytes are no whole number of values of that length")
	}
}

// hashFixed fills dst with the hashes of the first len(dst) values.
func hashFixed(dst []uint64, values []byte, length int) {
	for i := range dst {
		dst[i] = HashBytes(values[i*length : (i+1)*length])
	}
}

func addFixed(bitset []byte, values []byte, length int) {
	checkLength(values, length)
	var chunk [chunkKeys]uint64
	for len(values) > 0 {
		hashes := chunk[:min(chunkKeys, len(values)/length)]
		hashFixed(hashes, values, length)
		sbbf.AddHashes(bitset, hashes)
		values = values[len(hashes)*length:]
	}
}

func testFixed(bitset, values []byte, length int, hits *bitsieve.BitSet, adds bool) (n int) {
	checkLength(values, length)
	words := results.Words(hits, len(values)/length)
	var chunk [chunkKeys]uint64
	for len(values) > 0 {
		hashes := chunk[:min(chunkKeys, len(values)/length)]
		hashFixed(hashes, values, length)
		n += testHashes(bitset, hashes, words, adds)
		words = words[min(chunkKeys/64, len(words)):]
		values = values[len(hashes)*length:]
	}
	return n
}
