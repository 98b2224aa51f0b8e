package stages

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Batches. The kernels of internal/block do a stage at a time, and what a stage has
// is left out of the next: the keys that are still undecided are kept in a sieve.

// chunkKeys is the number of keys that go through the stages together: the lines
// that they touch in the newest stage, which is tested and then added to, stay in
// an L1 cache of 32 KiB.
const chunkKeys = 512

// A sieve holds the keys of a chunk that no stage has had so far, in order.
type sieve struct {
	n    int
	keys [chunkKeys]uint64
	at   [chunkKeys]uint16 // where in the chunk each is
}

// fill puts those keys into the sieve whose bit in hits is clear.
func (s *sieve) fill(keys, hits []uint64) {
	n := 0
	for base := 0; base < len(keys); base += 64 {
		group := keys[base:min(base+64, len(keys))]
		misses := ^hits[base/64]
		if misses == ^uint64(0) {
			copy(s.keys[n:], group)
			for i := range group {
				s.at[(n+i)%chunkKeys] = uint16(base + i)
			}
			n += len(group)
			continue
		}
		misses &= ^uint64(0) >> (-len(group) & 63)
		for ; misses != 0; misses &= misses - 1 {
			i := bits.TrailingZeros64(misses)
			s.keys[n%chunkKeys], s.at[n%chunkKeys] = group[i], uint16(base+i)
			n++
		}
	}
	s.n = n
}

// drop takes those keys out whose bit in found is set, and sets their bits in hits.
func (s *sieve) drop(found, hits []uint64) {
	n := 0
	for base := 0; base < s.n; base += 64 {
		length := min(64, s.n-base)
		word := found[base/64]
		if word == 0 {
			if n != base {
				copy(s.keys[n:], s.keys[base:base+length])
				copy(s.at[n:], s.at[base:base+length])
			}
			n += length
			continue
		}
		for i := base; i < base+length; i++ {
			hit := word & 1
			word >>= 1
			at := s.at[i%chunkKeys]
			hits[at/64] |= hit << (at % 64)
			s.keys[n%chunkKeys], s.at[n%chunkKeys] = s.keys[i%chunkKeys], at
			n += 1 - int(hit)
		}
	}
	s.n = n
}

// skip takes the first n keys out, and sets the bits in hits of those whose bit in
// found is set.
func (s *sieve) skip(n int, found, hits []uint64) {
	for base := 0; base < n; base += 64 {
		for word := found[base/64]; word != 0; word &= word - 1 {
			at := s.at[(base+bits.TrailingZeros64(word))%chunkKeys]
			hits[at/64] |= 1 << (at % 64)
		}
	}
	copy(s.keys[:], s.keys[n:s.n])
	copy(s.at[:], s.at[n:s.n])
	s.n -= n
}

// test writes to hits which of the keys, hashes or integers, a stage may have.
func (s *Stage) test(keys, hits []uint64, mixed bool) {
	if mixed {
		s.Filter.TestUint64s(keys, hits)
	} else {
		s.Filter.TestHashes(keys, hits)
	}
}

// testAndAdd adds keys, at most as many as there is room for.
func (s *Stage) testAndAdd(keys, hits []uint64, mixed bool) {
	if mixed {
		s.Filter.TestAndAddUint64s(keys, hits)
	} else {
		s.Filter.TestAndAddHashes(keys, hits)
	}
	s.Keys += uint64(len(keys) - popcount.Count(hits[:(len(keys)+63)/64]))
}

// AddHashes adds keys by their hashes.
func (f *Filter) AddHashes(hashes []uint64) { f.addBatch(hashes, false) }

// AddUint64s adds integers. The filter must have no secret key.
func (f *Filter) AddUint64s(keys []uint64) { f.addBatch(keys, true) }

func (f *Filter) addBatch(keys []uint64, mixed bool) {
	var hits [chunkKeys / 64]uint64
	for len(keys) > 0 {
		n := min(chunkKeys, len(keys))
		f.testAndAddChunk(keys[:n], hits[:(n+63)/64], mixed)
		keys = keys[n:]
	}
}

// TestHashes sets bit i of hits to whether hashes[i] may be present, for every i
// in [0, len(hashes)), and clears the other bits of the last word.
func (f *Filter) TestHashes(hashes, hits []uint64) { f.testBatch(hashes, hits, false) }

// TestUint64s is TestHashes for integers. The filter must have no secret key.
func (f *Filter) TestUint64s(keys, hits []uint64) { f.testBatch(keys, hits, true) }

func (f *Filter) testBatch(keys, hits []uint64, mixed bool) {
	switch len(f.Stages) {
	case 0:
		clear(hits[:(len(keys)+63)/64])
		return
	case 1:
		f.Stages[0].test(keys, hits, mixed)
		return
	}
	for len(keys) > 0 {
		n := min(chunkKeys, len(keys))
		words := (n + 63) / 64
		var s sieve
		f.sift(&s, keys[:n], hits[:words], mixed)
		keys, hits = keys[n:], hits[words:]
	}
}

// TestAndAddHashes adds keys by their hashes, in order, and sets bit i of hits to
// whether hashes[i] may have been there before: in the filter, or earlier in the
// batch. It clears the other bits of the last word.
func (f *Filter) TestAndAddHashes(hashes, hits []uint64) { f.testAndAddBatch(hashes, hits, false) }

// TestAndAddUint64s is TestAndAddHashes for integers. The filter must have no
// secret key.
func (f *Filter) TestAndAddUint64s(keys, hits []uint64) { f.testAndAddBatch(keys, hits, true) }

func (f *Filter) testAndAddBatch(keys, hits []uint64, mixed bool) {
	for len(keys) > 0 {
		n := min(chunkKeys, len(keys))
		words := (n + 63) / 64
		f.testAndAddChunk(keys[:n], hits[:words], mixed)
		keys, hits = keys[n:], hits[words:]
	}
}

// sift tests a chunk of keys, the newest stage first, and leaves in s those that no
// stage has.
func (f *Filter) sift(s *sieve, keys, hits []uint64, mixed bool) {
	last := len(f.Stages) - 1
	f.Stages[last].test(keys, hits, mixed)
	s.fill(keys, hits)
	var found [chunkKeys / 64]uint64
	for i := last - 1; i >= 0 && s.n > 0; i-- {
		f.Stages[i].test(s.keys[:s.n], found[:], mixed)
		s.drop(found[:], hits)
	}
}

// testAndAddChunk does what adding the keys one after the other does. No stage but
// the newest changes, and its bits are only added to: what a stage has at first, it
// would have in its turn. What none has is then tested and added in order.
func (f *Filter) testAndAddChunk(keys, hits []uint64, mixed bool) {
	f.newest() // panics if there is none
	var s sieve
	f.sift(&s, keys, hits, mixed)
	var found [chunkKeys / 64]uint64
	for s.n > 0 {
		stage := f.writable()
		n := int(min(uint64(s.n), stage.room()))
		stage.testAndAdd(s.keys[:n], found[:], mixed)
		s.skip(n, found[:], hits)
		if s.n > 0 && stage.room() == 0 {
			// The rest goes to another stage, but for what this one got just now.
			stage.test(s.keys[:s.n], found[:], mixed)
			s.drop(found[:], hits)
		}
	}
}
