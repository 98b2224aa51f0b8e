package model

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/counters"
)

// A lane is how many places each of a block's eight lanes has, of which a key's
// fields choose one with equal probability: 64 bits in a Blocked filter, 32 counters
// in a counting one. The rest of the layout is the same.
type lane float64

const (
	bitLane     lane = 64
	counterLane lane = counters.PerLane
)

// passTables holds lane.passRates(k) for each lane and k, made when first needed.
var passTables [2][block.MaxK + 1]passTable

type passTable struct {
	once sync.Once
	rate []float64
}

// of returns the lane's own table of several.
func (l lane) of(tables *[2][block.MaxK + 1]passTable, k int) *passTable {
	if l == bitLane {
		return &tables[0][k]
	}
	return &tables[1][k]
}

// passRates returns a table whose entry m is the probability that the k bits of
// a key which was not added are all set in a block to which m keys were added.
func (l lane) passRates(k int) []float64 {
	t := l.of(&passTables, k)
	t.once.Do(func() {
		t.rate = make([]float64, tableSize(k))
		switch k {
		case 8, 16:
			l.fillEvenRates(t.rate, k/8)
		default:
			fillRotatedRates(t.rate, l.missTerms(k))
		}
	})
	return t.rate
}

// fillEvenRates is for keys that put the same number of bits, 1 or 2, into
// every lane: lanes are independent given m.
func (l lane) fillEvenRates(rate []float64, perLane int) {
	places := float64(l)
	for m := range rate {
		// One given bit is clear after m keys with probability u, two given
		// distinct bits with probability v.
		u, v := power((places-1)/places, m*perLane), power((places-2)/places, m*perLane)
		all := 1 - u
		if perLane == 2 {
			all = float64(1/places*(1-u)) + float64((places-1)/places*(1-2*u+v))
		}
		rate[m] = power(all, 8)
	}
}

// tableSize returns from how many keys in a block on all others pass, or all but
// about none do not.
func tableSize(k int) int {
	switch {
	case k <= 4:
		return MaxLoad + 16*46 // 16 standard deviations of the largest load
	case k <= 8:
		return 1024
	}
	return 512
}

// power returns x^n for n >= 0.
func power(x float64, n int) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			result *= x
		}
		x *= x
	}
	return result
}

// A missTerm is a value of P(one key misses S) and the summed weights of the S
// that have it, both to 32 digits.
type missTerm struct{ p, weight pair }

// missTerms is for keys whose lanes depend on their rotation. Let Q be the tested
// key's bits. By inclusion and exclusion
//
//	P(all of Q set) = Σ over subsets S of Q of (−1)^|S| P(one key misses S)^m
//
// and one key misses S with the mean over its rotations of Π (1 − t/places)^c over
// the lanes, with t the number of S's bits in the lane and c the number of bits
// that the key puts there. By symmetry Q's own rotation does not matter. The terms
// are sorted, so that their sum is the same on every run and machine.
func (l lane) missTerms(k int) []missTerm {
	base, extra := 0, k // lanes 0 … extra−1 have one bit more than the others
	if k > 8 {
		base, extra = 1, k-8
	}
	// t[j] runs over the possible numbers of S's bits in lane j; the weight
	// sums (−1)^|S| over the subsets with that number, averaged over whether
	// the lane's two bits coincide.
	places := float64(l)
	laneWeights := [3][]float64{{1}, {1, -1}, {1, -(2*places - 1) / places, (places - 1) / places}}
	miss := map[float64]*missTerm{}
	var t [8]int
	var walk func(j int, weight pair)
	walk = func(j int, weight pair) {
		if j == 8 {
			sum := l.missSum(&t, base, extra)
			// Equal up to rounding is equal: it keeps the table short.
			key := math.Round(sum.hi / 8 * 1e14)
			if miss[key] == nil {
				miss[key] = &missTerm{p: sum.times(1. / 8)}
			}
			miss[key].weight = miss[key].weight.plus(weight)
			return
		}
		n := base
		if j < extra {
			n++
		}
		for i, w := range laneWeights[n] {
			t[j] = i
			walk(j+1, weight.times(w))
		}
		t[j] = 0
	}
	walk(0, pair{1, 0})
	terms := make([]missTerm, 0, len(miss))
	for _, term := range miss {
		terms = append(terms, *term)
	}
	slices.SortFunc(terms, func(a, b missTerm) int { return cmp.Compare(a.p.hi, b.p.hi) })
	return terms
}

// missSum returns the sum over the rotations of the probability that a key with
// that rotation misses t[j] bits of each lane j.
func (l lane) missSum(t *[8]int, base, extra int) (sum pair) {
	for r := range 8 {
		p := pair{1, 0}
		for i, n := range t {
			c := base
			if (i+r)&7 < extra {
				c++
			}
			for ; c > 0; c-- {
				p = p.times(1 - float64(n)/float64(l))
			}
		}
		sum = sum.plus(p)
	}
	return sum
}

// fillRotatedRates sums up the terms in double precision.
func fillRotatedRates(rate []float64, terms []missTerm) {
	for _, term := range terms {
		power := term.weight.hi
		for m := range rate {
			rate[m] += power
			power *= term.p.hi
		}
	}
	for m := range rate {
		rate[m] = min(max(rate[m], 0), 1)
	}
	rate[0] = 0
}

// preciseTables holds lane.preciseRates(k) for each lane and k, made when first
// needed.
var preciseTables [2][block.MaxK + 1]passTable

// preciseKeys is the length of preciseRates' tables: at a mean rate of cancelRate a
// block has 36 keys at most, for k = 7, and 150 with a probability below 1e-40.
const preciseKeys = 160

// preciseRates is passRates with 32 digits in the sums, for rates below
// cancelRate; the largest rate stands for those of more keys.
func (l lane) preciseRates(k int) []float64 {
	t := l.of(&preciseTables, k)
	t.once.Do(func() {
		sums := make([]pair, preciseKeys)
		for _, term := range l.missTerms(k) {
			power := term.weight
			for m := range sums {
				sums[m] = sums[m].plus(power)
				power = power.timesPair(term.p)
			}
		}
		t.rate = make([]float64, preciseKeys)
		for m := range sums[1:] {
			t.rate[m+1] = min(max(sums[m+1].hi, 0), 1)
		}
	})
	return t.rate
}
