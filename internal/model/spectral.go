package model

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/bitsieve/bitsieve/internal/spectral"
)

// The model of the spectral filter. Its counters above 0 are the bits of a Bloom
// filter with blocks of 64 bits in eight lanes, whatever was added how often: that
// filter's false-positive rate is the probability that a key which was never added
// has a count. It bounds the probability that the count of one that was added is
// too high, which takes that other keys have raised all of its counters.

const (
	// SpectralMinRate is the lowest rate that SizeSpectral accepts. Below it the
	// blocks are too small: a single other key in a block collides with
	// probability 2^-24.
	SpectralMinRate = 1e-6
	// spectralMaxLoad is the largest number of keys per block that sizing uses.
	spectralMaxLoad = 512
)

// spectralTables holds spectralRates(k) for each k, made when first needed.
var spectralTables [spectral.MaxK + 1]struct {
	once sync.Once
	rate []float64
}

// spectralRates returns a table whose entry m is the probability that the k
// counters of a key which was not added are all above 0 in a block to which m
// keys were added. By inclusion and exclusion it is the sum, over the subsets S of
// the k lanes, of (−1)^|S| P(one key misses S)^m; and one key misses S with the
// mean over its rotations of 7/8 to the number of lanes of S that it has on.
func spectralRates(k int) []float64 {
	t := &spectralTables[k]
	t.once.Do(func() {
		t.rate = make([]float64, spectralMaxLoad+16*23) // 16 standard deviations more
		for set := range 1 << k {
			var miss float64
			for r := range spectral.Lanes {
				on := bits.RotateLeft8(uint8(1<<k-1), r)
				miss += power(7./8, bits.OnesCount8(on&uint8(set)))
			}
			miss /= spectral.Lanes
			p := float64(1 - 2*(bits.OnesCount(uint(set))&1))
			for m := range t.rate {
				t.rate[m] += p
				p *= miss
			}
		}
		for m := range t.rate {
			t.rate[m] = min(max(t.rate[m], 0), 1)
		}
		t.rate[0] = 0
	})
	return t.rate
}

// SpectralRate returns the mean, over the blocks of a filter with load keys per
// block, of the probability that a key which was not added has a count, and the
// standard deviation between blocks.
func SpectralRate(load float64, k int) (mean, deviation float64) {
	switch {
	case load <= 0:
		return 0, 0
	case load > spectralMaxLoad:
		return 1, 0
	}
	return poissonMean(load, spectralRates(k))
}

// SizeSpectral returns the smallest number of blocks, and the best k for it, whose
// rate after n keys is at most p: for all but about one in a thousand sets of keys.
func SizeSpectral(n uint64, p float64) (blocks uint64, k int, err error) {
	if !(p >= SpectralMinRate && p < 1) {
		return 0, 0, fmt.Errorf("%w: rate %v, want %v <= p < 1", ErrParameter, p, SpectralMinRate)
	}
	if p <= Collisions(n) {
		return 0, 0, fmt.Errorf("%w: rate %v of %d keys, whose 64-bit hashes alone collide at a rate of %.2g",
			ErrParameter, p, n, Collisions(n))
	}
	keys, rate, best := float64(max(n, 1)), p-Collisions(n), 0.0
	for i := spectral.MinK; i <= spectral.MaxK; i++ {
		if load := maxSpectralLoad(keys, rate, i); load > best {
			best, k = load, i
		}
	}
	b := math.Ceil(keys / best)
	if b >= 1<<57 {
		return 0, 0, fmt.Errorf("%w: %d keys at a rate of %v need %.3g blocks", ErrParameter, n, p, b)
	}
	return uint64(b), k, nil
}

// maxSpectralLoad returns the largest number of keys per block that keeps a filter
// of that many keys to p.
func maxSpectralLoad(keys, p float64, k int) float64 {
	lo, hi := 0.0, float64(spectralMaxLoad)
	for hi-lo > float64(1e-6*hi) {
		mid := (lo + hi) / 2
		mean, dev := poissonMean(mid, spectralRates(k))
		if mean+float64(sizingSigmas*dev)/math.Sqrt(max(keys/mid, 1)) <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(lo, 1e-9)
}
