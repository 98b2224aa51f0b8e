// Package sbbf is Parquet's split-block Bloom filter without its header: from a
// 64-bit hash to the eight bits of one block, on the bytes as they lie in a file.
//
// Adding and testing one hash, in this file, are the specification of every assembly
// kernel, and what runs where there is none. single.go has the verbs for single keys,
// batch.go those for batches, hash.go XXH64 of integers, which either do on the way,
// bytes.go that of other keys, which those for single keys do; the files named after an
// architecture have the kernels.
//
// The layout is that of the Parquet format (apache/parquet-format,
// BloomFilter.md), after Putze, Sanders and Singler, "Cache-, hash- and
// space-efficient Bloom filters" (2007). A bitset is a run of blocks of 32 bytes:
// eight little-endian words of 32 bits. A key's hash, XXH64 with seed 0, picks a
// block by its upper half and a bit in every word by its lower one:
//
//	block       = (h >> 32) × blocks >> 32
//	bit, word i = low 32 bits of (low 32 bits of h) × salt[i], >> 27
//
// A bitset is a byte slice whose length is a multiple of 32; if it is none, what is
// over belongs to no block. One without a block has no bits: tests find nothing
// there, and adding to it panics. It may lie at any address. Any number of
// goroutines may test at a time while none adds.
package sbbf

import (
	"encoding/binary"
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/race"
)

const (
	Words = 8         // 32-bit words in a block, and bits of a key
	Bytes = 4 * Words // in a block: half a cache line
)

// A Block is the unit that one key touches.
type Block = [Words]uint32

// The format's eight odd multipliers, one for each word.
const (
	salt0 = 0x47b6137b
	salt1 = 0x44974d91
	salt2 = 0x8824ad5b
	salt3 = 0xa2b7289d
	salt4 = 0x705495c7
	salt5 = 0x2df1424b
	salt6 = 0x9efc4947
	salt7 = 0x5c6bfb31
)

const bitShift = 32 - 5 // a bit's number is the top five bits of a product

// Index returns the block of a hash among the given number of them. It is exact
// for any number.
func Index(h, blocks uint64) uint64 {
	i, _ := bits.Mul64(h>>32<<32, blocks)
	return i
}

// blockOf returns the bytes of a hash's block. It panics if there is none.
func blockOf(b []byte, h uint64) *[Bytes]byte {
	i := Index(h, uint64(len(b))/Bytes) * Bytes
	return (*[Bytes]byte)(b[i : i+Bytes])
}

// A block's words are taken two at a time: word 2j is the lower half of the j-th
// little-endian 64 bits.

// pair returns the bits that the lower half of a hash has in two words.
func pair(h uint64, lo, hi uint32) uint64 {
	key := uint32(h)
	return 1<<(key*lo>>bitShift) | 1<<(key*hi>>bitShift+32)
}

// addGeneric sets the bits of a hash.
func addGeneric(b []byte, h uint64) {
	p := blockOf(b, h)
	le := binary.LittleEndian
	le.PutUint64(p[0:], le.Uint64(p[0:])|pair(h, salt0, salt1))
	le.PutUint64(p[8:], le.Uint64(p[8:])|pair(h, salt2, salt3))
	le.PutUint64(p[16:], le.Uint64(p[16:])|pair(h, salt4, salt5))
	le.PutUint64(p[24:], le.Uint64(p[24:])|pair(h, salt6, salt7))
}

// testGeneric returns 1 if the bits of a hash are all set, 0 otherwise. It has no
// branch on the data, which could not be predicted.
func testGeneric(b []byte, h uint64) uint64 {
	p := blockOf(b, h)
	le := binary.LittleEndian
	missing := pair(h, salt0, salt1)&^le.Uint64(p[0:]) |
		pair(h, salt2, salt3)&^le.Uint64(p[8:]) |
		pair(h, salt4, salt5)&^le.Uint64(p[16:]) |
		pair(h, salt6, salt7)&^le.Uint64(p[24:])
	return (missing|-missing)>>63 ^ 1
}

// raceRead and raceWrite declare an access to a bitset to the race detector, by
// its first byte in place of all: the detector need not see which block a key
// touches to see that one goroutine adds while another tests.

func raceRead(b []byte) {
	if race.Enabled && len(b) > 0 {
		race.Read(b[:1])
	}
}

func raceWrite(b []byte) {
	if race.Enabled && len(b) > 0 {
		race.Write(b[:1])
	}
}
