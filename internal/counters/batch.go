package counters

import (
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/race"
)

const (
	// maxBatch is the largest number of keys for one call of a kernel, which cannot
	// be preempted: 80 µs at 40 ns a key. It is a multiple of 64, so that the
	// results of the next call begin with a word.
	maxBatch = 2048
)

// A verb is what a batch does to its keys.
type verb uint8

const (
	test   verb = iota
	add         // its results are those of test before
	remove      // its results say what was removed
)

// AddHashes adds keys by their hashes.
func (f *Filter) AddHashes(hashes []uint64) {
	var hits [maxBatch / 64]uint64 // which nobody wants
	for len(hashes) > 0 {
		n := min(len(hashes), maxBatch)
		f.batch(add, hashes[:n], hits[:])
		hashes = hashes[n:]
	}
}

// TestHashes sets bit i of hits to whether hashes[i] may be present, for every i
// in [0, len(hashes)), and clears the other bits of the last word.
func (f *Filter) TestHashes(hashes, hits []uint64) { f.batch(test, hashes, hits) }

// TestAndAddHashes adds keys by their hashes, in order, and sets bit i of hits to
// whether hashes[i] may have been there before: in the filter, or earlier in the
// batch. It clears the other bits of the last word.
func (f *Filter) TestAndAddHashes(hashes, hits []uint64) { f.batch(add, hashes, hits) }

// RemoveHashes removes keys by their hashes, in order, and sets bit i of hits to
// whether hashes[i] was removed. It clears the other bits of the last word.
func (f *Filter) RemoveHashes(hashes, hits []uint64) { f.batch(remove, hashes, hits) }

func (f *Filter) batch(v verb, hashes, hits []uint64) {
	hits = hits[:(len(hashes)+63)/64]
	race.Read(hashes)
	race.Write(hits)
	if v == test {
		f.RaceRead()
	} else {
		f.RaceWrite()
	}
	if len(hashes) == 0 {
		return
	}
	if f.Empty() {
		if v == add {
			f.check()
		}
		clear(hits)
		return
	}
	for len(hashes) > 0 {
		n := min(len(hashes), maxBatch)
		kernel(v, f.Blocks, f.K, hashes[:n], hits)
		hashes, hits = hashes[n:], hits[(n+63)/64:]
	}
}

// The batch verbs in Go, for any number of hashes: the specification of the
// kernels, and what runs where there is none.

const (
	// genericChunk is the number of hashes whose blocks are read ahead at a time.
	genericChunk = 64
	// genericAhead is the number of blocks from which they are: 1 MiB, what lies
	// in a core's own caches.
	genericAhead = 1 << 13
)

// readAhead reads a word of both lines of each hash's block: see the function of
// that name in internal/block.
//
//go:noinline
func readAhead(blocks []Block, hashes []uint64) (sum uint64) {
	for _, h := range hashes {
		b := &blocks[block.Index(h, uint64(len(blocks)))]
		sum ^= b[0] ^ b[Words/2]
	}
	return sum
}

// generic does a verb for hashes and writes a bit for each.
func generic(v verb, blocks []Block, k int, hashes, hits []uint64) {
	for i := 0; len(hashes) > 0; i++ {
		chunk := hashes[:min(genericChunk, len(hashes))]
		hashes = hashes[len(chunk):]
		if len(blocks) >= genericAhead {
			readAhead(blocks, chunk)
		}
		var word uint64
		for j, h := range chunk {
			word |= apply(v, &blocks[block.Index(h, uint64(len(blocks)))], h, k) << (j & 63)
		}
		hits[i] = word
	}
}

// apply does a verb for one hash.
func apply(v verb, b *Block, h uint64, k int) uint64 {
	switch v {
	case add:
		hit := Test(b, h, k)
		Add(b, h, k)
		return hit
	case remove:
		return Remove(b, h, k)
	}
	return Test(b, h, k)
}

// one does a verb for one hash of a filter with blocks. The vector kernels win even
// here, but for tests with k < 8: on a Sapphire Rapids (Xeon of 2 GHz, AVX-512), 256
// KiB, k = 5, 8 and 12, a test takes 32, 19 and 21 ns, in Go 28, 37 and 53, an
// addition with a removal 68, 65 and 56, in Go 107, 152 and 142.
func (f *Filter) one(v verb, h uint64) bool {
	if !vector() {
		return apply(v, f.at(h), h, f.K) != 0
	}
	hashes, hits := [1]uint64{h}, [1]uint64{}
	kernel(v, f.Blocks, f.K, hashes[:], hits[:])
	return hits[0] != 0
}
