package v2

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve"
)

func randomWords(r *rand.Rand, n int) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = r.Uint64()
	}
	return s
}

// filled returns a filter of m bits with k keys from a fixed seed, and the hashes that
// it was given.
func filled(t testing.TB, m uint64, k, n int) (*Filter, []uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(m, uint64(k)))
	f, err := NewWithKeys(m, randomWords(r, k))
	if err != nil {
		t.Fatal(err)
	}
	hashes := randomWords(r, n)
	f.AddHashes(hashes)
	return f, hashes
}

// TestMod holds mod to the division.
func TestMod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, 2, 63, 64, math.MaxUint32, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64}
	for i := range 100_000 {
		m := max(2, r.Uint64()>>(1+i%63))
		inv := reciprocal(m)
		xs := append(edges, m-1, m, m+1, 2*m-1, 2*m, -m, -m-1, r.Uint64(), r.Uint64()/m*m-1)
		for _, x := range xs {
			if got := mod(x, m, inv); got != x%m {
				t.Fatalf("mod(%d, %d) = %d, want %d", x, m, got, x%m)
			}
		}
	}
}

// TestBits holds the filter to the definition of its bits.
func TestBits(t *testing.T) {
	for _, m := range []uint64{2, 64, 1000, 1<<16 + 1} {
		for _, k := range []int{1, 3, 4, 5, 11} {
			f, hashes := filled(t, m, k, 20)
			want := make([]uint64, len(f.bits))
			for _, h := range hashes {
				for _, key := range f.keys {
					h = (h<<17 | h>>47) ^ key
					want[h%m/64] |= 1 << (h % m % 64)
				}
			}
			if fmt.Sprint(f.bits) != fmt.Sprint(want) {
				t.Errorf("m = %d, k = %d: other bits", m, k)
			}
		}
	}
}

// TestBatch holds batches of every length to single calls.
func TestBatch(t *testing.T) {
	for _, k := range []int{1, 2, 4, 5, 8, 9} {
		f, hashes := filled(t, 4099, k, 500)
		queries := append(randomWords(rand.New(rand.NewPCG(9, 9)), 700), hashes...)
		var hits bitsieve.BitSet
		for n := 0; n <= len(queries); n += 1 + n/3 {
			want := 0
			got := f.ContainsHashes(queries[:n], &hits)
			for i, h := range queries[:n] {
				hit := f.ContainsHash(h)
				if hit {
					want++
				}
				if hits.Test(uint(i)) != hit {
					t.Fatalf("k = %d, hash %d of %d: %v, alone %v", k, i, n, !hit, hit)
				}
			}
			if got != want || int(hits.Count()) != want || int(hits.Len()) != n || f.ContainsHashes(queries[:n], nil) != want {
				t.Errorf("k = %d, %d hashes: %d, %d bits of %d, want %d", k, n, got, hits.Count(), hits.Len(), want)
			}
		}
		for i, h := range hashes {
			if !f.ContainsHash(h) {
				t.Fatalf("k = %d: hash %d is missing", k, i)
			}
		}
		if f.N() != uint64(len(hashes)) {
			t.Errorf("N = %d, want %d", f.N(), len(hashes))
		}
	}
}

func TestUnion(t *testing.T) {
	f, inF := filled(t, 5000, 4, 200)
	g, err := f.NewCompatible()
	if err != nil {
		t.Fatal(err)
	}
	inG := randomWords(rand.New(rand.NewPCG(8, 8)), 100)
	g.AddHashes(inG)
	u, err := g.Union(f)
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Copy()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UnionInPlace(g); err != nil {
		t.Fatal(err)
	}
	a, _ := u.MarshalBinary()
	b, _ := f.MarshalBinary()
	if string(a) != string(b) || f.N() != 300 || f.ContainsHashes(inF, nil) != 200 || f.ContainsHashes(inG, nil) != 100 {
		t.Error("the unions differ, or lack hashes")
	}
	if c.N() != 200 || c.ContainsHashes(inG, nil) > 50 || c.ContainsHashes(inF, nil) != 200 {
		t.Error("the copy changed with the filter, or lacks hashes")
	}
}

// TestConcurrent is for the race detector: all methods at the same time, unions both
// ways round included, which must not wait for each other.
func TestConcurrent(t *testing.T) {
	f, _ := filled(t, 100_000, 4, 1000)
	g, err := f.NewCompatible()
	if err != nil {
		t.Fatal(err)
	}
	data, _ := f.MarshalBinary()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 100 {
				a, b := f, g
				if i%2 == 1 {
					a, b = g, f
				}
				h := r.Uint64()
				a.AddHash(h)
				if !a.ContainsHash(h) {
					t.Error("a hash is missing")
				}
				if err := a.UnionInPlace(b); err != nil {
					t.Error(err)
				}
				if _, err := b.Union(a); err != nil {
					t.Error(err)
				}
				a.ContainsHashes([]uint64{h, 1, 2}, nil)
				a.AddHashes([]uint64{h})
				a.IsCompatible(b)
				a.N()
				a.PreciseFilledRatio()
				a.Copy()
				a.MarshalBinary()
				var c Filter
				if err := c.UnmarshalBinary(data); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
}

func TestParameters(t *testing.T) {
	for _, c := range []struct{ m, k uint64 }{{0, 1}, {1, 1}, {2, 0}, {2, maxK + 1}, {math.MaxUint64, 1}, {1 << 62, 4}, {2, math.MaxUint64}} {
		if f, err := New(c.m, c.k); err == nil || f != nil {
			t.Errorf("New(%d, %d) is no error", c.m, c.k)
		}
	}
	for _, c := range []struct {
		n uint64
		p float64
	}{{0, 0.1}, {10, 0}, {10, 1}, {10, 2}, {10, math.NaN()}, {math.MaxUint64, 1e-300}} {
		if _, err := NewOptimal(c.n, c.p); err == nil {
			t.Errorf("NewOptimal(%d, %v) is no error", c.n, c.p)
		}
	}
	if m, k := OptimalM(10, 2), OptimalK(10, 0); m != 0 || k != math.MaxUint64 {
		t.Errorf("OptimalM(10, 2) = %d, OptimalK(10, 0) = %d", m, k)
	}
	a, _ := New(1000, 3)
	b, _ := New(1000, 2)
	if a.IsCompatible(b) || b.IsCompatible(a) {
		t.Error("filters of different k are compatible")
	}
}

func TestNoAllocations(t *testing.T) {
	f, hashes := filled(t, 100_000, 5, 1000)
	g, _ := f.NewCompatible()
	var hits bitsieve.BitSet
	f.ContainsHashes(hashes, &hits)
	if n := testing.AllocsPerRun(10, func() {
		f.AddHash(1)
		f.ContainsHash(1)
		f.AddHashes(hashes)
		f.ContainsHashes(hashes, &hits)
		f.UnionInPlace(g)
		f.PreciseFilledRatio()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
