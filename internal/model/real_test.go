package model

import (
	"math"
	"testing"
)

func TestReal(t *testing.T) {
	near := func(name string, x, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 4e-15*math.Abs(want) {
			t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
		}
	}
	for x := 1e-300; x < 1e10; x *= 1.37 {
		if math.Abs(x-1) > 1e-3 {
			near("ln", x, ln(x), math.Log(x))
		}
		near("ln1p", x, ln1p(x), math.Log1p(x))
		if x < 1 {
			near("ln1p", -x, ln1p(-x), math.Log1p(-x))
		}
		if x < 700 {
			near("exp", -x, exp(-x), math.Exp(-x))
		}
	}
	if ln(1) != 0 || ln1p(0) != 0 || exp(0) != 1 || exp(-1e9) != 0 {
		t.Error("exact values")
	}
}
