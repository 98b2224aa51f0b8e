package model

import "math"

// Sizes must be the same on every machine, or filters made from one n and p do
// not match. The compiler may fuse a multiplication with an addition, on some
// architectures only, unless the product is converted; and math's Exp and Log are
// assembly on some. So what sizing needs is computed here, from operations that
// IEEE 754 rounds in one way: to some 1e-15.

// ln returns the natural logarithm of x > 0.
func ln(x float64) float64 {
	frac, exp := math.Frexp(x) // exact: frac in [0.5, 1)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	return float64(float64(exp)*math.Ln2) + ln1p(frac-1)
}

// ln1p returns the natural logarithm of 1 + x, for x from just above -1 on.
func ln1p(x float64) float64 {
	if x < -0.3 || x > 0.5 {
		return ln(1 + x) // no digits are lost
	}
	// 2 artanh(s), |s| <= 0.2: s + s³/3 + s⁵/5 + …
	s := x / (2 + x)
	s2 := float64(s * s)
	var sum float64
	for i := 25; i >= 1; i -= 2 {
		sum = float64(sum*s2) + 1/float64(i)
	}
	return 2 * float64(s*sum)
}

// exp returns e^x for x <= 0; below -745 it is 0.
func exp(x float64) float64 {
	if x < -745 {
		return 0
	}
	n := math.Floor(x/math.Ln2 + 0.5)
	// r = x - n ln 2, with ln 2 in two parts so that the first product is exact.
	const hi, lo = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	r := x - float64(n*hi)
	r -= float64(n * lo)
	sum := 1.0
	for i := 14; i >= 1; i-- {
		sum = 1 + float64(r*sum)/float64(i)
	}
	return math.Ldexp(sum, int(n))
}
