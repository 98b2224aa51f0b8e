package parquet_test

import (
	"errors"
	"math"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// TestFold: a folded filter is the one made at that size.
func TestFold(t *testing.T) {
	hashes := randomHashes(3000, 1)
	for _, blocks := range []int{2, 6, 8, 96, 1024, 3 << 9} {
		f := newFilter(t, 32*blocks)
		f.AddHashes(hashes)
		for n := blocks; n%2 == 0; {
			n /= 2
			if err := f.Fold(); err != nil {
				t.Fatal(err)
			}
			want := newFilter(t, 32*n)
			want.AddHashes(hashes)
			if !f.Equal(want) {
				t.Fatalf("%d blocks folded to %d: not the filter of that size", blocks, n)
			}
		}
		before := f.Clone()
		if err := f.Fold(); !errors.Is(err, bitsieve.ErrParameter) || !f.Equal(before) {
			t.Fatalf("%d blocks: %v", f.Blocks(), err)
		}
	}
}

// TestFoldTo compares with folding one by one while the rate allows it.
func TestFoldTo(t *testing.T) {
	for _, blocks := range []int{1, 2, 7, 48, 1024, 5 << 7} {
		for _, n := range []int{0, 1, 50, 1000, 10_000} {
			for _, p := range []float64{1e-9, 0.001, 0.01, 0.2, 0.999} {
				f := filled(t, 32*blocks, n, uint64(n))
				want, folds := f.Clone(), 0
				for {
					next := want.Clone()
					if next.Fold() != nil || next.FPRate() > p {
						break
					}
					want = next
					folds++
				}
				got, err := f.FoldTo(p)
				if got != folds || err != nil || !f.Equal(want) {
					t.Fatalf("%d blocks, %d values, p = %v: %d folds, %v, want %d", blocks, n, p, got, err, folds)
				}
			}
		}
	}
}

// TestFoldToEstimate holds the rate against the estimate of arrow-rs: the eighth
// power of the mean fill, which is never above it.
func TestFoldToEstimate(t *testing.T) {
	for _, perBlock := range []float64{10, 20, 26.2, 40} {
		f := filled(t, 32<<12, int(perBlock*(1<<12)), 1)
		exact, estimate := f.FPRate(), math.Pow(f.Fill(), 8)
		t.Logf("%v values a block: rate %.4g, arrow-rs estimates %.4g, %.2f of it", perBlock, exact, estimate, estimate/exact)
		if estimate > exact {
			t.Error("the estimate is above the rate")
		}
	}
}
