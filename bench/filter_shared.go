package main

import (
	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/greatroar/blobloom"
	"github.com/zeebo/xxh3"
)

// Filters that several goroutines may add to and test at the same time. One goroutine
// uses them here: what is measured is what the permission costs. "bench family" has two.

// atomicFilter is AtomicBlocked over the bits of a Blocked, whose layout it has.
type atomicFilter struct {
	*bitsieve.AtomicBlocked
	hits bitsieve.BitSet
}

func newAtomicFilterOver(f filter, _ int64, _ int) filter {
	return &atomicFilter{AtomicBlocked: f.(*blockedFilter).Atomic()}
}

func newAtomicFilter(bytes int64, k int) filter {
	return newAtomicFilterOver(newBlockedFilter(bytes, k), bytes, k)
}

func (f *atomicFilter) TestUint64s(keys []uint64) int {
	return f.AtomicBlocked.TestUint64s(keys, &f.hits)
}
func (f *atomicFilter) TestHashes(keys []uint64) int {
	return f.AtomicBlocked.TestHashes(keys, &f.hits)
}
func (f *atomicFilter) TestStrings(keys []string) int {
	return f.AtomicBlocked.TestStrings(keys, &f.hits)
}

func (f *atomicFilter) readAll() { sink += one(f.Fill() > 0) }

func (f *atomicFilter) TestUint64sOneByOne(keys []uint64) (n int) {
	cpu.Refresh(f.AtomicBlocked.Blocked()) // one filter serves all levels
	for _, x := range keys {
		n += one(f.TestUint64(x))
	}
	return n
}

// syncFilter is blobloom's SyncFilter, hashed as blobloomFilter is.
type syncFilter struct{ *blobloom.SyncFilter }

func newSyncFilter(bytes int64, k int) filter {
	f := blobloom.NewSync(uint64(bytes)*8, k)
	adviseFirstField(f, bytes)
	return syncFilter{f}
}

func (f syncFilter) AddUint64s(keys []uint64) {
	for _, x := range keys {
		f.Add(hashUint64(x))
	}
}

func (f syncFilter) TestUint64s(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(f.Has(hashUint64(x)))
	}
	return n
}

func (f syncFilter) TestUint64sOneByOne(keys []uint64) int { return f.TestUint64s(keys) }
func (f syncFilter) readAll()                              { sink += int(f.Cardinality()) }

func (f syncFilter) AddHashes(hashes []uint64) {
	for _, h := range hashes {
		f.Add(h)
	}
}

func (f syncFilter) TestHashes(hashes []uint64) (n int) {
	for _, h := range hashes {
		n += one(f.Has(h))
	}
	return n
}

func (f syncFilter) AddStrings(keys []string) {
	for _, s := range keys {
		f.Add(xxh3.HashString(s))
	}
}

func (f syncFilter) TestStrings(keys []string) (n int) {
	for _, s := range keys {
		n += one(f.Has(xxh3.HashString(s)))
	}
	return n
}
