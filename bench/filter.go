package main

import (
	"fmt"
	"runtime"
	"sync"
)

// batch is the number of keys per call of the operations on many keys, and
// between two looks at the clock of those on one.
const batch = 4096

// A filter is what contenders have in common. Its methods on many keys take the
// fastest way that the library has, its own batches or a loop around a direct
// call, and return how many keys passed.
type filter interface {
	AddUint64s(keys []uint64)
	AddStrings(keys []string)
	TestUint64s(keys []uint64) int
	TestUint64sOneByOne(keys []uint64) int
	TestStrings(keys []string) int
	readAll() // every bit, in order
}

// A hashFilter is a filter that takes ready 64-bit hashes.
type hashFilter interface {
	filter
	AddHashes(hashes []uint64)
	TestHashes(hashes []uint64) int
}

// A stringFilter is a filter that takes strings one by one, too.
type stringFilter interface {
	filter
	AddStringsOneByOne(keys []string)
	TestStringsOneByOne(keys []string) int
}

// A filterSpec is a way to build a filter.
type filterSpec struct {
	name string
	ours bool
	k    int // bits that a key sets
	// fixed tells that k is not chosen by the number of bits per key, though it
	// could be.
	fixed bool
	make  func(bytes int64, k int) filter
}

// A load says how many keys of each family a filter holds.
type load struct {
	integers, hashes, strings uint64 // strings of each length
}

// loadFor splits the keys of a filter at its design load between the families.
// Strings and hashes are as many as tests need, at most a quarter each, and
// integers, which are the fastest to make, fill the rest: to a filter, all are
// hashes.
func loadFor(size int64, bitsPerKey float64) load {
	n := uint64(float64(size) * 8 / bitsPerKey)
	l := load{hashes: min(n/4, 2<<20), strings: min(n/4, 1<<20)}
	l.integers = n - l.hashes - 2*l.strings
	return l
}

func (l load) total() uint64 { return l.integers + l.hashes + 2*l.strings }

// A filterCase is one filter, filled to its design load before anything is
// measured, and its false-positive rate.
type filterCase struct {
	filterSpec
	size   int64
	load   load
	trials int64
	// over, if not nil, is a filter whose bits this one reads and writes in
	// place of its own: whatever its keys are.
	over *filterCase

	filter       filter
	hits, tested int64
}

func (c *filterCase) bitsPerKey() float64 { return float64(c.size) * 8 / float64(c.load.total()) }

// rate returns the measured false-positive rate and the number of absent keys
// that it was measured with, 0 before fill.
func (c *filterCase) rate() (float64, int64) {
	if c.tested == 0 {
		return 0, 0
	}
	return float64(c.hits) / float64(c.tested), c.tested
}

// fill builds the filter, adds its keys, tests that none is missing and measures
// the false-positive rate. It does so once.
func (c *filterCase) fill() error {
	if c.filter != nil {
		return nil
	}
	var f filter
	if c.over == nil {
		f = c.make(c.size, c.k)
		c.addKeys(f)
	} else {
		if err := c.over.fill(); err != nil {
			return err
		}
		f = newBloomFilterOver(c.over.filter, c.size, c.k)
	}
	if missing := c.missing(f); missing > 0 {
		return fmt.Errorf("%s: %d keys that were added are missing", c.name, missing)
	}
	var keys [batch]uint64
	eachBatch(uint64(c.trials), trialFrom, familyUint64, keys[:], func(keys []uint64) {
		c.hits += int64(f.TestUint64s(keys))
	})
	c.tested, c.filter = c.trials, f
	return nil
}

// addKeys fills f.
func (c *filterCase) addKeys(f filter) {
	var keys [batch]uint64
	eachBatch(c.load.integers, 0, familyUint64, keys[:], f.AddUint64s)
	if h, ok := f.(hashFilter); ok {
		eachBatch(c.load.hashes, 0, familyHash, keys[:], h.AddHashes)
	} else { // the load must be the same
		eachBatch(c.load.hashes, 0, familyHash, keys[:], f.AddUint64s)
	}
	eachStrings(c.load.strings, familyString16, f.AddStrings)
	eachStrings(c.load.strings, familyString44, f.AddStrings)
}

// missing looks for keys of each family that were added and returns how many
// the filter denies.
func (c *filterCase) missing(f filter) (missing int) {
	const look = 1 << 16
	var keys [batch]uint64
	eachBatch(min(c.load.integers, look), 0, familyUint64, keys[:], func(keys []uint64) {
		missing += len(keys) - f.TestUint64s(keys)
		missing += len(keys) - f.TestUint64sOneByOne(keys)
	})
	if h, ok := f.(hashFilter); ok {
		eachBatch(min(c.load.hashes, look), 0, familyHash, keys[:], func(keys []uint64) {
			missing += len(keys) - h.TestHashes(keys)
		})
	}
	for _, family := range []uint64{familyString16, familyString44} {
		eachStrings(min(c.load.strings, look), family, func(keys []string) {
			missing += len(keys) - f.TestStrings(keys)
			if one, ok := f.(stringFilter); ok {
				missing += len(keys) - one.TestStringsOneByOne(keys)
			}
		})
	}
	return missing
}

// eachBatch calls f with the keys first … first+n-1 of a family, a batch at a
// time in buf.
func eachBatch(n, first, family uint64, buf []uint64, f func([]uint64)) {
	for i := uint64(0); i < n; i += uint64(len(buf)) {
		b := buf[:min(n-i, uint64(len(buf)))]
		for j := range b {
			b[j] = key(family, first+i+uint64(j))
		}
		f(b)
	}
}

func eachStrings(n, family uint64, f func([]string)) {
	index := make([]uint64, 0, batch)
	for i := uint64(0); i < n; i += batch {
		index = index[:min(n-i, batch)]
		for j := range index {
			index[j] = i + uint64(j)
		}
		f(texts(family, index))
	}
}

// fillAll fills cases on all cores and calls step as each is done. Those over
// another come after it.
func fillAll(cases []*filterCase, step func()) error {
	var mu sync.Mutex
	var first error
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, over := range []bool{false, true} {
		var wg sync.WaitGroup
		for _, c := range cases {
			if (c.over != nil) != over {
				continue
			}
			wg.Go(func() {
				free <- struct{}{}
				err := c.fill()
				<-free
				mu.Lock()
				defer mu.Unlock()
				if first == nil {
					first = err
				}
				step()
			})
		}
		wg.Wait()
	}
	return first
}
