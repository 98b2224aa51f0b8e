package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// Batches of keys. They go through in rounds, see internal/rounds, unless they are
// too short to benefit or the filter is short of words.

// inRounds reports whether a batch of n keys goes through in rounds.
func (f *Bloom) inRounds(n int) bool {
	return n >= rounds.MinKeys && f.k > 0 && !f.short()
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Bloom) AddStrings(keys []string) { addBloomBatch(f, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Bloom) AddBytes(keys [][]byte) { addBloomBatch(f, keys) }

// TestStrings tests strings and returns how many may be present. Bit i of hits
// reports whether keys[i] may be: hits is resized to len(keys) bits and
// overwritten. It may be nil if only the number is wanted.
func (f *Bloom) TestStrings(keys []string, hits *BitSet) int { return testBloomBatch(f, keys, hits) }

// TestBytes is TestStrings for byte slices.
func (f *Bloom) TestBytes(keys [][]byte, hits *BitSet) int { return testBloomBatch(f, keys, hits) }

func addBloomBatch[K string | []byte](f *Bloom, keys []K) {
	if f.inRounds(len(keys)) {
		addBloomRounds(f, keys)
		return
	}
	for _, key := range keys {
		f.addHash(hash.Murmur(hash.KeyBytes(key)))
	}
}

func addBloomRounds[K string | []byte](f *Bloom, keys []K) {
	var b rounds.Batch
	for len(keys) > 0 {
		n := rounds.Fill(&b, hash.Hasher{}, keys)
		b.Add(f.bits.words, f.div, uint64(f.k), n)
		keys = keys[n:]
	}
}

func testBloomBatch[K string | []byte](f *Bloom, keys []K, hits *BitSet) (n int) {
	var out []uint64
	if hits != nil {
		out = hits.resize(uint(len(keys)))
		clear(out)
	}
	if f.inRounds(len(keys)) {
		return testBloomRounds(f, keys, out)
	}
	for i, key := range keys {
		if f.testHash(hash.Murmur(hash.KeyBytes(key))) {
			n++
			if out != nil {
				out[i/64] |= 1 << (i % 64)
			}
		}
	}
	return n
}

// testBloomRounds sets bit i of out, which is zeros or nil, if keys[i] may be
// present.
func testBloomRounds[K string | []byte](f *Bloom, keys []K, out []uint64) (hits int) {
	var b rounds.Batch
	for len(keys) > 0 {
		n := rounds.Fill(&b, hash.Hasher{}, keys)
		hits += b.Test(f.bits.words, f.div, uint64(f.k), n, out)
		keys = keys[n:]
		if out != nil {
			out = out[min(rounds.Size/64, len(out)):]
		}
	}
	return hits
}
