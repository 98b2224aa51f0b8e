package v2

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/bitsieve/bitsieve"
)

const (
	MMin        = 2 // MMin is the smallest number of bits
	KMin        = 1 // KMin is the smallest number of keys
	Uint64Bytes = 8 // Uint64Bytes is the number of bytes in a uint64

	// maxK is the largest number of keys, as for bitsieve.Bloom. Each costs a cache line
	// for every hash that is looked up.
	maxK = 1 << 16
	// hugeFrom is the size in bytes from which bits lie in memory that the system was
	// asked to put on huge pages.
	hugeFrom = 2 << 20
)

// OptimalK returns the best number of keys, m/maxN ln 2 rounded up, for maxN hashes
// in m bits.
func OptimalK(m, maxN uint64) uint64 {
	return toUint64(math.Ceil(float64(m) * math.Ln2 / float64(maxN)))
}

// OptimalM returns the number of bits for maxN hashes at a false-positive rate of p,
// maxN ln(1/p) / ln²2 rounded up.
func OptimalM(maxN uint64, p float64) uint64 {
	return toUint64(math.Ceil(-float64(maxN) * math.Log(p) / (math.Ln2 * math.Ln2)))
}

// toUint64 converts x alike on every CPU: the nearest uint64, and 0 for NaN.
func toUint64(x float64) uint64 {
	switch {
	case x >= math.MaxUint64:
		return math.MaxUint64
	case x > 0:
		return uint64(x)
	}
	return 0
}

// New returns an empty filter of m bits, at least 2, with k random keys, 1 to 65536.
// The keys come from crypto/rand: whoever does not know them cannot choose hashes that
// collide more often than others. Another m or k, and an m beyond the address space,
// is an error that wraps bitsieve.ErrParameter; one that the machine's free memory
// cannot hold wraps bitsieve.ErrMemory.
func New(m, k uint64) (*Filter, error) {
	if err := checkSize(m, k); err != nil {
		return nil, err
	}
	random := make([]byte, k*Uint64Bytes)
	rand.Read(random) // never fails
	keys := make([]uint64, k)
	for i := range keys {
		keys[i] = binary.LittleEndian.Uint64(random[i*Uint64Bytes:])
	}
	return NewWithKeys(m, keys)
}

// NewOptimal returns an empty filter with random keys for maxN hashes at a
// false-positive rate of p, sized by OptimalM and OptimalK. Errors are those of New.
func NewOptimal(maxN uint64, p float64) (*Filter, error) {
	m := OptimalM(maxN, p)
	return New(m, OptimalK(m, maxN))
}

// NewCompatible returns an empty filter of f's size with f's keys.
func (f *Filter) NewCompatible() (*Filter, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return NewWithKeys(f.m, f.keys)
}

// NewWithKeys returns an empty filter of m bits with a copy of the given keys, which
// must be distinct. Errors are those of New.
func NewWithKeys(m uint64, origKeys []uint64) (*Filter, error) {
	if err := checkKeys(m, origKeys); err != nil {
		return nil, err
	}
	words, err := newWords(m)
	if err != nil {
		return nil, err
	}
	return newFilter(m, 0, slices.Clone(origKeys), words), nil
}

func newFilter(m, n uint64, keys, words []uint64) *Filter {
	return &Filter{m: m, n: n, keys: keys, bits: words, inv: reciprocal(m)}
}

func checkSize(m, k uint64) error {
	switch {
	case m < MMin:
		return fmt.Errorf("%w: m = %d bits, want at least %d", bitsieve.ErrParameter, m, MMin)
	case k < KMin || k > maxK:
		return fmt.Errorf("%w: k = %d keys, want %d to %d", bitsieve.ErrParameter, k, KMin, maxK)
	}
	return nil
}

func checkKeys(m uint64, keys []uint64) error {
	if err := checkSize(m, uint64(len(keys))); err != nil {
		return err
	}
	sorted := slices.Sorted(slices.Values(keys))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return fmt.Errorf("%w: key %#x occurs twice", bitsieve.ErrParameter, sorted[i])
		}
	}
	return nil
}

// wordsOf returns the number of words that m bits take.
func wordsOf(m uint64) uint64 { return m/64 + (m%64+63)/64 }

// newWords returns zeroed words for m bits, m > 0.
func newWords(m uint64) ([]uint64, error) {
	if m < 8*hugeFrom {
		return make([]uint64, wordsOf(m)), nil
	}
	f, err := bitsieve.NewBloomWithSize(m, 1)
	if err != nil {
		return nil, err
	}
	return f.BitSet().Words(), nil
}

// cloneWords returns a copy of words, which hold m bits.
func cloneWords(m uint64, words []uint64) ([]uint64, error) {
	if m < 8*hugeFrom {
		return slices.Clone(words), nil
	}
	dst, err := newWords(m)
	if err != nil {
		return nil, err
	}
	copy(dst, words)
	return dst, nil
}
