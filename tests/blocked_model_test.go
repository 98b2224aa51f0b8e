package tests

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/model"
)

// fillFilter adds n keys to f and returns how many of tests other keys pass.
// The keys are gen(0) … gen(n+tests-1), which must differ.
func fillFilter(f *Blocked, n, tests int, gen func(i uint64) uint64) (hits int) {
	batch := make([]uint64, 4096)
	for i := 0; i < n+tests; {
		end := n
		if i >= n {
			end = n + tests
		}
		t := batch[:min(len(batch), end-i)]
		for j := range t {
			t[j] = gen(uint64(i + j))
		}
		if i < n {
			f.AddUint64s(t)
		} else {
			hits += f.TestUint64s(t, nil)
		}
		i += len(t)
	}
	return hits
}

// The model against the filter, at the bits per key and k of the design.
func TestBlockedRateFollowsModel(t *testing.T) {
	blocks, tests := 40_000, 4_000_000
	if testing.Short() {
		blocks, tests = 2000, 40_000
	}
	for _, bitsPerKey := range []int{6, 8, 10, 12, 16, 20} {
		for _, k := range []int{1, 3, 4, 6, 7, 8, 9, 11, 14, 16} {
			f := mustBlocked(t, uint64(blocks), k)
			n := blocks * 512 / bitsPerKey
			hits := fillFilter(f, n, tests, func(i uint64) uint64 { return i })
			mean, dev := model.BlockedRate(float64(n)/float64(blocks), k)
			// The filter's own rate varies with its keys around the mean.
			slack := 5 * dev / math.Sqrt(float64(blocks))
			checkRate(t, fmt.Sprintf("%d bits per key, k=%d", bitsPerKey, k), hits, tests, mean-slack, mean+slack)
		}
	}
}

// NewBlocked keeps to the rate asked for, by what it measures.
func TestNewBlockedKeepsRate(t *testing.T) {
	tests := 10_000_000
	sizes := []int{100, 5000, 1_000_000}
	if testing.Short() {
		tests, sizes = 100_000, sizes[:2]
	}
	for _, p := range []float64{0.1, 0.03, 0.01, 0.001, 1e-4} {
		for _, n := range sizes {
			f, err := NewBlocked(uint64(n), p)
			if err != nil {
				t.Fatal(err)
			}
			hits := fillFilter(f, n, tests, func(i uint64) uint64 { return i * 0x9e3779b97f4a7c15 })
			if got := float64(hits) / float64(tests); got > p {
				t.Errorf("n=%d: rate %.5g exceeds p = %v (%.2f bits per key, k=%d)", n, got, p,
					float64(f.SizeBytes())*8/float64(n), f.K())
			}
		}
	}
}

// Keys with structure do no worse than random ones.
func TestBlockedStructuredKeys(t *testing.T) {
	blocks, tests := 20_000, 2_000_000
	if testing.Short() {
		blocks, tests = 1000, 20_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for name, gen := range map[string]func(i uint64) uint64{
		"counter":                 func(i uint64) uint64 { return i },
		"multiples":               func(i uint64) uint64 { return i * 4096 },
		"high bits":               func(i uint64) uint64 { return i << 40 },
		"both halves":             func(i uint64) uint64 { return i<<32 | i },
		"both halves, bad stride": func(i uint64) uint64 { return (i*15824)<<32 | i*15824 },
		"swapped":                 func(i uint64) uint64 { return i<<32 | i>>32 },
		"negative":                func(i uint64) uint64 { return -i },
		"floats":                  func(i uint64) uint64 { return math.Float64bits(float64(i)) },
		"random":                  func(uint64) uint64 { return r.Uint64() },
		"bytes apart":             func(i uint64) uint64 { return i&0xff | i&0xff00<<16 | i&0xff0000<<32 },
		"golden stride":           func(i uint64) uint64 { return i * 0x9e3779b97f4a7c15 },
		"mixer stride":            func(i uint64) uint64 { return i * hash.MixMul },
	} {
		for _, k := range []int{5, 8, 12} {
			f := mustBlocked(t, uint64(blocks), k)
			n := blocks * 512 / 10
			hits := fillFilter(f, n, tests, gen)
			mean, dev := model.BlockedRate(float64(n)/float64(blocks), k)
			slack := 5 * dev / math.Sqrt(float64(blocks))
			checkRate(t, fmt.Sprintf("%s, k=%d", name, k), hits, tests, mean-slack, mean+slack)
		}
	}
}
