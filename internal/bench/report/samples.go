package report

import (
	"math"
	"slices"
)

// Samples are measurements of one quantity, one a round, in the rounds' order.
type Samples []float64

// Median returns the middle of the samples, the mean of the two middle ones of
// an even number; NaN of none.
func (s Samples) Median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	t := slices.Sorted(slices.Values(s))
	m := len(t) / 2
	if len(t)%2 == 1 {
		return t[m]
	}
	return (t[m-1] + t[m]) / 2
}

// Range returns the least and the greatest sample; NaN of none.
func (s Samples) Range() (lo, hi float64) {
	if len(s) == 0 {
		return math.NaN(), math.NaN()
	}
	return slices.Min(s), slices.Max(s)
}

// Over returns the median of s[i]/t[i] over the rounds that both have.
func (s Samples) Over(t Samples) float64 {
	n := min(len(s), len(t))
	ratios := make(Samples, n)
	for i := range n {
		ratios[i] = s[i] / t[i]
	}
	return ratios.Median()
}
