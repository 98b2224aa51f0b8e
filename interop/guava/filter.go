package guava

import (
	"bytes"
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A Filter is a Bloom filter with the bits of Guava's BloomFilter, in memory of its own.
// It never forgets a key that was added, by the method of one funnel, and takes a key that
// was not for present with a probability, the false-positive rate, that its size sets.
//
// Any number of goroutines may test at the same time while none adds. Adding needs
// exclusive access. No method that adds or tests allocates memory, but for growing a
// result's BitSet.
//
// A Filter must not be copied. The zero value contains nothing and is there to be decoded
// into; adding to it panics.
type Filter struct {
	probes
	words []uint64 // the memory of probes.data
}

// New returns an empty filter of the size that Guava's BloomFilter.create chooses for n
// keys at a false-positive rate of p. See Parameters for limits and errors; a size that the
// machine's free memory cannot hold is an error that wraps bitsieve.ErrMemory.
func New(n uint64, p float64, opts ...Option) (*Filter, error) {
	words, k, err := Parameters(n, p, opts...)
	if err != nil {
		return nil, err
	}
	return NewWithSize(words, k, opts...)
}

// NewWithSize returns an empty filter of the given number of words of 64 bits, 1 to
// 2^31 − 1, of which every key sets k bits, 1 to 255. Parameters out of range, and a
// strategy that does not exist, are errors that wrap bitsieve.ErrParameter; sizes that the
// address space or the machine's free memory cannot hold wrap bitsieve.ErrMemory.
func NewWithSize(words uint64, k int, opts ...Option) (*Filter, error) {
	s := apply(opts).strategy
	if words < 1 || words > maxWords || k < 1 || k > maxK {
		return nil, fmt.Errorf("%w: %d words, k = %d, want 1 to %d and 1 to %d", bitsieve.ErrParameter, words, k, maxWords, maxK)
	}
	if s > MITZ64 {
		return nil, fmt.Errorf("%w: unknown strategy %d", bitsieve.ErrParameter, s)
	}
	if err := memory.Check(8 * words); err != nil {
		return nil, err
	}
	f := new(Filter)
	f.adopt(memory.Words(words, true), k, s)
	return f, nil
}

// adopt makes f a filter over words, whose bytes are as the format has them.
func (f *Filter) adopt(words []uint64, k int, s Strategy) {
	f.words, f.probes = words, newProbes(memory.Bytes(words), k, s)
}

// Add adds a key.
func (f *Filter) Add(key []byte) { f.add(sumBytes(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Filter) AddString(s string) { f.add(sumString(s)) }

// AddUnencodedChars adds the UTF-16 code units of s. See the package's Funnels.
func (f *Filter) AddUnencodedChars(s string) { f.add(sumChars(s)) }

// AddUTF16 is AddUnencodedChars for the code units themselves.
func (f *Filter) AddUTF16(units []uint16) { f.add(sumUnits(units)) }

// AddInt32 adds an integer: its four little-endian bytes.
func (f *Filter) AddInt32(x int32) { f.add(sumInt(uint64(uint32(x)), 4)) }

// AddInt64 adds an integer: its eight little-endian bytes.
func (f *Filter) AddInt64(x int64) { f.add(sumInt(uint64(x), 8)) }

// TestAndAdd adds key and reports whether it may have been there before. Guava's put
// returns the opposite: whether a bit changed.
func (f *Filter) TestAndAdd(key []byte) bool { return f.testAndAdd(sumBytes(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Filter) TestAndAddString(s string) bool { return f.testAndAdd(sumString(s)) }

// TestAndAddUnencodedChars adds s and reports whether it may have been there before.
func (f *Filter) TestAndAddUnencodedChars(s string) bool { return f.testAndAdd(sumChars(s)) }

// TestAndAddUTF16 adds code units and reports whether they may have been there before.
func (f *Filter) TestAndAddUTF16(units []uint16) bool { return f.testAndAdd(sumUnits(units)) }

// TestAndAddInt32 adds x and reports whether it may have been there before.
func (f *Filter) TestAndAddInt32(x int32) bool { return f.testAndAdd(sumInt(uint64(uint32(x)), 4)) }

// TestAndAddInt64 adds x and reports whether it may have been there before.
func (f *Filter) TestAndAddInt64(x int64) bool { return f.testAndAdd(sumInt(uint64(x), 8)) }

// mustExist panics if the filter has no bits.
func (f *Filter) mustExist() {
	if len(f.data) == 0 {
		panic("guava: Add to a filter that was never made")
	}
}

// add sets the k bits of a hash.
func (f *Filter) add(h sum) {
	f.mustExist()
	data := f.data
	h = f.terms(h)
	for i := range uint64(f.k) {
		bit := f.locate(h, i)
		data[bit/8^7] |= 1 << (bit % 8)
	}
}

// testAndAdd sets the k bits of a hash and reports whether they were set.
func (f *Filter) testAndAdd(h sum) bool {
	f.mustExist()
	data, hit := f.data, uint64(1)
	h = f.terms(h)
	for i := range uint64(f.k) {
		bit := f.locate(h, i)
		hit &= bitAt(data, bit)
		data[bit/8^7] |= 1 << (bit % 8)
	}
	return hit != 0
}

// Union adds every key of g to f, as Guava's putAll does. It fails with an error that
// wraps bitsieve.ErrMismatch, and leaves f as it was, unless both have the same Bits, K and
// Strategy. Nobody knows whether both have keys of the same funnel: that is up to the
// caller.
func (f *Filter) Union(g *Filter) error {
	if err := f.match(g); err != nil {
		return err
	}
	race.Write(f.data)
	race.Read(g.data)
	bitsieve.Or(f.words, f.words, g.words)
	return nil
}

// match returns an error unless the bits of f and g mean the same.
func (f *Filter) match(g *Filter) error {
	if f.Bits() != g.Bits() || f.k != g.k || f.strategy != g.strategy {
		return fmt.Errorf("%w: %d bits, k = %d, %v and %d bits, k = %d, %v",
			bitsieve.ErrMismatch, f.Bits(), f.k, f.strategy, g.Bits(), g.k, g.strategy)
	}
	return nil
}

// Equal reports whether f and g have the same Bits, K, Strategy and bits set.
func (f *Filter) Equal(g *Filter) bool {
	if f.match(g) != nil {
		return false
	}
	for a, b := f.data, g.data; len(a) > 0; {
		n := min(pieceBytes, len(a))
		if !bytes.Equal(a[:n], b[:n]) {
			return false
		}
		a, b = a[n:], b[n:]
	}
	return true
}

// Clone returns a copy with memory of its own.
func (f *Filter) Clone() *Filter {
	c := new(Filter)
	if len(f.words) > 0 {
		words := memory.Words(uint64(len(f.words)), true)
		memory.Copy(words, f.words)
		c.adopt(words, f.k, f.strategy)
	}
	return c
}

// Clear removes every key.
func (f *Filter) Clear() { memory.Clear(f.words) }

// View returns a view of the filter's bits, not a copy: it sees the keys that are added
// later.
func (f *Filter) View() View { return View{f.probes} }
