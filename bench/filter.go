package main

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A filter is what contenders have in common. Its methods on many keys take the
// fastest way that the library has, its own batches or a loop around a direct
// call, and return how many keys passed.
type filter interface {
	AddUint64s(keys []uint64)
	TestUint64s(keys []uint64) int
	TestUint64sOneByOne(keys []uint64) int
	readAll() // all of its memory, in order
}

// A textFilter is a filter that takes strings.
type textFilter interface {
	filter
	AddStrings(keys []string)
	TestStrings(keys []string) int
}

// A hashFilter is a filter that takes ready 64-bit hashes.
type hashFilter interface {
	filter
	AddHashes(hashes []uint64)
	TestHashes(hashes []uint64) int
}

// A stringFilter is a filter that takes strings one by one, too.
type stringFilter interface {
	textFilter
	AddStringsOneByOne(keys []string)
	TestStringsOneByOne(keys []string) int
}

// A filterSpec is a way to build a filter.
type filterSpec struct {
	name string
	kind string // report.Ours, report.Peer or report.C
	k    int    // bits that a key sets
	// fixed tells that k is not chosen by the number of bits per key, though it
	// could be.
	fixed bool
	make  func(bytes int64, k int) filter
	// overlay, of cases over another, makes the filter over that one's bits.
	overlay func(f filter, bytes int64, k int) filter

	// Of filters in C, which are asked for them before any is measured.
	like  filter // of the type that make returns
	built int64  // bytes, where make does not hit the size that it is given
}

// sample returns a filter of the type that make returns.
func (s filterSpec) sample() filter {
	if s.like != nil {
		return s.like
	}
	return s.make(64, s.k)
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

func (c *filterCase) bitsPerKey() float64 {
	bytes := c.size
	if c.built != 0 {
		bytes = c.built
	}
	return float64(bytes) * 8 / float64(c.load.total())
}

// Describe fills in what a row says of the filter.
func (c *filterCase) Describe(row *report.Row) {
	row.K, row.BitsPerKey = c.k, c.bitsPerKey()
	row.FPRate, row.FPTrials = c.rate(), c.tested
}

// rate returns the measured false-positive rate, 0 before fill.
func (c *filterCase) rate() float64 {
	if c.tested == 0 {
		return 0
	}
	return float64(c.hits) / float64(c.tested)
}

// fill builds the filter, adds its keys, tests that none is missing and measures
// the false-positive rate. It does so once.
func (c *filterCase) fill() error {
	if c.filter != nil {
		return nil
	}
	var f filter
	if c.over == nil {
		if f = c.make(c.size, c.k); f == nil {
			return fmt.Errorf("%s: no filter of %d bytes", c.name, c.size)
		}
		c.addKeys(f)
	} else {
		if err := c.over.fill(); err != nil {
			return err
		}
		f = c.overlay(c.over.filter, c.size, c.k)
	}
	if missing := c.missing(f); missing > 0 {
		return fmt.Errorf("%s: %d keys that were added are missing", c.name, missing)
	}
	measure.EachBatch(uint64(c.trials), measure.TrialFrom, familyUint64, func(keys []uint64) {
		c.hits += int64(f.TestUint64s(keys))
	})
	if c.hits > c.trials {
		return fmt.Errorf("%s: of %d keys, %d pass", c.name, c.trials, c.hits)
	}
	c.tested, c.filter = c.trials, f
	return nil
}

// drop lets go of the filter, which stays described.
func (c *filterCase) drop() {
	if f, ok := c.filter.(interface{ Close() }); ok {
		f.Close()
	}
	c.filter = nil
}

// addKeys fills f.
func (c *filterCase) addKeys(f filter) {
	measure.EachBatch(c.load.integers, 0, familyUint64, f.AddUint64s)
	if h, ok := f.(hashFilter); ok {
		measure.EachBatch(c.load.hashes, 0, familyHash, h.AddHashes)
	} else { // the load must be the same
		measure.EachBatch(c.load.hashes, 0, familyHash, f.AddUint64s)
	}
	if t, ok := f.(textFilter); ok {
		eachStrings(c.load.strings, familyString16, t.AddStrings)
		eachStrings(c.load.strings, familyString44, t.AddStrings)
	} else {
		// As with hashes: the load must be the same.
		measure.EachBatch(c.load.strings, 0, familyString16, f.AddUint64s)
		measure.EachBatch(c.load.strings, 0, familyString44, f.AddUint64s)
	}
}

// missing looks for keys of each family that were added and returns how many
// the filter denies.
func (c *filterCase) missing(f filter) (missing int) {
	const look = 1 << 16
	present := func(n, passed int) {
		if passed != n {
			missing += max(n-passed, 1) // more than all is as wrong
		}
	}
	measure.EachBatch(min(c.load.integers, look), 0, familyUint64, func(keys []uint64) {
		present(len(keys), f.TestUint64s(keys))
		present(len(keys), f.TestUint64sOneByOne(keys))
	})
	if h, ok := f.(hashFilter); ok {
		measure.EachBatch(min(c.load.hashes, look), 0, familyHash, func(keys []uint64) {
			present(len(keys), h.TestHashes(keys))
		})
	}
	t, ok := f.(textFilter)
	if !ok {
		return missing
	}
	for _, family := range []uint64{familyString16, familyString44} {
		eachStrings(min(c.load.strings, look), family, func(keys []string) {
			present(len(keys), t.TestStrings(keys))
			if one, ok := f.(stringFilter); ok {
				present(len(keys), one.TestStringsOneByOne(keys))
			}
		})
	}
	return missing
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
