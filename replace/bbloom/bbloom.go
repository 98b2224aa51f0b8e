package bbloom

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/bitsieve/bitsieve"
)

var (
	// ErrUsage is what New returns for another number of parameters than two.
	ErrUsage = errors.New("bbloom: New takes the number of entries and a false-positive rate below 1, or the number of bits and of hash locations")
	// ErrInvalidParms is wrapped when a parameter is out of range.
	ErrInvalidParms = errors.New("bbloom: a parameter is out of range")
)

// A Bloom is a Bloom filter of byte strings. Methods whose name ends in TS lock Mtx; any
// number of goroutines may use them at the same time. The others do not, and adding
// by them needs exclusive access, or Mtx. A Bloom must not be copied.
type Bloom struct {
	// Mtx is what the methods with TS lock: who holds it may use the others.
	Mtx sync.RWMutex

	bitset  []uint64
	sizeExp uint64 // log2 of the number of bits
	size    uint64 // the number of bits less one, a mask
	setLocs uint64 // how many bits a key sets
	shift   uint64 // 64 − sizeExp
	content uint64 // how many keys were added

	k0, k1      uint64 // the keys of SipHash
	hashVersion uint8  // 0: v0.0.4's, 1: l is odd
}

const (
	minBits = 512
	// maxLocs is the largest number of bits that a key sets, as for bitsieve.Bloom.
	maxLocs = 1 << 16
	// hugeFrom is the size in words from which bits lie in memory that the system was
	// asked to put on huge pages.
	hugeFrom = 2 << 20 / 8
)

// New returns an empty filter. It takes two parameters: the number of keys and a
// false-positive rate, if that is less than 1; else the number of bits and how many of
// them a key sets, 1 to 65536. The number of bits is rounded up to a power of two,
// 512 at least. Others than two are ErrUsage, values out of range wrap ErrInvalidParms.
func New(params ...float64) (*Bloom, error) {
	return NewWithKeys(defaultK0, defaultK1, params...)
}

// NewWithKeys is New with keys for SipHash, which make a secret of what collides. The
// JSON form of the filter has them in clear.
func NewWithKeys(k0, k1 uint64, params ...float64) (*Bloom, error) {
	if len(params) != 2 {
		return nil, ErrUsage
	}
	size, locs := params[0], params[1]
	if size < 0 || locs < 0 {
		return nil, ErrInvalidParms
	}
	if locs < 1 {
		size, locs = sizeForRate(max(size, 1), locs)
	}
	if !(size <= math.MaxInt && locs < maxLocs+1) {
		return nil, fmt.Errorf("%w: %.0f bits, %.0f locations", ErrInvalidParms, size, locs)
	}
	return newBloom(uint64(size), uint64(locs), k0, k1)
}

// sizeForRate returns the number of bits, and of those that a key sets, for n keys at
// a false-positive rate of p. The digits of ln 2 are the peer's.
func sizeForRate(n, p float64) (size, locs float64) {
	const ln2 = 0.69314718056
	size = -1 * n * math.Log(p) / math.Pow(ln2, 2)
	return math.Floor(size), math.Ceil(ln2 * size / n)
}

// newBloom returns an empty filter of at least size bits.
func newBloom(size, locs, k0, k1 uint64) (*Bloom, error) {
	exp := uint64(bits.Len64(max(size, minBits) - 1))
	words := uint64(1) << exp / 64
	bl := &Bloom{
		sizeExp: exp, size: 1<<exp - 1, setLocs: locs, shift: 64 - exp,
		k0: k0, k1: k1, hashVersion: 1,
	}
	if words < hugeFrom {
		bl.bitset = make([]uint64, words)
		return bl, nil
	}
	f, err := bitsieve.NewBloomWithSize(1<<exp, 1)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidParms, err)
	}
	bl.bitset = f.BitSet().Words()
	return bl, nil
}

// NewWithBoolset returns a filter of the bits bs, which it copies: 64-bit words, each in
// big-endian order, as JSON's FilterSet. A key sets locs of them. It panics if bs is not
// 2^n bytes long, 64 at least, and if locs is not between 1 and 65536.
func NewWithBoolset(bs []byte, locs uint64) *Bloom {
	return NewWithBoolsetAndKeys(bs, locs, defaultK0, defaultK1)
}

// NewWithBoolsetAndKeys is NewWithBoolset with keys for SipHash.
func NewWithBoolsetAndKeys(bs []byte, locs, k0, k1 uint64) *Bloom {
	bl, err := fromBoolset(bs, locs, k0, k1)
	if err != nil {
		panic(err)
	}
	return bl
}

func fromBoolset(bs []byte, locs, k0, k1 uint64) (*Bloom, error) {
	if len(bs) < minBits/8 || len(bs)&(len(bs)-1) != 0 {
		return nil, headerError("FilterSet", "is %d bytes long, want a power of two of at least %d", len(bs), minBits/8)
	}
	if locs < 1 || locs > maxLocs {
		return nil, headerError("SetLocs", "is %d, want 1 to %d", locs, maxLocs)
	}
	bl, err := newBloom(8*uint64(len(bs)), locs, k0, k1)
	if err != nil {
		return nil, err
	}
	for i := range bl.bitset {
		bl.bitset[i] = binary.BigEndian.Uint64(bs[8*i:])
	}
	return bl, nil
}

// ElementsAdded returns how many keys were added: by Add every one, by AddIfNotHas
// those that were not there. A filter from JSON starts at 0.
func (bl *Bloom) ElementsAdded() uint64 { return bl.content }

// Clear removes every key.
func (bl *Bloom) Clear() {
	clear(bl.bitset)
	bl.content = 0
}

// ClearTS is Clear under the lock.
func (bl *Bloom) ClearTS() {
	bl.Mtx.Lock()
	bl.Clear()
	bl.Mtx.Unlock()
}

// FillRatio returns the fraction of bits that are set.
func (bl *Bloom) FillRatio() float64 {
	return float64(bitsieve.Count(bl.bitset)) / float64(bl.size+1)
}

// FillRatioTS is FillRatio under the lock.
func (bl *Bloom) FillRatioTS() float64 {
	bl.Mtx.RLock()
	defer bl.Mtx.RUnlock()
	return bl.FillRatio()
}
