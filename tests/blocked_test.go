package tests

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

func mustBlocked(t testing.TB, blocks uint64, k int, opts ...Option) *Blocked {
	t.Helper()
	f, err := NewBlockedWithSize(blocks, k, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Every kind of key, single and batch, at batch lengths around the kernels' and
// the batches' boundaries.
func TestBlockedKeys(t *testing.T) {
	lengths := []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 200, 511, 512, 513, 1024, 1500}
	ints, texts, raw := goldenKeys(3000)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{3, 8, 13} {
			for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
				for _, n := range lengths {
					if testing.Short() && n > 600 {
						continue
					}
					kinds := []struct {
						name  string
						add   func(f *Blocked, i int)
						test  func(f *Blocked, i int) bool
						both  func(f *Blocked, i int) bool
						adds  func(f *Blocked, i, j int)
						tests func(f *Blocked, i, j int, hits *BitSet) int
					}{
						{"bytes", func(f *Blocked, i int) { f.Add(raw[i]) }, func(f *Blocked, i int) bool { return f.Test(raw[i]) },
							func(f *Blocked, i int) bool { return f.TestAndAdd(raw[i]) },
							func(f *Blocked, i, j int) { f.AddBytes(raw[i:j]) },
							func(f *Blocked, i, j int, h *BitSet) int { return f.TestBytes(raw[i:j], h) }},
						{"string", func(f *Blocked, i int) { f.AddString(texts[i]) }, func(f *Blocked, i int) bool { return f.TestString(texts[i]) },
							func(f *Blocked, i int) bool { return f.TestAndAddString(texts[i]) },
							func(f *Blocked, i, j int) { f.AddStrings(texts[i:j]) },
							func(f *Blocked, i, j int, h *BitSet) int { return f.TestStrings(texts[i:j], h) }},
						{"uint64", func(f *Blocked, i int) { f.AddUint64(ints[i]) }, func(f *Blocked, i int) bool { return f.TestUint64(ints[i]) },
							func(f *Blocked, i int) bool { return f.TestAndAddUint64(ints[i]) },
							func(f *Blocked, i, j int) { f.AddUint64s(ints[i:j]) },
							func(f *Blocked, i, j int, h *BitSet) int { return f.TestUint64s(ints[i:j], h) }},
						{"hash", func(f *Blocked, i int) { f.AddHash(ints[i]) }, func(f *Blocked, i int) bool { return f.TestHash(ints[i]) },
							func(f *Blocked, i int) bool { return f.TestAndAddHash(ints[i]) },
							func(f *Blocked, i, j int) { f.AddHashes(ints[i:j]) },
							func(f *Blocked, i, j int, h *BitSet) int { return f.TestHashes(ints[i:j], h) }},
					}
					for _, kind := range kinds {
						f, g := mustBlocked(t, 23, k, opts...), mustBlocked(t, 23, k, opts...)
						kind.adds(f, 0, n)
						for i := range n {
							seen := kind.test(g, i)
							if kind.both(g, i) != seen || !kind.test(g, i) {
								t.Fatalf("%s %d: TestAndAdd and Test disagree", kind.name, i)
							}
						}
						if digest(t, f) != digest(t, g) {
							t.Fatalf("k=%d n=%d %s: batch and single adds differ", k, n, kind.name)
						}
						if all := kind.tests(f, 0, n, nil); all != n {
							t.Fatalf("k=%d n=%d %s: %d of the keys are there", k, n, kind.name, all)
						}
						// Half of the keys tested are there. The result starts too
						// large and full of ones.
						var hits BitSet
						hits.Set(9999)
						hits.SetAll()
						count := kind.tests(f, 0, 2*n, &hits)
						if hits.Len() != uint(2*n) || hits.Count() != uint(count) {
							t.Fatalf("k=%d n=%d %s: %d bits, %d set, count %d", k, n, kind.name, hits.Len(), hits.Count(), count)
						}
						for i := range 2 * n {
							if got := hits.Test(uint(i)); got != kind.test(f, i) || i < n && !got {
								t.Fatalf("k=%d n=%d %s: key %d: batch says %v", k, n, kind.name, i, got)
							}
						}
						if only := kind.tests(f, 0, 2*n, nil); only != count {
							t.Fatalf("k=%d n=%d %s: count %d without a result set, %d with", k, n, kind.name, only, count)
						}
					}
				}
			}
		}
	})
}

func TestBlockedParameters(t *testing.T) {
	bad := []error{}
	try := func(_ *Blocked, err error) { bad = append(bad, err) }
	for _, p := range []float64{0, -1, 1, 2, math.NaN(), math.Inf(1), math.Inf(-1), 1e-13} {
		try(NewBlocked(100, p))
	}
	try(NewBlocked(math.MaxUint64, 0.01))
	try(NewBlockedWithSize(0, 8))
	try(NewBlockedWithSize(maxBlocks+1, 8))
	try(NewBlockedWithSize(math.MaxUint64, 8))
	try(NewBlockedWithSize(1, 0))
	try(NewBlockedWithSize(1, 17))
	try(NewBlockedWithSize(1, -1))
	for i, err := range bad {
		if !errors.Is(err, ErrParameter) {
			t.Errorf("bad parameter %d: error %v", i, err)
		}
	}
	for _, key := range [][]byte{{}, secretKey[:31], append(secretKey[:32:32], 0)} {
		if _, err := NewBlocked(10, 0.01, WithKey(key)); !errors.Is(err, ErrKey) {
			t.Errorf("key of %d bytes: error %v", len(key), err)
		}
	}
	f, err := NewBlocked(0, 0.01)
	if err != nil || f.Blocks() != 1 {
		t.Errorf("no keys: %v, %v", f, err)
	}
	f, err = NewBlocked(1000, 0.01)
	if n, p := f.Capacity(); err != nil || n != 1000 || p != 0.01 || f.SizeBytes() != 64*f.Blocks() {
		t.Errorf("capacity %d %v, error %v", n, p, err)
	}
}

func TestBlockedSetOperations(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{4, 8, 11} {
			a, b, both := mustBlocked(t, 301, k), mustBlocked(t, 301, k), mustBlocked(t, 301, k)
			for i := range uint64(9000) {
				if i < 6000 {
					a.AddUint64(i)
				}
				if i >= 3000 {
					b.AddUint64(i)
				}
				both.AddUint64(i)
			}
			u, x := a.Clone(), a.Clone()
			if err := u.Union(b); err != nil {
				t.Fatal(err)
			}
			if digest(t, u) != digest(t, both) {
				t.Error("the union is not the filter of both sets of keys")
			}
			if err := x.Intersect(b); err != nil {
				t.Fatal(err)
			}
			for i := range uint64(9000) {
				got := x.TestUint64(i)
				if want := a.TestUint64(i) && b.TestUint64(i); i >= 3000 && i < 6000 && !got || got && !want {
					t.Fatalf("intersection, key %d: %v", i, got)
				}
			}
			a.Clear()
			if a.Fill() != 0 || a.EstimatedCount() != 0 || a.TestUint64(1) {
				t.Error("Clear leaves something")
			}
		}
	})
	f := mustBlocked(t, 8, 8)
	f.AddUint64(1)
	before := digest(t, f)
	other := append([]byte{}, secretKey...)
	other[5]++
	for _, g := range []*Blocked{mustBlocked(t, 9, 8), mustBlocked(t, 8, 7), mustBlocked(t, 8, 8, WithKey(secretKey))} {
		g.AddUint64(2)
		if err := f.Union(g); !errors.Is(err, ErrMismatch) {
			t.Errorf("union: %v", err)
		}
		if err := f.Intersect(g); !errors.Is(err, ErrMismatch) {
			t.Errorf("intersection: %v", err)
		}
	}
	if err := mustBlocked(t, 8, 8, WithKey(secretKey)).Union(mustBlocked(t, 8, 8, WithKey(other))); !errors.Is(err, ErrMismatch) {
		t.Errorf("union under different keys: %v", err)
	}
	if err := mustBlocked(t, 8, 8, WithKey(secretKey)).Union(mustBlocked(t, 8, 8, WithKey(secretKey))); err != nil {
		t.Errorf("union under equal keys: %v", err)
	}
	if digest(t, f) != before {
		t.Error("a failed operation changed the filter")
	}
}

func TestBlockedEstimates(t *testing.T) {
	for _, k := range []int{1, 5, 8, 12, 16} {
		f := mustBlocked(t, 2000, k)
		n := 0
		for _, upTo := range []int{1, 100, 40000, 100000} {
			for ; n < upTo; n++ {
				f.AddUint64(uint64(n))
			}
			// Some standard deviations of the number of collisions.
			if got := float64(f.EstimatedCount()); math.Abs(got-float64(n)) > 0.004*float64(n)+1 {
				t.Errorf("k=%d: %v keys estimated after %d", k, got, n)
			}
		}
		tests, hits := 400_000, 0
		for i := range tests {
			if f.TestUint64(uint64(n + i)) {
				hits++
			}
		}
		checkRate(t, fmt.Sprintf("k=%d FPRate", k), hits, tests, f.FPRate(), f.FPRate())
		f = blockedOf(t, format.NewHeader(format.Blocked, k, hash.Hasher{}), slices.Repeat([]uint64{math.MaxUint64}, 8*2000))
		if f.EstimatedCount() != math.MaxUint64 || f.FPRate() != 1 || f.Fill() != 1 {
			t.Errorf("a full filter: %d keys, rate %v", f.EstimatedCount(), f.FPRate())
		}
	}
}

// checkRate fails unless hits of tests lie between lo and hi within 5 standard
// deviations of a binomial distribution (one wrong alarm in 1.7 million).
func checkRate(t *testing.T, name string, hits, tests int, lo, hi float64) {
	t.Helper()
	n := float64(tests)
	low, high := n*lo-5*math.Sqrt(n*lo)-1, n*hi+5*math.Sqrt(n*hi)+1
	if h := float64(hits); h < low || h > high {
		t.Errorf("%s: false-positive rate %.4g, want %.4g to %.4g", name, h/n, lo, hi)
	}
}

func TestBlockedSecretKey(t *testing.T) {
	a, b := mustBlocked(t, 100, 8, WithKey(secretKey)), mustBlocked(t, 100, 8)
	a.AddString("x")
	b.AddString("x")
	if !a.Keyed() || b.Keyed() {
		t.Error("Keyed")
	}
	if digest(t, a) == digest(t, b) {
		t.Error("the key changes nothing")
	}
	key := bytes.Clone(secretKey)
	c := mustBlocked(t, 100, 8, WithKey(key))
	clear(key)
	c.AddString("x")
	if digest(t, a) != digest(t, c) {
		t.Error("the caller's slice is still used")
	}
}

func TestBlockedAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	ints, texts, raw := goldenKeys(700)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			f := mustBlocked(t, 100, 6, opts...)
			hits := NewBitSet(uint(len(ints)))
			for name, fn := range map[string]func(){
				"Add":         func() { f.Add(raw[300]) },
				"AddString":   func() { f.AddString(texts[1]) },
				"AddUint64":   func() { f.AddUint64(1) },
				"AddHash":     func() { f.AddHash(1) },
				"Test":        func() { f.Test(raw[300]) },
				"TestString":  func() { f.TestString(texts[1]) },
				"TestUint64":  func() { f.TestUint64(1) },
				"TestHash":    func() { f.TestHash(1) },
				"TestAndAdd":  func() { f.TestAndAdd(raw[299]) },
				"AddBytes":    func() { f.AddBytes(raw) },
				"AddStrings":  func() { f.AddStrings(texts) },
				"AddUint64s":  func() { f.AddUint64s(ints) },
				"AddHashes":   func() { f.AddHashes(ints) },
				"TestBytes":   func() { f.TestBytes(raw, hits) },
				"TestStrings": func() { f.TestStrings(texts, hits) },
				"TestUint64s": func() { f.TestUint64s(ints, hits) },
				"TestHashes":  func() { f.TestHashes(ints, nil) },
			} {
				if n := testing.AllocsPerRun(10, fn); n != 0 {
					t.Errorf("%s, keyed %v: %v allocations", name, opts != nil, n)
				}
			}
		}
	})
}

// Readers need no lock. The race detector watches.
func TestBlockedConcurrentReaders(t *testing.T) {
	f := mustBlocked(t, 1000, 8)
	ints, texts, _ := goldenKeys(500)
	f.AddUint64s(ints)
	f.AddStrings(texts)
	var wg sync.WaitGroup
	for range 4 {
		kerneltest.Go(&wg, func() {
			var hits BitSet
			if f.TestUint64s(ints, &hits) != len(ints) || f.TestStrings(texts, nil) != len(texts) || !f.TestUint64(ints[0]) {
				t.Error("a key is missing")
			}
			f.FPRate()
			f.EstimatedCount()
		})
	}
	wg.Wait()
}

func FuzzBlocked(f *testing.F) {
	f.Add([]byte("some keys of some lengths"), uint16(3), uint8(8))
	f.Fuzz(func(t *testing.T, data []byte, blocks uint16, k uint8) {
		filter, err := NewBlockedWithSize(uint64(blocks), int(k))
		if err != nil {
			if blocks > 0 && k >= block.MinK && k <= block.MaxK {
				t.Fatal(err)
			}
			return
		}
		var keys [][]byte
		for len(data) > 0 {
			n := min(int(data[0])%40+1, len(data))
			keys, data = append(keys, data[:n]), data[n:]
		}
		half := keys[:len(keys)/2]
		filter.AddBytes(half)
		var hits BitSet
		filter.TestBytes(keys, &hits)
		for i, key := range keys {
			if got := filter.Test(key); got != hits.Test(uint(i)) || i < len(half) && !got {
				t.Fatalf("key %d: single %v, batch %v", i, got, hits.Test(uint(i)))
			}
		}
	})
}

// A Blocked that no constructor made contains nothing at every level, and adding
// to it panics; so does all use of a closed one.
func TestBlockedZero(t *testing.T) {
	panics := func(f func()) (did bool) {
		defer func() { did = recover() != nil }()
		f()
		return false
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		ints := make([]uint64, 100)
		var hits BitSet
		tests := map[string]func(f *Blocked) bool{
			"Test":        func(f *Blocked) bool { return f.Test([]byte("x")) },
			"TestString":  func(f *Blocked) bool { return f.TestString("x") },
			"TestUint64":  func(f *Blocked) bool { return f.TestUint64(1) },
			"TestHash":    func(f *Blocked) bool { return f.TestHash(1) },
			"TestUint64s": func(f *Blocked) bool { return f.TestUint64s(ints, &hits) > 0 || hits.Len() != 100 || hits.Any() },
			"TestHashes":  func(f *Blocked) bool { return f.TestHashes(ints, nil) > 0 },
			"TestStrings": func(f *Blocked) bool { return f.TestStrings([]string{"x", "y"}, &hits) > 0 || hits.Any() },
		}
		adds := map[string]func(f *Blocked){
			"Add":               func(f *Blocked) { f.Add([]byte("x")) },
			"AddString":         func(f *Blocked) { f.AddString("x") },
			"AddUint64":         func(f *Blocked) { f.AddUint64(1) },
			"AddHash":           func(f *Blocked) { f.AddHash(1) },
			"AddUint64s":        func(f *Blocked) { f.AddUint64s(ints) },
			"AddStrings":        func(f *Blocked) { f.AddStrings([]string{"x"}) },
			"TestAndAddUint64":  func(f *Blocked) { f.TestAndAddUint64(1) },
			"TestAndAddUint64s": func(f *Blocked) { f.TestAndAddUint64s(ints, nil) },
			"TestAndAddStrings": func(f *Blocked) { f.TestAndAddStrings([]string{"x"}, nil) },
		}
		for name, test := range tests {
			hits.SetAll()
			if test(new(Blocked)) {
				t.Errorf("%s: the zero filter contains a key", name)
			}
			f := mustBlocked(t, 10, 8)
			f.Close()
			if !panics(func() { test(f) }) {
				t.Errorf("%s: a closed filter does not panic", name)
			}
		}
		for name, add := range adds {
			f := mustBlocked(t, 10, 8)
			f.Close()
			for _, f := range []*Blocked{new(Blocked), f} {
				if !panics(func() { add(f) }) {
					t.Errorf("%s: no panic", name)
				}
			}
		}
		if f := new(Blocked); f.Fill() != 0 || f.FPRate() != 0 || f.EstimatedCount() != 0 || f.ExpectedFPRate(5) != 0 {
			t.Error("the zero filter has statistics")
		}
	})
}

// Batches that test and add give the answers of one key after the other, doubles
// included.
func TestBlockedTestAndAddBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			for _, n := range []int{0, 1, 7, 15, 16, 17, 63, 64, 65, 200, 511, 513, 4095, 4096, 4097, 4111, 9000} {
				if testing.Short() && n > 600 && n != 4111 {
					continue
				}
				for _, k := range []int{3, 8, 12} {
					one, batch := mustBlocked(t, 40, k, opts...), mustBlocked(t, 40, k, opts...)
					ints := make([]uint64, n)
					for i := range ints {
						ints[i] = r.Uint64N(uint64(n)) // about a third are doubles
					}
					want := NewBitSet(uint(n))
					for i, x := range ints {
						want.SetTo(uint(i), one.TestAndAddUint64(x))
					}
					var hits BitSet
					if got := batch.TestAndAddUint64s(ints, &hits); uint(got) != want.Count() || !hits.Equal(want) {
						t.Fatalf("%d keys, k=%d: %d hits, want %d", n, k, got, want.Count())
					}
					if !batch.Equal(one) {
						t.Fatalf("%d keys, k=%d: the filters differ", n, k)
					}
					again := mustBlocked(t, 40, k, opts...)
					if got := again.TestAndAddUint64s(ints, nil); uint(got) != want.Count() || !again.Equal(one) {
						t.Fatalf("%d keys, k=%d: %d hits without a BitSet, want %d", n, k, got, want.Count())
					}
				}
			}
		}
	})
}
