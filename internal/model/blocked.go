// Package model computes false-positive rates and the sizes that keep to them.
package model

// The false-positive model of the blocked filter, exact for ideal hashing, and
// the sizing that inverts it.
//
// Blocks fill unevenly: with λ keys per block on average, a block holds m keys
// with the Poisson probability e^-λ λ^m / m!. This is why a blocked filter that
// is sized by the formula for the unblocked one exceeds the rate asked for
// (Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters,
// 2007). passRates gives the probability that a key which was never added
// passes a block of m keys; the rate of the filter is its mean over m.

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/bitsieve/bitsieve/internal/block"
)

// ErrParameter is wrapped when a size, a number of hash functions or a
// false-positive rate is out of range.
var ErrParameter = errors.New("bitsieve: parameter out of range")

const (
	// MaxLoad is the largest mean number of keys per block that sizing uses: a
	// quarter of a bit per key, where k = 1 gives a rate of 98 %.
	MaxLoad = 2048
	// MinRate is the lowest rate that SizeBlocked accepts.
	MinRate = 1e-12
	// cancelRate is the rate under which passRates' alternating sums have lost
	// too many digits. Their terms are up to 2^15 in number and 2^8 in size, so
	// the error is below 1e-12; under this rate only k = 8 and k = 16, whose
	// closed form has no subtraction of near-equal terms, are considered. The
	// best k is 16 there anyway.
	cancelRate = 1e-8
	// sizingSigmas is the number of standard deviations, between filters with
	// different keys, that SizeBlocked stays under the rate asked for.
	sizingSigmas = 3
)

// passTables holds passRates(k) for each k, made when first needed.
var passTables [block.MaxK + 1]struct {
	once sync.Once
	rate []float64
}

// passRates returns a table whose entry m is the probability that the k bits of
// a key which was not added are all set in a block to which m keys were added.
func passRates(k int) []float64 {
	t := &passTables[k]
	t.once.Do(func() {
		n := 512
		if k <= 8 {
			n = 1024
		}
		if k <= 4 {
			n = MaxLoad + 16*46 // 16 standard deviations of the largest load
		}
		t.rate = make([]float64, n)
		switch k {
		case 8, 16:
			fillEvenRates(t.rate, k/8)
		default:
			fillRotatedRates(t.rate, k)
		}
	})
	return t.rate
}

// fillEvenRates is for keys that put the same number of bits, 1 or 2, into
// every lane: lanes are independent given m.
func fillEvenRates(rate []float64, perLane int) {
	for m := range rate {
		// One given bit is clear after m keys with probability u, two given
		// distinct bits with probability v.
		u := math.Pow(63./64, float64(m*perLane))
		v := math.Pow(62./64, float64(m*perLane))
		lane := 1 - u
		if perLane == 2 {
			lane = 1./64*(1-u) + 63./64*(1-2*u+v)
		}
		rate[m] = math.Pow(lane, 8)
	}
}

// fillRotatedRates is for keys whose lanes depend on their rotation. Let Q be
// the tested key's bits. By inclusion and exclusion
//
//	P(all of Q set) = Σ over subsets S of Q of (−1)^|S| P(one key misses S)^m
//
// and one key misses S with the mean over its rotations of Π (1 − t/64)^c over
// the lanes, with t the number of S's bits in the lane and c the number of bits
// that the key puts there. By symmetry Q's own rotation does not matter.
func fillRotatedRates(rate []float64, k int) {
	base, extra := 0, k // lanes 0 … extra−1 have one bit more than the others
	if k > 8 {
		base, extra = 1, k-8
	}
	// t[j] runs over the possible numbers of S's bits in lane j; the weight
	// sums (−1)^|S| over the subsets with that number, averaged over whether
	// the lane's two bits coincide.
	laneWeights := func(bits int) []float64 {
		switch bits {
		case 0:
			return []float64{1}
		case 1:
			return []float64{1, -1}
		}
		return []float64{1, -(1./64 + 2*63./64), 63. / 64}
	}
	miss := map[float64]float64{} // P(one key misses S) -> summed weight
	var t [8]int
	var walk func(j int, weight float64)
	walk = func(j int, weight float64) {
		if j == 8 {
			var sum float64
			for r := range 8 {
				p := 1.0
				for i, n := range t {
					c := base
					if (i+r)&7 < extra {
						c++
					}
					for ; c > 0; c-- {
						p *= 1 - float64(n)/64
					}
				}
				sum += p
			}
			// Equal up to rounding is equal: it keeps the table short.
			miss[math.Round(sum/8*1e14)/1e14] += weight
			return
		}
		n := base
		if j < extra {
			n++
		}
		for i, w := range laneWeights(n) {
			t[j] = i
			walk(j+1, weight*w)
		}
		t[j] = 0
	}
	walk(0, 1)
	for p, weight := range miss {
		power := weight
		for m := range rate {
			rate[m] += power
			power *= p
		}
	}
	for m := range rate {
		rate[m] = min(max(rate[m], 0), 1)
	}
	rate[0] = 0
}

// BlockedRate returns the mean, over the blocks of a filter with load keys per
// block, of the probability that a key which was not added passes, and the
// standard deviation between blocks.
func BlockedRate(load float64, k int) (mean, deviation float64) {
	if load <= 0 {
		return 0, 0
	}
	rate := passRates(k)
	spread := 12*math.Sqrt(load) + 24
	lo := max(int(load-spread), 0)
	hi := int(load + spread)
	lg, _ := math.Lgamma(float64(lo) + 1)
	weight := math.Exp(float64(lo)*math.Log(load) - load - lg)
	var square float64
	for m := lo; m <= hi; m++ {
		r := 1.0
		if m < len(rate) {
			r = rate[m]
		}
		mean += weight * r
		square += weight * r * r
		weight *= load / float64(m+1)
	}
	return mean, math.Sqrt(max(square-mean*mean, 0))
}

// SizeBlocked returns the smallest number of blocks, and the best k for it,
// whose rate after n keys is at most p. Not only the expected rate is: all but
// about one in a thousand sets of keys give a filter that keeps to p.
func SizeBlocked(n uint64, p float64) (blocks uint64, k int, err error) {
	if !(p >= MinRate && p < 1) {
		return 0, 0, fmt.Errorf("%w: false-positive rate %v, want %v <= p < 1", ErrParameter, p, MinRate)
	}
	keys := float64(max(n, 1))
	best := 0.0
	for i := block.MinK; i <= block.MaxK; i++ {
		if p < cancelRate && i != 8 && i != 16 {
			continue
		}
		load := maxBlockLoad(keys, p, i)
		if load > best {
			best, k = load, i
		} else if load < best*0.9 {
			break // the load has one maximum over k
		}
	}
	b := math.Ceil(keys / best)
	if b >= 1<<57 {
		return 0, 0, fmt.Errorf("%w: %d keys at a rate of %v need %.3g bytes", ErrParameter, n, p, b*block.Bytes)
	}
	return uint64(b), k, nil
}

// maxBlockLoad returns the largest number of keys per block that keeps a filter
// of that many keys and k bits per key to p.
func maxBlockLoad(keys, p float64, k int) float64 {
	lo, hi := 0.0, float64(MaxLoad)
	for hi-lo > 1e-6*hi {
		mid := (lo + hi) / 2
		mean, dev := BlockedRate(mid, k)
		if mean+sizingSigmas*dev/math.Sqrt(max(keys/mid, 1)) <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(lo, 1e-9)
}

// HitRate returns the probability that a key which was not added passes this
// very block, from the number of bits set in each lane.
func HitRate(b *block.Block, k int) float64 {
	var fill [block.Words]float64
	for j, w := range b {
		fill[j] = float64(bits.OnesCount64(w)) / 64
	}
	all, extra := 1.0, k
	if k >= 8 {
		for _, x := range fill {
			all *= x
		}
		extra = k - 8
	}
	if extra == 0 {
		return all
	}
	if extra == 8 {
		return all * all
	}
	var sum float64
	for r := range fill {
		p := 1.0
		for i := range extra {
			p *= fill[(r+i)&7]
		}
		sum += p
	}
	return all * sum / 8
}

// BitRate is the probability that one key sets a given bit of its block.
func BitRate(k int) float64 {
	if k <= 8 {
		return float64(k) / 512
	}
	second := float64(k-8) / 8 // a lane has a second bit
	return 1./64 + second*(1./64)*(63./64)
}
