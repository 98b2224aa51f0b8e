package stages

import (
	"errors"
	"math"
	"testing"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/model"
)

const firstKeys = 1 << 16 // as NewScalable's default

// follow calls do with each stage of the plan, its number and how many keys and
// bytes there are before it, until do wants no more.
func follow(t *testing.T, p float64, first uint64, do func(i int, keys uint64, rate float64, before, bytes uint64) bool) (end error) {
	t.Helper()
	pl := plan{p: p, left: p}
	keys, rate := first, p*firstShare
	var bytes uint64
	for i := 0; ; i++ {
		before := pl.keys
		blocks, _, err := model.SizeBlocked(keys, rate)
		if err != nil {
			t.Fatalf("p = %v: stage %d: %v", p, i, err)
		}
		if !do(i, keys, rate, before, bytes) {
			return nil
		}
		bytes += blocks * block.Bytes
		pl.add(keys, rate)
		if keys, rate, err = pl.next(); err != nil {
			return err
		}
	}
}

// However far the plan goes, the rates sum up to p at most, and the memory per key
// stays in its bounds.
func TestPlan(t *testing.T) {
	for _, p := range []float64{0.9, 0.1, 0.01, 1e-3, 1e-6, 1e-9, 1e-11, MinP} {
		for _, first := range []uint64{1, firstKeys, 1 << 30} {
			if model.Collisions(first) > p*firstShare/2 {
				continue
			}
			var sum float64
			var last uint64
			stages := 0
			err := follow(t, p, first, func(i int, keys uint64, rate float64, before, _ uint64) bool {
				sum += rate
				stages++
				want := p * firstShare * math.Pow(ratio, float64(i))
				if want >= model.MinRate && math.Abs(rate-want) > 1e-9*want || rate < model.MinRate {
					t.Fatalf("p = %v: stage %d has the rate %v, want %v", p, i, rate, want)
				}
				if sum > p*(1+1e-12) {
					t.Fatalf("p = %v: the rates of %d stages sum up to %v", p, i+1, sum)
				}
				if keys > 2*last && i > 0 || keys > doubleTo && keys > before/laterShare && i > 0 {
					t.Fatalf("p = %v: stage %d has %d keys after %d, of which %d in the last", p, i, keys, before, last)
				}
				last = keys
				return before < 1e12
			})
			if err != nil && !errors.Is(err, model.ErrParameter) {
				t.Error(err)
			}
			if err != nil && p > 1e-6 {
				t.Errorf("p = %v, first stage %d: no stage after %d: %v", p, first, stages, err)
			}
			if stages > MaxStages {
				t.Errorf("p = %v: %d stages", p, stages)
			}
		}
	}
}

// meanRatio returns by how much more memory a filter of the plan takes than a Blocked
// sized right from the start, in the mean over numbers of keys from lo to hi in equal
// ratios, and at most.
func meanRatio(t *testing.T, p float64, lo, hi float64) (mean, worst float64) {
	steps := 0
	for x := lo; x < hi; x *= 1.05 {
		var bytes uint64
		follow(t, p, firstKeys, func(_ int, _ uint64, _ float64, before, b uint64) bool {
			bytes = b
			return before < uint64(x)
		})
		blocks, _, err := model.SizeBlocked(uint64(x), p)
		if err != nil {
			t.Fatal(err)
		}
		r := float64(bytes) / float64(blocks*block.Bytes)
		mean, worst, steps = mean+r, max(worst, r), steps+1
	}
	return mean / float64(steps), worst
}

// The memory per key, as Scalable's documentation states it.
func TestMemoryPerKey(t *testing.T) {
	for _, p := range []float64{0.01, 1e-3, 1e-6} {
		for lo := 1e5; lo < 1e9; lo *= 10 {
			mean, worst := meanRatio(t, p, lo, 10*lo)
			t.Logf("p = %v, %.0e to %.0e keys: %.2f times the memory of a Blocked, %.2f at most", p, lo, 10*lo, mean, worst)
			if mean > 2.5 || worst > 3.7 {
				t.Errorf("p = %v, %.0e to %.0e keys: %.2f times the memory of a Blocked, %.2f at most", p, lo, 10*lo, mean, worst)
			}
		}
	}
}
