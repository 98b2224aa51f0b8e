package block

import (
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

const (
	// minBatch is the number of keys from which the batch kernels are called. They
	// take some 40 ns to get going, on a Zen 4: as long as 12 keys one by one.
	minBatch = 16
	// kernelKeys divides the number of keys that the kernels take. What is left
	// goes one by one.
	kernelKeys = 8
	// maxBatch is the largest number of keys for one call of a kernel, which cannot
	// be preempted: 80 µs at 20 ns a key. It is a multiple of 64, so that the
	// results of the next call begin with a word.
	maxBatch = 4096
)

// AddHashes adds keys by their hashes.
func (f *Filter) AddHashes(hashes []uint64) { f.addBatch(hashes, false) }

// AddUint64s adds integers. The filter must have no secret key.
func (f *Filter) AddUint64s(keys []uint64) { f.addBatch(keys, true) }

// TestHashes sets bit i of hits to whether hashes[i] may be present, for every i
// in [0, len(hashes)), and clears the other bits of the last word.
func (f *Filter) TestHashes(hashes, hits []uint64) { f.testBatch(hashes, hits, false) }

// TestUint64s is TestHashes for integers. The filter must have no secret key.
func (f *Filter) TestUint64s(keys, hits []uint64) { f.testBatch(keys, hits, true) }

// TestAndAddHashes adds keys by their hashes, in order, and sets bit i of hits to
// whether hashes[i] may have been there before: in the filter, or earlier in the
// batch. It clears the other bits of the last word.
func (f *Filter) TestAndAddHashes(hashes, hits []uint64) { f.testAndAddBatch(hashes, hits, false) }

// TestAndAddUint64s is TestAndAddHashes for integers. The filter must have no
// secret key.
func (f *Filter) TestAndAddUint64s(keys, hits []uint64) { f.testAndAddBatch(keys, hits, true) }

// nextBatch returns how many of n keys go to the next call of a kernel: none if
// there are too few.
func nextBatch(n int) int {
	if n < minBatch {
		return 0
	}
	return min(n&^(kernelKeys-1), maxBatch)
}

// addBatch adds hashes or, if mixed is set, integers.
func (f *Filter) addBatch(keys []uint64, mixed bool) {
	if len(keys) > 0 {
		f.check()
	}
	race.Read(keys)
	f.RaceWrite()
	f.addPart(keys, mixed)
}

// AddPart is AddHashes that declares no access to the filter to the race
// detector: for callers that lock the part of the filter that the hashes go to.
func (f *Filter) AddPart(hashes []uint64) { f.addPart(hashes, false) }

func (f *Filter) addPart(keys []uint64, mixed bool) {
	for n := nextBatch(len(keys)); n > 0; n = nextBatch(len(keys)) {
		addKernel(f.Blocks, f.K, keys[:n], mixed)
		keys = keys[n:]
	}
	for _, x := range keys {
		if mixed {
			addUint64(f, x)
		} else {
			addHash(f, x)
		}
	}
}

// testBatch tests hashes or, if mixed is set, integers.
func (f *Filter) testBatch(keys, hits []uint64, mixed bool) {
	hits = hits[:(len(keys)+63)/64]
	race.Read(keys)
	race.Write(hits)
	if f.Empty() {
		clear(hits)
		return
	}
	f.RaceRead()
	f.testPart(keys, hits, mixed)
}

// testPart is testBatch for a filter with blocks.
func (f *Filter) testPart(keys, hits []uint64, mixed bool) {
	done := 0 // of the keys of hits[0]
	for n := nextBatch(len(keys)); n > 0; n = nextBatch(len(keys)) {
		hits[(n-1)/64] = 0
		testKernel(f.Blocks, f.K, keys[:n], hits, mixed)
		keys, hits, done = keys[n:], hits[n/64:], n%64
	}
	if len(keys) == 0 {
		return
	}
	var word uint64
	for i, x := range keys {
		var hit bool
		if mixed {
			hit = testUint64(f, x)
		} else {
			hit = testHash(f, x)
		}
		word |= bit(hit) << (i & 63)
	}
	orInto(hits, word, done)
}

// testAndAddBatch tests and adds hashes or, if mixed is set, integers.
func (f *Filter) testAndAddBatch(keys, hits []uint64, mixed bool) {
	if len(keys) > 0 {
		f.check()
	}
	hits = hits[:(len(keys)+63)/64]
	race.Read(keys)
	race.Write(hits)
	f.RaceWrite()
	f.testAndAddPart(keys, hits, mixed)
}

func (f *Filter) testAndAddPart(keys, hits []uint64, mixed bool) {
	done := 0 // of the keys of hits[0]
	for n := nextBatch(len(keys)); n > 0; n = nextBatch(len(keys)) {
		hits[(n-1)/64] = 0
		testAndAddKernel(f.Blocks, f.K, keys[:n], hits, mixed)
		keys, hits, done = keys[n:], hits[n/64:], n%64
	}
	if len(keys) == 0 {
		return
	}
	var word uint64
	for i, x := range keys {
		if mixed {
			x = hash.Mix(x)
		}
		word |= bit(f.TestAndAddHashPart(x)) << (i & 63)
	}
	orInto(hits, word, done)
}

// bit returns 1 for true, in the form that compiles to no branch: hits cannot be
// predicted.
func bit(b bool) (x uint64) {
	if b {
		x = 1
	}
	return x
}

// orInto writes the results of the last, fewer than minBatch keys: to a word of
// their own if done is 0, else above the results of the done keys before them. A
// batch of a multiple of 8 keys leaves room for the fewer than 8 after it.
func orInto(hits []uint64, word uint64, done int) {
	if done == 0 {
		hits[0] = word
	} else {
		hits[0] |= word << done
	}
}

// The batch verbs in Go, for any number of keys: the specification of the
// kernels, and what runs where there is none.

const (
	// genericChunk is the number of hashes whose blocks are read ahead at a time.
	genericChunk = 64
	// genericAhead is the number of blocks from which they are: 1 MiB, what lies
	// in a core's own caches.
	genericAhead = 1 << 14
)

// readAhead reads a word of each hash's block, the nearest that Go has to a
// prefetch: a processor looks ahead over a score of these short steps, but over
// only two or three whole probes. It must not be inlined, or the compiler would
// see that nobody wants the sum.
//
//go:noinline
func readAhead(blocks []Block, hashes []uint64) (sum uint64) {
	for _, h := range hashes {
		sum ^= blocks[Index(h, uint64(len(blocks)))][0]
	}
	return sum
}

// mixChunk returns the hashes of the first keys, mixed into chunk if they are
// integers.
func mixChunk(chunk *[genericChunk]uint64, keys []uint64, mixed bool) []uint64 {
	hashes := keys[:min(genericChunk, len(keys))]
	if mixed {
		for i, x := range hashes {
			chunk[i] = hash.Mix(x)
		}
		hashes = chunk[:len(hashes)]
	}
	return hashes
}

// nextChunk is mixChunk that has the hashes' blocks read ahead if the filter is
// large.
func nextChunk(blocks []Block, chunk *[genericChunk]uint64, keys []uint64, mixed bool) []uint64 {
	hashes := mixChunk(chunk, keys, mixed)
	if len(blocks) >= genericAhead {
		readAhead(blocks, hashes)
	}
	return hashes
}

func addGeneric(blocks []Block, k int, keys []uint64, mixed bool) {
	var chunk [genericChunk]uint64
	for len(keys) > 0 {
		hashes := nextChunk(blocks, &chunk, keys, mixed)
		for _, h := range hashes {
			Add(&blocks[Index(h, uint64(len(blocks)))], h, k)
		}
		keys = keys[len(hashes):]
	}
}

func testGeneric(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	var chunk [genericChunk]uint64
	for at := 0; len(keys) > 0; at++ {
		hashes := nextChunk(blocks, &chunk, keys, mixed)
		var word uint64
		for i, h := range hashes {
			word |= Test(&blocks[Index(h, uint64(len(blocks)))], h, k) << (i & 63)
		}
		hits[at] = word
		keys = keys[len(hashes):]
	}
}

func testAndAddGeneric(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	var chunk [genericChunk]uint64
	for at := 0; len(keys) > 0; at++ {
		hashes := nextChunk(blocks, &chunk, keys, mixed)
		var word uint64
		for i, h := range hashes {
			b := &blocks[Index(h, uint64(len(blocks)))]
			word |= Test(b, h, k) << (i & 63)
			Add(b, h, k)
		}
		hits[at] = word
		keys = keys[len(hashes):]
	}
}
