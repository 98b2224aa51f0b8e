package main

import (
	"encoding/binary"
	"math"
	"net/netip"
	"sync"
	"unsafe"

	bnb "github.com/bits-and-blooms/bitset"
	bnbloom "github.com/bits-and-blooms/bloom/v3"
	"github.com/greatroar/blobloom"
	cuckoo "github.com/seiflotfy/cuckoofilter"
	boom "github.com/tylertreat/BoomFilters"

	"github.com/bitsieve/bitsieve/internal/bench/memory"
)

// The standard filter of bits-and-blooms, and what makes it fit for several goroutines.

func newStandardMember(size int64, _ uint64) any {
	return &standardMember{bitsAndBloomsFilter{newUnaligned(size)}}
}

// newUnaligned returns a filter in memory that, other than memory.Heap's, has nothing in
// front to align it, for bytes are counted here.
func newUnaligned(size int64) *bnbloom.BloomFilter {
	words := make([]uint64, size/8)
	memory.AdviseHuge(unsafe.Pointer(&words[0]), int(size))
	return bnbloom.FromWithM(words, uint(size)*8, uint(standardK(benchBitsPerKey)))
}

type standardMember struct{ f bitsAndBloomsFilter }

func (m *standardMember) add(keys []uint64)      { m.f.AddUint64s(keys) }
func (m *standardMember) test(keys []uint64) int { return m.f.TestUint64s(keys) }

func (m *standardMember) copyFrom(other any) {
	copy(m.f.BitSet().Words(), other.(*standardMember).f.BitSet().Words())
}

// lockedMember takes a lock for each key, for a batch one.
type lockedMember struct {
	standardMember
	mu sync.Mutex
}

func newMutexMember(size int64, n uint64) any {
	return &lockedMember{standardMember: *newStandardMember(size, n).(*standardMember)}
}

func (m *lockedMember) add(keys []uint64) {
	for i := range keys {
		m.addBatch(keys[i : i+1])
	}
}

func (m *lockedMember) addBatch(keys []uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.standardMember.add(keys)
}

func (m *lockedMember) test(keys []uint64) (n int) {
	for i := range keys {
		n += m.testBatch(keys[i : i+1])
	}
	return n
}

func (m *lockedMember) testBatch(keys []uint64) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.standardMember.test(keys)
}

// rwLockedMember lets testers share its lock.
type rwLockedMember struct {
	standardMember
	mu sync.RWMutex
}

func newRWMutexMember(size int64, n uint64) any {
	return &rwLockedMember{standardMember: *newStandardMember(size, n).(*standardMember)}
}

func (m *rwLockedMember) add(keys []uint64) {
	for i := range keys {
		m.addBatch(keys[i : i+1])
	}
}

func (m *rwLockedMember) addBatch(keys []uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.standardMember.add(keys)
}

func (m *rwLockedMember) test(keys []uint64) (n int) {
	for i := range keys {
		n += m.testBatch(keys[i : i+1])
	}
	return n
}

func (m *rwLockedMember) testBatch(keys []uint64) int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.standardMember.test(keys)
}

// shardsMember is several filters. A key's filter is chosen by a hash that the filters
// do not use.
type shardsMember [shards]struct {
	mu sync.RWMutex
	f  *bnbloom.BloomFilter
	_  [96]byte // a cache line to each lock
}

func newShardsMember(size int64, _ uint64) any {
	m := new(shardsMember)
	for i := range m {
		m[i].f = newUnaligned(size / shards)
	}
	return m
}

func shardOf(x uint64) uint64 { return x * 0x9e3779b97f4a7c15 >> 32 % shards }

func (m *shardsMember) add(keys []uint64) {
	var b [8]byte
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b[:], x)
		s := &m[shardOf(x)]
		s.mu.Lock()
		s.f.Add(b[:])
		s.mu.Unlock()
	}
}

func (m *shardsMember) test(keys []uint64) (n int) {
	var b [8]byte
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b[:], x)
		s := &m[shardOf(x)]
		s.mu.RLock()
		n += one(s.f.Test(b[:]))
		s.mu.RUnlock()
	}
	return n
}

// exceptMember looks what passes up in a map of exceptions.
type exceptMember struct {
	standardMember
	exceptions map[uint64]struct{}
}

func newExceptMember(size int64, n uint64) any {
	return &exceptMember{*newStandardMember(size, n).(*standardMember), map[uint64]struct{}{}}
}

func (m *exceptMember) except(keys []uint64) {
	for _, x := range keys {
		m.exceptions[x] = struct{}{}
	}
}

func (m *exceptMember) test(keys []uint64) (n int) {
	var b [8]byte
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b[:], x)
		if m.f.Test(b[:]) {
			if _, ok := m.exceptions[x]; !ok {
				n++
			}
		}
	}
	return n
}

// blobloom, hashed by XXH3.

type blobloomMember struct{ f blobloomFilter }

func newBlobloomMember(size int64, _ uint64) any {
	return &blobloomMember{newBlobloomFilter(size, blobloomK(benchBitsPerKey)).(blobloomFilter)}
}

func (m *blobloomMember) add(keys []uint64)      { m.f.AddUint64s(keys) }
func (m *blobloomMember) test(keys []uint64) int { return m.f.TestUint64s(keys) }

type syncMember struct{ f *blobloom.SyncFilter }

func newSyncMember(size int64, _ uint64) any {
	f := blobloom.NewSync(uint64(size)*8, blobloomK(benchBitsPerKey))
	adviseFirstField(f, size)
	return &syncMember{f}
}

func (m *syncMember) add(keys []uint64) {
	for _, x := range keys {
		m.f.Add(hashUint64(x))
	}
}

func (m *syncMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.f.Has(hashUint64(x)))
	}
	return n
}

// Filters that forget.

type boomCountingMember struct{ f *boom.CountingBloomFilter }

func newBoomCountingMember(_ int64, n uint64) any {
	return &boomCountingMember{boom.NewDefaultCountingBloomFilter(uint(n), familyRate)}
}

func (m *boomCountingMember) add(keys []uint64) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		m.f.Add(b)
	}
}

func (m *boomCountingMember) test(keys []uint64) (n int) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		n += one(m.f.Test(b))
	}
	return n
}

func (m *boomCountingMember) remove(keys []uint64) (n int) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		n += one(m.f.TestAndRemove(b))
	}
	return n
}

type cuckooMember struct{ f *cuckoo.Filter }

func newCuckooMember(_ int64, n uint64) any {
	return &cuckooMember{cuckoo.NewFilter(uint(n + n/20))}
}

func (m *cuckooMember) add(keys []uint64) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		if !m.f.Insert(b) {
			panic("the cuckoo filter is full")
		}
	}
}

func (m *cuckooMember) test(keys []uint64) (n int) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		n += one(m.f.Lookup(b))
	}
	return n
}

func (m *cuckooMember) remove(keys []uint64) (n int) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		n += one(m.f.Delete(b))
	}
	return n
}

// A filter that grows.

type boomScalableMember struct{ f *boom.ScalableBloomFilter }

// With the default, stages of 10,000 keys, tests would go through thousands of them.
func newBoomScalableMember(_ int64, n uint64) any {
	return &boomScalableMember{boom.NewScalableBloomFilter(uint(max(n/16, 1)), familyRate, 0.8)}
}

func (m *boomScalableMember) add(keys []uint64) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		m.f.Add(b)
	}
}

func (m *boomScalableMember) test(keys []uint64) (n int) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		n += one(m.f.Test(b))
	}
	return n
}

// Counts.

type sketchMember struct{ f *boom.CountMinSketch }

// newSketchMember makes four rows of 64-bit counters of the size.
func newSketchMember(size int64, _ uint64) any {
	const rows = 4
	return &sketchMember{boom.NewCountMinSketch(math.E*rows*8/float64(size), math.Exp(0.5-rows))}
}

func (m *sketchMember) add(keys []uint64) {
	b := make([]byte, 8)
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		m.f.Add(b)
	}
}

func (m *sketchMember) count(keys, counts []uint64) {
	b := make([]byte, 8)
	for i, x := range keys {
		binary.LittleEndian.PutUint64(b, x)
		counts[i] = m.f.Count(b)
	}
}

type countMapMember map[uint64]uint32

func newCountMapMember(_ int64, n uint64) any { return make(countMapMember, n) }

func (m countMapMember) add(keys []uint64) {
	for _, x := range keys {
		m[x]++
	}
}

func (m countMapMember) count(keys, counts []uint64) {
	for i, x := range keys {
		counts[i] = uint64(m[x])
	}
}

// Exact sets.

type mapMember map[uint64]struct{}

func newMapMember(_ int64, n uint64) any        { return make(mapMember, n) }
func newGrowingMapMember(_ int64, _ uint64) any { return mapMember{} }

func (m mapMember) add(keys []uint64) {
	for _, x := range keys {
		m[x] = struct{}{}
	}
}

func (m mapMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		_, ok := m[x]
		n += one(ok)
	}
	return n
}

func (m mapMember) remove(keys []uint64) (n int) {
	for _, x := range keys {
		before := len(m)
		delete(m, x)
		n += before - len(m)
	}
	return n
}

type map32Member map[uint32]struct{}

func newMap32Member(_ int64, n uint64) any { return make(map32Member, n) }

func (m map32Member) add(keys []uint64) {
	for _, x := range keys {
		m[uint32(x)] = struct{}{}
	}
}

func (m map32Member) test(keys []uint64) (n int) {
	for _, x := range keys {
		_, ok := m[uint32(x)]
		n += one(ok)
	}
	return n
}

type addrMapMember map[netip.Addr]struct{}

func newAddrMapMember(_ int64, n uint64) any { return make(addrMapMember, n) }

func addrOf(x uint64) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(x >> 24), byte(x >> 16), byte(x >> 8), byte(x)})
}

func (m addrMapMember) add(keys []uint64) {
	for _, x := range keys {
		m[addrOf(x)] = struct{}{}
	}
}

func (m addrMapMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		_, ok := m[addrOf(x)]
		n += one(ok)
	}
	return n
}

// bitsetMember has a bit for every address there is, from the first add on.
type bitsetMember struct{ b *bnb.BitSet }

func newBitsetMember(int64, uint64) any { return &bitsetMember{} }

func (m *bitsetMember) add(keys []uint64) {
	if m.b == nil {
		m.b = bnb.New(1 << 32)
	}
	for _, x := range keys {
		m.b.Set(uint(x))
	}
}

func (m *bitsetMember) test(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(m.b.Test(uint(x)))
	}
	return n
}
