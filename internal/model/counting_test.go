package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/counters"
)

// The table of lanes of 32 counters against a direct simulation of one block.
func TestCounterPassRates(t *testing.T) {
	trials := 400_000
	if testing.Short() {
		trials = 20_000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for k := counters.MinK; k <= counters.MaxK; k++ {
		for _, m := range []int{1, 10, 30} {
			hits := 0
			for range trials / 100 {
				var b counters.Block
				for range m {
					counters.Add(&b, r.Uint64(), k)
				}
				for range 100 {
					hits += int(counters.Test(&b, r.Uint64(), k))
				}
			}
			// The bound is that of TestPassRates.
			want := counterLane.passRates(k)[m] * float64(trials)
			if got := float64(hits); math.Abs(got-want) > 5*math.Sqrt(3*want)+5+0.02*want {
				t.Errorf("k=%d, %d keys: %v of %d pass, want %.1f", k, m, got, trials, want)
			}
		}
	}
}

// Sizes of counting filters are the same on every architecture and in every run.
func TestGoldenCountingSizes(t *testing.T) {
	for _, c := range []struct {
		n      uint64
		p      float64
		blocks uint64
		k      int
	}{
		{0, 0.5, 1, 1},
		{1, 0.01, 1, 7},
		{1000, 0.03, 33, 5},
		{1000, 0.001, 73, 9},
		{1000000, 0.1, 19225, 3},
		{1000000, 0.01, 40198, 6},
		{1000000, 0.0001, 98282, 11},
		{121570, 0.0123, 4665, 6},
		{1000000000, 0.01, 40072691, 6},
		{1000000000, 1e-09, 543881325, 16},
		{10000000, 3e-12, 15345292, 16},
		{12345678, 0.00077, 851347, 9},
		{1000000000000, 0.05, 25162255389, 4},
	} {
		blocks, k, err := SizeCounting(c.n, c.p)
		if err != nil || blocks != c.blocks || k != c.k {
			t.Errorf("{%d, %v, %d, %d}, // %v", c.n, c.p, blocks, k, err)
		}
	}
}

// Sizes keep to the rate asked for, and grow as it falls.
func TestSizeCounting(t *testing.T) {
	last := uint64(0)
	for p := 0.99; p >= MinRate; p *= 0.7 {
		blocks, k, err := SizeCounting(1e7, p)
		if err != nil || blocks < last || k < counters.MinK || k > counters.MaxK {
			t.Fatalf("p=%v: %d blocks after %d, k=%d, error %v", p, blocks, last, k, err)
		}
		if mean, _ := CountingRate(1e7/float64(blocks), k); mean > p {
			t.Errorf("p=%v: the model gives %v", p, mean)
		}
		last = blocks
	}
}

// How often a key has a given counter, against one key in an empty block.
func TestCounterRate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for k := counters.MinK; k <= counters.MaxK; k++ {
		const keys = 20_000
		total := 0
		for range keys {
			var b counters.Block
			counters.Add(&b, r.Uint64(), k)
			total += counters.NotZero(b[:])
		}
		got, want := float64(total)/keys/256, CounterRate(k)
		if math.Abs(got-want) > 0.003*want {
			t.Errorf("k=%d: %v, want %v", k, got, want)
		}
	}
}
