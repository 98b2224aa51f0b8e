package counters

import (
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A Filter is a run of blocks with what its verbs need to know. It has no blocks,
// contains nothing and panics when it is added to until it is given some.
type Filter struct {
	Blocks []Block
	K      int
	Hash   hash.Hasher
}

// Close takes the blocks away: every verb panics from now on.
func (f *Filter) Close() { f.Blocks = nil }

// check panics if the filter cannot be added to.
func (f *Filter) check() {
	if f.Empty() {
		panic("bitsieve: adding to a filter that no constructor made")
	}
}

// Empty reports whether the filter has no blocks and so contains nothing. It
// panics if it has been closed.
func (f *Filter) Empty() bool {
	if len(f.Blocks) > 0 {
		return false
	}
	if f.K != 0 {
		panic("bitsieve: use of a closed filter")
	}
	return true
}

// at returns the block of a hash.
func (f *Filter) at(h uint64) *Block { return &f.Blocks[block.Index(h, uint64(len(f.Blocks)))] }

// AddHash adds a hash.
func (f *Filter) AddHash(h uint64) {
	f.check()
	f.RaceWrite()
	f.one(add, h)
}

// TestHash reports whether h may be present.
func (f *Filter) TestHash(h uint64) bool {
	if f.Empty() {
		return false
	}
	f.RaceRead()
	return f.one(test, h)
}

// CountHash returns how often h was added at the most, Full for no limit.
func (f *Filter) CountHash(h uint64) uint64 {
	if f.Empty() {
		return 0
	}
	f.RaceRead()
	return Count(f.at(h), h, f.K)
}

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Filter) TestAndAddHash(h uint64) bool {
	f.check()
	f.RaceWrite()
	return f.one(add, h)
}

// RemoveHash removes h and reports whether it did: false if h is certainly absent.
func (f *Filter) RemoveHash(h uint64) bool {
	if f.Empty() {
		return false
	}
	f.RaceWrite()
	return f.one(remove, h)
}

// RaceRead and RaceWrite declare an access to the filter to the race detector, by
// its first word in place of all.

func (f *Filter) RaceRead() {
	if race.Enabled && len(f.Blocks) > 0 {
		race.Read(f.Blocks[0][:1])
	}
}

func (f *Filter) RaceWrite() {
	if race.Enabled && len(f.Blocks) > 0 {
		race.Write(f.Blocks[0][:1])
	}
}
