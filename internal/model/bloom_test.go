package model

import (
	"math"
	"testing"
)

func TestLnOneMinusExp(t *testing.T) {
	for x := -1e-12; x > -700; x *= 1.23 {
		got, want := lnOneMinusExp(x), math.Log(-math.Expm1(x))
		if x < -1 {
			want = math.Log1p(-math.Exp(x))
		}
		if math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Errorf("ln(1 - e^%v) = %v, want %v", x, got, want)
		}
	}
}

func TestSizeBloom(t *testing.T) {
	for _, p := range []float64{0.99, 0.5, 0.49, 0.1, 0.01, 1e-3, 1e-6, 1e-9, 1e-15, 1e-100} {
		for _, n := range []uint64{0, 1, 7, 1000, 1e6, 1e9} {
			m, k, err := SizeBloom(n, p, math.MaxUint64)
			if err != nil {
				t.Fatal(err)
			}
			n := max(n, 1)
			if got := BloomRate(m, k, n); got > p*(1+1e-12) {
				t.Errorf("n=%d p=%v: m=%d k=%d gives %v", n, p, m, k, got)
			}
			if m > 1 && BloomRate(m-1, k, n) <= p*(1-1e-9) {
				t.Errorf("n=%d p=%v: m=%d is one more than needed", n, p, m)
			}
			for _, other := range []int{k - 1, k + 1} {
				if other > 0 && BloomRate(m-m/1000-1, other, n) <= p {
					t.Errorf("n=%d p=%v: k=%d would need fewer bits than k=%d", n, p, other, k)
				}
			}
		}
	}
	for _, p := range []float64{0, 1, -1, math.NaN(), 1e-301} {
		if _, _, err := SizeBloom(1, p, math.MaxUint64); err == nil {
			t.Errorf("p = %v is accepted", p)
		}
	}
	if _, _, err := SizeBloom(1e9, 0.01, 1e9); err == nil {
		t.Error("a size over the limit is accepted")
	}
}
