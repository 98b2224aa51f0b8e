package leveldb

import (
	"fmt"
	"io"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// A Filter is a filter of LevelDB's format that keys are added to, in memory of its own. The methods that
// test are View's.
//
// LevelDB makes a filter when it knows all of its keys. A Filter is made for their number beforehand: when
// so many keys have been added, equal ones included, it is the filter that LevelDB makes of them.
//
// Any number of goroutines may test at the same time while none adds. No method that adds or tests
// allocates memory, but for growing a result's BitSet. A Filter must not be copied. The zero value contains
// nothing and is there to be decoded into; adding to it panics.
type Filter struct {
	View
	data []byte // the bits, which are View's, and k
}

// New returns an empty filter for n keys with the given number of bits per key. Both are at least
// 0, and their product, rounded up to a multiple of 8, is below 2^32: others are an error that wraps
// bitsieve.ErrParameter. Sizes that the machine's free memory cannot hold wrap bitsieve.ErrMemory.
func New(n, bitsPerKey int) (*Filter, error) {
	if n < 0 || bitsPerKey < 0 || bitsPerKey > 0 && uint64(n) > (8*maxBytes-8)/uint64(bitsPerKey) {
		return nil, fmt.Errorf("%w: %d keys of %d bits", bitsieve.ErrParameter, n, bitsPerKey)
	}
	size := bytesFor(n, bitsPerKey)
	if err := memory.Check(uint64(size) + 1); err != nil {
		return nil, err
	}
	data := make([]byte, size+1)
	data[size] = kFor(bitsPerKey)
	return &Filter{View{data[:size:size], data[size]}, data}, nil
}

// Add adds a key.
func (f *Filter) Add(key []byte) { f.add(hashKey(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Filter) AddString(s string) { f.add(hashKey(hash.KeyBytes(s))) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Filter) AddBytes(keys [][]byte) {
	f.mustExist()
	addKeys(f.bits, f.k, keys)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Filter) AddStrings(keys []string) {
	f.mustExist()
	addKeys(f.bits, f.k, keys)
}

func (f *Filter) add(h uint32) {
	f.mustExist()
	set(f.bits, f.k, []uint32{h})
}

// addKeys sets the bits of keys in data.
func addKeys[K string | []byte](data []byte, k uint8, keys []K) {
	var chunk [chunkKeys]uint32
	for len(keys) > 0 {
		hashes := chunk[:min(chunkKeys, len(keys))]
		hashBatch(hashes, keys)
		set(data, k, hashes)
		keys = keys[len(hashes):]
	}
}

func (f *Filter) mustExist() {
	if len(f.bits) == 0 {
		panic("leveldb: Add to a filter that was never made")
	}
}

// Clear removes every key.
func (f *Filter) Clear() { clear(f.bits) }

// Data returns the filter's bytes, without copying them.
func (f *Filter) Data() []byte { return f.data }

// WriteTo writes the filter's bytes and returns their number. A value that was never made has none, and
// is an error. Nobody may add to the filter at the same time.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	if len(f.data) == 0 {
		return 0, format.ErrEmpty
	}
	n, err := w.Write(f.data)
	return int64(n), err
}

// AppendBinary appends the filter's bytes to b. It implements encoding.BinaryAppender.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	if len(f.data) == 0 {
		return b, format.ErrEmpty
	}
	return append(b, f.data...), nil
}

// MarshalBinary returns a copy of the filter's bytes. It implements encoding.BinaryMarshaler.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary makes f the filter that data is, of which it takes a copy. Errors are NewView's, and leave
// f as it was. It implements encoding.BinaryUnmarshaler.
func (f *Filter) UnmarshalBinary(data []byte) error {
	if _, err := NewView(data); err != nil {
		return err
	}
	return f.adopt(append([]byte(nil), data...))
}

// adopt makes f the filter that data is.
func (f *Filter) adopt(data []byte) error {
	v, err := NewView(data)
	if err != nil {
		return err
	}
	f.View, f.data = v, data
	return nil
}

// ReadFrom makes f the filter that r gives up to its end, as the format does not say how long it is. The
// memory it takes grows with what arrives. Errors are r's and NewView's, and leave f as it was.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return int64(len(data)), err
	}
	return int64(len(data)), f.adopt(data)
}
