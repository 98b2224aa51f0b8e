package tests

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

func mustCounting(t testing.TB, blocks uint64, k int, opts ...Option) *Counting {
	t.Helper()
	f, err := NewCountingWithSize(blocks, k, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCountingParameters(t *testing.T) {
	for _, c := range []struct {
		n uint64
		p float64
	}{{10, 0}, {10, 1}, {10, -1}, {10, math.NaN()}, {10, 1e-13}, {math.MaxUint64, 0.5}, {1 << 62, 0.1}} {
		if f, err := NewCounting(c.n, c.p); !errors.Is(err, ErrParameter) || f != nil {
			t.Errorf("NewCounting(%d, %v): %v, %v", c.n, c.p, f, err)
		}
	}
	for _, c := range []struct {
		blocks uint64
		k      int
	}{{0, 4}, {10, 0}, {10, 17}, {10, -1}, {maxBlocks/2 + 1, 4}, {1 << 57, 4}, {math.MaxUint64, 8}} {
		if f, err := NewCountingWithSize(c.blocks, c.k); !errors.Is(err, ErrParameter) || f != nil {
			t.Errorf("NewCountingWithSize(%d, %d): %v, %v", c.blocks, c.k, f, err)
		}
	}
	if _, err := NewCountingWithSize(maxBlocks/2, 4); bits.UintSize == 64 && !errors.Is(err, ErrMemory) {
		t.Errorf("more than any machine has: %v", err)
	}
	if _, err := NewCounting(10, 0.1, WithKey(make([]byte, 31))); !errors.Is(err, ErrKey) {
		t.Errorf("a short key: %v", err)
	}
	f, err := NewCounting(1000, 0.01, WithKey(secretKey), WithoutHugePages())
	if err != nil {
		t.Fatal(err)
	}
	n, p := f.Capacity()
	if n != 1000 || p != 0.01 || !f.Keyed() || f.SizeBytes() != 128*f.Blocks() || f.ExpectedFPRate(1000) > 0.01 ||
		f.ExpectedFPRate(0) != 0 || f.ExpectedFPRate(math.MaxUint64) != 1 {
		t.Errorf("n=%d, p=%v, keyed=%v, %d bytes, expected rate %v", n, p, f.Keyed(), f.SizeBytes(), f.ExpectedFPRate(1000))
	}
}

// What a key is, and what adding and removing it do, by every method.
func TestCountingVerbs(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		for k := 1; k <= 16; k++ {
			f := mustCounting(t, 100, k, opts...)
			empty := f.Clone()
			add := []func(){
				func() { f.Add([]byte("ann")) }, func() { f.AddString("ann") },
				func() { f.AddHash(f.Hash([]byte("ann"))) }, func() { f.AddHashes([]uint64{f.HashString("ann")}) },
				func() { f.AddStrings([]string{"ann"}) }, func() { f.AddBytes([][]byte{[]byte("ann")}) },
				func() { f.TestAndAdd([]byte("ann")) }, func() { f.TestAndAddString("ann") },
				func() { f.TestAndAddHash(f.HashString("ann")) }, func() { f.TestAndAddStrings([]string{"ann"}, nil) },
			}
			for i, do := range add {
				if do(); f.CountString("ann") != uint(i+1) || f.Count([]byte("ann")) != uint(i+1) || f.CountHash(f.HashString("ann")) != uint(i+1) {
					t.Fatalf("k=%d, way %d: counted %d times", k, i, f.CountString("ann"))
				}
			}
			if !f.Test([]byte("ann")) || !f.TestString("ann") || !f.TestHash(f.HashString("ann")) || f.TestString("bob") || f.CountString("bob") != 0 {
				t.Errorf("k=%d: what is there is not, or the reverse", k)
			}
			before := f.Clone()
			var hits BitSet
			if f.RemoveString("bob") || f.Remove(nil) || f.RemoveUint64(7) || f.RemoveHash(1<<63) ||
				f.RemoveStrings([]string{"bob", "eve"}, &hits) != 0 || hits.Len() != 2 || hits.Any() {
				t.Errorf("k=%d: an absent key is removed", k)
			}
			if !f.Equal(before) {
				t.Errorf("k=%d: removing absent keys changes something", k)
			}
			remove := []func() bool{
				func() bool { return f.Remove([]byte("ann")) }, func() bool { return f.RemoveString("ann") },
				func() bool { return f.RemoveHash(f.HashString("ann")) },
				func() bool {
					return f.RemoveStrings([]string{"bob", "ann", "eve"}, &hits) == 1 && hits.String() == "{1}"
				},
				func() bool { return f.RemoveBytes([][]byte{[]byte("ann")}, nil) == 1 },
				func() bool { return f.RemoveHashes([]uint64{f.HashString("ann")}, nil) == 1 },
			}
			for i, do := range remove {
				if !do() || f.CountString("ann") != uint(len(add)-1-i) {
					t.Fatalf("k=%d, way %d of removing: %d left", k, i, f.CountString("ann"))
				}
			}
			if n := f.RemoveStrings([]string{"ann", "ann", "ann", "ann", "ann", "ann"}, &hits); n != 4 || hits.String() != "{0,1,2,3}" {
				t.Errorf("k=%d: of 4 left, %d are removed, %v", k, n, hits.String())
			}
			f.AddUint64(7)
			f.AddUint64s([]uint64{7, 8})
			f.TestAndAddUint64(8)
			if f.CountUint64(7) != 2 || f.TestAndAddUint64s([]uint64{8, 9}, &hits) != 1 || hits.String() != "{0}" ||
				f.TestUint64s([]uint64{7, 8, 9, 10}, &hits) != 3 || f.RemoveUint64s([]uint64{7, 8, 8, 7, 9, 9, 8, 8}, &hits) != 6 ||
				hits.String() != "{0,1,2,3,4,6}" || f.TestUint64(7) {
				t.Errorf("k=%d: integers: %v", k, hits.String())
			}
			if !f.Equal(empty) {
				t.Errorf("k=%d: not empty when all is removed", k)
			}
		}
	}
}

// A full counter stays full, is counted, and never denies.
func TestCountingSaturates(t *testing.T) {
	for k := 1; k <= 16; k++ {
		f := mustCounting(t, 50, k)
		for i := range 20 {
			if f.Saturated() != 0 && i < 15 {
				t.Fatalf("k=%d: full after %d", k, i)
			}
			f.AddString("ann")
			if got := f.CountString("ann"); got != uint(min(i+1, 15)) {
				t.Fatalf("k=%d: counted %d after %d", k, got, i+1)
			}
		}
		own := uint64(math.Round(f.Fill() * 50 * 256))
		if f.Saturated() != own || own > uint64(k) || own < uint64(k-max(k-8, 0)) {
			t.Errorf("k=%d: %d full, %d not zero", k, f.Saturated(), own)
		}
		for range 100 {
			if !f.RemoveString("ann") {
				t.Fatalf("k=%d: a full counter is denied", k)
			}
		}
		if f.CountString("ann") != 15 || f.Saturated() != own {
			t.Errorf("k=%d: a full counter falls to %d", k, f.CountString("ann"))
		}
		f.Clear()
		if f.TestString("ann") || f.Saturated() != 0 || f.Fill() != 0 || f.EstimatedCount() != 0 || f.FPRate() != 0 {
			t.Errorf("k=%d: something is left after Clear", k)
		}
	}
}

// Random additions, removals and tests against an exact map: no key is denied, none
// counted too low, and the batches say what the single keys do.
func TestCountingAgainstMap(t *testing.T) {
	operations := 10_000_000
	if testing.Short() {
		operations = 33_000
	}
	r := rand.New(rand.NewPCG(77, 78))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{5, 8, 12} {
			f := mustCounting(t, 700, k)
			one := f.Clone()
			truth := map[uint64]int{}
			keys := make([]uint64, 0, 500)
			var hits BitSet
			for done := 0; done < operations/3; done += len(keys) { // 10 million a level
				keys = keys[:1+r.IntN(cap(keys)-1)]
				for i := range keys {
					keys[i] = uint64(r.IntN(6000))
					if r.IntN(50) == 0 {
						keys[i] %= 7 // added so often that its counters fill
					}
				}
				switch r.IntN(7) {
				case 0, 1, 2:
					n := f.TestAndAddUint64s(keys, &hits)
					for i, x := range keys {
						if hit := one.TestAndAddUint64(x); hit != hits.Test(uint(i)) || !hit && truth[x] > 0 {
							t.Fatalf("k=%d: key %d in the filter %d times: TestAndAdd says %v", k, x, truth[x], hit)
						}
						truth[x]++
					}
					if n != int(hits.Count()) {
						t.Fatalf("%d, of which %d are set", n, int(hits.Count()))
					}
				case 3, 4, 5:
					// Only what is there is removed.
					keys = slices.DeleteFunc(keys, func(x uint64) bool {
						if truth[x] == 0 {
							return true
						}
						truth[x]--
						return false
					})
					if n := f.RemoveUint64s(keys, &hits); n != len(keys) {
						t.Fatalf("k=%d: %d of %d keys that are there are removed", k, n, len(keys))
					}
					for _, x := range keys {
						if !one.RemoveUint64(x) {
							t.Fatalf("k=%d: key %d is there and not removed", k, x)
						}
					}
				default:
					f.TestUint64s(keys, &hits)
					for i, x := range keys {
						count := f.CountUint64(x)
						if hits.Test(uint(i)) != (count > 0) || count != one.CountUint64(x) {
							t.Fatalf("k=%d: key %d: hit %v, count %d, %d", k, x, hits.Test(uint(i)), count, one.CountUint64(x))
						}
						if count < uint(min(truth[x], 15)) {
							t.Fatalf("k=%d: key %d is there %d times, counted %d", k, x, truth[x], count)
						}
					}
				}
			}
			if !f.Equal(one) || f.Saturated() == 0 && !testing.Short() {
				t.Errorf("k=%d: batches and single keys differ, or nothing is full", k)
			}
		}
	})
}

// Adding and removing in whatever order leaves what was never removed, exactly.
func TestCountingRemoveIsInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 50))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for k := 1; k <= 16; k++ {
			f, want := mustCounting(t, 300, k), mustCounting(t, 300, k)
			keys := make([]uint64, 3000)
			for i := range keys {
				keys[i] = r.Uint64()
			}
			f.AddHashes(keys)
			gone := slices.Clone(keys[1000:])
			r.Shuffle(len(gone), func(i, j int) { gone[i], gone[j] = gone[j], gone[i] })
			if n := f.RemoveHashes(gone, nil); n != len(gone) {
				t.Fatalf("k=%d: %d of %d removed", k, n, len(gone))
			}
			want.AddHashes(keys[:1000])
			if f.Saturated() == 0 && !f.Equal(want) {
				t.Errorf("k=%d: removing does not undo adding", k)
			}
		}
	})
}

func TestCountingUnionIntersect(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 80))
	for _, k := range []int{1, 6, 8, 13} {
		a, b, both := mustCounting(t, 200, k), mustCounting(t, 200, k), mustCounting(t, 200, k)
		counts := [2]map[uint64]uint{{}, {}}
		for range 4000 {
			x := uint64(r.IntN(900))
			f, i := a, 0
			if r.IntN(2) == 0 {
				f, i = b, 1
			}
			f.AddUint64(x)
			both.AddUint64(x)
			counts[i][x]++
		}
		sum, least := a.Clone(), a.Clone()
		if err := errors.Join(sum.Union(b), least.Intersect(b)); err != nil {
			t.Fatal(err)
		}
		if !sum.Equal(both) {
			t.Errorf("k=%d: the union is not what adding both makes", k)
		}
		for x := range uint64(900) {
			if got, want := least.CountUint64(x), min(counts[0][x], counts[1][x], 15); got < want {
				t.Errorf("k=%d: the intersection has %d %d times, want %d", k, x, got, want)
			}
		}
		if a.Equal(sum) || a.Equal(least) || !a.Equal(a.Clone()) {
			t.Errorf("k=%d: Equal", k)
		}
	}
	f := mustCounting(t, 10, 4)
	for what, g := range map[string]*Counting{
		"blocks": mustCounting(t, 11, 4), "k": mustCounting(t, 10, 5), "key": mustCounting(t, 10, 4, WithKey(secretKey)),
	} {
		if !errors.Is(f.Union(g), ErrMismatch) || !errors.Is(f.Intersect(g), ErrMismatch) || f.Equal(g) {
			t.Errorf("filters of different %s go together", what)
		}
	}
}

// The snapshot answers every key as the filter does, true or false.
func TestCountingBlocked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 30))
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		for k := 1; k <= 16; k++ {
			f := mustCounting(t, 77, k, opts...)
			for i := range 3000 {
				f.AddUint64(uint64(i))
			}
			for i := range 1000 {
				f.RemoveUint64(uint64(i))
			}
			b, err := f.Blocked()
			if err != nil {
				t.Fatal(err)
			}
			hashes := make([]uint64, 20_000)
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			var want, got BitSet
			hit := f.TestHashes(hashes, &want)
			b.TestHashes(hashes, &got)
			if !want.Equal(&got) || hit == 0 || hit == len(hashes) {
				t.Errorf("k=%d: the snapshot differs; %d hits", k, hit)
			}
			for i := range uint64(4000) {
				if f.TestUint64(i) != b.TestUint64(i) {
					t.Errorf("k=%d: the snapshot differs for %d", k, i)
				}
			}
			if b.K() != k || b.Blocks() != f.Blocks() || b.Keyed() != f.Keyed() || b.Fill() != f.Fill() || b.FPRate() != f.FPRate() ||
				b.SizeBytes() != f.SizeBytes()/2 {
				t.Errorf("k=%d: the snapshot says otherwise of itself", k)
			}
			if q := float64(b.EstimatedCount()) / float64(f.EstimatedCount()); q < 1.9 || q > 2.1 {
				t.Errorf("k=%d: the snapshot's estimate is %v times the filter's", k, q)
			}
		}
	}
}

// The zero value holds nothing; a closed filter panics.
func TestCountingZeroAndClosed(t *testing.T) {
	var zero Counting
	keys := make([]uint64, 100)
	var hits BitSet
	if zero.TestUint64(1) || zero.CountString("x") != 0 || zero.RemoveHash(1) || zero.TestUint64s(keys, &hits) != 0 || hits.Len() != 100 ||
		zero.RemoveUint64s(keys, nil) != 0 || zero.FPRate() != 0 || zero.Fill() != 0 || zero.Saturated() != 0 ||
		zero.EstimatedCount() != 0 || zero.ExpectedFPRate(10) != 0 || zero.SizeBytes() != 0 || !zero.Clone().Equal(&zero) {
		t.Error("the zero value holds something")
	}
	if _, err := zero.Blocked(); !errors.Is(err, ErrParameter) {
		t.Errorf("a snapshot of nothing: %v", err)
	}
	zero.AddHashes(nil)
	zero.Clear()
	panics := func(name string, use func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s does not panic", name)
			}
		}()
		use()
	}
	panics("adding to the zero value", func() { zero.AddUint64(1) })
	panics("a batch for the zero value", func() { zero.AddUint64s(keys) })
	panics("TestAndAdd of the zero value", func() { zero.TestAndAddUint64s(keys, nil) })
	f := mustCounting(t, 10, 4)
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(){
		"Add": func() { f.AddUint64(1) }, "Test": func() { f.TestUint64(1) }, "Remove": func() { f.RemoveUint64(1) },
		"Count": func() { f.CountUint64(1) }, "TestAndAdd": func() { f.TestAndAddUint64(1) }, "AddUint64s": func() { f.AddUint64s(keys) },
		"TestUint64s": func() { f.TestUint64s(keys, nil) }, "RemoveUint64s": func() { f.RemoveUint64s(keys, nil) },
		"Fill": func() { f.Fill() }, "Blocked": func() { f.Blocked() },
	} {
		panics(name+" of a closed filter", use)
	}
}

func TestCountingAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	ints, texts, raw := goldenKeys(700)
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		f := mustCounting(t, 100, 8, opts...)
		hits := NewBitSet(uint(len(ints)))
		for name, fn := range map[string]func(){
			"Add": func() { f.Add(raw[299]) }, "AddString": func() { f.AddString(texts[1]) }, "AddUint64": func() { f.AddUint64(1) },
			"Test": func() { f.Test(raw[299]) }, "TestUint64": func() { f.TestUint64(1) }, "TestAndAdd": func() { f.TestAndAdd(raw[299]) },
			"Remove": func() { f.Remove(raw[299]) }, "RemoveUint64": func() { f.RemoveUint64(1) }, "Count": func() { f.Count(raw[299]) },
			"AddBytes": func() { f.AddBytes(raw) }, "AddStrings": func() { f.AddStrings(texts) }, "AddUint64s": func() { f.AddUint64s(ints) },
			"AddHashes": func() { f.AddHashes(ints) }, "TestBytes": func() { f.TestBytes(raw, hits) },
			"TestStrings": func() { f.TestStrings(texts, hits) }, "TestUint64s": func() { f.TestUint64s(ints, nil) },
			"TestHashes": func() { f.TestHashes(ints, nil) }, "TestAndAddStrings": func() { f.TestAndAddStrings(texts, hits) },
			"RemoveBytes": func() { f.RemoveBytes(raw, hits) }, "RemoveStrings": func() { f.RemoveStrings(texts, nil) },
			"RemoveUint64s": func() { f.RemoveUint64s(ints, hits) }, "RemoveHashes": func() { f.RemoveHashes(ints, hits) },
		} {
			if n := testing.AllocsPerRun(10, fn); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	}
}
