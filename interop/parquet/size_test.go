package parquet_test

import (
	"math"
	"testing"

	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// TestRates adds n values to filters sized for them and measures the rate, of the
// filter's bits and of values that were not added.
func TestRates(t *testing.T) {
	ns, rates := []uint64{1, 100, 10_000}, []float64{0.1, 0.01, 0.001}
	if !testing.Short() {
		ns, rates = append(ns, 1_000_000), append(rates, 1e-5)
	}
	for _, p := range rates {
		for _, n := range ns {
			f, err := New(n, p)
			if err != nil {
				t.Fatal(err)
			}
			f.AddInt64s(sequence(0, int(n)))
			exact := f.FPRate()
			if exact > p {
				t.Errorf("n = %d, p = %v: %d bytes, rate %v", n, p, f.SizeBytes(), exact)
			}
			const probes = 1 << 20
			hits := float64(f.TestInt64s(sequence(1<<40, probes), nil))
			if got, slack := hits/probes, 5*math.Sqrt(exact/probes)+5.0/probes; math.Abs(got-exact) > slack {
				t.Errorf("n = %d, p = %v: measured %v, by the bits %v", n, p, got, exact)
			}
			if expected := f.ExpectedFPRate(n); n >= 10_000 && math.Abs(exact-expected) > 0.25*expected {
				t.Errorf("n = %d, p = %v: by the bits %v, expected %v", n, p, exact, expected)
			}
			if count := float64(f.EstimatedCount()); math.Abs(count-float64(n)) > 4*math.Sqrt(float64(n))+1 {
				t.Errorf("n = %d, p = %v: estimated as %v", n, p, count)
			}
			t.Logf("n = %d, p = %v: %.2f bits a value, rate %.3g", n, p, 8*float64(f.SizeBytes())/float64(n), exact)
		}
	}
}

func sequence(start int64, n int) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = start + int64(i)
	}
	return values
}

// TestSizes: the specification's table of bits per value, and sizes of the model that
// must not change.
func TestSizes(t *testing.T) {
	const n = 1 << 20
	for _, c := range []struct{ bits, p float64 }{{6.0, 0.1}, {10.5, 0.01}, {16.9, 0.001}, {26.4, 0.0001}, {41, 0.00001}} {
		size, err := NumBytesFor(n, c.p)
		if err != nil {
			t.Fatal(err)
		}
		if got := 8 * float64(size) / n; math.Abs(got-c.bits) > 0.015*c.bits {
			t.Errorf("p = %v: %.2f bits a value, the table says %v", c.p, got, c.bits)
		}
	}
	for _, c := range []struct {
		n    uint64
		p    float64
		want int
	}{{0, 0.5, 32}, {1000, 0.01, 1440}, {1_000_000, 0.01, 1320544}, {1_000_000, 1e-6, 8140608}} {
		if got, err := NumBytesFor(c.n, c.p); got != c.want || err != nil {
			t.Errorf("NumBytesFor(%d, %v) = %d, %v, want %d", c.n, c.p, got, err, c.want)
		}
	}
}

// TestPowerOfTwo: the sizes that follow from the formula, by hand.
func TestPowerOfTwo(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		p    float64
		want int
	}{
		{0, 0.01, 32}, {1, 0.01, 32}, {26, 0.01, 32}, {27, 0.01, 64},
		{10_000, 0.1, 8 << 10}, {10_000, 0.01, 16 << 10}, {10_000, 0.0001, 32 << 10},
		{1_000_000, 0.01, 2 << 20}, {1_000_000, 0.000001, 8 << 20},
		{1 << 40, 0.01, MaxCommonBytes}, {1, math.Nextafter(1, 0), 32},
		{math.MaxUint64, 1e-300, MaxCommonBytes},
	} {
		if got, err := NumBytesPowerOfTwo(c.n, c.p); got != c.want || err != nil {
			t.Errorf("NumBytesPowerOfTwo(%d, %v) = %d, %v, want %d", c.n, c.p, got, err, c.want)
		}
	}
}

// TestFormulaRate measures what the formula lacks: the rate of filters that it gives
// exactly as many bits as it says.
func TestFormulaRate(t *testing.T) {
	for _, p := range []float64{0.1, 0.01, 0.001, 0.0001} {
		const size = 128 << 10
		perValue := -8 / math.Log(1-math.Pow(p, 1.0/8))
		n := int(8 * size / perValue)
		f := newFilter(t, size)
		f.AddInt64s(sequence(0, n))
		rate := f.FPRate()
		t.Logf("p = %v: %.2f bits a value, rate %.4g, %.2f times", p, perValue, rate, rate/p)
		if rate < p {
			t.Errorf("p = %v: the formula keeps to it", p)
		}
	}
}
