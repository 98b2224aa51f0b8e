// Package bloom takes the place of github.com/bits-and-blooms/bloom/v3: change
// the import path and nothing else. The names and signatures are its own, and so
// are the answers and the serialised bytes: filters written by either are read
// by the other. The work is done by [github.com/bitsieve/bitsieve.Bloom], which
// BloomFilter is another name for, and which also has batch forms (AddStrings,
// TestStrings, AddBytes, TestBytes) that the peer lacks.
//
// # Differences
//
// These are deliberate. Each is where the peer, at v3.7.1, panics, trusts a
// stranger, or gives a number that depends on the CPU.
//
//   - ReadFrom, UnmarshalBinary, GobDecode and UnmarshalJSON refuse, with a
//     [github.com/bitsieve/bitsieve.FormatError], a filter whose m is 0 or beyond
//     the length of its bitset, and one whose k is over 65536. The peer takes
//     them, and then panics, allocates what m asks for when the first key is
//     added, or does not come back. The peer itself writes such a filter only if
//     it was made by FromWithM over too few words, or with a k that large; what
//     New(0, k) makes is read. New with such a k starts with a bitset of length 0,
//     which grows as keys are added.
//   - They allocate memory as data arrives, not as the header demands, and leave
//     the filter unchanged after an error. UnmarshalJSON of null changes nothing.
//   - ReadFrom and WriteTo return the bytes that were read or written after an
//     error too, not 0, and io.ErrUnexpectedEOF for a stream that ends between m
//     and k.
//   - A filter with m = 0 (the zero value, or From of no words) contains nothing:
//     Test is false. The peer panics, or says true of every key if k is 0. Adding
//     to it panics here too.
//   - Copy returns a filter that is Equal to the receiver, also where the
//     receiver's bitset is shorter than m or its k is 0.
//   - Where a number out of range makes EstimateParameters convert a NaN, a
//     negative or an infinite number, it gives 0, 0 and the largest uint; the peer
//     what the CPU makes of it. So NewWithEstimates(0, p) is New(1, 1), where the
//     peer's filter on amd64 has a k of 2^63 and never returns from Add.
//     ApproximatedSize of a full filter is the largest uint32.
//   - Merge's errors wrap [github.com/bitsieve/bitsieve.ErrMismatch], and the one
//     for k names the k's.
//   - A gob stream names the type Bloom, not BloomFilter. Decoding does not look
//     at the name.
package bloom

import (
	"encoding/binary"
	"math"

	"github.com/bitsieve/bitsieve"
)

// A BloomFilter is a set of keys that may take a few others for its own. See
// [bitsieve.Bloom].
type BloomFilter = bitsieve.Bloom

// New returns an empty filter of m bits of which every key sets k. A zero counts
// as 1.
func New(m, k uint) *BloomFilter {
	f, err := bitsieve.NewBloomWithSize(m, max(k, 1))
	if err != nil {
		// Like the peer: no bits until the first key is added, which is as far as
		// a filter gets that memory cannot hold.
		return bitsieve.NewBloomFromWords(nil, max(m, 1), max(k, 1))
	}
	return f
}

// NewWithEstimates returns an empty filter for about n keys at a false-positive
// rate of about fp. See EstimateParameters.
func NewWithEstimates(n uint, fp float64) *BloomFilter { return New(EstimateParameters(n, fp)) }

// From returns a filter of 64·len(data) bits over data, which it does not copy
// and whose bits it keeps, with k bits per key.
func From(data []uint64, k uint) *BloomFilter {
	return FromWithM(data, 64*uint(len(data)), k)
}

// FromWithM is From with a number of bits m. If data has fewer, the missing ones
// are zero, and the filter moves to memory of its own when it needs one of them.
func FromWithM(data []uint64, m, k uint) *BloomFilter {
	return bitsieve.NewBloomFromWords(data, m, k)
}

// EstimateParameters returns the number of bits m and of bits per key k for n
// keys at a false-positive rate of p, by the usual formulas:
// m = n ln(1/p) / ln²2 and k = m/n ln 2, both rounded up. See
// [bitsieve.BloomParameters] for a rate that is never above p.
func EstimateParameters(n uint, p float64) (m, k uint) {
	m = toUint(math.Ceil(-1 * float64(n) * math.Log(p) / math.Pow(math.Log(2), 2)))
	k = toUint(math.Ceil(math.Log(2) * float64(m) / float64(n)))
	return m, k
}

// toUint converts x alike on every CPU: the nearest uint, and 0 for NaN.
func toUint(x float64) uint {
	switch {
	case x >= math.MaxUint:
		return math.MaxUint
	case x > 0:
		return uint(x)
	}
	return 0
}

// EstimateFalsePositiveRate measures the false-positive rate of a filter of m
// bits, k of them per key, to which n keys were added: it makes one and tests
// 100,000 other keys. [bitsieve.BloomRate] computes it instead.
func EstimateFalsePositiveRate(m, k, n uint) (fpRate float64) {
	const rounds = 100_000
	f := New(m, k)
	var key [4]byte
	for i := range uint32(n) {
		binary.BigEndian.PutUint32(key[:], i)
		f.Add(key[:])
	}
	hits := 0
	for i := range uint32(rounds) {
		binary.BigEndian.PutUint32(key[:], uint32(n)+1+i)
		if f.Test(key[:]) {
			hits++
		}
	}
	return float64(hits) / rounds
}

// Locations returns the first k of the 64-bit locations of a key, for
// TestLocations.
func Locations(data []byte, k uint) []uint64 { return bitsieve.BloomLocations(data, k) }
