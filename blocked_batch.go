package bitsieve

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Batches of keys. Strings, byte slices and keyed integers are hashed into a
// tile on the stack; hashes and plain integers go to the kernels as they are.

const (
	// tileKeys is the number of keys hashed between two calls of a kernel. It is
	// a multiple of 64, so that tiles of results meet at a word's boundary. Keys of
	// 44 bytes take a tenth longer with 256. With 1024 batches of 4096 take 5 %
	// less, but those of 80 to 512, for clearing the tile, up to a tenth more.
	tileKeys = 512
	// smallTile is that number for batches of no more.
	smallTile = 64
	// countKeys is the number of keys per call when the results are counted and
	// thrown away.
	countKeys = 4096
	// minBatch is the number of keys from which the batch kernels are called. They
	// take some 40 ns to get going, on a Zen 4: as long as 12 keys one by one.
	minBatch = 16
	// wholeKeys divides the number of keys that the kernels are given. What is left
	// goes one by one, which is faster than the kernels' remainder in Go.
	wholeKeys = 8
)

// AddHashes adds keys by their hashes. See AddHash.
func (f *Blocked) AddHashes(hashes []uint64) {
	whole := wholeBatch(len(hashes))
	if whole > 0 {
		raceWriteBlocks(f.blocks)
		addHashes(f.blocks, f.k, hashes[:whole])
	}
	for _, h := range hashes[whole:] {
		f.AddHash(h)
	}
}

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Blocked) AddUint64s(keys []uint64) {
	whole := wholeBatch(len(keys))
	switch {
	case whole == 0:
	case f.Keyed():
		addTiled(f, keys[:whole])
	default:
		raceWriteBlocks(f.blocks)
		addUint64s(f.blocks, f.k, keys[:whole])
	}
	for _, x := range keys[whole:] {
		f.AddUint64(x)
	}
}

// wholeBatch returns how many of n keys go to the kernels.
func wholeBatch(n int) int {
	if n < minBatch {
		return 0
	}
	return n &^ (wholeKeys - 1)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Blocked) AddStrings(keys []string) { addTiled(f, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Blocked) AddBytes(keys [][]byte) { addTiled(f, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits tells whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Blocked) TestHashes(hashes []uint64, hits *BitSet) int {
	return testPlain(f, hashes, hits, false)
}

// TestUint64s is TestHashes for integers.
func (f *Blocked) TestUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testTiled(f, keys, hits)
	}
	return testPlain(f, keys, hits, true)
}

// TestStrings is TestHashes for strings.
func (f *Blocked) TestStrings(keys []string, hits *BitSet) int { return testTiled(f, keys, hits) }

// TestBytes is TestHashes for byte slices.
func (f *Blocked) TestBytes(keys [][]byte, hits *BitSet) int { return testTiled(f, keys, hits) }

// testPlain tests hashes or, if mixed is set, integers without a secret key.
func testPlain(f *Blocked, keys []uint64, hits *BitSet, mixed bool) int {
	raceReadBlocks(f.blocks)
	if hits == nil {
		return countPlain(f, keys, mixed)
	}
	return testInto(f, keys, hits.resize(uint(len(keys))), mixed)
}

// countPlain tests keys when only their number is wanted.
func countPlain(f *Blocked, keys []uint64, mixed bool) (n int) {
	var hits [countKeys / 64]uint64
	for len(keys) > 0 {
		t := keys[:min(countKeys, len(keys))]
		n += testInto(f, t, hits[:], mixed)
		keys = keys[len(t):]
	}
	return n
}

// testInto tests keys into words of bits.
func testInto(f *Blocked, keys, hits []uint64, mixed bool) (n int) {
	whole := wholeBatch(len(keys))
	switch {
	case whole == 0:
	case mixed:
		n = testUint64s(f.blocks, f.k, keys[:whole], hits)
	default:
		n = testHashes(f.blocks, f.k, keys[:whole], hits)
	}
	if whole == len(keys) {
		return n
	}
	last := testFew(f, keys[whole:], mixed)
	if whole%64 == 0 {
		hits[whole/64] = last
	} else {
		hits[whole/64] |= last << (whole % 64)
	}
	return n + bits.OnesCount64(last)
}

// testFew tests fewer than 64 keys one by one. Bit i of the result is key i's.
func testFew(f *Blocked, keys []uint64, mixed bool) (word uint64) {
	for i, x := range keys {
		var hit bool
		if mixed {
			hit = f.TestUint64(x)
		} else {
			hit = f.TestHash(x)
		}
		var bit uint64 // in this form, no branch: hits are not to be predicted
		if hit {
			bit = 1
		}
		word |= bit << (i & 63)
	}
	return word
}

// hashTile fills dst with the hashes of the first len(dst) keys.
//
// To prefetch their blocks at the same time, by a call for every 16 or 64, lost:
// it took 7 % off at 4 MiB, nothing at 64 MiB, where hashing and misses compete,
// and added 9 % in L2.
func hashTile[K string | []byte | uint64](h hasher, dst []uint64, keys []K) {
	keys = keys[:len(dst)]
	for len(dst) > 0 {
		n := min(textGroup, len(dst))
		hashGroup(h, dst[:n], keys[:n])
		dst, keys = dst[n:], keys[n:]
	}
}

// hashGroup fills dst with the hashes of as many keys. Whether there is a secret
// key is asked once: h's methods are not inlined, and would be another call for
// each key, a fifth of the time of 16 bytes.
func hashGroup[K string | []byte | uint64](h hasher, dst []uint64, keys []K) {
	dst = dst[:len(keys)] // spares a bounds check for each key
	switch keys := any(keys).(type) {
	case []string:
		readTexts(keys)
		if h.key != nil {
			for i, s := range keys {
				dst[i] = h.string(s)
			}
			return
		}
		for i, s := range keys {
			dst[i] = xxh3.HashString(s)
		}
	case [][]byte:
		readTexts(keys)
		if h.key != nil {
			for i, b := range keys {
				dst[i] = h.bytes(b)
			}
			return
		}
		for i, b := range keys {
			dst[i] = xxh3.Hash(b)
		}
	case []uint64:
		for i, x := range keys {
			dst[i] = h.uint64(x)
		}
	}
}

// addTiled adds keys by way of a tile of hashes. To clear a large tile would be
// most of the work for a few keys.
func addTiled[K string | []byte | uint64](f *Blocked, keys []K) {
	if len(keys) <= smallTile {
		var tile [smallTile]uint64
		addTiles(f, keys, tile[:])
		return
	}
	var tile [tileKeys]uint64
	addTiles(f, keys, tile[:])
}

func addTiles[K string | []byte | uint64](f *Blocked, keys []K, tile []uint64) {
	for len(keys) > 0 {
		t := tile[:min(len(tile), len(keys))]
		hashTile(f.hash, t, keys)
		f.AddHashes(t)
		keys = keys[len(t):]
	}
}

// testTiled tests keys by way of a tile of hashes.
func testTiled[K string | []byte | uint64](f *Blocked, keys []K, hits *BitSet) int {
	raceReadBlocks(f.blocks)
	var words []uint64
	if hits != nil {
		words = hits.resize(uint(len(keys)))
	}
	if len(keys) <= smallTile {
		var tile [smallTile]uint64
		return testTiles(f, keys, words, tile[:])
	}
	var tile [tileKeys]uint64
	return testTiles(f, keys, words, tile[:])
}

// testTiles tests keys into words, if they are not nil.
func testTiles[K string | []byte | uint64](f *Blocked, keys []K, words, tile []uint64) (n int) {
	var scratch [tileKeys / 64]uint64
	for len(keys) > 0 {
		t := tile[:min(len(tile), len(keys))]
		hashTile(f.hash, t, keys)
		out := scratch[:]
		if words != nil {
			out = words[:wordsFor(uint(len(t)))]
			words = words[len(out):]
		}
		n += testInto(f, t, out, false)
		keys = keys[len(t):]
	}
	return n
}
