package tests

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// Folding gives, to the last byte of the file, what a filter of the smaller size
// with the same keys is.
func TestFold(t *testing.T) {
	ints, texts, raw := goldenKeys(1500)
	add := func(f *Blocked) {
		f.AddUint64s(ints)
		f.AddStrings(texts)
		f.AddBytes(raw)
		f.AddHashes(ints)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{1, 5, 8, 11, 16} {
			for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
				for _, size := range []struct{ odd, halvings uint64 }{{1, 4}, {3, 6}, {997, 1}, {61, 3}} {
					f := mustBlocked(t, size.odd<<size.halvings, k, opts...)
					add(f)
					for left := size.halvings; left > 0; left-- {
						if err := f.Fold(); err != nil {
							t.Fatal(err)
						}
						want := mustBlocked(t, size.odd<<(left-1), k, opts...)
						add(want)
						if !bytes.Equal(marshalBlocked(t, f), marshalBlocked(t, want)) {
							t.Fatalf("k=%d keyed=%v: %d blocks differ from those of a filter of that size", k, opts != nil, f.Blocks())
						}
						if !f.TestUint64(ints[0]) || !f.TestString(texts[0]) || f.TestUint64s(ints, nil) != len(ints) {
							t.Fatal("a key is missing")
						}
					}
					before := marshalBlocked(t, f)
					if err := f.Fold(); !errors.Is(err, ErrParameter) || !bytes.Equal(before, marshalBlocked(t, f)) {
						t.Fatalf("folding %d blocks: %v", f.Blocks(), err)
					}
				}
			}
		}
	})
}

// FoldTo folds as far as the rate allows, by the very sum that FPRate computes.
func TestFoldTo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{3, 8, 9, 13} {
		for _, keys := range []int{0, 1, 100, 3000, 40000} {
			f := mustBlocked(t, 5<<9, k)
			for range keys {
				f.AddHash(r.Uint64())
			}
			// The rates after each number of halvings, by folding.
			rates := []float64{f.FPRate()}
			for g := f.Clone(); g.Blocks()%2 == 0; {
				if err := g.Fold(); err != nil {
					t.Fatal(err)
				}
				rates = append(rates, g.FPRate())
			}
			ps := []float64{1e-12, 0.001, 0.01, 0.5, 0.999999}
			for _, rate := range rates {
				ps = append(ps, rate, math.Nextafter(rate, 0), math.Nextafter(rate, 1))
			}
			for _, p := range ps {
				if p <= 0 || p >= 1 {
					continue
				}
				want := 0
				for want+1 < len(rates) && rates[want+1] <= p {
					want++
				}
				g := f.Clone()
				n, err := g.FoldTo(p)
				if err != nil || n != want || g.FPRate() != rates[want] || g.Blocks() != 5<<9>>n {
					t.Errorf("k=%d, %d keys: FoldTo(%v) = %d, %v, want %d; rate %v of %v", k, keys, p, n, err, want, g.FPRate(), rates)
				}
			}
		}
	}
	f := mustBlocked(t, 8, 8)
	for _, p := range []float64{0, 1, -1, math.NaN(), math.Inf(1)} {
		if n, err := f.FoldTo(p); n != 0 || !errors.Is(err, ErrParameter) || f.Blocks() != 8 {
			t.Errorf("FoldTo(%v) = %d, %v", p, n, err)
		}
	}
}

// A filter from a file moves to memory of its own, or shrinks where it lies, and
// the file stays as it is.
func TestFoldMapped(t *testing.T) {
	const size = 1 << 24 / 64 // above what memory.Check asks the system for is too large a test
	path := filepath.Join(t.TempDir(), "f")
	f := mustBlocked(t, size, 8)
	keys := make([]uint64, 10000)
	for i := range keys {
		keys[i] = rand.Uint64()
	}
	f.AddUint64s(keys)
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	g, err := OpenBlocked(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := g.FoldTo(0.001)
	if err != nil || n == 0 || g.TestUint64s(keys, nil) != len(keys) || g.Close() != nil {
		t.Fatal(n, err)
	}
	if g, err = OpenBlocked(path); err != nil || !g.Equal(f) || g.Close() != nil {
		t.Error("the file has changed", err)
	}
}

func TestFoldEmpty(t *testing.T) {
	var f Blocked
	if err := f.Fold(); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
	if n, err := f.FoldTo(0.1); n != 0 || err != nil {
		t.Error(n, err)
	}
	g := mustBlocked(t, 8, 8)
	g.Close()
	for name, use := range map[string]func(){"Fold": func() { g.Fold() }, "FoldTo": func() { g.FoldTo(0.1) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a closed filter does not panic", name)
				}
			}()
			use()
		}()
	}
}

func TestWithFolds(t *testing.T) {
	plain, err := NewBlocked(100_000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		f, err := NewBlocked(100_000, 0.01, WithFolds(n))
		if err != nil {
			t.Fatal(err)
		}
		if f.Blocks()%(1<<n) != 0 || f.Blocks() < plain.Blocks() || f.Blocks() >= plain.Blocks()+1<<n || f.K() != plain.K() {
			t.Errorf("WithFolds(%d): %d blocks, without %d", n, f.Blocks(), plain.Blocks())
		}
		if keys, p := f.Capacity(); keys != 100_000 || p != 0.01 {
			t.Errorf("capacity %d, %v", keys, p)
		}
		for range n {
			if err := f.Fold(); err != nil {
				t.Fatal(err)
			}
		}
		if keys, p := f.Capacity(); n > 0 && (keys != 0 || p != 0) {
			t.Errorf("capacity %d, %v after folding", keys, p)
		}
	}
	for _, n := range []int{-1, 47, 57, 58, 64, math.MaxInt} {
		if memory.MaxBytes < 1<<40 && n == 47 {
			continue
		}
		if _, err := NewBlocked(1000, 0.01, WithFolds(n)); !errors.Is(err, ErrParameter) {
			t.Errorf("WithFolds(%d): %v", n, err)
		}
	}
}

// BenchmarkFold folds a half-full filter once, and finds out what FoldTo needs to
// know, beside copying as much and FPRate.
func BenchmarkFold(b *testing.B) {
	for _, size := range []int{256 << 10, 64 << 20} {
		for _, k := range []int{6, 8} {
			full := mustBlocked(b, uint64(size/64), k)
			for range size * 8 / 40 {
				full.AddHash(rand.Uint64())
			}
			run := func(name string, do func(f *Blocked)) {
				b.Run(fmt.Sprintf("op=%s/size=%dKiB/k=%d", name, size>>10, k), func(b *testing.B) {
					b.SetBytes(int64(size))
					for b.Loop() {
						b.StopTimer()
						f := full.Clone()
						b.StartTimer()
						do(f)
					}
				})
			}
			run("Fold", func(f *Blocked) { f.Fold() })
			run("Clone", func(f *Blocked) { f.Clone() })
			run("FPRate", func(f *Blocked) { f.FPRate() })
			run("FoldTo", func(f *Blocked) { f.FoldTo(0.01) })
		}
	}
}
