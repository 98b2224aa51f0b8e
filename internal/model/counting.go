package model

import "github.com/bitsieve/bitsieve/internal/counters"

// The counting filter's model is that of the blocked one: a counter that is not 0
// stands for a bit that is set, and a lane has 32 of them in place of 64.

// CountingRate is BlockedRate for a counting filter.
func CountingRate(load float64, k int) (mean, deviation float64) { return counterLane.rate(load, k) }

// SizeCounting is SizeBlocked for a counting filter, and its blocks.
func SizeCounting(n uint64, p float64) (blocks uint64, k int, err error) {
	return counterLane.size(n, p, counters.Bytes)
}

// CounterRate is the probability that one key has a given counter of its block.
func CounterRate(k int) float64 { return counterLane.placeRate(k) }
