package tests

import (
	"errors"
	"math"
	"testing"

	. "github.com/bitsieve/bitsieve"
)

// TestBloomRate checks that the false-positive rate is the one asked for, to
// within 4.5 standard deviations, and that the estimates are right.
func TestBloomRate(t *testing.T) {
	n := 20_000 / testScale()
	tests := 200_000 / testScale()
	keys, absent := bloomKeys(8, n), bloomKeys(9, tests)
	for _, p := range []float64{0.5, 0.3, 0.1, 0.03, 0.01, 0.001} {
		f, err := NewBloom(uint64(n), p)
		if err != nil {
			t.Fatal(err)
		}
		f.AddBytes(keys)
		model := BloomRate(f.Bits(), f.K(), uint64(n))
		if model > p || model < 0.99*p {
			t.Errorf("p = %v: m = %d, k = %d give %v", p, f.Bits(), f.K(), model)
		}
		hits := float64(f.TestBytes(absent, nil))
		want := f.FPRate() * float64(tests)
		if dev := math.Sqrt(want); math.Abs(hits-want) > 4.5*dev {
			t.Errorf("p = %v: %v false positives of %d, want %.0f ± %.0f", p, hits, tests, want, dev)
		}
		// The fill's standard deviation, by Poisson's approximation.
		load := float64(f.K()) * float64(n) / float64(f.Bits())
		empty := math.Exp(-load)
		dev := math.Sqrt(empty * (1 - (1+load)*empty) / float64(f.Bits()))
		if fill := f.Fill(); math.Abs(fill-(1-empty)) > 4.5*dev {
			t.Errorf("p = %v: fill %v, want %v ± %v", p, fill, 1-empty, dev)
		}
		if got := float64(f.EstimatedCount()); math.Abs(got-float64(n)) > 0.02*float64(n) {
			t.Errorf("p = %v: EstimatedCount %v, want about %d", p, got, n)
		}
	}
}

func TestBloomParameters(t *testing.T) {
	for _, n := range []uint64{1, 2, 10, 1000, 1e6} {
		for _, p := range []float64{1 - 1e-9, 0.9, 0.5, 0.49, 0.25, 0.01, 1e-3, 1e-6, 1e-15, 1e-100, 1e-300} {
			m, k, err := BloomParameters(n, p)
			if err != nil {
				t.Fatalf("n = %d, p = %v: %v", n, p, err)
			}
			if rate := BloomRate(m, k, n); rate > p*(1+1e-9) {
				t.Errorf("n = %d, p = %v: m = %d, k = %d give %v", n, p, m, k, rate)
			}
			// No k does with fewer bits.
			for other := 1; other <= 2*k+2; other++ {
				if m > 1 && BloomRate(m-1, other, n) <= p*(1-1e-9) {
					t.Errorf("n = %d, p = %v: m = %d, but %d with k = %d will do", n, p, m, m-1, other)
				}
			}
		}
	}
	for _, c := range []struct {
		n uint64
		p float64
	}{{1, 0}, {1, 1}, {1, -0.5}, {1, 2}, {1, math.NaN()}, {1, math.Inf(1)}, {1, 5e-324}, {math.MaxUint64, 1e-300}} {
		if _, _, err := BloomParameters(c.n, c.p); !errors.Is(err, ErrParameter) {
			t.Errorf("BloomParameters(%d, %v): %v, want ErrParameter", c.n, c.p, err)
		}
		if f, err := NewBloom(c.n, c.p); !errors.Is(err, ErrParameter) || f != nil {
			t.Errorf("NewBloom(%d, %v): %v, %v, want ErrParameter", c.n, c.p, f, err)
		}
	}
	for _, c := range []struct {
		m uint64
		k int
	}{{0, 1}, {1, 0}, {1, -1}, {1, maxBloomK + 1}, {1, math.MaxInt}, {maxBloomBits + 1, 1}, {math.MaxUint64, 1}} {
		if _, err := NewBloomWithSize(c.m, c.k); !errors.Is(err, ErrParameter) {
			t.Errorf("NewBloomWithSize(%d, %d): %v, want ErrParameter", c.m, c.k, err)
		}
		_, err := NewBloomFromWords(make([]uint64, 1), c.m, c.k)
		if want := c.m > maxBloomBits || c.k < 0 || c.k > maxBloomK; errors.Is(err, ErrParameter) != want {
			t.Errorf("NewBloomFromWords(%d, %d): %v", c.m, c.k, err)
		}
	}
}

func TestBloomEstimateExtremes(t *testing.T) {
	f := mustBloom(t, 1000, 3)
	if f.EstimatedCount() != 0 || f.FPRate() != 0 {
		t.Error("an empty filter has keys")
	}
	f.BitSet().SetAll()
	if f.EstimatedCount() != math.MaxUint64 || f.FPRate() != 1 {
		t.Error("a full filter has a finite number of keys")
	}
}
