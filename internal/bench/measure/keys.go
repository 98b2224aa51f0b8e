package measure

import (
	"math/rand/v2"

	"github.com/bitsieve/bitsieve/internal/bench/limit"
)

// AbsentFrom is the index from which a family's keys are never added, and
// TrialFrom the first of those with which false-positive rates are measured.
const (
	AbsentFrom = 1 << 40
	TrialFrom  = 1 << 44
)

// Key returns key i < 2^48 of a family: a bijective scramble of the two numbers,
// so that no two keys are equal, and which keys are in a filter is known without
// storing them. It is SplitMix64's output function (Steele, Lea, Flood: Fast
// splittable pseudorandom number generators, 2014): the keys are as good as
// random hashes.
func Key(family, i uint64) uint64 {
	z := (family<<48 | i) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// EachBatch calls f with the keys first … first+n-1 of a family, a batch at a
// time. f must not keep them.
func EachBatch(n, first, family uint64, f func([]uint64)) {
	var buf [Batch]uint64
	for i := uint64(0); i < n; i += Batch {
		b := buf[:min(n-i, Batch)]
		for j := range b {
			b[j] = Key(family, first+i+uint64(j))
		}
		f(b)
	}
}

// Mixed returns the indices of n keys, in random order, of which half, as coins
// fall, are below present and the others are absent ones.
func Mixed(n int, present uint64) []uint64 {
	r := rand.New(rand.NewPCG(5, present))
	index := make([]uint64, n)
	for i := range index {
		if r.Uint64()>>63 == 0 {
			index[i] = r.Uint64N(present)
		} else {
			index[i] = AbsentFrom + uint64(i)
		}
	}
	return index
}

// AnyOf returns the indices of n present keys in random order.
func AnyOf(n int, present uint64) []uint64 {
	r := rand.New(rand.NewPCG(6, present))
	index := make([]uint64, n)
	for i := range index {
		index[i] = r.Uint64N(present)
	}
	return index
}

// Integers turns indices into keys in place.
func Integers(family uint64, index []uint64) []uint64 {
	for i, x := range index {
		index[i] = Key(family, x)
	}
	return index
}

// A Cursor hands out a list in batches, over and over.
type Cursor[K any] struct {
	Keys []K
	at   int
}

// Next returns the next batch. The list is never shorter than one.
func (c *Cursor[K]) Next() []K {
	if c.at+Batch > len(c.Keys) {
		c.at = 0
	}
	c.at += Batch
	return c.Keys[c.at-Batch : c.at]
}

// TestKeys is the number of keys to test a filter of so many bytes with: enough
// to touch every line about four times, up to sixteen million, and never so few
// that a branch predictor learns the answers.
func TestKeys(size int64) int { return int(min(max(4*size/64, 256<<10), 16<<20)) }

// WarmBatches is the number of batches that bring a filter back into the cache:
// three keys a line reach nineteen lines in twenty. A filter beyond the last
// cache, of l3 bytes, has nothing to bring back but the first translations.
func WarmBatches(size, l3 int64) int {
	if size > l3 {
		return 1
	}
	return int(3*size/64/Batch) + 1
}

// RandomLines returns n random lines of size bytes of memory, and as many more
// as are looked ahead to.
func RandomLines(n int, size int64) []uint32 {
	r := rand.New(rand.NewPCG(7, 8))
	lines := make([]uint32, n+limit.MaxAhead)
	for i := range lines {
		lines[i] = r.Uint32N(uint32(size / 64))
	}
	return lines
}
