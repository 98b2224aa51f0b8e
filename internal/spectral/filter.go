package spectral

import (
	"math"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A Filter is a run of blocks with what its verbs need to know. It has no blocks,
// contains nothing and panics when it is added to until Init is called.
type Filter struct {
	Words  []uint64 // the blocks
	Blocks uint64
	Bits   int // of a counter
	K      int
	Hash   hash.Hasher
	Total  uint64 // additions, math.MaxUint64 if there were more
}

// Init makes f a filter of the blocks in words, to which total additions were made.
func (f *Filter) Init(words []uint64, bits, k int, h hash.Hasher, total uint64) {
	*f = Filter{words, uint64(len(words)) * 8 / BlockBytes(bits), bits, k, h, total}
}

// Close takes the blocks away: every verb panics from now on.
func (f *Filter) Close() { f.Words, f.Blocks = nil, 0 }

// check panics if the filter cannot be added to.
func (f *Filter) check() {
	if len(f.Words) == 0 {
		f.checkClosed()
		panic("bitsieve: adding to a filter that no constructor made")
	}
}

// Empty reports whether the filter has no blocks and so contains nothing. It
// panics if it has been closed.
func (f *Filter) Empty() bool {
	if len(f.Words) == 0 {
		f.checkClosed()
		return true
	}
	return false
}

func (f *Filter) checkClosed() {
	if f.K != 0 {
		panic("bitsieve: use of a closed filter")
	}
}

// CountHash returns the estimate for a hash.
func (f *Filter) CountHash(h uint64) uint64 {
	f.RaceRead()
	if f.Empty() {
		return 0
	}
	s := locate(h, f.Blocks, f.Bits)
	switch f.Bits {
	case 8:
		return uint64(lowest(blockAt[uint8](f.Words, s.word), s.places, f.K))
	case 16:
		return uint64(lowest(blockAt[uint16](f.Words, s.word), s.places, f.K))
	}
	return uint64(lowest(blockAt[uint32](f.Words, s.word), s.places, f.K))
}

// AddHash adds a hash n times and returns the estimates before and after.
func (f *Filter) AddHash(h, n uint64) (before, after uint64) {
	f.check()
	f.RaceWrite()
	f.sum(n)
	s := locate(h, f.Blocks, f.Bits)
	switch f.Bits {
	case 8:
		b, a := add(blockAt[uint8](f.Words, s.word), s.places, f.K, n)
		return uint64(b), uint64(a)
	case 16:
		b, a := add(blockAt[uint16](f.Words, s.word), s.places, f.K, n)
		return uint64(b), uint64(a)
	}
	b, a := add(blockAt[uint32](f.Words, s.word), s.places, f.K, n)
	return uint64(b), uint64(a)
}

// sum adds n to the number of additions.
func (f *Filter) sum(n uint64) { f.Total += min(n, math.MaxUint64-f.Total) }

// RaceRead and RaceWrite declare an access to the filter to the race detector, by
// its first word in place of all: the detector need not see which block a key
// touches to see that one goroutine adds while another tests.

func (f *Filter) RaceRead() {
	if race.Enabled && len(f.Words) > 0 {
		race.Read(f.Words[:1])
	}
}

func (f *Filter) RaceWrite() {
	if race.Enabled && len(f.Words) > 0 {
		race.Write(f.Words[:1])
	}
}
