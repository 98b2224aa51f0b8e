// Package bloom takes the place of github.com/bits-and-blooms/bloom/v3: change
// the import path and nothing else. The names and signatures are its own, and so
// are the answers and the serialised bytes: filters written by either are read
// by the other. The work is done by [github.com/bitsieve/bitsieve.Bloom], over which
// BloomFilter is a thin type whose methods inline; its method Bloom gives access to
// what the peer lacks.
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
//     New(0, k) makes is read. New, From and FromWithM panic for a k over 65536, and
//     for an m that no memory can hold.
//   - They allocate memory for data that are there, not as the header demands, and
//     leave the filter unchanged after an error. UnmarshalJSON of null changes nothing.
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
package bloom

import (
	"encoding/binary"
	"math"

	"github.com/bitsieve/bitsieve"
)

// A BloomFilter is a set of keys that may take a few others for its own. The zero
// value contains nothing and is there to be decoded into. Any number of goroutines
// may test at the same time while none adds.
type BloomFilter struct{ core bitsieve.Bloom }

// New returns an empty filter of m bits of which every key sets k. A zero counts
// as 1. It panics if there can be no such filter.
func New(m, k uint) *BloomFilter {
	if m == 0 {
		return FromWithM(nil, 1, max(k, 1)) // like the peer: no bits until the first key
	}
	f, err := bitsieve.NewBloomWithSize(uint64(m), toInt(max(k, 1)))
	return must(f, err)
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
	f, err := bitsieve.NewBloomFromWords(data, uint64(m), toInt(k))
	return must(f, err)
}

func must(f *bitsieve.Bloom, err error) *BloomFilter {
	if err != nil {
		panic(err)
	}
	return &BloomFilter{*f}
}

func toInt(k uint) int { return int(min(k, math.MaxInt)) }

// Bloom returns the filter that does the work: the same bits, with batches, files
// and more.
func (f *BloomFilter) Bloom() *bitsieve.Bloom { return &f.core }

// Cap returns the number of bits that keys are spread over.
func (f *BloomFilter) Cap() uint { return uint(f.core.Bits()) }

// K returns the number of bits that a key sets.
func (f *BloomFilter) K() uint { return uint(f.core.K()) }

// BitSet returns the filter's own bits, not a copy.
func (f *BloomFilter) BitSet() *bitsieve.BitSet { return f.core.BitSet() }

// Add adds a key and returns f.
func (f *BloomFilter) Add(data []byte) *BloomFilter {
	f.core.Add(data)
	return f
}

// AddString is Add for a string.
func (f *BloomFilter) AddString(data string) *BloomFilter {
	f.core.AddString(data)
	return f
}

// Test reports whether data may have been added: false is certain.
func (f *BloomFilter) Test(data []byte) bool { return f.core.Test(data) }

// TestString is Test for a string.
func (f *BloomFilter) TestString(data string) bool { return f.core.TestString(data) }

// TestLocations reports whether the bits at all of the locations are set.
func (f *BloomFilter) TestLocations(locs []uint64) bool { return f.core.TestLocations(locs) }

// TestAndAdd adds data and reports whether it may have been there before.
func (f *BloomFilter) TestAndAdd(data []byte) bool { return f.core.TestAndAdd(data) }

// TestAndAddString is TestAndAdd for a string.
func (f *BloomFilter) TestAndAddString(data string) bool { return f.core.TestAndAddString(data) }

// TestOrAdd does what TestAndAdd does, but writes to no memory if data may have
// been there before.
func (f *BloomFilter) TestOrAdd(data []byte) bool { return f.core.TestOrAdd(data) }

// TestOrAddString is TestOrAdd for a string.
func (f *BloomFilter) TestOrAddString(data string) bool { return f.core.TestOrAddString(data) }

// AddStrings adds strings. The peer lacks it, as AddBytes, TestStrings and
// TestBytes.
func (f *BloomFilter) AddStrings(keys []string) { f.core.AddStrings(keys) }

// AddBytes adds byte slices.
func (f *BloomFilter) AddBytes(keys [][]byte) { f.core.AddBytes(keys) }

// TestStrings tests strings. See [bitsieve.Bloom.TestStrings].
func (f *BloomFilter) TestStrings(keys []string, hits *bitsieve.BitSet) int {
	return f.core.TestStrings(keys, hits)
}

// TestBytes tests byte slices. See [bitsieve.Bloom.TestBytes].
func (f *BloomFilter) TestBytes(keys [][]byte, hits *bitsieve.BitSet) int {
	return f.core.TestBytes(keys, hits)
}

// Merge adds every key of g to f. It fails unless both have the same Cap and K.
func (f *BloomFilter) Merge(g *BloomFilter) error { return f.core.Union(&g.core) }

// Copy returns a copy that shares no memory with f.
func (f *BloomFilter) Copy() *BloomFilter { return &BloomFilter{*f.core.Clone()} }

// Equal reports whether f and g have the same Cap, K and bits.
func (f *BloomFilter) Equal(g *BloomFilter) bool { return f.core.Equal(&g.core) }

// ClearAll removes every key and returns f.
func (f *BloomFilter) ClearAll() *BloomFilter {
	f.core.Clear()
	return f
}

// ApproximatedSize returns an estimate of the number of keys, which takes a key's
// bits for distinct and ends at math.MaxUint32.
func (f *BloomFilter) ApproximatedSize() uint32 {
	x, m, k := float64(f.core.BitSet().Count()), float64(f.Cap()), float64(f.K())
	n := float64(-1 * m / k * math.Log(1-x/m)) // converted so as not to be fused with the sum
	n = math.Floor(n + 0.5)
	if !(n < math.MaxUint32) {
		return math.MaxUint32
	}
	return uint32(n)
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
func Locations(data []byte, k uint) []uint64 { return bitsieve.BloomLocations(data, toInt(k)) }
