package tests

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
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
	f := mustBloom(t, uint64(m), 3)
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

// Batches that test and add give the answers of one key after the other, for every
// kind of key, doubles included.
func TestBloomTestAndAddBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			for _, k := range []int{1, 3, 7, 16, 17} {
				for _, n := range []int{0, 1, 11, 12, 100, 128, 129, 500} {
					ints := make([]uint64, n)
					raw := make([][]byte, n)
					for i := range ints {
						ints[i] = r.Uint64N(uint64(n))
						raw[i] = binary.LittleEndian.AppendUint64(nil, ints[i])
					}
					strs := keyStrings(raw)
					make := func() *Bloom {
						f, err := NewBloomWithSize(2000, k, opts...)
						if err != nil {
							t.Fatal(err)
						}
						return f
					}
					one := make()
					want := NewBitSet(uint(n))
					for i, x := range ints {
						want.SetTo(uint(i), one.TestAndAddUint64(x))
					}
					for name, batch := range map[string]func(f *Bloom, hits *BitSet) int{
						"Uint64s": func(f *Bloom, hits *BitSet) int { return f.TestAndAddUint64s(ints, hits) },
						"Bytes":   func(f *Bloom, hits *BitSet) int { return f.TestAndAddBytes(raw, hits) },
						"Strings": func(f *Bloom, hits *BitSet) int { return f.TestAndAddStrings(strs, hits) },
					} {
						f, hits := make(), NewBitSet(9).SetAll()
						if got := batch(f, hits); uint(got) != want.Count() || !hits.Equal(want) || !f.Equal(one) {
							t.Fatalf("%s, %d keys, k=%d: %d hits, want %d", name, n, k, got, want.Count())
						}
						if got := batch(make(), nil); uint(got) != want.Count() {
							t.Fatalf("%s, %d keys, k=%d: %d hits without a BitSet, want %d", name, n, k, got, want.Count())
						}
					}
					f := make()
					f.AddUint64s(ints)
					var hits BitSet
					if !f.Equal(one) || f.TestUint64s(ints, &hits) != n || !hits.All() || n > 0 && !f.TestUint64(ints[0]) {
						t.Fatalf("%d keys, k=%d: integers in a batch", n, k)
					}
				}
			}
		}
	})
}
