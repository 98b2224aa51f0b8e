package sbbf

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/race"
)

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

// HashUint64s sets dst[i] to HashUint64(keys[i]). dst has at least as many elements
// as keys, and may be keys.
func HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	race.Read(keys)
	race.Write(dst)
	for len(keys) > 0 {
		n := min(len(keys), maxHash)
		hashUint64s(dst[:n], keys[:n])
		dst, keys = dst[n:], keys[n:]
	}
}

// HashUint32s sets dst[i] to HashUint32(keys[i]). dst has at least as many elements
// as keys.
func HashUint32s(dst []uint64, keys []uint32) {
	dst = dst[:len(keys)]
	race.Read(keys)
	race.Write(dst)
	for len(keys) > 0 {
		n := min(len(keys), maxHash)
		hashUint32s(dst[:n], keys[:n])
		dst, keys = dst[n:], keys[n:]
	}
}

// maxHash is the largest number of integers for one call of a kernel, which cannot
// be preempted: 25 µs at 3 ns each. It is a multiple of kernelKeys.
const maxHash = 8192

func hashUint64sGeneric(dst, keys []uint64) {
	for i, x := range keys {
		dst[i] = HashUint64(x)
	}
}

func hashUint32sGeneric(dst []uint64, keys []uint32) {
	for i, x := range keys {
		dst[i] = HashUint32(x)
	}
}

// tile is the number of integers that are hashed at a time: a multiple of 64.
const tile = 512

// hashTile hashes the first integers, up to a tile.
func hashTile[K uint64 | uint32](hashes *[tile]uint64, keys []K) []uint64 {
	n := min(len(keys), tile)
	switch keys := any(keys).(type) {
	case []uint64:
		HashUint64s(hashes[:n], keys[:n])
	case []uint32:
		HashUint32s(hashes[:n], keys[:n])
	}
	return hashes[:n]
}

// addInts adds integers.
func addInts[K uint64 | uint32](b []byte, keys []K) {
	var hashes [tile]uint64
	for len(keys) > 0 {
		h := hashTile(&hashes, keys)
		AddHashes(b, h)
		keys = keys[len(h):]
	}
}

// batchInts is batch for integers.
func batchInts[K uint64 | uint32](b []byte, keys []K, hits []uint64, adds bool) (count int) {
	var hashes [tile]uint64
	for len(keys) > 0 {
		h := hashTile(&hashes, keys)
		count += batch(b, h, hits, adds)
		if hits != nil {
			hits = hits[(len(h)+63)/64:]
		}
		keys = keys[len(h):]
	}
	return count
}

// AddUint64s adds integers of 8 bytes to the bitset b.
func AddUint64s(b []byte, keys []uint64) { addInts(b, keys) }

// AddUint32s adds integers of 4 bytes.
func AddUint32s(b []byte, keys []uint32) { addInts(b, keys) }

// TestUint64s is TestHashes for integers of 8 bytes.
func TestUint64s(b []byte, keys, hits []uint64) (count int) {
	raceRead(b)
	return batchInts(b, keys, hits, false)
}

// TestUint32s is TestHashes for integers of 4 bytes.
func TestUint32s(b []byte, keys []uint32, hits []uint64) (count int) {
	raceRead(b)
	return batchInts(b, keys, hits, false)
}

// TestAndAddUint64s is TestAndAddHashes for integers of 8 bytes.
func TestAndAddUint64s(b []byte, keys, hits []uint64) (count int) {
	raceWrite(b)
	return batchInts(b, keys, hits, true)
}

// TestAndAddUint32s is TestAndAddHashes for integers of 4 bytes.
func TestAndAddUint32s(b []byte, keys []uint32, hits []uint64) (count int) {
	raceWrite(b)
	return batchInts(b, keys, hits, true)
}
