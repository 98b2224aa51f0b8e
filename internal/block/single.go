package block

import (
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A Filter is a run of blocks with what its kernels need to know. It has no
// blocks, contains nothing and panics when it is added to until Init is called.
type Filter struct {
	Blocks []Block
	K      int
	Hash   hash.Hasher
	probe  probe // what follows from K, Hash and the CPU, for single keys
}

// Init makes f a filter of the given blocks, K and hashing.
func (f *Filter) Init(blocks []Block, k int, h hash.Hasher) {
	*f = Filter{blocks, k, h, newProbe(k, h)}
}

// Close takes the blocks away: every verb panics from now on.
func (f *Filter) Close() { f.Blocks, f.probe = nil, probe{} }

// check panics if the filter cannot be added to.
func (f *Filter) check() {
	if len(f.Blocks) == 0 {
		f.checkClosed()
		panic("bitsieve: adding to a filter that no constructor made")
	}
}

// Empty reports whether the filter has no blocks and so contains nothing. It
// panics if it has been closed.
func (f *Filter) Empty() bool {
	if len(f.Blocks) == 0 {
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

// AddHash adds a hash.
func (f *Filter) AddHash(h uint64) {
	f.RaceWrite()
	addHash(f, h)
}

// AddUint64 adds an integer.
func (f *Filter) AddUint64(x uint64) {
	f.RaceWrite()
	addUint64(f, x)
}

// TestHash reports whether h may have been added.
func (f *Filter) TestHash(h uint64) bool {
	f.RaceRead()
	return testHash(f, h)
}

// TestUint64 reports whether x may have been added.
func (f *Filter) TestUint64(x uint64) bool {
	f.RaceRead()
	return testUint64(f, x)
}

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Filter) TestAndAddHash(h uint64) bool {
	f.RaceWrite()
	if testHash(f, h) {
		return true
	}
	addHash(f, h)
	return false
}

// The verbs for single keys in Go: their specification, and what the kernels
// jump to for a filter without a probe, which has no blocks or was made at the
// generic level, and for integers under a secret key.

func addHashGeneric(f *Filter, h uint64) {
	f.check()
	Add(&f.Blocks[Index(h, uint64(len(f.Blocks)))], h, f.K)
}

func testHashGeneric(f *Filter, h uint64) bool {
	return !f.Empty() && Test(&f.Blocks[Index(h, uint64(len(f.Blocks)))], h, f.K) != 0
}

func addUint64Generic(f *Filter, x uint64)       { addHashGeneric(f, f.Hash.Uint64(x)) }
func testUint64Generic(f *Filter, x uint64) bool { return testHashGeneric(f, f.Hash.Uint64(x)) }

// RaceRead and RaceWrite declare an access to the filter to the race detector,
// by its first word in place of all: the detector need not see which block a key
// touches to see that one goroutine adds while another tests.

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
