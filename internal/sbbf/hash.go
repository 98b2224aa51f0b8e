package sbbf

import "math/bits"

// XXH64 (Collet's xxHash, version 0.1.1 of its specification) of integers with seed
// 0: of their 8 or 4 bytes in little-endian order, as Parquet hashes INT64 and
// DOUBLE, INT32 and FLOAT.

const (
	prime1 = 0x9e3779b185ebca87
	prime2 = 0xc2b2ae3d27d4eb4f
	prime3 = 0x165667b19e3779f9
	prime4 = 0x85ebca77c2b2ae63
	prime5 = 0x27d4eb2f165667c5

	start8 = prime5 + 8
	start4 = prime5 + 4
)

// HashUint64 returns XXH64 of x's 8 bytes.
func HashUint64(x uint64) uint64 {
	h := uint64(start8) ^ bits.RotateLeft64(x*prime2, 31)*prime1
	return avalanche(bits.RotateLeft64(h, 27)*prime1 + prime4)
}

// HashUint32 returns XXH64 of x's 4 bytes.
func HashUint32(x uint32) uint64 {
	h := uint64(start4) ^ uint64(x)*prime1
	return avalanche(bits.RotateLeft64(h, 23)*prime2 + prime3)
}

func avalanche(h uint64) uint64 {
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
