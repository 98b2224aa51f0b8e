package bbloom

import (
	"math/bits"

	"github.com/bitsieve/bitsieve"
)

// tile is how many keys are hashed before any is looked up, and a word of hits.
const tile = 64

// AddBytes is Add for each of the keys. It allocates nothing.
func (bl *Bloom) AddBytes(keys [][]byte) {
	var sums [tile]uint64
	for ; len(keys) > 0; keys = keys[min(tile, len(keys)):] {
		for _, sum := range bl.hashTile(&sums, keys) {
			l, h := bl.split(sum)
			bl.add(l, h)
		}
		bl.content += uint64(min(tile, len(keys)))
	}
}

// AddBytesTS is AddBytes under the lock.
func (bl *Bloom) AddBytesTS(keys [][]byte) {
	bl.Mtx.Lock()
	bl.AddBytes(keys)
	bl.Mtx.Unlock()
}

// HasBytes returns how many of the keys may have been added, counting repeated ones.
// Bit i of hits says whether keys[i] may: hits is resized to len(keys) bits and
// overwritten, or nil if only the number is wanted. It allocates only what hits
// needs to grow.
func (bl *Bloom) HasBytes(keys [][]byte, hits *bitsieve.BitSet) (count int) {
	var words []uint64
	if hits != nil {
		words = resize(hits, len(keys))
	}
	var sums [tile]uint64
	for i := 0; i < len(keys); i += tile {
		found := uint64(0)
		for j, sum := range bl.hashTile(&sums, keys[i:]) {
			if l, h := bl.split(sum); bl.has(l, h) {
				found |= 1 << (j & 63)
			}
		}
		count += bits.OnesCount64(found)
		if words != nil {
			words[i/tile] = found
		}
	}
	return count
}

// HasBytesTS is HasBytes under the lock, for reading.
func (bl *Bloom) HasBytesTS(keys [][]byte, hits *bitsieve.BitSet) int {
	bl.Mtx.RLock()
	defer bl.Mtx.RUnlock()
	return bl.HasBytes(keys, hits)
}

// resize makes hits a set of n bits and returns its words, which are to be overwritten.
func resize(hits *bitsieve.BitSet, n int) []uint64 {
	hits.SetBitsetFrom(hits.Words()[:0])
	if n > 0 {
		hits.Set(uint(n - 1)) // grows it, in its memory if that is enough
	}
	return hits.Words()
}

// hashTile puts the hashes of up to 64 keys into sums and returns that part of it.
func (bl *Bloom) hashTile(sums *[tile]uint64, keys [][]byte) []uint64 {
	n := min(tile, len(keys))
	for i, key := range keys[:n] {
		sums[i] = siphash24(bl.k0, bl.k1, key)
	}
	return sums[:n]
}
