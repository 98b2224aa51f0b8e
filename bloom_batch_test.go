package bitsieve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// checkBloomBatch compares batches of all the lengths that matter with Test.
func checkBloomBatch(t *testing.T, f *Bloom, keys [][]byte) {
	t.Helper()
	strs := keyStrings(keys)
	for _, n := range []int{0, 1, bloomTileMin - 1, bloomTileMin, 63, 64, 65, bloomTileKeys - 1,
		bloomTileKeys, bloomTileKeys + 1, 2*bloomTileKeys + 5, len(keys)} {
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

// TestBloomWaves compares each kernel with its specification.
func TestBloomWaves(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kerneltest.EachLevel(t, func(t *testing.T) {
		words := make([]uint64, 50)
		for i := range words {
			words[i] = r.Uint64()
		}
		for n := 1; n <= bloomTileKeys; n++ {
			d := newDivisor(1 + r.Uint64N(64*uint64(len(words))))
			var want bloomTile
			for i := range want.bit {
				want.bit[i] = d.mod(r.Uint64())
				want.key[i] = uint64(i)
				for j := range want.hash {
					want.hash[j][i] = r.Uint64()
				}
			}
			got := want
			bloomFirst(words, &got, n, d)
			bloomFirstGeneric(&want, n, d)
			if got != want {
				t.Fatalf("n = %d: bloomFirst differs", n)
			}
			i := r.Uint64N(70)
			live := bloomTestWave(words, &got, n, i, d)
			wantLive := bloomTestWaveGeneric(words, &want, n, i, d)
			if live != wantLive || !slices.Equal(got.key[:live], want.key[:live]) ||
				!slices.Equal(got.bit[:live], want.bit[:live]) {
				t.Fatalf("n = %d: bloomTestWave differs", n)
			}
			// What follows the survivors is unspecified, what follows the n is not.
			if !slices.Equal(got.key[n:], want.key[n:]) || !slices.Equal(got.bit[n:], want.bit[n:]) {
				t.Fatalf("n = %d: bloomTestWave writes past its keys", n)
			}
			got = want
			gotWords := slices.Clone(words)
			bloomAddWave(gotWords, &got, n, i, d)
			wantWords := slices.Clone(words)
			bloomAddWaveGeneric(wantWords, &want, n, i, d)
			if got != want || !slices.Equal(gotWords, wantWords) {
				t.Fatalf("n = %d: bloomAddWave differs", n)
			}
		}
	})
}

// TestBloomVast is about filters of more than 2^32 bits.
func TestBloomVast(t *testing.T) {
	if testing.Short() || math.MaxUint>>32 == 0 {
		t.Skip("768 MiB of address space")
	}
	m := uint(3)
	m = m<<31 + 12345
	keys := bloomKeys(13, bloomTileMin)
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
