package redisbloom

import (
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/rounds"
	"github.com/bitsieve/bitsieve/interop/internal/results"
)

// Batches. Keys go through in tiles, and through a tile's links in the rounds of
// internal/rounds, which prefetch; what one link has is left out of the next.

const tileKeys = rounds.Size

// A source is the chain whose links are tested: of the filter or, if that is nil, of the
// view.
type source struct {
	filter *Filter
	view   View
}

func (s *source) wide() bool {
	if s.filter != nil {
		return s.filter.chain.wide()
	}
	return s.view.wide()
}

func (s *source) has(h pair) bool {
	if s.filter != nil {
		return s.filter.has(h)
	}
	return s.view.has(h)
}

// A tile holds the keys of a batch that no link has had so far, in order.
type tile struct {
	n     int
	hash  [tileKeys]pair
	at    [tileKeys]uint8 // where in the tile's keys each is
	batch rounds.Batch
}

// fill makes the first keys a tile, as many as fit, and returns them.
func fill[K string | []byte](t *tile, keys []K, wide bool) []K {
	keys = keys[:min(tileKeys, len(keys))]
	hash.Touch(keys)
	for i, key := range keys {
		t.hash[i] = hashKey(hash.KeyBytes(key), wide)
		t.at[i] = uint8(i)
	}
	t.n = len(keys)
	return keys
}

// found is a bit for each key of a tile.
type found [tileKeys / 64]uint64

func (f *found) set(i int)        { f[i/64%len(f)] |= 1 << (i % 64) }
func (f *found) has(i int) uint64 { return f[i/64%len(f)] >> (i % 64) & 1 }

// test takes those keys out that a link may have, and sets their bits in out. It returns
// how many they are.
func (t *tile) test(p *probe, out *found) int {
	var hits found
	if p.words != nil && t.n >= rounds.MinKeys {
		t.put()
		if t.batch.Test(p.words, p.div, p.k, t.n, hits[:]) == 0 {
			return 0
		}
	} else {
		for j := range t.n {
			if p.test(t.hash[j]) {
				hits.set(j)
			}
		}
	}
	n := 0
	for j := range t.n {
		if hits.has(j) != 0 {
			out.set(int(t.at[j]))
			continue
		}
		t.hash[n], t.at[n] = t.hash[j], t.at[j]
		n++
	}
	was := t.n
	t.n = n
	return was - n
}

// testAll is test for every link, the newest first.
func (t *tile) testAll(s *source, out *found) (n int) {
	if s.filter != nil {
		for i := len(s.filter.links) - 1; i >= 0 && t.n > 0; i-- {
			n += t.test(&s.filter.links[i].probe, out)
		}
		return n
	}
	for w := s.view.walk(); t.n > 0 && w.next(); {
		n += t.test(&w.probe, out)
	}
	return n
}

func testKeys[K string | []byte](s source, keys []K, hits *bitsieve.BitSet) (n int) {
	out := results.Words(hits, len(keys))
	if len(keys) < rounds.MinKeys {
		return testSingly(&s, keys, out)
	}
	return testTiles(&s, keys, out)
}

func testSingly[K string | []byte](s *source, keys []K, out []uint64) (n int) {
	clear(out)
	wide := s.wide()
	for i, key := range keys {
		if s.has(hashKey(hash.KeyBytes(key), wide)) {
			n++
			if out != nil {
				out[i/64] |= 1 << (i % 64)
			}
		}
	}
	return n
}

func testTiles[K string | []byte](s *source, keys []K, out []uint64) (n int) {
	wide := s.wide()
	var t tile
	for len(keys) > 0 {
		var f found
		m := len(fill(&t, keys, wide))
		n += t.testAll(s, &f)
		keys, out = keys[m:], out[copy(out, f[:]):]
	}
	return n
}

// addKeys does what TestAndAdd does for one key after the other. Links only gain bits,
// and only the newest does: what a link has at first, it would have in its turn. What none
// has then goes through singly.
func addKeys[K string | []byte](f *Filter, keys []K, hits *bitsieve.BitSet) (n int, err error) {
	out := results.Words(hits, len(keys))
	s := source{filter: f}
	var t tile
	for done := 0; len(keys) > 0; {
		var was found
		m := len(fill(&t, keys, f.chain.wide()))
		if f.inRounds(m) {
			n += t.addRounds(f, &was)
			keys, out = keys[m:], out[copy(out, was[:]):]
			done += m
			continue
		}
		n += t.testAll(&s, &was)
		from := max(len(f.links)-1, 0) // the first link that may have gained bits since
		for j, h := range t.hash[:t.n] {
			at := int(t.at[j])
			if f.hasFrom(from, h) {
				was.set(at)
				n++
			} else if err := f.put(h); err != nil {
				n -= was.dropFrom(at)
				copy(out, was[:])
				clear(out[min(len(was), len(out)):])
				return n, fmt.Errorf("%w (key %d of the batch)", err, done+at)
			}
		}
		keys, out = keys[m:], out[copy(out, was[:]):]
		done += m
	}
	return n, nil
}

// inRounds reports whether n keys go into the newest link in rounds: whatever the keys
// are, there is room for them.
func (f *Filter) inRounds(n int) bool {
	if len(f.links) == 0 || n < rounds.MinKeys {
		return false
	}
	l := &f.links[len(f.links)-1]
	return l.probe.words != nil && l.k <= rounds.MaxTestAndAddK && l.size <= l.entries && l.entries-l.size >= uint64(n)
}

// addRounds adds the keys that no link has to the newest, which has room for them, and
// sets the bits of the others in out. It returns how many those are. In the newest link a
// key is tested and added in its turn: to add one that is there changes nothing.
func (t *tile) addRounds(f *Filter, out *found) (n int) {
	last := len(f.links) - 1
	for i := last - 1; i >= 0 && t.n > 0; i-- {
		n += t.test(&f.links[i].probe, out)
	}
	if t.n == 0 {
		return n
	}
	l := &f.links[last]
	var hits found
	t.put()
	were := t.batch.TestAndAdd(l.probe.words, l.probe.div, l.probe.k, t.n, hits[:])
	for j := range t.n {
		if hits.has(j) != 0 {
			out.set(int(t.at[j]))
		}
	}
	l.size += uint64(t.n - were)
	f.chain.size += uint64(t.n - were)
	return n + were
}

// put gives the keys to the rounds. Location i there is H0 or H1, which alternate, plus i
// times H2 or H3.
func (t *tile) put() {
	for j, h := range t.hash[:t.n] {
		t.batch.Put(j, hash.Wide{H0: h.a, H1: h.a, H2: h.b, H3: h.b})
	}
}

// hasFrom is has for the links from one on.
func (f *Filter) hasFrom(from int, h pair) bool {
	for i := len(f.links) - 1; i >= from; i-- {
		if f.links[i].probe.test(h) {
			return true
		}
	}
	return false
}

// dropFrom clears the bits from i on and returns how many were set.
func (f *found) dropFrom(i int) (n int) {
	for ; i < tileKeys; i++ {
		n += int(f.has(i))
		f[i/64] &^= 1 << (i % 64)
	}
	return n
}
