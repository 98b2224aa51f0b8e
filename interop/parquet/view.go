package parquet

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/sbbf"
	"github.com/bitsieve/bitsieve/interop/internal/results"
)

// A View tests values on the bytes of a filter as they lie: it is a slice of them,
// whatever their alignment and the machine's byte order. Making one, and testing,
// neither copies nor allocates.
//
// Any number of goroutines may use a View while nobody writes to the bytes. The zero
// value contains nothing.
type View struct {
	bits sbbf.Bits // of a multiple of BlockBytes
}

// NewView returns a view of a filter as a file has it: data is a header and all of
// its bitset, and nothing else. Of the header everything is checked; the bitset may
// have any content.
//
// Bytes that are no such filter give a *bitsieve.FormatError.
func NewView(data []byte) (View, error) {
	numBytes, headerLen, err := DecodeHeader(data)
	if err != nil {
		return View{}, err
	}
	bitset := data[headerLen:len(data):len(data)]
	if err := checkClaim(numBytes, int64(len(bitset)), int64(headerLen)); err != nil {
		return View{}, err
	}
	return View{sbbf.Of(bitset)}, nil
}

// ViewBitset returns a view of a bitset without a header. Its length is a multiple of
// BlockBytes, from there to MaxBytes; another one gives a *bitsieve.FormatError.
func ViewBitset(bitset []byte) (View, error) {
	if err := checkBytes(len(bitset)); err != nil {
		return View{}, format.Errorf(bitsieve.ErrHeader, "bitset", int64(len(bitset)),
			"is %d bytes, want a multiple of %d, at most %d", len(bitset), BlockBytes, MaxBytes)
	}
	return View{sbbf.Of(bitset)}, nil
}

// Bitset returns the bytes that the view tests on, without the header.
func (v View) Bitset() []byte { return v.bits.Bytes }

// SizeBytes returns the size of the bitset in bytes.
func (v View) SizeBytes() uint64 { return uint64(len(v.bits.Bytes)) }

// Blocks returns the number of blocks of BlockBytes.
func (v View) Blocks() uint64 { return v.SizeBytes() / BlockBytes }

// K returns the number of bits that a value sets: 8.
func (v View) K() int { return bitsPerKey }

// Test reports whether a BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY may have been added:
// false is certain.
func (v View) Test(value []byte) bool {
	if sbbf.BytesKernels {
		return v.bits.TestBytes(value)
	}
	if len(value) > pieceBytes {
		return v.TestHash(hashLong(value))
	}
	// Not HashBytes and TestHash: neither is inlined.
	return v.bits.Test(xxhash.Sum64(value))
}

// TestString is Test for the bytes of s.
func (v View) TestString(s string) bool {
	if sbbf.BytesKernels {
		return v.bits.TestString(s)
	}
	if len(s) > pieceBytes {
		return v.TestHash(HashString(s))
	}
	return v.bits.Test(xxhash.Sum64String(s))
}

// TestBoolean is Test for a BOOLEAN.
func (v View) TestBoolean(x bool) bool { return v.bits.Test(HashBoolean(x)) }

// TestInt32 is Test for an INT32.
func (v View) TestInt32(x int32) bool { return v.bits.TestUint32(uint32(x)) }

// TestInt64 is Test for an INT64.
func (v View) TestInt64(x int64) bool { return v.bits.TestUint64(uint64(x)) }

// TestInt96 is Test for an INT96 by its bytes as a file has them.
func (v View) TestInt96(x [12]byte) bool { return v.bits.Test(HashInt96(x)) }

// TestFloat is Test for a FLOAT.
func (v View) TestFloat(x float32) bool { return v.bits.TestUint32(*(*uint32)(unsafe.Pointer(&x))) }

// TestDouble is Test for a DOUBLE.
func (v View) TestDouble(x float64) bool { return v.bits.TestUint64(*(*uint64)(unsafe.Pointer(&x))) }

// TestHash is Test for a value by its hash, as HashBytes and the like return it.
func (v View) TestHash(h uint64) bool { return v.bits.Test(h) }

// TestHashes tests values by their hashes and returns how many may be present. Bit i
// of hits says whether the one with hashes[i] may be: hits is resized to len(hashes)
// bits and overwritten. It may be nil if only the number is wanted.
func (v View) TestHashes(hashes []uint64, hits *bitsieve.BitSet) int {
	return sbbf.TestHashes(v.bits.Bytes, hashes, results.Words(hits, len(hashes)))
}

// TestInt32s is TestHashes for values of type INT32.
func (v View) TestInt32s(values []int32, hits *bitsieve.BitSet) int {
	return sbbf.TestUint32s(v.bits.Bytes, as[uint32](values), results.Words(hits, len(values)))
}

// TestInt64s is TestHashes for values of type INT64.
func (v View) TestInt64s(values []int64, hits *bitsieve.BitSet) int {
	return sbbf.TestUint64s(v.bits.Bytes, as[uint64](values), results.Words(hits, len(values)))
}

// TestFloats is TestHashes for values of type FLOAT.
func (v View) TestFloats(values []float32, hits *bitsieve.BitSet) int {
	return sbbf.TestUint32s(v.bits.Bytes, as[uint32](values), results.Words(hits, len(values)))
}

// TestDoubles is TestHashes for values of type DOUBLE.
func (v View) TestDoubles(values []float64, hits *bitsieve.BitSet) int {
	return sbbf.TestUint64s(v.bits.Bytes, as[uint64](values), results.Words(hits, len(values)))
}

// TestBytes is TestHashes for values of type BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY.
func (v View) TestBytes(values [][]byte, hits *bitsieve.BitSet) int {
	return testKeys(v.bits.Bytes, values, hits, false)
}

// TestStrings is TestHashes for the bytes of strings.
func (v View) TestStrings(values []string, hits *bitsieve.BitSet) int {
	return testKeys(v.bits.Bytes, values, hits, false)
}

// TestFixed is TestHashes for values of a fixed length, one after the other as a
// page has them: of type FIXED_LEN_BYTE_ARRAY or INT96. It panics unless length is
// positive and divides len(values).
func (v View) TestFixed(values []byte, length int, hits *bitsieve.BitSet) int {
	return testFixed(v.bits.Bytes, values, length, hits, false)
}
