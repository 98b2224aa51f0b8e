package bbloom

import (
	"encoding/binary"
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
	done := 0
	if useAVX512 {
		done = bl.hashEights(sums, keys[:n])
	}
	for i, key := range keys[done:n] {
		sums[done+i] = siphash24(bl.k0, bl.k1, key)
	}
	return sums[:n]
}

// maxRows is how many words, the length's included, eight keys hashed side by side
// may have: 127 bytes.
const maxRows = 16

// hashEights hashes keys eight at a time, as far as they go, and returns how many.
// Eights that do not have the same number of words are hashed one by one.
func (bl *Bloom) hashEights(sums *[tile]uint64, keys [][]byte) (done int) {
	var rows [maxRows][8]uint64
	for ; len(keys)-done >= 8; done += 8 {
		eight := (*[8][]byte)(keys[done:])
		out := (*[8]uint64)(sums[done:])
		if n := transpose(&rows, eight); n > 0 {
			sipHash8AVX512(out, &rows[0], n, bl.k0, bl.k1)
			continue
		}
		for i, key := range eight {
			out[i] = siphash24(bl.k0, bl.k1, key)
		}
	}
	return done
}

// transpose puts word i of keys[j] into rows[i][j] and returns the number of words, 0
// if it is not the same for all or over maxRows.
func transpose(rows *[maxRows][8]uint64, keys *[8][]byte) int {
	words := len(keys[0]) / 8
	if words >= maxRows {
		return 0
	}
	for j, key := range keys {
		if len(key)/8 != words {
			return 0
		}
		last := uint64(len(key)) << 56
		for i := range words {
			rows[i][j] = binary.LittleEndian.Uint64(key[8*i:])
		}
		rows[words][j] = last | tail(key[8*words:])
	}
	return words + 1
}
