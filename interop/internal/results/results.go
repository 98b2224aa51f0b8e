// Package results makes room for the results of a batch. The root package does so by
// itself; this is for those whose filters are other libraries'.
package results

import "github.com/bitsieve/bitsieve"

// Words makes hits a set of n bits for a caller that is about to overwrite them, and
// returns its words, whose contents are undefined: nil if hits is. It allocates nothing
// if hits has had as many bits before.
//
// The caller leaves the bits of the last word from n on zero.
func Words(hits *bitsieve.BitSet, n int) []uint64 {
	if hits == nil {
		return nil
	}
	words := hits.Words()
	if need := (n + 63) / 64; cap(words) < need {
		words = make([]uint64, need)
	}
	hits.SetBitsetFrom(words[:max(n-1, 0)/64])
	if n > 0 {
		hits.Set(uint(n - 1)) // grows within the capacity to that length
	}
	return hits.Words()
}
