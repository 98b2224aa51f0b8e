package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// Batches of keys. They go through in rounds, see internal/rounds, unless they are
// too short to benefit or the filter is short of words.

// AddStrings adds strings. It is faster than adding one by one.
func (f *Bloom) AddStrings(keys []string) { addBloom(f, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Bloom) AddBytes(keys [][]byte) { addBloom(f, keys) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Bloom) AddUint64s(keys []uint64) { addBloom(f, keys) }

// TestStrings tests strings and returns how many may be present. Bit i of hits
// says whether keys[i] may be: hits is resized to len(keys) bits and
// overwritten. It may be nil if only the number is wanted.
func (f *Bloom) TestStrings(keys []string, hits *BitSet) int { return testBloom(f, keys, hits) }

// TestBytes is TestStrings for byte slices.
func (f *Bloom) TestBytes(keys [][]byte, hits *BitSet) int { return testBloom(f, keys, hits) }

// TestUint64s is TestStrings for integers.
func (f *Bloom) TestUint64s(keys []uint64, hits *BitSet) int { return testBloom(f, keys, hits) }

// TestAndAddStrings adds strings, in order, and returns how many may have been
// there before: in the filter, or earlier in the batch. Bit i of hits says whether
// keys[i] may have been, as TestAndAddString would for one key after the other: hits
// is resized to len(keys) bits and overwritten. It may be nil if only the number is
// wanted.
func (f *Bloom) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testAndAddBloom(f, keys, hits)
}

// TestAndAddBytes is TestAndAddStrings for byte slices.
func (f *Bloom) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testAndAddBloom(f, keys, hits)
}

// TestAndAddUint64s is TestAndAddStrings for integers.
func (f *Bloom) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	return testAndAddBloom(f, keys, hits)
}

// inRounds reports whether a batch of n keys goes through in rounds.
func (f *Bloom) inRounds(n int) bool {
	return n >= rounds.MinKeys && f.k > 0 && !f.short()
}

// wideOf returns the hash of a key.
func wideOf[K string | []byte | uint64](h hash.Hasher, key K) hash.Wide {
	switch key := any(key).(type) {
	case string:
		return h.Wide(hash.KeyBytes(key))
	case []byte:
		return h.Wide(key)
	case uint64:
		return h.WideUint64(key)
	}
	panic("unreachable")
}

// resizeHits returns the words of hits, cleared, for so many keys: nil if hits is.
func resizeHits(hits *BitSet, keys int) []uint64 {
	if hits == nil {
		return nil
	}
	words := hits.resize(uint(keys))
	clear(words)
	return words
}

func addBloom[K string | []byte | uint64](f *Bloom, keys []K) {
	if !f.inRounds(len(keys)) {
		for _, key := range keys {
			f.addHash(wideOf(f.hash, key))
		}
		return
	}
	addBloomRounds(f, keys)
}

func addBloomRounds[K string | []byte | uint64](f *Bloom, keys []K) {
	var b rounds.Batch
	for len(keys) > 0 {
		n := rounds.Fill(&b, f.hash, keys)
		b.Add(f.bits.words, f.div, uint64(f.k), n)
		keys = keys[n:]
	}
}

func testBloom[K string | []byte | uint64](f *Bloom, keys []K, hits *BitSet) (n int) {
	out := resizeHits(hits, len(keys))
	if f.inRounds(len(keys)) {
		return testBloomRounds(f, keys, out)
	}
	for i, key := range keys {
		if f.testHash(wideOf(f.hash, key)) {
			n++
			setHit(out, i)
		}
	}
	return n
}

func testAndAddBloom[K string | []byte | uint64](f *Bloom, keys []K, hits *BitSet) (n int) {
	out := resizeHits(hits, len(keys))
	if f.inRounds(len(keys)) && f.k <= rounds.MaxTestAndAddK {
		return testAndAddBloomRounds(f, keys, out)
	}
	for i, key := range keys {
		if f.testAndAddHash(wideOf(f.hash, key)) {
			n++
			setHit(out, i)
		}
	}
	return n
}

// setHit sets bit i of out, unless it is nil.
func setHit(out []uint64, i int) {
	if out != nil {
		out[i/64] |= 1 << (i % 64)
	}
}

// testBloomRounds sets bit i of out, which is zeros or nil, if keys[i] may be
// present.
func testBloomRounds[K string | []byte | uint64](f *Bloom, keys []K, out []uint64) (hits int) {
	var b rounds.Batch
	for len(keys) > 0 {
		n := rounds.Fill(&b, f.hash, keys)
		hits += b.Test(f.bits.words, f.div, uint64(f.k), n, out)
		keys, out = keys[n:], out[min(rounds.Size/64, len(out)):]
	}
	return hits
}

func testAndAddBloomRounds[K string | []byte | uint64](f *Bloom, keys []K, out []uint64) (hits int) {
	var b rounds.Batch
	for len(keys) > 0 {
		n := rounds.Fill(&b, f.hash, keys)
		hits += b.TestAndAdd(f.bits.words, f.div, uint64(f.k), n, out)
		keys, out = keys[n:], out[min(rounds.Size/64, len(out)):]
	}
	return hits
}
