package rocksdb

import (
	"math/bits"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/interop/internal/results"
)

// Batches. Keys go through in tiles of 64: while the bits of one tile are looked at,
// the lines of the next are already on their way.

const (
	tileKeys = 64 // keys of a tile: one word of results
	// minBatch is the number of keys from which a tile is worth clearing.
	minBatch = 8
)

// A tile holds the hashes of keys and where their lines begin.
type tile struct {
	hash   [tileKeys]uint64
	offset [tileKeys]uint64
	n      int // keys in use
}

// fill makes the first keys a tile, as many as fit, and fetches their lines ahead. It
// returns the keys that are left.
func fill[K string | []byte | uint64](tl *tile, t *table, keys []K) []K {
	tl.n = min(tileKeys, len(keys))
	now := keys[:tl.n]
	switch now := any(now).(type) {
	case []uint64:
		copy(tl.hash[:], now)
	case []string:
		hash.Touch(now)
		for i, s := range now {
			tl.hash[i] = HashString(s)
		}
	case [][]byte:
		hash.Touch(now)
		for i, b := range now {
			tl.hash[i] = Hash(b)
		}
	}
	if tl.n > 0 {
		prepare(tl, t)
	}
	return keys[tl.n:]
}

// prepareGeneric computes where the lines begin and reads a byte of each, in steps so
// short that their misses overlap. The sum keeps the compiler from leaving that out.
//
//go:noinline
func prepareGeneric(tl *tile, t *table) (sum byte) {
	lines := t.lines()
	for i, h := range tl.hash[:tl.n] {
		offset := uint64(uint32(h)) * lines >> 32 * lineBytes
		tl.offset[i] = offset
		sum ^= t.bits[offset]
	}
	return sum
}

// probeGeneric returns a word of which bit i says whether key i may be present.
func probeGeneric(tl *tile, t *table) (word uint64) {
	for i, h := range tl.hash[:tl.n] {
		word |= testLineWhole(t.line(tl.offset[i]), uint32(h>>32), t.k) << i
	}
	return word
}

func (tl *tile) add(t *table) {
	for i, h := range tl.hash[:tl.n] {
		addLine(t.line(tl.offset[i]), uint32(h>>32), t.k)
	}
}

func hashOf[K string | []byte | uint64](key K) uint64 {
	switch key := any(key).(type) {
	case string:
		return HashString(key)
	case []byte:
		return Hash(key)
	case uint64:
		return key
	}
	panic("unreachable")
}

func addKeys[K string | []byte | uint64](t *table, keys []K) {
	if len(keys) < minBatch || len(t.bits) == 0 {
		for _, key := range keys {
			t.add(hashOf(key))
		}
		return
	}
	var tiles [2]tile
	keys = fill(&tiles[0], t, keys)
	for i := 0; tiles[i].n > 0; i ^= 1 {
		keys = fill(&tiles[i^1], t, keys)
		tiles[i].add(t)
	}
}

func testKeys[K string | []byte | uint64](t *table, keys []K, hits *bitsieve.BitSet) int {
	out := results.Words(hits, len(keys))
	if len(keys) < minBatch || len(t.bits) == 0 {
		return testSingly(t, keys, out)
	}
	return testTiles(t, keys, out)
}

func testSingly[K string | []byte | uint64](t *table, keys []K, out []uint64) (n int) {
	clear(out)
	for i, key := range keys {
		if t.test(hashOf(key)) {
			n++
			if out != nil {
				out[i/64] |= 1 << (i % 64)
			}
		}
	}
	return n
}

func testTiles[K string | []byte | uint64](t *table, keys []K, out []uint64) (n int) {
	var tiles [2]tile
	keys = fill(&tiles[0], t, keys)
	for i, j := 0, 0; tiles[i].n > 0; i, j = i^1, j+1 {
		keys = fill(&tiles[i^1], t, keys)
		word := probe(&tiles[i], t)
		n += bits.OnesCount64(word)
		if out != nil {
			out[j] = word
		}
	}
	return n
}
