package guava

import (
	"fmt"
	"math"

	"github.com/bitsieve/bitsieve"
)

// A Strategy says which bits belong to a hash. Its value is the format's first byte.
type Strategy uint8

const (
	// MITZ32 is Guava's MURMUR128_MITZ_32, what create chose before version 17. It has
	// 2^31 places only: a filter of more bits leaves the rest of them unused.
	MITZ32 Strategy = iota
	// MITZ64 is Guava's MURMUR128_MITZ_64, what create chooses since.
	MITZ64
)

func (s Strategy) String() string {
	switch s {
	case MITZ32:
		return "MURMUR128_MITZ_32"
	case MITZ64:
		return "MURMUR128_MITZ_64"
	}
	return fmt.Sprintf("Strategy(%d)", uint8(s))
}

const (
	maxK     = math.MaxUint8 // what the format has room for
	maxWords = math.MaxInt32 // likewise, in Java's int
)

// An Option changes how New and NewWithSize make a filter.
type Option struct{ set func(*options) }

type options struct {
	strategy Strategy
	olderK   bool
}

func apply(opts []Option) options {
	o := options{strategy: MITZ64}
	for _, opt := range opts {
		if opt.set != nil {
			opt.set(&o)
		}
	}
	return o
}

// WithStrategy gives the strategy, MITZ64 by default.
func WithStrategy(s Strategy) Option { return Option{func(o *options) { o.strategy = s }} }

// WithOlderK makes New choose k as Guava did until the change of November 2024 (its pull
// request 7494), so up to version 33.3 at least and in 31.1: round(m/n × ln 2), m being the
// number of bits before it is rounded up to whole words. Newer versions, and New without
// this option, take round(−ln p / ln 2). The two differ where n is small, as m is a whole
// number, and where the rounding is on edge: for n = 1 and p = 0.01 they are 6 and 7.
//
// It matters only to a filter that is to be equal to one that Java made; either reads any k.
func WithOlderK() Option { return Option{func(o *options) { o.olderK = true }} }

// Parameters returns the number of words of 64 bits and the number of bits per key that
// Guava's BloomFilter.create chooses for n keys at a false-positive rate of p. n = 0 counts
// as 1, and where Guava refuses a filter of no bits (n = 1, p = 0.7) there is one word.
//
// 0 < p < 1. Other values, and those for which k is over 255 or the words are more than
// 2^31 − 1, which Guava refuses as well, are errors that wrap bitsieve.ErrParameter.
// WithOlderK is the only option that matters.
func Parameters(n uint64, p float64, opts ...Option) (words uint64, k int, err error) {
	if !(p > 0 && p < 1) {
		return 0, 0, fmt.Errorf("%w: p = %v, want 0 < p < 1", bitsieve.ErrParameter, p)
	}
	// In Java's order of operations. No product is added to, so that none can be fused.
	ln := math.Log(p)
	m := math.Floor(-float64(max(n, 1)) * ln / (math.Ln2 * math.Ln2))
	round := math.Round(-ln / math.Ln2)
	if apply(opts).olderK {
		round = math.Round(m / float64(max(n, 1)) * math.Ln2)
	}
	if round > maxK || m > 64*maxWords {
		return 0, 0, fmt.Errorf("%w: n = %d, p = %v: %.0f bits and k = %.0f, want at most %d and %d",
			bitsieve.ErrParameter, n, p, m, round, 64*uint64(maxWords), maxK)
	}
	return max(uint64(math.Ceil(m/64)), 1), max(int(round), 1), nil
}
