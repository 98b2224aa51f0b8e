package model

import "math"

// A pair is the sum of two numbers of which the second is at most half a unit in
// the last place of the first: some 32 digits (Dekker, A floating-point technique
// for extending the available precision, 1971).
type pair struct{ hi, lo float64 }

// exactSum returns a + b and what rounding took from it.
func exactSum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// exactProduct returns a × b and what rounding took from it.
func exactProduct(a, b float64) pair {
	p := float64(a * b)
	return pair{p, math.FMA(a, b, -p)}
}

func (x pair) plus(y pair) pair {
	s := exactSum(x.hi, y.hi)
	return exactSum(s.hi, s.lo+(x.lo+y.lo))
}

func (x pair) times(y float64) pair {
	p := exactProduct(x.hi, y)
	return exactSum(p.hi, p.lo+float64(x.lo*y))
}

func (x pair) timesPair(y pair) pair {
	p := exactProduct(x.hi, y.hi)
	return exactSum(p.hi, p.lo+(float64(x.hi*y.lo)+float64(x.lo*y.hi)))
}
