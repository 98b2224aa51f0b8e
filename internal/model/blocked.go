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
	// the error is below 1e-12. Under this rate BlockedRate takes preciseRates, and
	// sizing considers only k = 8 and k = 16, whose closed form has no subtraction
	// of near-equal terms: the best k is 16 there anyway.
	cancelRate = 1e-8
	// sizingSigmas is the number of standard deviations, between filters with
	// different keys, that SizeBlocked stays under the rate asked for.
	sizingSigmas = 3
)

// BlockedRate returns the mean, over the blocks of a filter with load keys per
// block, of the probability that a key which was not added passes, and the
// standard deviation between blocks. It leaves out keys whose whole hashes are
// equal: see Collisions.
func BlockedRate(load float64, k int) (mean, deviation float64) { return bitLane.rate(load, k) }

// rate is BlockedRate for a filter of such lanes.
func (l lane) rate(load float64, k int) (mean, deviation float64) {
	if load <= 0 {
		return 0, 0
	}
	mean, deviation = poissonMean(load, l.passRates(k))
	if mean < cancelRate && k%8 != 0 {
		return poissonMean(load, l.preciseRates(k))
	}
	return mean, deviation
}

// poissonMean returns the mean and the standard deviation of rate[m] for m with
// the Poisson distribution of mean load. Past the end of the table rates are 1.
//
// The weights are computed from the middle outwards and divided by their sum,
// which needs no logarithm.
func poissonMean(load float64, rate []float64) (mean, deviation float64) {
	spread := 12*math.Sqrt(load) + 24
	lo, mode, hi := max(int(load-spread), 0), int(load), int(load+spread)
	var total, square float64
	add := func(m int, weight float64) {
		r := 1.0
		if m < len(rate) {
			r = rate[m]
		}
		total += weight
		mean += float64(weight * r)
		square += float64(float64(weight*r) * r)
	}
	weight := 1.0
	for m := mode; m <= hi; m++ {
		add(m, weight)
		weight = float64(weight*load) / float64(m+1)
	}
	weight = 1.0
	for m := mode; m > lo; m-- {
		weight = float64(weight*float64(m)) / load
		add(m-1, weight)
	}
	mean /= total
	square /= total
	return mean, math.Sqrt(max(square-float64(mean*mean), 0))
}

// Collisions returns the probability that the 64-bit hash of a key that was not
// added equals that of one of n keys, which no size of filter helps against.
func Collisions(n uint64) float64 { return float64(n) / (1 << 64) }

// SizeBlocked returns the smallest number of blocks, and the best k for it,
// whose rate after n keys is at most p. Not only the expected rate is: all but
// about one in a thousand sets of keys give a filter that keeps to p.
func SizeBlocked(n uint64, p float64) (blocks uint64, k int, err error) {
	return bitLane.size(n, p, block.Bytes)
}

// size is SizeBlocked for a filter of such lanes and blocks of so many bytes.
func (l lane) size(n uint64, p, bytes float64) (blocks uint64, k int, err error) {
	if !(p >= MinRate && p < 1) {
		return 0, 0, fmt.Errorf("%w: false-positive rate %v, want %v <= p < 1", ErrParameter, p, MinRate)
	}
	if p <= Collisions(n) {
		return 0, 0, fmt.Errorf("%w: false-positive rate %v of %d keys, whose 64-bit hashes alone collide at a rate of %.2g",
			ErrParameter, p, n, Collisions(n))
	}
	keys, rate := float64(max(n, 1)), p-Collisions(n)
	best := 0.0
	for i := block.MinK; i <= block.MaxK; i++ {
		if p < cancelRate && i%8 != 0 {
			continue
		}
		load := l.maxBlockLoad(keys, rate, i)
		if load > best {
			best, k = load, i
		} else if load < best*0.9 {
			break // the load has one maximum over k
		}
	}
	b := math.Ceil(keys / best)
	if b >= 1<<57 {
		return 0, 0, fmt.Errorf("%w: %d keys at a rate of %v need %.3g bytes", ErrParameter, n, p, b*bytes)
	}
	return uint64(b), k, nil
}

// bestFrom[k] is the number of bits per key from which k+1 bits give a lower rate
// than k do. TestBestK computes it.
var bestFrom = [block.MaxK]float64{0, 2.093, 3.598, 5.086, 6.601, 8.316, 10.207, 12.231,
	13.756, 16.088, 18.644, 21.384, 24.321, 27.827, 31.969, 36.723}

// BlocksFor returns the number of blocks, from 1 to most, that have at least so many
// bits for each of n keys, and the best k for them.
func BlocksFor(n uint64, bitsPerKey float64, most uint64) (blocks uint64, k int) {
	const blockBits = 8 * block.Bytes
	if !(bitsPerKey >= 1) { // true for NaN
		bitsPerKey = 1
	}
	keys := float64(max(n, 1))
	blocks = most
	if b := math.Ceil(float64(keys*bitsPerKey) / blockBits); b < float64(most) {
		blocks = max(uint64(b), 1)
	}
	bitsPerKey = blockBits * float64(blocks) / keys
	for k = block.MinK; k < block.MaxK && bitsPerKey >= bestFrom[k]; k++ {
	}
	return blocks, k
}

// maxBlockLoad returns the largest number of keys per block that keeps a filter
// of that many keys and k bits per key to p.
func (l lane) maxBlockLoad(keys, p float64, k int) float64 {
	rate := l.passRates(k)
	lo, hi := 0.0, float64(MaxLoad)
	for hi-lo > float64(1e-6*hi) {
		mid := (lo + hi) / 2
		mean, dev := poissonMean(mid, rate)
		if mean+float64(sizingSigmas*dev)/math.Sqrt(max(keys/mid, 1)) <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(lo, 1e-9)
}

// ExpectedRate returns the rate that is expected with so many keys in so many
// blocks, collisions of hashes included: 1 where there are more than MaxLoad keys in
// a block.
func ExpectedRate(keys float64, blocks uint64, k int) float64 {
	load := keys / float64(blocks)
	if load > MaxLoad {
		return 1
	}
	mean, _ := BlockedRate(load, k)
	return min(mean+keys/(1<<64), 1)
}

// AddHitRates returns sum plus the blocks' HitRates, one after the other: so that a
// filter in parts has the very rate of the whole.
func AddHitRates(sum float64, blocks []block.Block, k int) float64 {
	for i := range blocks {
		sum += HitRate(&blocks[i], k)
	}
	return sum
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
func BitRate(k int) float64 { return bitLane.placeRate(k) }

// placeRate is BitRate for a filter of such lanes.
func (l lane) placeRate(k int) float64 {
	places := float64(l)
	if k <= 8 {
		return float64(k) / (8 * places)
	}
	second := float64(k-8) / 8 // a lane has a second bit
	return 1/places + second*(1/places)*((places-1)/places)
}
