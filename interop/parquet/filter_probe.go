package parquet

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

// What a Filter tests, its View tests. Single values do without the View, which would be
// copied for each. They have to be inlined down to the call of assembly (TestInlining),
// which math.Float64bits would spoil.

// Test reports whether a BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY may have been added:
// false is certain.
func (f *Filter) Test(value []byte) bool {
	if sbbf.BytesKernels {
		return f.bits.TestBytes(value)
	}
	if len(value) > pieceBytes {
		return f.TestHash(hashLong(value))
	}
	return f.bits.Test(xxhash.Sum64(value)) // not HashBytes, which is not inlined
}

// TestString is Test for the bytes of s.
func (f *Filter) TestString(s string) bool {
	if sbbf.BytesKernels {
		return f.bits.TestString(s)
	}
	if len(s) > pieceBytes {
		return f.TestHash(HashString(s))
	}
	return f.bits.Test(xxhash.Sum64String(s))
}

// TestBoolean is Test for a BOOLEAN.
func (f *Filter) TestBoolean(x bool) bool { return f.bits.Test(HashBoolean(x)) }

// TestInt32 is Test for an INT32.
func (f *Filter) TestInt32(x int32) bool { return f.bits.TestUint32(uint32(x)) }

// TestInt64 is Test for an INT64.
func (f *Filter) TestInt64(x int64) bool { return f.bits.TestUint64(uint64(x)) }

// TestInt96 is Test for an INT96 by its bytes as a file has them.
func (f *Filter) TestInt96(x [12]byte) bool { return f.bits.Test(HashInt96(x)) }

// TestFloat is Test for a FLOAT.
func (f *Filter) TestFloat(x float32) bool { return f.bits.TestUint32(*(*uint32)(unsafe.Pointer(&x))) }

// TestDouble is Test for a DOUBLE.
func (f *Filter) TestDouble(x float64) bool { return f.bits.TestUint64(*(*uint64)(unsafe.Pointer(&x))) }

// TestHash is Test for a value by its hash, as HashBytes and the like return it.
func (f *Filter) TestHash(h uint64) bool { return f.bits.Test(h) }

// TestHashes tests values by their hashes and returns how many may be present. Bit i
// of hits says whether the one with hashes[i] may be: hits is resized to len(hashes)
// bits and overwritten. It may be nil if only the number is wanted.
func (f *Filter) TestHashes(hashes []uint64, hits *bitsieve.BitSet) int {
	return f.View().TestHashes(hashes, hits)
}

// TestInt32s is TestHashes for values of type INT32.
func (f *Filter) TestInt32s(values []int32, hits *bitsieve.BitSet) int {
	return f.View().TestInt32s(values, hits)
}

// TestInt64s is TestHashes for values of type INT64.
func (f *Filter) TestInt64s(values []int64, hits *bitsieve.BitSet) int {
	return f.View().TestInt64s(values, hits)
}

// TestFloats is TestHashes for values of type FLOAT.
func (f *Filter) TestFloats(values []float32, hits *bitsieve.BitSet) int {
	return f.View().TestFloats(values, hits)
}

// TestDoubles is TestHashes for values of type DOUBLE.
func (f *Filter) TestDoubles(values []float64, hits *bitsieve.BitSet) int {
	return f.View().TestDoubles(values, hits)
}

// TestBytes is TestHashes for values of type BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY.
func (f *Filter) TestBytes(values [][]byte, hits *bitsieve.BitSet) int {
	return f.View().TestBytes(values, hits)
}

// TestStrings is TestHashes for the bytes of strings.
func (f *Filter) TestStrings(values []string, hits *bitsieve.BitSet) int {
	return f.View().TestStrings(values, hits)
}

// TestFixed is TestHashes for values of a fixed length, one after the other as a
// page has them: of type FIXED_LEN_BYTE_ARRAY or INT96. It panics unless length is
// positive and divides len(values).
func (f *Filter) TestFixed(values []byte, length int, hits *bitsieve.BitSet) int {
	return f.View().TestFixed(values, length, hits)
}
