package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"unsafe"

	bnbloom "github.com/bits-and-blooms/bloom/v3"
	"github.com/greatroar/blobloom"
	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"
	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/bench/memory"
)

// Peers get huge pages as ours does, by the memory that they let us choose or
// by advice on theirs: their code is compared, not their allocation.

// parquetFilter is the split-block filter of Parquet: eight bits in a block of
// 256. Integers are hashed by its vectorised xxHash64 a tile at a time, which
// is faster than one by one.
type parquetFilter struct {
	bloom.SplitBlockFilter
	tile [512]uint64
}

func newParquetFilter(bytes int64, _ int) filter {
	data := memory.Bytes(memory.Heap(int(bytes / 8)))
	return &parquetFilter{SplitBlockFilter: bloom.MakeSplitBlockFilter(data)}
}

func (f *parquetFilter) AddUint64s(keys []uint64) {
	for len(keys) > 0 {
		n := xxhash.MultiSum64Uint64(f.tile[:], keys)
		f.InsertBulk(f.tile[:n])
		keys = keys[n:]
	}
}

func (f *parquetFilter) readAll() { sink += bytes.Count(f.Bytes(), []byte{0}) }

func (f *parquetFilter) AddHashes(hashes []uint64) { f.InsertBulk(hashes) }

func (f *parquetFilter) AddStrings(keys []string) {
	for _, s := range keys {
		f.Insert(xxhash.Sum64(stringBytes(s)))
	}
}

func (f *parquetFilter) TestUint64s(keys []uint64) (n int) {
	for len(keys) > 0 {
		m := xxhash.MultiSum64Uint64(f.tile[:], keys)
		for _, h := range f.tile[:m] {
			n += one(f.Check(h))
		}
		keys = keys[m:]
	}
	return n
}

func (f *parquetFilter) TestUint64sOneByOne(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(f.Check(xxhash.Sum64Uint64(x)))
	}
	return n
}

func (f *parquetFilter) TestHashes(hashes []uint64) (n int) {
	for _, h := range hashes {
		n += one(f.Check(h))
	}
	return n
}

func (f *parquetFilter) TestStrings(keys []string) (n int) {
	for _, s := range keys {
		n += one(f.Check(xxhash.Sum64(stringBytes(s))))
	}
	return n
}

// blobloomFilter is blobloom, hashed as its users do, by XXH3.
type blobloomFilter struct{ *blobloom.Filter }

func newBlobloomFilter(bytes int64, k int) filter {
	f := blobloom.New(uint64(bytes)*8, k)
	adviseFirstField(f, bytes)
	return blobloomFilter{f}
}

// adviseFirstField asks for huge pages for the slice of bytes that is the first field
// of one of blobloom's filters. Only its address is taken.
func adviseFirstField(f any, bytes int64) {
	memory.AdviseHuge(reflect.ValueOf(f).Elem().Field(0).UnsafePointer(), int(bytes))
}

// blobloomK returns the k for which blobloom's own model expects the lowest
// rate.
func blobloomK(bitsPerKey float64) (best int) {
	const n = 1 << 20
	lowest := math.Inf(1)
	for k := 2; k <= 40; k++ {
		if p := blobloom.FPRate(n, uint64(n*bitsPerKey), k); p < lowest {
			lowest, best = p, k
		}
	}
	return best
}

func hashUint64(x uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return xxh3.Hash(b[:])
}

func (f blobloomFilter) AddUint64s(keys []uint64) {
	for _, x := range keys {
		f.Add(hashUint64(x))
	}
}

func (f blobloomFilter) readAll() { sink += int(f.Cardinality()) }

func (f blobloomFilter) AddHashes(hashes []uint64) {
	for _, h := range hashes {
		f.Add(h)
	}
}

func (f blobloomFilter) AddStrings(keys []string) {
	for _, s := range keys {
		f.Add(xxh3.HashString(s))
	}
}

func (f blobloomFilter) TestUint64s(keys []uint64) (n int) {
	for _, x := range keys {
		n += one(f.Has(hashUint64(x)))
	}
	return n
}

func (f blobloomFilter) TestUint64sOneByOne(keys []uint64) int { return f.TestUint64s(keys) }

func (f blobloomFilter) TestHashes(hashes []uint64) (n int) {
	for _, h := range hashes {
		n += one(f.Has(h))
	}
	return n
}

func (f blobloomFilter) TestStrings(keys []string) (n int) {
	for _, s := range keys {
		n += one(f.Has(xxh3.HashString(s)))
	}
	return n
}

// bitsAndBloomsFilter is the standard filter of bits-and-blooms. It hashes by
// itself, and takes integers as their eight bytes.
type bitsAndBloomsFilter struct{ *bnbloom.BloomFilter }

func newBitsAndBloomsFilter(bytes int64, k int) filter {
	return bitsAndBloomsFilter{bnbloom.FromWithM(memory.Heap(int(bytes/8)), uint(bytes)*8, uint(k))}
}

// standardK is the k of the unblocked filter's textbook optimum.
func standardK(bitsPerKey float64) int { return int(math.Round(bitsPerKey * math.Ln2)) }

func (f bitsAndBloomsFilter) AddUint64s(keys []uint64) {
	var b [8]byte
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b[:], x)
		f.Add(b[:])
	}
}

func (f bitsAndBloomsFilter) readAll() { sink += int(f.BitSet().Count()) }

func (f bitsAndBloomsFilter) AddStrings(keys []string) {
	for _, s := range keys {
		f.AddString(s)
	}
}

func (f bitsAndBloomsFilter) TestUint64s(keys []uint64) (n int) {
	var b [8]byte
	for _, x := range keys {
		binary.LittleEndian.PutUint64(b[:], x)
		n += one(f.Test(b[:]))
	}
	return n
}

func (f bitsAndBloomsFilter) TestUint64sOneByOne(keys []uint64) int { return f.TestUint64s(keys) }

func (f bitsAndBloomsFilter) TestStrings(keys []string) (n int) {
	for _, s := range keys {
		n += one(f.TestString(s))
	}
	return n
}

func (f bitsAndBloomsFilter) AddStringsOneByOne(keys []string)      { f.AddStrings(keys) }
func (f bitsAndBloomsFilter) TestStringsOneByOne(keys []string) int { return f.TestStrings(keys) }

// stringBytes returns the bytes of s without copying, which every one of these
// libraries only reads.
func stringBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
