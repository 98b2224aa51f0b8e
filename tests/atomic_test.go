package tests

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

func mustAtomic(t testing.TB, blocks uint64, k int, opts ...Option) *AtomicBlocked {
	t.Helper()
	f, err := NewAtomicBlockedWithSize(blocks, k, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Goroutines that add at the same time, by every method, make the very file that one
// makes with a Blocked: the golden digests are Blocked's.
func TestAtomicGolden(t *testing.T) {
	ints, texts, raw := goldenKeys(1500)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{1, 2, 5, 6, 7, 8, 9, 12, 15, 16} {
			if testing.Short() && k%3 != 2 {
				continue
			}
			for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
				f := mustAtomic(t, 997, k, opts...)
				var hits BitSet
				var wg sync.WaitGroup
				kerneltest.Go(&wg, func() {
					f.AddUint64s(ints[:800])
					f.AddStrings(texts[:800])
					f.AddBytes(raw[:800])
				})
				kerneltest.Go(&wg, func() {
					f.TestAndAddUint64s(ints[700:], &hits)
					f.TestAndAddStrings(texts[700:], nil)
					f.TestAndAddBytes(raw[700:], nil)
				})
				kerneltest.Go(&wg, func() {
					for i := range 200 {
						f.AddUint64(ints[i])
						f.AddString(texts[i])
						f.Add(raw[i])
						f.TestAndAddUint64(ints[len(ints)-1-i])
						f.TestAndAddString(texts[len(ints)-1-i])
						f.TestAndAdd(raw[len(ints)-1-i])
						f.AddHash(ints[i])
						f.TestAndAddHash(ints[i+200])
					}
					f.AddHashes(ints[300:500])
					f.TestAndAddHashes(ints[400:700], nil)
				})
				kerneltest.Go(&wg, func() {
					f.TestUint64s(ints, nil)
					f.FPRate()
					f.Clone().Equal(f)
				})
				wg.Wait()
				name := fmt.Sprintf("k=%d keyed=%v", k, opts != nil)
				if got := digest(t, f.Blocked()); got != goldenBlocked[name] {
					t.Errorf("%s: digest %s, want %s", name, got, goldenBlocked[name])
				}
				if f.TestUint64s(ints, nil) != len(ints) || f.TestStrings(texts, nil) != len(ints) ||
					f.TestBytes(raw, &hits) != len(ints) || f.TestHashes(ints[:700], nil) != 700 ||
					!f.Test(raw[5]) || !f.TestString(texts[5]) || !f.TestUint64(ints[5]) || !f.TestHash(ints[5]) {
					t.Errorf("%s: keys are missing", name)
				}
			}
		}
	})
}

// What is told of a filter is what a Blocked with the same bits tells, and both are
// one filter.
func TestAtomicBlocked(t *testing.T) {
	ints, texts, _ := goldenKeys(1500)
	f, err := NewAtomicBlocked(3000, 0.01, WithKey(secretKey))
	if err != nil {
		t.Fatal(err)
	}
	g := f.Blocked()
	f.AddUint64s(ints)
	g.AddStrings(texts)
	same := func(what string, a, b any) {
		t.Helper()
		if a != b {
			t.Errorf("%s: %v, Blocked has %v", what, a, b)
		}
	}
	n, p := f.Capacity()
	if n != 3000 || p != 0.01 || g.Atomic() != f {
		t.Error("capacity, or not one filter")
	}
	same("TestUint64s", f.TestUint64s(ints, nil), g.TestUint64s(ints, nil))
	same("K", f.K(), g.K())
	same("Blocks", f.Blocks(), g.Blocks())
	same("SizeBytes", f.SizeBytes(), g.SizeBytes())
	same("Keyed", f.Keyed(), g.Keyed())
	same("Fill", f.Fill(), g.Fill())
	same("FPRate", f.FPRate(), g.FPRate())
	same("ExpectedFPRate", f.ExpectedFPRate(100), g.ExpectedFPRate(100))
	same("EstimatedCount", f.EstimatedCount(), g.EstimatedCount())
	same("Hash", f.Hash([]byte("x")), g.Hash([]byte("x")))
	same("HashString", f.HashString("x"), g.HashString("x"))
	same("HashUint64", f.HashUint64(9), g.HashUint64(9))

	c := f.Clone()
	if !c.Equal(f) || !c.Blocked().Equal(g) {
		t.Error("the clone differs")
	}
	if c.AddString("something new"); c.Equal(f) {
		t.Error("the clone is not a copy")
	}
	data, err := f.MarshalBinary()
	if err != nil || !bytes.Equal(data, marshalBlocked(t, g)) {
		t.Error("another file than that of Blocked", err)
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	opened, err := OpenAtomicBlocked(path, WithKey(secretKey))
	if err != nil || !opened.Equal(f) {
		t.Fatal(err)
	}
	opened.AddString("in private pages")
	if !opened.TestString("in private pages") || opened.Close() != nil {
		t.Error("a mapped filter")
	}
	read, err := ReadAtomicBlocked(bytes.NewReader(data), WithKey(secretKey))
	if err != nil || !read.Equal(f) {
		t.Error(err)
	}
	again := mustAtomic(t, 1, 1, WithKey(secretKey))
	if err := again.UnmarshalBinary(data); err != nil || !again.Equal(f) {
		t.Error(err)
	}
	f.Clear()
	if g.Fill() != 0 || f.TestUint64(ints[0]) {
		t.Error("Clear")
	}
	if err := f.Close(); err != nil || f.Close() != nil {
		t.Error(err)
	}
}

func TestAtomicUnionIntersect(t *testing.T) {
	ints, texts, _ := goldenKeys(1500)
	a, b := mustAtomic(t, 997, 9), mustAtomic(t, 997, 9)
	pa, pb := mustBlocked(t, 997, 9), mustBlocked(t, 997, 9)
	for _, f := range []Filter{a, pa} {
		f.AddUint64s(ints)
	}
	for _, f := range []Filter{b, pb} {
		f.AddUint64s(ints[:100])
		f.AddStrings(texts)
	}
	c := a.Clone()
	if err := errors.Join(c.Union(b), c.Union(c)); err != nil || pa.Clone().Union(pb) != nil {
		t.Fatal(err)
	}
	want := pa.Clone()
	want.Union(pb)
	if !c.Blocked().Equal(want) {
		t.Error("Union")
	}
	c, want = a.Clone(), pa.Clone()
	if c.Intersect(b) != nil || want.Intersect(pb) != nil || !c.Blocked().Equal(want) {
		t.Error("Intersect")
	}
	for _, g := range []*AtomicBlocked{mustAtomic(t, 996, 9), mustAtomic(t, 997, 8), mustAtomic(t, 997, 9, WithKey(secretKey))} {
		if !errors.Is(a.Union(g), ErrMismatch) || !errors.Is(a.Intersect(g), ErrMismatch) || a.Equal(g) || !a.Blocked().Equal(pa) {
			t.Error("filters that do not match")
		}
	}
}

// Beside goroutines that add keys which both filters have, intersecting loses none;
// joining loses none at all.
func TestAtomicBeside(t *testing.T) {
	ints, texts, _ := goldenKeys(1500)
	for range 20 {
		f, g := mustAtomic(t, 200, 8), mustAtomic(t, 200, 8)
		g.AddUint64s(ints)
		var wg sync.WaitGroup
		kerneltest.Go(&wg, func() { // for there to be something to remove
			for range 10 {
				f.AddStrings(texts)
			}
		})
		kerneltest.Go(&wg, func() { f.AddUint64s(ints[:1000]) })
		kerneltest.Go(&wg, func() {
			for range 50 {
				if err := f.Intersect(g); err != nil {
					t.Error(err)
				}
			}
		})
		kerneltest.Go(&wg, func() {
			for _, x := range ints {
				if f.AddUint64(x); !f.TestUint64(x) {
					t.Error("lost")
				}
			}
		})
		wg.Wait()
		if f.TestUint64s(ints, nil) != len(ints) {
			t.Error("Intersect lost a key that both filters have")
		}
		h := mustAtomic(t, 200, 8)
		kerneltest.Go(&wg, func() { h.AddUint64s(ints[:700]) })
		kerneltest.Go(&wg, func() { h.Union(f) })
		wg.Wait()
		if h.TestUint64s(ints, nil) != len(ints) {
			t.Error("Union lost a key")
		}
	}
}

func TestAtomicZero(t *testing.T) {
	var f AtomicBlocked
	if f.Test(nil) || f.TestUint64(1) || f.TestUint64s(make([]uint64, 100), nil) != 0 || f.Fill() != 0 ||
		f.FPRate() != 0 || f.EstimatedCount() != 0 || f.Clone().K() != 0 || !f.Equal(new(AtomicBlocked)) {
		t.Error("the zero value has something")
	}
	f.Clear()
	f.AddUint64s(nil)
	closed := mustAtomic(t, 10, 8)
	closed.Close()
	for name, use := range map[string]func(){
		"adding to the zero value":              func() { f.AddUint64(1) },
		"adding a batch to the zero value":      func() { f.AddUint64s(make([]uint64, 100)) },
		"testing and adding to the zero value":  func() { f.TestAndAddString("") },
		"testing a closed one":                  func() { closed.TestUint64(1) },
		"testing a batch in a closed one":       func() { closed.TestUint64s(make([]uint64, 100), nil) },
		"adding to a closed one":                func() { closed.AddUint64(1) },
		"adding a batch to a closed one":        func() { closed.AddStrings([]string{"x"}) },
		"the rate of a closed one":              func() { closed.FPRate() },
		"the number of keys in a closed filter": func() { closed.EstimatedCount() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			use()
		}()
	}
	for _, err := range []error{
		second(NewAtomicBlocked(10, 2)), second(NewAtomicBlockedWithSize(0, 8)), second(NewAtomicBlockedWithSize(1, 17)),
	} {
		if !errors.Is(err, ErrParameter) {
			t.Error(err)
		}
	}
	if f, err := NewAtomicBlocked(10, 2); f != nil || err == nil {
		t.Error("a filter with an error")
	}
	if _, err := ReadAtomicBlocked(bytes.NewReader(make([]byte, 200))); !errors.Is(err, ErrNotFilter) {
		t.Error(err)
	}
}

func second[F any](_ F, err error) error { return err }

func TestAtomicAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the detector moves arrays to the heap")
	}
	ints, texts, raw := goldenKeys(1000)
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		f := mustAtomic(t, 100, 8, opts...)
		hits := new(BitSet)
		f.TestUint64s(ints, hits)
		if n := testing.AllocsPerRun(5, func() {
			f.Clear()
			f.AddUint64s(ints)
			f.AddStrings(texts)
			f.AddBytes(raw)
			f.AddHashes(ints)
			f.TestUint64s(ints, hits)
			f.TestStrings(texts, nil)
			f.TestBytes(raw, hits)
			f.Clear()
			f.TestAndAddUint64s(ints, hits)
			f.TestAndAddStrings(texts, hits)
			f.TestAndAddBytes(raw, nil)
			f.TestAndAddHashes(ints, nil)
			f.Clear()
			f.Add(raw[0])
			f.AddString(texts[0])
			f.AddUint64(1)
			f.TestAndAdd(raw[1])
			f.TestAndAddString(texts[1])
			f.TestAndAddUint64(2)
			f.FPRate()
			f.EstimatedCount()
		}); n != 0 {
			t.Errorf("keyed %v: %v allocations", opts != nil, n)
		}
	}
}
