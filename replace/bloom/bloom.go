// Package bloom takes the place of github.com/bits-and-blooms/bloom/v3 by lines of
// go.mod, in a program and in every dependency of it, with no source touched:
//
//	replace (
//		github.com/bits-and-blooms/bitset => github.com/bitsieve/bitsieve/replace/bitset vX.Y.Z
//		github.com/bits-and-blooms/bloom/v3 => github.com/bitsieve/bitsieve/replace/bloom vX.Y.Z
//	)
//
// It is [github.com/bitsieve/bitsieve/dropin/bloom] under a module path of its own,
// which says where the answers differ from the peer's. Code that imports the drop-in
// itself needs no replace line; both have the same types.
//
// The line for bitset may be left out by a program none of whose packages uses the
// result of BloomFilter.BitSet as a *bitset.BitSet of the peer: that does not compile
// then, because the bits here are of [github.com/bitsieve/bitsieve.BitSet].
//
// A module that appears in a replace line cannot also be required by its own path.
package bloom

import "github.com/bitsieve/bitsieve/dropin/bloom"

// A BloomFilter is a set of keys that may take a few others for its own. The zero
// value contains nothing and is there to be decoded into. Any number of goroutines
// may test at the same time while none adds.
type BloomFilter = bloom.BloomFilter

// New returns an empty filter of m bits of which every key sets k. A zero counts
// as 1. It panics if there can be no such filter.
func New(m, k uint) *BloomFilter { return bloom.New(m, k) }

// NewWithEstimates returns an empty filter for about n keys at a false-positive
// rate of about fp.
func NewWithEstimates(n uint, fp float64) *BloomFilter { return bloom.NewWithEstimates(n, fp) }

// From returns a filter of 64·len(data) bits over data, which it does not copy
// and whose bits it keeps, with k bits per key.
func From(data []uint64, k uint) *BloomFilter { return bloom.From(data, k) }

// FromWithM is From with a number of bits m. If data has fewer, the missing ones
// are zero, and the filter moves to memory of its own when it needs one of them.
func FromWithM(data []uint64, m, k uint) *BloomFilter { return bloom.FromWithM(data, m, k) }

// EstimateParameters returns the number of bits m and of bits per key k for n keys
// at a false-positive rate of p.
func EstimateParameters(n uint, p float64) (m, k uint) { return bloom.EstimateParameters(n, p) }

// EstimateFalsePositiveRate measures the false-positive rate of a filter of m bits,
// k of them per key, to which n keys were added.
func EstimateFalsePositiveRate(m, k, n uint) (fpRate float64) {
	return bloom.EstimateFalsePositiveRate(m, k, n)
}

// Locations returns the first k of the 64-bit locations of a key, for
// BloomFilter.TestLocations.
func Locations(data []byte, k uint) []uint64 { return bloom.Locations(data, k) }
