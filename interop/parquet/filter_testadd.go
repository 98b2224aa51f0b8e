package parquet

import (
	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/sbbf"
	"github.com/bitsieve/bitsieve/interop/internal/results"
)

// Adding and testing at a time, for whoever drops what has been there. It needs exclusive
// access, as adding does: of two goroutines with one new value, both could be told that
// it is new.

// TestAndAdd adds a BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY and reports whether it may have
// been there before: false is certain.
func (f *Filter) TestAndAdd(value []byte) bool { return f.bits.TestAndAdd(HashBytes(value)) }

// TestAndAddString is TestAndAdd for the bytes of s.
func (f *Filter) TestAndAddString(s string) bool { return f.bits.TestAndAdd(HashString(s)) }

// TestAndAddBoolean is TestAndAdd for a BOOLEAN.
func (f *Filter) TestAndAddBoolean(x bool) bool { return f.bits.TestAndAdd(HashBoolean(x)) }

// TestAndAddInt32 is TestAndAdd for an INT32.
func (f *Filter) TestAndAddInt32(x int32) bool { return f.bits.TestAndAdd(HashInt32(x)) }

// TestAndAddInt64 is TestAndAdd for an INT64.
func (f *Filter) TestAndAddInt64(x int64) bool { return f.bits.TestAndAdd(HashInt64(x)) }

// TestAndAddInt96 is TestAndAdd for an INT96 by its bytes as a file has them.
func (f *Filter) TestAndAddInt96(x [12]byte) bool { return f.bits.TestAndAdd(HashInt96(x)) }

// TestAndAddFloat is TestAndAdd for a FLOAT.
func (f *Filter) TestAndAddFloat(x float32) bool { return f.bits.TestAndAdd(HashFloat(x)) }

// TestAndAddDouble is TestAndAdd for a DOUBLE.
func (f *Filter) TestAndAddDouble(x float64) bool { return f.bits.TestAndAdd(HashDouble(x)) }

// TestAndAddHash is TestAndAdd for a value by its hash, as HashBytes and the like return
// it.
func (f *Filter) TestAndAddHash(h uint64) bool { return f.bits.TestAndAdd(h) }

// TestAndAddHashes adds values by their hashes, in order, and returns how many may have
// been there before: in the filter, or earlier in the batch. Bit i of hits says whether the
// one with hashes[i] may have been: hits is resized to len(hashes) bits and overwritten.
// It may be nil if only the number is wanted.
func (f *Filter) TestAndAddHashes(hashes []uint64, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return sbbf.TestAndAddHashes(f.bits.Bytes, hashes, results.Words(hits, len(hashes)))
}

// TestAndAddInt32s is TestAndAddHashes for values of type INT32.
func (f *Filter) TestAndAddInt32s(values []int32, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return sbbf.TestAndAddUint32s(f.bits.Bytes, as[uint32](values), results.Words(hits, len(values)))
}

// TestAndAddInt64s is TestAndAddHashes for values of type INT64.
func (f *Filter) TestAndAddInt64s(values []int64, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return sbbf.TestAndAddUint64s(f.bits.Bytes, as[uint64](values), results.Words(hits, len(values)))
}

// TestAndAddFloats is TestAndAddHashes for values of type FLOAT.
func (f *Filter) TestAndAddFloats(values []float32, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return sbbf.TestAndAddUint32s(f.bits.Bytes, as[uint32](values), results.Words(hits, len(values)))
}

// TestAndAddDoubles is TestAndAddHashes for values of type DOUBLE.
func (f *Filter) TestAndAddDoubles(values []float64, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return sbbf.TestAndAddUint64s(f.bits.Bytes, as[uint64](values), results.Words(hits, len(values)))
}

// TestAndAddBytes is TestAndAddHashes for values of type BYTE_ARRAY or
// FIXED_LEN_BYTE_ARRAY.
func (f *Filter) TestAndAddBytes(values [][]byte, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return testKeys(f.bits.Bytes, values, hits, true)
}

// TestAndAddStrings is TestAndAddHashes for the bytes of strings.
func (f *Filter) TestAndAddStrings(values []string, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return testKeys(f.bits.Bytes, values, hits, true)
}

// TestAndAddFixed is TestAndAddHashes for values of a fixed length, one after the other
// as a page has them: of type FIXED_LEN_BYTE_ARRAY or INT96. It panics unless length is
// positive and divides len(values).
func (f *Filter) TestAndAddFixed(values []byte, length int, hits *bitsieve.BitSet) int {
	f.mustHaveBits()
	return testFixed(f.bits.Bytes, values, length, hits, true)
}
