package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/block"
)

// The model's table against a direct simulation of one block.
func TestPassRates(t *testing.T) {
	trials := 400_000
	if testing.Short() {
		trials = 20_000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for k := block.MinK; k <= block.MaxK; k++ {
		for _, m := range []int{1, 10, 50} {
			hits := 0
			for range trials / 100 {
				var b block.Block
				for range m {
					block.Add(&b, r.Uint64(), k)
				}
				for range 100 {
					hits += int(block.Test(&b, r.Uint64(), k))
				}
			}
			rate := passRates(k)[m]
			// A hundred tests share a block, so their spread is wider than
			// binomial: take the bound of a hundredth of the tests where it is
			// the block that decides.
			want := rate * float64(trials)
			if got := float64(hits); math.Abs(got-want) > 5*math.Sqrt(3*want)+5+0.02*want {
				t.Errorf("k=%d, %d keys: %v of %d pass, want %.1f", k, m, got, trials, want)
			}
		}
	}
}

func TestSizeBlocked(t *testing.T) {
	// Bits per key at a million keys: a change here is a change of every
	// filter's size.
	for _, c := range []struct {
		p    float64
		bits float64
		k    int
	}{
		{0.1, 4.87, 3}, {0.03, 7.47, 5}, {0.01, 9.97, 6}, {0.001, 15.65, 9}, {1e-4, 22.19, 12}, {1e-6, 39.34, 16},
	} {
		blocks, k, err := SizeBlocked(1e6, c.p)
		if bits := float64(blocks) * 512 / 1e6; err != nil || math.Abs(bits-c.bits) > 0.01 || k != c.k {
			t.Errorf("p=%v: %.3f bits per key, k=%d, error %v; want %.2f, k=%d", c.p, bits, k, err, c.bits, c.k)
		}
	}
	// Rates fall and sizes grow all the way down, through the change of method
	// at cancelRate.
	last := uint64(0)
	for p := 0.99; p >= MinRate; p *= 0.7 {
		blocks, k, err := SizeBlocked(1e7, p)
		if err != nil || blocks < last || k < block.MinK || k > block.MaxK {
			t.Fatalf("p=%v: %d blocks after %d, k=%d, error %v", p, blocks, last, k, err)
		}
		if mean, _ := BlockedRate(1e7/float64(blocks), k); mean > p {
			t.Errorf("p=%v: the model gives %v", p, mean)
		}
		last = blocks
	}
}
