package bitsieve

import (
	"math"
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// checkBloomBatch compares batches of all the lengths that matter with Test.
func checkBloomBatch(t *testing.T, f *Bloom, keys [][]byte) {
	t.Helper()
	strs := keyStrings(keys)
	for _, n := range []int{0, 1, rounds.MinKeys - 1, rounds.MinKeys, 63, 64, 65, rounds.Size - 1,
		rounds.Size, rounds.Size + 1, 2*rounds.Size + 5, len(keys)} {
		batch := keys[len(keys)-n:]
		want := NewBitSet(uint(n))
		for i, key := range batch {
			want.SetTo(uint(i), f.Test(key))
		}
		// Results that are longer, shorter and dirty before.
		for _, hits := range []*BitSet{NewBitSet(1000).SetAll(), NewBitSet(3).SetAll(), nil} {
			got := f.TestBytes(batch, hits)
			if uint(got) != want.Count() || hits != nil && !hits.Equal(want) {
				t.Fatalf("TestBytes of %d keys: %d hits %v, want %v", n, got, hits, want)
			}
			hits.SetAll()
			got = f.TestStrings(strs[len(keys)-n:], hits)
			if uint(got) != want.Count() || hits != nil && !hits.Equal(want) {
				t.Fatalf("TestStrings of %d keys: %d hits %v, want %v", n, got, hits, want)
			}
		}
	}
}

// TestBloomHuge is about filters of more than 2^32 bits.
func TestBloomHuge(t *testing.T) {
	if testing.Short() || math.MaxUint>>32 == 0 {
		t.Skip("768 MiB of address space")
	}
	m := uint(3)
	m = m<<31 + 12345
	keys := bloomKeys(13, rounds.MinKeys)
	want := map[uint]bool{}
	for _, key := range keys {
		for _, b := range bloomReference(key, uint64(m), 3) {
			want[uint(b)] = true
		}
	}
	f := mustBloom(t, m, 3)
	kerneltest.EachLevel(t, func(t *testing.T) {
		if f.TestBytes(keys, nil) != 0 {
			t.Error("an empty filter contains a key")
		}
		f.AddBytes(keys)
		high := 0
		for b := range want {
			if !f.BitSet().Test(b) {
				t.Errorf("bit %d is clear", b)
			}
			if low := uint(uint32(b)); low != b {
				high++
				if f.BitSet().Test(low) != want[low] {
					t.Errorf("bit %d is set, as if for %d", low, b)
				}
			}
		}
		if high == 0 {
			t.Error("no bit is past 2^32")
		}
		if f.TestBytes(keys, nil) != len(keys) || !f.Test(keys[0]) || f.TestString("absent") {
			t.Error("wrong answers")
		}
		for b := range want {
			f.BitSet().Clear(b)
		}
	})
}
