// Package block is the cache-line-blocked Bloom filter without its sizing, its
// files and its strings: from a hash to the bits of one block.
//
// Add and Test, in this file, are the specification of every assembly kernel,
// and what runs where there is none. Filter has the verbs for single keys
// (single.go) and for batches (batch.go); the files named after an architecture
// have its kernels.
//
// A filter is a run of blocks of 512 bits, one cache line each: eight lanes of
// 64 bits. A key's 64-bit hash h picks one block and k bits inside it:
//
//	block  = high 64 bits of h × blocks
//	w      = h × wordMul                  the in-block word
//	field  = bits 16+6j … 21+6j of w      lane j's bit, for j in 0 … 7
//	j is on iff (j + w) mod 8 < k         the low three bits of w rotate the lanes
//
// For k = 8 every lane is on. For k > 8 every lane has one bit from w, and the
// k − 8 lanes with (j + w) mod 8 < k − 8 have a second one, at the same field of
// a second word, w2 = (h ^ h>>32) × mixMul; the two may coincide.
//
// The block uses the high bits of h. The multiplications bring the low bits
// of h, which block selection ignores, up into every field.
package block

import (
	"math/bits"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

const (
	Words = 8         // 64-bit words in a block
	Bytes = 8 * Words // a cache line

	MinK = 1
	MaxK = 16

	wordMul    = 0x9e3779b97f4a7c15 // 2^64 / golden ratio
	fieldShift = 16                 // lane 0's field; lane j's is 6j higher
	fieldBits  = 6
)

// The mixer's constants, for the kernels.
const (
	mixMul   = hash.MixMul
	mixFirst = hash.MixFirst
)

// A Block is the unit that one key touches.
type Block = [Words]uint64

// New returns n zeroed blocks, n > 0, on cache lines' boundaries. See
// memory.Words.
func New(n uint64, huge bool) []Block { return View(memory.Words(n*Words, huge)) }

// View returns the whole blocks that words hold. It does not copy.
func View(words []uint64) []Block {
	return unsafe.Slice((*Block)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/Words)
}

// Flatten returns the words of blocks, in order. It does not copy.
func Flatten(blocks []Block) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(blocks))), len(blocks)*Words)
}

// Index returns the block of a hash among the given number of them.
func Index(h, blocks uint64) uint64 {
	i, _ := bits.Mul64(h, blocks)
	return i
}

func word(h uint64) uint64  { return h * wordMul }
func word2(h uint64) uint64 { return (h ^ h>>32) * mixMul }

// Add sets the k bits of a hash.
func Add(b *Block, h uint64, k int) {
	w := word(h)
	if k < 8 {
		addLanes(b, w, w, k)
		return
	}
	b[0] |= 1 << (w >> 16 & 63)
	b[1] |= 1 << (w >> 22 & 63)
	b[2] |= 1 << (w >> 28 & 63)
	b[3] |= 1 << (w >> 34 & 63)
	b[4] |= 1 << (w >> 40 & 63)
	b[5] |= 1 << (w >> 46 & 63)
	b[6] |= 1 << (w >> 52 & 63)
	b[7] |= 1 << (w >> 58 & 63)
	if k > 8 {
		addLanes(b, w, word2(h), k-8)
	}
}

// turn moves v's fields to its low end, beginning with that of the first lane
// that w's rotation chooses, which it returns: what follows goes on by six bits
// and one lane, round from 7 to 0.
func turn(w, v uint64) (fields uint64, lane uint) {
	const allFields = Words * fieldBits
	lane = uint(-w) & 7
	first := fieldBits * lane
	v >>= fieldShift
	return v>>first | v<<(allFields-first), lane
}

// addLanes sets the bits that v places in the n lanes that w's rotation chooses.
func addLanes(b *Block, w, v uint64, n int) {
	fields, lane := turn(w, v)
	for range n {
		b[lane&7] |= 1 << (fields & 63)
		fields >>= fieldBits
		lane++
	}
}

// Test returns 1 if the k bits of a hash are all set, 0 otherwise. It has
// no branch on the data, and returns no bool that invites one: half of all
// lookups in a busy filter would be mispredicted.
func Test(b *Block, h uint64, k int) uint64 {
	w := word(h)
	if k < 8 {
		return testLanes(b, w, w, k) & 1
	}
	hit := b[0] >> (w >> 16 & 63) & (b[1] >> (w >> 22 & 63)) &
		(b[2] >> (w >> 28 & 63)) & (b[3] >> (w >> 34 & 63)) &
		(b[4] >> (w >> 40 & 63)) & (b[5] >> (w >> 46 & 63)) &
		(b[6] >> (w >> 52 & 63)) & (b[7] >> (w >> 58 & 63))
	if k > 8 {
		hit &= testLanes(b, w, word2(h), k-8)
	}
	return hit & 1
}

// testLanes returns an odd number if the bits that v places in the n lanes that
// w's rotation chooses are all set, an even one otherwise.
func testLanes(b *Block, w, v uint64, n int) uint64 {
	hit := uint64(1)
	fields, lane := turn(w, v)
	for range n {
		hit &= b[lane&7] >> (fields & 63)
		fields >>= fieldBits
		lane++
	}
	return hit
}
