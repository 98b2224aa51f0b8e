package spectral

import (
	"math"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/memory"
)

// What is said of, and done to, all counters.

// all returns the counters. Where byte order is not little-endian, those of a word
// are in the opposite order, but each lane is a run of eight.
func all[T counter](f *Filter) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(f.Words))), f.Blocks*Counters)
}

// Above returns the number of counters that are greater than v.
func (f *Filter) Above(v uint64) uint64 {
	switch {
	case v >= f.Max():
		return 0
	case f.Bits == 8:
		return above(all[uint8](f), uint8(v))
	case f.Bits == 16:
		return above(all[uint16](f), uint16(v))
	}
	return above(all[uint32](f), uint32(v))
}

// Max returns the largest value of a counter.
func (f *Filter) Max() uint64 { return 1<<f.Bits - 1 }

func above[T counter](counters []T, v T) (n uint64) {
	for _, c := range counters {
		n += over(c, v)
	}
	return n
}

// over returns 1 if c is greater than v, 0 otherwise.
func over[T counter](c, v T) uint64 { return (uint64(v) - uint64(c)) >> 63 }

// Exceed returns the probability that a key whose hash is uniform and that was
// never added has an estimate greater than v: exact for the counters as they are.
func (f *Filter) Exceed(v uint64) float64 {
	switch {
	case v >= f.Max():
		return 0
	case f.Bits == 8:
		return exceed(f, all[uint8](f), uint8(v))
	case f.Bits == 16:
		return exceed(f, all[uint16](f), uint16(v))
	}
	return exceed(f, all[uint32](f), uint32(v))
}

func exceed[T counter](f *Filter, counters []T, v T) (mean float64) {
	for len(counters) >= Counters {
		var share [Lanes]float64 // of each lane's counters, those over v
		empty := 0
		for j := range share {
			var n uint64
			for _, c := range counters[8*j : 8*j+8 : 8*j+8] {
				n += over(c, v)
			}
			if n == 0 {
				empty++
			}
			share[j] = float64(n) / 8
		}
		if empty <= Lanes-f.K {
			mean += laneRate(&share, f.K)
		}
		counters = counters[Counters:]
	}
	return mean / float64(f.Blocks)
}

// laneRate returns the probability that one counter in each of the k lanes that a
// rotation turns on is among the shares given.
func laneRate(share *[Lanes]float64, k int) (sum float64) {
	if k == Lanes {
		sum = 1
		for _, x := range share {
			sum *= x
		}
		return sum
	}
	for r := range share {
		p := 1.0
		for i := range k {
			p *= share[(r+i)&(Lanes-1)]
		}
		sum += p
	}
	return sum / Lanes
}

// Quantile returns the smallest v for which Exceed(v) is at most rate.
func (f *Filter) Quantile(rate float64) uint64 {
	if f.Exceed(0) <= rate {
		return 0
	}
	lo, hi := uint64(0), uint64(1) // Exceed(lo) > rate
	for f.Exceed(hi) > rate {
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if f.Exceed(mid) > rate {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// Sum adds g's counters to f's, up to the largest value. The filters must match.
func (f *Filter) Sum(g *Filter) {
	switch f.Bits {
	case 8:
		sum(all[uint8](f), all[uint8](g))
	case 16:
		sum(all[uint16](f), all[uint16](g))
	case 32:
		sum(all[uint32](f), all[uint32](g))
	}
	f.sum(g.Total)
}

func sum[T counter](dst, src []T) {
	src = src[:len(dst)]
	for i, c := range dst {
		dst[i] = T(min(uint64(c)+uint64(src[i]), uint64(^T(0))))
	}
}

// Least makes each of f's counters the lesser of itself and g's. The filters must
// match.
func (f *Filter) Least(g *Filter) {
	switch f.Bits {
	case 8:
		least(all[uint8](f), all[uint8](g))
	case 16:
		least(all[uint16](f), all[uint16](g))
	case 32:
		least(all[uint32](f), all[uint32](g))
	}
	f.Total = min(f.Total, g.Total)
}

func least[T counter](dst, src []T) {
	src = src[:len(dst)]
	for i, c := range dst {
		dst[i] = T(min(uint32(c), uint32(src[i])))
	}
}

// Clear removes every key.
func (f *Filter) Clear() {
	memory.Clear(f.Words)
	f.Total = 0
}

// Distinct returns the maximum-likelihood estimate of the number of distinct keys
// added, from the number of counters above 0; of a filter that is full,
// math.MaxUint64.
func (f *Filter) Distinct() uint64 {
	counters := float64(f.Blocks) * Counters
	clear := 1 - float64(f.Above(0))/counters
	if clear <= 0 {
		return math.MaxUint64
	}
	n := math.Round(math.Log(clear) / math.Log1p(-float64(f.K)/counters))
	if n >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(n)
}
