package v2

import (
	"math/bits"

	"github.com/bitsieve/bitsieve"
)

// tile is how many hashes are looked up side by side, and a word of hits.
const tile = 64

// lockedTiles is after how many tiles a batch lets go of the lock, so that it does
// not keep others waiting longer than some ten microseconds.
const lockedTiles = 8

// AddHashes adds hashes. It is AddHash for each, but for the lock, which is taken
// once for up to 512 hashes. It allocates nothing.
func (f *Filter) AddHashes(hashes []uint64) {
	for len(hashes) > 0 {
		part := hashes[:min(lockedTiles*tile, len(hashes))]
		hashes = hashes[len(part):]
		f.lock.Lock()
		for _, h := range part {
			f.add(h)
		}
		f.n += uint64(len(part))
		f.lock.Unlock()
	}
}

// ContainsHashes returns how many of the hashes may have been added, counting
// repeated ones. Bit i of hits says whether hashes[i] may: hits is resized to
// len(hashes) bits and overwritten, or nil if only the number is wanted. The lock is
// taken once for up to 512 hashes: those added meanwhile may be seen by the rest. It
// allocates only what hits needs to grow.
func (f *Filter) ContainsHashes(hashes []uint64, hits *bitsieve.BitSet) (count int) {
	var words []uint64
	if hits != nil {
		words = resize(hits, len(hashes))
	}
	for i := 0; i < len(hashes); i += lockedTiles * tile {
		part := hashes[i:min(i+lockedTiles*tile, len(hashes))]
		f.lock.RLock()
		for j := 0; j < len(part); j += tile {
			found := f.testTile(part[j:min(j+tile, len(part))])
			count += bits.OnesCount64(found)
			if words != nil {
				words[(i+j)/tile] = found
			}
		}
		f.lock.RUnlock()
	}
	return count
}

// resize makes hits a set of n bits and returns its words, which are to be overwritten.
func resize(hits *bitsieve.BitSet, n int) []uint64 {
	hits.SetBitsetFrom(hits.Words()[:0])
	if n > 0 {
		hits.Set(uint(n - 1)) // grows it, in its memory if that is enough
	}
	return hits.Words()
}

// testTile returns a bit for each of up to 64 hashes. It goes through all of them for
// every four keys and drops those that miss, without a branch on what it reads: the
// next hashes' cache lines are under way while one waits for its own.
func (f *Filter) testTile(hashes []uint64) (found uint64) {
	var state [tile]uint64 // of the hashes that are left
	var place [tile]uint8  // where in the tile they stood
	n := copy(state[:], hashes)
	for i := range place {
		place[i] = uint8(i)
	}
	words, m, inv := f.bits, f.m, f.inv
	keys := f.keys
	for ; len(keys) >= group && n > 0; keys = keys[group:] {
		k0, k1, k2, k3 := keys[0], keys[1], keys[2], keys[3]
		left := 0
		for i, h := range state[:n] {
			h0 := bits.RotateLeft64(h, rotation) ^ k0
			h1 := bits.RotateLeft64(h0, rotation) ^ k1
			h2 := bits.RotateLeft64(h1, rotation) ^ k2
			h3 := bits.RotateLeft64(h2, rotation) ^ k3
			a, b, c, d := mod(h0, m, inv), mod(h1, m, inv), mod(h2, m, inv), mod(h3, m, inv)
			all := words[a>>6] >> (a & 63) & (words[b>>6] >> (b & 63)) &
				(words[c>>6] >> (c & 63)) & (words[d>>6] >> (d & 63))
			state[left&(tile-1)], place[left&(tile-1)] = h3, place[i&(tile-1)]
			left += int(all & 1)
		}
		n = left
	}
	for i, h := range state[:n] {
		all := uint64(1)
		for _, key := range keys {
			h = bits.RotateLeft64(h, rotation) ^ key
			j := mod(h, m, inv)
			all &= words[j>>6] >> (j & 63)
		}
		found |= (all & 1) << place[i&(tile-1)]
	}
	return found
}
