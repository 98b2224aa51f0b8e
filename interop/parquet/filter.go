package parquet

import (
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

// Filter is a split-block Bloom filter in memory of its own, in the very bytes that a
// file has. It never forgets a value that was added, and takes one that was not for
// present with a probability, the false-positive rate, that its size sets.
//
// Any number of goroutines may test at the same time while none adds. Adding needs
// exclusive access. No method that adds or tests allocates memory, but for growing a
// result's BitSet.
//
// A Filter must not be copied. The zero value contains nothing and is there to be
// decoded into; adding to it panics.
type Filter struct {
	bits sbbf.Bits // of a multiple of BlockBytes
}

// New returns an empty filter whose false-positive rate is at most p once n distinct
// values have been added: of NumBytesFor(n, p) bytes. Parameters out of range are
// errors that wrap bitsieve.ErrParameter; sizes that the machine's free memory cannot
// hold wrap bitsieve.ErrMemory.
func New(n uint64, p float64) (*Filter, error) {
	numBytes, err := NumBytesFor(n, p)
	if err != nil {
		return nil, err
	}
	return NewWithSize(numBytes)
}

// NewWithSize returns an empty filter with a bitset of the given number of bytes, a
// multiple of BlockBytes from there to MaxBytes. Errors are those of New.
func NewWithSize(numBytes int) (*Filter, error) {
	if err := checkBytes(numBytes); err != nil {
		return nil, err
	}
	bitset, err := allocate(numBytes)
	if err != nil {
		return nil, err
	}
	return &Filter{sbbf.Of(bitset)}, nil
}

// allocate returns zeroed bytes, the first on a cache line's boundary: a block never
// lies in two lines.
func allocate(numBytes int) ([]byte, error) {
	if err := memory.Check(uint64(numBytes)); err != nil {
		return nil, err
	}
	return memory.Bytes(memory.Words(uint64(numBytes)/8, true)), nil
}

// View returns a view of the filter's bits, which it shares: what is added to the
// filter later, the view sees too, until the filter is decoded into or folded.
func (f *Filter) View() View { return View{f.bits} }

// Bitset returns the filter's bytes as a file has them behind the header, without
// copying them.
func (f *Filter) Bitset() []byte { return f.bits.Bytes }

// SizeBytes returns the size of the bitset in bytes.
func (f *Filter) SizeBytes() uint64 { return uint64(len(f.bits.Bytes)) }

// Blocks returns the number of blocks of BlockBytes.
func (f *Filter) Blocks() uint64 { return f.SizeBytes() / BlockBytes }

// K returns the number of bits that a value sets: 8.
func (f *Filter) K() int { return bitsPerKey }

// Add adds a BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY.
func (f *Filter) Add(value []byte) {
	if sbbf.BytesKernels {
		f.bits.AddBytes(value)
		return
	}
	if len(value) > pieceBytes {
		f.AddHash(hashLong(value))
		return
	}
	f.AddHash(xxhash.Sum64(value)) // not HashBytes, which is not inlined
}

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Filter) AddString(s string) {
	if sbbf.BytesKernels {
		f.bits.AddString(s)
		return
	}
	if len(s) > pieceBytes {
		f.AddHash(HashString(s))
		return
	}
	f.AddHash(xxhash.Sum64String(s))
}

// AddBoolean adds a BOOLEAN.
func (f *Filter) AddBoolean(x bool) { f.AddHash(HashBoolean(x)) }

// AddInt32 adds an INT32.
func (f *Filter) AddInt32(x int32) { f.bits.AddUint32(uint32(x)) }

// AddInt64 adds an INT64.
func (f *Filter) AddInt64(x int64) { f.bits.AddUint64(uint64(x)) }

// AddInt96 adds an INT96 by its bytes as a file has them.
func (f *Filter) AddInt96(x [12]byte) { f.AddHash(HashInt96(x)) }

// AddFloat adds a FLOAT.
func (f *Filter) AddFloat(x float32) { f.bits.AddUint32(math.Float32bits(x)) }

// AddDouble adds a DOUBLE.
func (f *Filter) AddDouble(x float64) { f.bits.AddUint64(math.Float64bits(x)) }

// AddHash adds a value by its hash, as HashBytes and the like return it.
func (f *Filter) AddHash(h uint64) { f.bits.Add(h) }

// AddHashes adds values by their hashes. It is faster than one by one, as are the
// other batches.
func (f *Filter) AddHashes(hashes []uint64) {
	f.mustHaveBits()
	sbbf.AddHashes(f.bits.Bytes, hashes)
}

// AddInt32s adds values of type INT32.
func (f *Filter) AddInt32s(values []int32) {
	f.mustHaveBits()
	sbbf.AddUint32s(f.bits.Bytes, as[uint32](values))
}

// AddInt64s adds values of type INT64.
func (f *Filter) AddInt64s(values []int64) {
	f.mustHaveBits()
	sbbf.AddUint64s(f.bits.Bytes, as[uint64](values))
}

// AddFloats adds values of type FLOAT.
func (f *Filter) AddFloats(values []float32) {
	f.mustHaveBits()
	sbbf.AddUint32s(f.bits.Bytes, as[uint32](values))
}

// AddDoubles adds values of type DOUBLE.
func (f *Filter) AddDoubles(values []float64) {
	f.mustHaveBits()
	sbbf.AddUint64s(f.bits.Bytes, as[uint64](values))
}

// AddBytes adds values of type BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY.
func (f *Filter) AddBytes(values [][]byte) {
	f.mustHaveBits()
	addKeys(f.bits.Bytes, values)
}

// AddStrings adds the bytes of strings.
func (f *Filter) AddStrings(values []string) {
	f.mustHaveBits()
	addKeys(f.bits.Bytes, values)
}

// AddFixed adds values of a fixed length, one after the other as a page has them: of
// type FIXED_LEN_BYTE_ARRAY or INT96. It panics unless length is positive and divides
// len(values).
func (f *Filter) AddFixed(values []byte, length int) {
	f.mustHaveBits()
	addFixed(f.bits.Bytes, values, length)
}

// mustHaveBits keeps a filter without blocks from the kernels, which trust the caller.
func (f *Filter) mustHaveBits() {
	if len(f.bits.Bytes) == 0 {
		panic("parquet: adding to the zero Filter")
	}
}

// Clear removes every value.
func (f *Filter) Clear() { memory.ClearOf(f.bits.Bytes) }

// Clone returns a copy with memory of its own.
func (f *Filter) Clone() *Filter {
	if len(f.bits.Bytes) == 0 {
		return new(Filter)
	}
	c := memory.Bytes(memory.Words(uint64(len(f.bits.Bytes))/8, true))
	memory.CopyOf(c, f.bits.Bytes)
	return &Filter{sbbf.Of(c)}
}

// Union adds every value of g to f: afterwards f is the filter that adding both sets
// of values to it would have made. Unless both have the same size, it fails with an
// error that wraps bitsieve.ErrMismatch, and leaves f as it was.
func (f *Filter) Union(g *Filter) error {
	if len(f.bits.Bytes) != len(g.bits.Bytes) {
		return fmt.Errorf("%w: %d and %d bytes", bitsieve.ErrMismatch, len(f.bits.Bytes), len(g.bits.Bytes))
	}
	orInto(f.bits.Bytes, g.bits.Bytes)
	return nil
}

// Equal reports whether f and g have the same size and the same bits set.
func (f *Filter) Equal(g *Filter) bool { return string(f.bits.Bytes) == string(g.bits.Bytes) }
