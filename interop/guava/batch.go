package guava

import (
	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/interop/internal/results"
)

// Batches of keys go through in tiles: all keys of a tile are hashed, and then its bits
// are looked at in rounds, as in internal/rounds: the first bit of every key, the second
// bit of the keys that the first did not rule out, and so on. The lines of a round's bits are
// prefetched, all of them before the first is looked at.

const (
	// tileKeys is the largest number of keys in a tile, a multiple of 64.
	tileKeys = 128
	// minBatch is the number of keys from which a tile is worth clearing.
	minBatch = 12
)

// siftKernel takes a number of keys in eight bits.
const _ = uint8(tileKeys)

// keyTypes are what a batch holds. Strings are hashed as bytes or as code units.
type keyTypes interface {
	string | []byte | int32 | int64
}

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Filter) AddBytes(keys [][]byte) { addBatch(f, keys, false) }

// AddStrings adds strings. It is faster than adding one by one.
func (f *Filter) AddStrings(keys []string) { addBatch(f, keys, false) }

// AddUnencodedStrings is AddUnencodedChars for each of the strings. It is faster than
// adding one by one.
func (f *Filter) AddUnencodedStrings(keys []string) { addBatch(f, keys, true) }

// AddInt32s adds integers. It is faster than adding one by one.
func (f *Filter) AddInt32s(keys []int32) { addBatch(f, keys, false) }

// AddInt64s adds integers. It is faster than adding one by one.
func (f *Filter) AddInt64s(keys []int64) { addBatch(f, keys, false) }

// TestBytes tests byte slices and returns how many may be present. Bit i of hits says
// whether keys[i] may be: hits is resized to len(keys) bits and overwritten. It may be
// nil if only the number is wanted.
func (p *probes) TestBytes(keys [][]byte, hits *bitsieve.BitSet) int {
	return testBatch(p, keys, hits, false)
}

// TestStrings is TestBytes for strings.
func (p *probes) TestStrings(keys []string, hits *bitsieve.BitSet) int {
	return testBatch(p, keys, hits, false)
}

// TestUnencodedStrings is TestBytes for the UTF-16 code units of strings.
func (p *probes) TestUnencodedStrings(keys []string, hits *bitsieve.BitSet) int {
	return testBatch(p, keys, hits, true)
}

// TestInt32s is TestBytes for integers.
func (p *probes) TestInt32s(keys []int32, hits *bitsieve.BitSet) int {
	return testBatch(p, keys, hits, false)
}

// TestInt64s is TestBytes for integers.
func (p *probes) TestInt64s(keys []int64, hits *bitsieve.BitSet) int {
	return testBatch(p, keys, hits, false)
}

func addBatch[K keyTypes](f *Filter, keys []K, units bool) {
	if len(keys) < minBatch {
		var small [minBatch]sum
		for _, h := range small[:sums(small[:], keys, units)] {
			f.add(h)
		}
		return
	}
	f.mustExist()
	addTiles(f, keys, units)
}

func addTiles[K keyTypes](f *Filter, keys []K, units bool) {
	var t tile
	for len(keys) > 0 {
		n := min(tileKeys, len(keys))
		fill(&t, &f.probes, keys[:n], units)
		t.add(&f.probes, n)
		keys = keys[n:]
	}
}

func testBatch[K keyTypes](p *probes, keys []K, hits *bitsieve.BitSet, units bool) (count int) {
	out := results.Words(hits, len(keys))
	clear(out)
	if len(p.data) == 0 {
		return 0
	}
	if len(keys) >= minBatch {
		return testTiles(p, keys, out, units)
	}
	var small [minBatch]sum
	for i, h := range small[:sums(small[:], keys, units)] {
		if p.test(h) {
			count++
			if out != nil {
				out[0] |= 1 << i
			}
		}
	}
	return count
}

// testTiles sets bit i of out, which is zeros or nil, if keys[i] may be present.
func testTiles[K keyTypes](p *probes, keys []K, out []uint64, units bool) (count int) {
	var t tile
	for len(keys) > 0 {
		n := min(tileKeys, len(keys))
		fill(&t, p, keys[:n], units)
		count += t.test(p, n, out)
		keys, out = keys[n:], out[min(tileKeys/64, len(out)):]
	}
	return count
}

// sums writes the hashes of keys to dst, which has room, and returns how many they are.
func sums[K keyTypes](dst []sum, keys []K, units bool) int {
	dst = dst[:len(keys)]
	switch keys := any(keys).(type) {
	case []string:
		for i, key := range keys {
			if units {
				dst[i] = sumChars(key)
			} else {
				dst[i] = sumString(key)
			}
		}
	case [][]byte:
		for i, key := range keys {
			dst[i] = sumBytes(key)
		}
	case []int32:
		for i, key := range keys {
			dst[i] = sumInt(uint64(uint32(key)), 4)
		}
	case []int64:
		for i, key := range keys {
			dst[i] = sumInt(uint64(key), 8)
		}
	}
	return len(dst)
}
