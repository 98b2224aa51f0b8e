// Package hot calls each method that a program's loops are made of, once. The test
// beside it reads in the compiler's report which calls were inlined.
package hot

import (
	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
)

func BitSet(b *bitset.BitSet, words []uint64, indices []uint) (n uint) {
	b.SetBitsetFrom(words)
	b.Set(1)
	b.Clear(2)
	b.Flip(3)
	b.SetAll()
	b.ClearAll()
	n += b.Len() + b.Count() + b.Clone().Count() + uint(b.BinaryStorageSize())
	n += uint(len(b.Words()) + len(b.Bytes()) + len(b.AppendTo(indices)))
	n += uint(b.GetWord64AtBit(1))
	if b.Test(n) || b.Any() || b.None() || b.Equal(b) {
		n++
	}
	for i, ok := b.NextSet(0); ok; i, ok = b.NextSet(i + 1) {
		n += i
	}
	for i, m := b.NextSetMany(0, indices); len(m) > 0; i, m = b.NextSetMany(i+1, indices) {
		n += i
	}
	for i := range b.EachSet() {
		n += i
	}
	return n
}

func Bloom(f *bloom.BloomFilter, key []byte, s string, locations []uint64) bool {
	f.Add(key)
	f.AddString(s)
	f.Merge(f.Copy())
	f.ClearAll()
	form, _ := f.GobEncode()
	return f.GobDecode(form) == nil && f.Cap() > f.K() && f.BitSet().Test(1) &&
		f.Test(key) && f.TestString(s) && f.TestLocations(locations) &&
		f.TestAndAdd(key) && f.TestAndAddString(s) && f.TestOrAdd(key) && f.Equal(f)
}
