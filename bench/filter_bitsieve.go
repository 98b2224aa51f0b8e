package main

import (
	"encoding/binary"
	"math"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// blockedFilter is the blocked filter, the library's flagship.
type blockedFilter struct {
	*bitsieve.Blocked
	hits bitsieve.BitSet
}

func newBlockedFilter(bytes int64, k int) filter {
	f, err := bitsieve.NewBlockedWithSize(uint64(bytes)/64, k)
	if err != nil {
		panic(err) // the benchmark's own sizes are in range
	}
	return &blockedFilter{Blocked: f}
}

func (f *blockedFilter) TestUint64s(keys []uint64) int { return f.Blocked.TestUint64s(keys, &f.hits) }
func (f *blockedFilter) TestHashes(keys []uint64) int  { return f.Blocked.TestHashes(keys, &f.hits) }
func (f *blockedFilter) TestStrings(keys []string) int { return f.Blocked.TestStrings(keys, &f.hits) }

func (f *blockedFilter) readAll() { sink += one(f.Fill() > 0) }

func (f *blockedFilter) TestUint64sOneByOne(keys []uint64) (n int) {
	cpu.Refresh(f.Blocked) // one filter serves all levels
	for _, x := range keys {
		n += one(f.TestUint64(x))
	}
	return n
}

// bloomFilter is the standard filter, which has the hash and the layout of
// bits-and-blooms' and works on its bits here: what differs is the code.
type bloomFilter struct {
	*bitsieve.Bloom
	hits bitsieve.BitSet
}

func newBloomFilterOver(f filter, bytes int64, k int) filter {
	words := f.(bitsAndBloomsFilter).BitSet().Words()
	b, err := bitsieve.NewBloomFromWords(words, uint64(bytes)*8, k)
	if err != nil {
		panic(err) // a benchmark's own size
	}
	return &bloomFilter{Bloom: b}
}

// newBloomFilter makes one with bits of its own.
func newBloomFilter(bytes int64, k int) filter {
	return newBloomFilterOver(newBitsAndBloomsFilter(bytes, k), bytes, k)
}

func (f *bloomFilter) AddUint64s(keys []uint64) {
	var b [8]byte
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b[:], x)
		f.Add(b[:])
	}
}

func (f *bloomFilter) AddStringsOneByOne(keys []string) {
	for _, s := range keys {
		f.AddString(s)
	}
}

func (f *bloomFilter) TestUint64s(keys []uint64) (n int) {
	var b [8]byte
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b[:], x)
		n += one(f.Test(b[:]))
	}
	return n
}

func (f *bloomFilter) readAll()                              { sink += one(f.Fill() > 0) }
func (f *bloomFilter) TestUint64sOneByOne(keys []uint64) int { return f.TestUint64s(keys) }
func (f *bloomFilter) TestStrings(keys []string) int         { return f.Bloom.TestStrings(keys, &f.hits) }

func (f *bloomFilter) TestStringsOneByOne(keys []string) (n int) {
	for _, s := range keys {
		n += one(f.TestString(s))
	}
	return n
}

// one is 1 for true, without a branch.
func one(b bool) int {
	var n int
	if b {
		n = 1
	}
	return n
}

// bestK returns the number of bits per key that NewBlocked picks for a filter of
// so many bits per key: it bisects for the false-positive rate that makes
// NewBlocked build one of that size.
func bestK(bitsPerKey float64) (k int) {
	const n = 100_000
	lo, hi := -11.0, -0.1 // log10 of the rate
	for hi-lo > 1e-3 {
		mid := (lo + hi) / 2
		f, err := bitsieve.NewBlocked(n, math.Pow(10, mid))
		if err != nil {
			panic(err) // the rates are in range
		}
		k = f.K()
		if float64(f.SizeBytes())*8/n > bitsPerKey {
			lo = mid // too big: allow a higher rate
		} else {
			hi = mid
		}
	}
	return k
}
