package model

import (
	"fmt"
	"math"
)

const (
	// MinBloomRate is the lowest rate that SizeBloom takes: logarithms of
	// subnormal numbers are not to be relied on.
	MinBloomRate = 1e-300
)

// SizeBloom returns the smallest number of bits m of a standard filter, and the
// best number of bits per key k for it, with which the expected false-positive
// rate of n keys is at most p. m is at most maxBits.
//
// The k is near log2(1/p), and m near 1.44 n k. The formulas found everywhere,
// m = n ln(1/p) / ln²2 and k = m/n ln 2 rounded up, assume a k that need not be
// whole, and exceed p by what rounding costs: 0.4 % of p at p = 0.01, 12 % at
// 0.49.
func SizeBloom(n uint64, p float64, maxBits uint64) (m uint64, k int, err error) {
	if !(p >= MinBloomRate && p < 1) {
		return 0, 0, fmt.Errorf("%w: false-positive rate %v, want %v <= p < 1", ErrParameter, p, MinBloomRate)
	}
	keys, lnP := float64(max(n, 1)), ln(p)
	best := math.Inf(1)
	for i := 1; ; i++ {
		// p = (1 − e^(−in/m))^i, solved for m, which has one minimum over i.
		need := -float64(float64(i)*keys) / lnOneMinusExp(lnP/float64(i))
		if need > best {
			break
		}
		best, k = need, i
	}
	best = math.Ceil(best)
	if best > float64(maxBits) {
		return 0, 0, fmt.Errorf("%w: %d keys at a rate of %v need %.3g bits", ErrParameter, n, p, best)
	}
	return uint64(best), k, nil
}

// lnOneMinusExp returns ln(1 − e^x) for x < 0.
func lnOneMinusExp(x float64) float64 {
	if x > -1e-3 {
		// 1 − e^x = −x (1 + x/2 + x²/6 + x³/24 + …), where the difference would
		// lose digits.
		return ln(-x) + ln1p(float64(x*(0.5+float64(x*(1./6+float64(x*(1./24+float64(x/120))))))))
	}
	return ln1p(-exp(x))
}

// BloomRate returns the expected false-positive rate of a standard filter of m
// bits, k of them per key, that holds n keys: (1 − e^(−kn/m))^k.
func BloomRate(m uint64, k int, n uint64) float64 {
	load := float64(k) * float64(n) / float64(m)
	return math.Pow(-math.Expm1(-load), float64(k))
}
