package v2

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/bitsieve/bitsieve"
)

var errIncompatible = errors.New("incompatible bloom filters")

// Copy returns a copy of f that shares no memory with it.
func (f *Filter) Copy() (*Filter, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	if err := checkKeys(f.m, f.keys); err != nil {
		return nil, err
	}
	words, err := cloneWords(f.m, f.bits)
	if err != nil {
		return nil, err
	}
	return newFilter(f.m, f.n, slices.Clone(f.keys), words), nil
}

// IsCompatible reports whether f and f2 have the same size and keys, so that they can
// be united.
func (f *Filter) IsCompatible(f2 *Filter) bool {
	f.lockWith(f2, false)
	defer f.unlockWith(f2, false)
	return f.compatible(f2)
}

func (f *Filter) compatible(f2 *Filter) bool {
	return f.m == f2.m && slices.Equal(f.keys, f2.keys)
}

// UnionInPlace adds every hash of f2 to f. It fails if they are not compatible.
func (f *Filter) UnionInPlace(f2 *Filter) error {
	f.lockWith(f2, true)
	defer f.unlockWith(f2, true)
	if !f.compatible(f2) {
		return errIncompatible
	}
	bitsieve.Or(f.bits, f.bits, f2.bits)
	f.n += f2.n
	return nil
}

// Union returns a new filter of the hashes of f and those of f2. It fails if they are
// not compatible.
func (f *Filter) Union(f2 *Filter) (*Filter, error) {
	f.lockWith(f2, false)
	defer f.unlockWith(f2, false)
	if !f.compatible(f2) {
		return nil, errIncompatible
	}
	out, err := NewWithKeys(f.m, f.keys)
	if err != nil {
		return nil, err
	}
	bitsieve.Or(out.bits, f.bits, f2.bits)
	out.n = f.n + f2.n
	return out, nil
}

// lockWith locks f, for writing if write is set, and f2 for reading. The lower address
// goes first, so that calls with the filters exchanged never wait for each other.
// Goroutines that share a filter share its place: it is in the heap, and does not move.
func (f *Filter) lockWith(f2 *Filter, write bool) {
	f2First := uintptr(unsafe.Pointer(f2)) < uintptr(unsafe.Pointer(f))
	if f2First {
		f2.lock.RLock()
	}
	if write {
		f.lock.Lock()
	} else {
		f.lock.RLock()
	}
	if !f2First && f != f2 {
		f2.lock.RLock()
	}
}

// unlockWith undoes lockWith.
func (f *Filter) unlockWith(f2 *Filter, write bool) {
	if f != f2 {
		f2.lock.RUnlock()
	}
	if write {
		f.lock.Unlock()
	} else {
		f.lock.RUnlock()
	}
}

// CountBitsUint64s returns the number of bits that are set in b.
func CountBitsUint64s(b []uint64) int { return bitsieve.Count(b) }

// PreciseFilledRatio returns the fraction of bits that are set, by counting them.
func (f *Filter) PreciseFilledRatio() float64 {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return float64(bitsieve.Count(f.bits)) / float64(f.m)
}

// FalsePosititveProbability returns a bound of the false-positive rate from the number
// of hashes added, which it takes for distinct: (1 − exp(−k (n + 0.5) / (m − 1)))^k.
func (f *Filter) FalsePosititveProbability() float64 {
	k, n, m := float64(f.K()), float64(f.N()), float64(f.M())
	return math.Pow(1.0-math.Exp((-k)*(n+0.5)/(m-1)), k)
}
