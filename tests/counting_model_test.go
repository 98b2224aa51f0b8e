package tests

import (
	"fmt"
	"math"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/model"
)

// fillCounting adds n keys to f, adds and removes as many others, and returns how
// many of tests others pass.
func fillCounting(f *Counting, n, tests int) (hits int) {
	batch := make([]uint64, 4096)
	each := func(from, to int, do func(keys []uint64)) {
		for from < to {
			keys := batch[:min(len(batch), to-from)]
			for i := range keys {
				keys[i] = uint64(from + i)
			}
			do(keys)
			from += len(keys)
		}
	}
	each(n, 2*n, f.AddUint64s)
	each(0, n, f.AddUint64s)
	each(n, 2*n, func(keys []uint64) { f.RemoveUint64s(keys, nil) })
	each(n, n+tests, func(keys []uint64) { hits += f.TestUint64s(keys, nil) })
	return hits
}

// The model against the filter, which has held twice as many keys.
func TestCountingRateFollowsModel(t *testing.T) {
	blocks, tests := 20_000, 4_000_000
	if testing.Short() {
		blocks, tests = 1000, 40_000
	}
	for _, perKey := range []int{6, 10, 14} {
		for _, k := range []int{1, 4, 6, 8, 9, 12, 16} {
			f := mustCounting(t, uint64(blocks), k)
			n := blocks * 256 / perKey
			hits := fillCounting(f, n, tests)
			mean, dev := model.CountingRate(float64(n)/float64(blocks), k)
			slack := 5 * dev / math.Sqrt(float64(blocks))
			name := fmt.Sprintf("%d counters per key, k=%d", perKey, k)
			if f.Saturated() > 0 {
				t.Logf("%s: %d full", name, f.Saturated())
				continue
			}
			checkRate(t, name, hits, tests, mean-slack, mean+slack)
			if got := f.FPRate(); got < mean-slack || got > mean+slack {
				t.Errorf("%s: FPRate %v, the model's is %v", name, got, mean)
			}
			if got := float64(f.EstimatedCount()) / float64(n); math.Abs(got-1) > 0.05 {
				t.Errorf("%s: the estimate is %v times the truth", name, got)
			}
		}
	}
}

// NewCounting keeps to the rate asked for, by what it measures.
func TestNewCountingKeepsRate(t *testing.T) {
	tests := 4_000_000
	sizes := []int{100, 5000, 300_000}
	if testing.Short() {
		tests, sizes = 100_000, sizes[:2]
	}
	for _, p := range []float64{0.1, 0.01, 0.001, 1e-4} {
		for _, n := range sizes {
			f, err := NewCounting(uint64(n), p)
			if err != nil {
				t.Fatal(err)
			}
			hits := fillCounting(f, n, tests)
			if got := float64(hits) / float64(tests); got > p {
				t.Errorf("n=%d: rate %.5g exceeds p = %v (%.2f bits per key, k=%d)", n, got, p,
					float64(f.SizeBytes())*8/float64(n), f.K())
			}
		}
	}
}
