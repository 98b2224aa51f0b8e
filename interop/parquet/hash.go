package parquet

import (
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

// The hashes by which filters know values. They are the same for every filter: a
// value that is looked up in the filters of many row groups need only be hashed
// once, and then tested by TestHash.

// XXH64 of the bytes 0 and 1.
const (
	hashFalse = 0xe934a84adb052768
	hashTrue  = 0x8a4127811b21e730
)

// HashBoolean returns the hash of a BOOLEAN: of the byte 0 or 1.
func HashBoolean(x bool) uint64 {
	if x {
		return hashTrue
	}
	return hashFalse
}

// HashInt32 returns the hash of an INT32.
func HashInt32(x int32) uint64 { return sbbf.HashUint32(uint32(x)) }

// HashInt64 returns the hash of an INT64.
func HashInt64(x int64) uint64 { return sbbf.HashUint64(uint64(x)) }

// HashInt96 returns the hash of an INT96 by its bytes as a file has them.
func HashInt96(x [12]byte) uint64 { return xxhash.Sum64(x[:]) }

// HashFloat returns the hash of a FLOAT.
func HashFloat(x float32) uint64 { return sbbf.HashUint32(math.Float32bits(x)) }

// HashDouble returns the hash of a DOUBLE.
func HashDouble(x float64) uint64 { return sbbf.HashUint64(math.Float64bits(x)) }

// HashBytes returns the hash of a BYTE_ARRAY or a FIXED_LEN_BYTE_ARRAY.
func HashBytes(x []byte) uint64 {
	if len(x) > pieceBytes {
		return hashLong(x)
	}
	return xxhash.Sum64(x)
}

// HashString is HashBytes for the bytes of s.
func HashString(s string) uint64 {
	if len(s) > pieceBytes {
		return hashLong(hash.KeyBytes(s))
	}
	return xxhash.Sum64String(s)
}

// pieceBytes is how much is hashed, read or written at a time: assembly cannot be
// preempted, and 512 KiB take it some 40 µs.
const pieceBytes = 512 << 10

// hashLong hashes piece by piece.
func hashLong(x []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	for len(x) > 0 {
		n := min(len(x), pieceBytes)
		_, _ = d.Write(x[:n]) // never fails
		x = x[n:]
	}
	return d.Sum64()
}
