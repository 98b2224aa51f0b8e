package main

import "github.com/bitsieve/bitsieve"

// A hashBatch tests and adds hashes together. Its memory is for reuse.
type hashBatch struct {
	fresh []uint64            // hashes that the filter lacked
	seen  [2 * batchLines]ref // those, by their low bits
	round uint32
}

// A ref is a place in the table of fresh hashes.
type ref struct {
	hash  uint64
	round uint32 // the batch that it belongs to
}

// testAndAdd adds up to batchLines hashes to f. Bit i of hits reports whether
// hash i may have been there before, doubles within the batch included.
//
// The filter is asked once about all, and gets the new ones together. Doubles
// among them are found in a table that fits the first-level cache.
func (b *hashBatch) testAndAdd(f *bitsieve.Blocked, hashes []uint64, hits *bitsieve.BitSet) {
	if f.TestHashes(hashes, hits) == len(hashes) {
		return
	}
	if b.round++; b.round == 0 {
		b.seen = [2 * batchLines]ref{}
		b.round = 1
	}
	b.fresh = b.fresh[:0]
	for i, ok := hits.NextClear(0); ok; i, ok = hits.NextClear(i + 1) {
		if h := hashes[i]; b.insert(h) {
			b.fresh = append(b.fresh, h)
		} else {
			hits.Set(i)
		}
	}
	f.AddHashes(b.fresh)
}

// insert reports whether h is new to the table, which is at most half full.
func (b *hashBatch) insert(h uint64) bool {
	const mask = uint64(len(b.seen) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		r := &b.seen[i]
		if r.round != b.round {
			*r = ref{h, b.round}
			return true
		}
		if r.hash == h {
			return false
		}
	}
}
