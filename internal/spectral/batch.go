package spectral

import (
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

const (
	// chunkKeys is the number of keys whose blocks are on their way while those
	// of as many are worked on; 64 are no faster. A word of hits has room for a whole
	// number of chunks.
	chunkKeys = 32
	// aheadWords is the size of the filter in words from which blocks are read ahead
	// where there is no prefetch: 1 MiB, what lies in a core's own caches.
	aheadWords = 1 << 17
)

// A verb is what a batch does for each key.
type verb uint8

const (
	addKeys    verb = iota
	countKeys       // writes counts
	addCount        // adds, then writes counts
	testKeys        // writes hits
	testAndAdd      // writes hits, then adds
)

// AddHashes adds keys by their hashes, in order, each once.
func (f *Filter) AddHashes(hashes []uint64) { f.batch(addKeys, hashes, nil, false) }

// AddUint64s adds integers. The filter must have no secret key.
func (f *Filter) AddUint64s(keys []uint64) { f.batch(addKeys, keys, nil, true) }

// CountHashes sets counts[i] to the estimate for hashes[i], for every i.
func (f *Filter) CountHashes(hashes, counts []uint64) { f.batch(countKeys, hashes, counts, false) }

// CountUint64s is CountHashes for integers. The filter must have no secret key.
func (f *Filter) CountUint64s(keys, counts []uint64) { f.batch(countKeys, keys, counts, true) }

// AddCountHashes adds keys by their hashes, in order, and sets counts[i] to the
// estimate for hashes[i] right after its addition.
func (f *Filter) AddCountHashes(hashes, counts []uint64) { f.batch(addCount, hashes, counts, false) }

// AddCountUint64s is AddCountHashes for integers. The filter must have no secret
// key.
func (f *Filter) AddCountUint64s(keys, counts []uint64) { f.batch(addCount, keys, counts, true) }

// TestHashes sets bit i of hits to whether hashes[i] may be present, for every i
// in [0, len(hashes)), and clears the other bits of the last word.
func (f *Filter) TestHashes(hashes, hits []uint64) { f.batch(testKeys, hashes, hits, false) }

// TestUint64s is TestHashes for integers. The filter must have no secret key.
func (f *Filter) TestUint64s(keys, hits []uint64) { f.batch(testKeys, keys, hits, true) }

// TestAndAddHashes adds keys by their hashes, in order, and sets bit i of hits to
// whether hashes[i] may have been there before: in the filter, or earlier in the
// batch. It clears the other bits of the last word.
func (f *Filter) TestAndAddHashes(hashes, hits []uint64) { f.batch(testAndAdd, hashes, hits, false) }

// TestAndAddUint64s is TestAndAddHashes for integers. The filter must have no
// secret key.
func (f *Filter) TestAndAddUint64s(keys, hits []uint64) { f.batch(testAndAdd, keys, hits, true) }

// batch does a verb for hashes or, if mixed is set, integers. out are the counts,
// of as many keys, or the hits. It may be keys itself. It panics if out is too short,
// even if there is room behind it.
func (f *Filter) batch(v verb, keys, out []uint64, mixed bool) {
	switch v {
	case testKeys, testAndAdd:
		out = out[: (len(keys)+63)/64 : len(out)]
	case countKeys, addCount:
		out = out[:len(keys):len(out)]
	}
	race.Read(keys)
	race.Write(out)
	switch v {
	case countKeys, testKeys:
		if f.Empty() {
			clear(out)
			return
		}
		f.RaceRead()
	default:
		if len(keys) == 0 {
			return
		}
		f.check()
		f.RaceWrite()
		f.sum(uint64(len(keys)))
	}
	switch f.Bits {
	case 8:
		run[uint8](f, v, keys, out, mixed)
	case 16:
		run[uint16](f, v, keys, out, mixed)
	case 32:
		run[uint32](f, v, keys, out, mixed)
	}
}

// run does a verb for keys, a chunk at a time, with the next chunk's blocks on
// their way.
func run[T counter](f *Filter, v verb, keys, out []uint64, mixed bool) {
	var buffers [2][chunkKeys]spot
	spots := f.next(&buffers[0], keys, mixed)
	for at, turn := 0, 1; len(spots) > 0; turn ^= 1 {
		keys = keys[len(spots):]
		next := f.next(&buffers[turn], keys, mixed)
		switch v {
		case addKeys:
			addChunk[T](f.Words, f.K, spots)
		case countKeys:
			countChunk[T](f.Words, f.K, spots, out[at:])
		case addCount:
			addCountChunk[T](f.Words, f.K, spots, out[at:])
		case testKeys:
			put(out, at, testChunk[T](f.Words, f.K, spots))
		case testAndAdd:
			put(out, at, testAndAddChunk[T](f.Words, f.K, spots))
		}
		at += len(spots)
		spots = next
	}
}

// next finds the spots of the next chunk of keys and sends for their blocks.
func (f *Filter) next(spots *[chunkKeys]spot, keys []uint64, mixed bool) []spot {
	keys = keys[:min(chunkKeys, len(keys))]
	if len(keys) > 0 {
		locateAll(f, spots, keys, mixed)
	}
	return spots[:len(keys)]
}

// locateGeneric finds the spots of hashes or, if mixed is set, integers.
func locateGeneric(f *Filter, spots *[chunkKeys]spot, keys []uint64, mixed bool) {
	for i, h := range keys {
		if mixed {
			h = hash.Mix(h)
		}
		spots[i] = locate(h, f.Blocks, f.Bits)
	}
	if len(f.Words) >= aheadWords {
		readAhead(f.Words, spots[:len(keys)])
	}
}

// readAhead reads a word of each block, the nearest that Go has to a prefetch: a
// processor looks ahead over a score of these short steps, but over only two or
// three whole additions. It must not be inlined, or the compiler would see that
// nobody wants the sum.
//
//go:noinline
func readAhead(words []uint64, spots []spot) (sum uint64) {
	for i := range spots {
		sum ^= words[spots[i].word]
	}
	return sum
}

// put writes the hits of the chunk that begins with key number at.
func put(hits []uint64, at int, word uint64) {
	if at%64 == 0 {
		hits[at/64] = 0
	}
	hits[at/64] |= word << (at % 64)
}

// The loops of the verbs. What stands in add is written out in each, for the
// compiler does not inline it.

func addChunk[T counter](words []uint64, k int, spots []spot) {
	for _, s := range spots {
		b, x := blockAt[T](words, s.word), s.places
		raise(b, x, k, plus[T](lowest(b, x, k), 1))
	}
}

func countChunk[T counter](words []uint64, k int, spots []spot, counts []uint64) {
	counts = counts[:len(spots)]
	for i, s := range spots {
		counts[i] = uint64(lowest(blockAt[T](words, s.word), s.places, k))
	}
}

func addCountChunk[T counter](words []uint64, k int, spots []spot, counts []uint64) {
	counts = counts[:len(spots)]
	for i, s := range spots {
		b, x := blockAt[T](words, s.word), s.places
		after := plus[T](lowest(b, x, k), 1)
		raise(b, x, k, after)
		counts[i] = uint64(after)
	}
}

func testChunk[T counter](words []uint64, k int, spots []spot) (word uint64) {
	for i, s := range spots {
		word |= bit(lowest(blockAt[T](words, s.word), s.places, k)) << (i & 63)
	}
	return word
}

func testAndAddChunk[T counter](words []uint64, k int, spots []spot) (word uint64) {
	for i, s := range spots {
		b, x := blockAt[T](words, s.word), s.places
		before := lowest(b, x, k)
		raise(b, x, k, plus[T](before, 1))
		word |= bit(before) << (i & 63)
	}
	return word
}

// bit returns 1 unless the estimate is 0, in the form that compiles to no branch.
func bit(estimate uint32) (x uint64) {
	if estimate != 0 {
		x = 1
	}
	return x
}
