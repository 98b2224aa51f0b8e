// Package counters is the counting filter without its sizing, its files and its
// strings: from a hash to the counters of one block.
//
// Add, Remove and Count, in this file, are the specification of every assembly
// kernel, and what runs where there is none. Filter has the verbs for single keys
// (filter.go) and for batches (batch.go); words.go has those for whole filters.
//
// A filter is a run of blocks of two cache lines, with 256 counters of four bits:
// eight lanes of 32 counters. Counter c of lane j is the four bits from 4(c mod 16)
// of word j of the first line for c < 16, and of the second for the others. A
// key's hash picks one block and up to k counters in it by the fields that
// internal/block picks bits by:
//
//	block    = high 64 bits of h × blocks
//	field    = lane j's field of w, as in internal/block
//	counter  = field mod 32
//
// The lanes that are on for k < 8, and those that have a second field for k > 8,
// are those of internal/block too. So a Blocked of as many blocks whose bits c and
// c + 32 of every lane are set where counter c is not 0 has the same answers: see
// Snapshot.
//
// The counters of a key are a set: where its two fields in a lane name the same
// counter, it has one counter less, and adding it counts there once. A counter
// stops at Full, and stays there for good, for nobody knows how many keys it
// stands for.
package counters

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/memory"
)

const (
	Words = 16        // 64-bit words in a block
	Bytes = 8 * Words // two cache lines, which processors fetch as a pair

	PerLane = 32 // counters
	Full    = 15 // the value at which a counter stops

	MinK = block.MinK
	MaxK = block.MaxK
)

// A Block is the unit that one key touches.
type Block = [Words]uint64

// New returns n zeroed blocks, n > 0, on boundaries of Bytes. See memory.Words.
func New(n uint64, huge bool) []Block {
	words := memory.Words(n*Words+memory.LineBytes/8, huge)
	skip := -uintptr(unsafe.Pointer(&words[0])) % Bytes / 8
	return View(words[skip : uint64(skip)+n*Words])
}

// View returns the whole blocks that words hold. It does not copy.
func View(words []uint64) []Block {
	return unsafe.Slice((*Block)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/Words)
}

// Flatten returns the words of blocks, in order. It does not copy.
func Flatten(blocks []Block) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(blocks))), len(blocks)*Words)
}

// at returns the word of a block, and the lowest bit in it, of the counter that a
// lane's field names.
func at(lane uint, field uint64) (word uint, shift uint64) {
	return lane&7 | uint(field>>1&8), field << 2 & 60
}

// atFull returns a word that has the lowest bit of every counter set that is
// full. Its other bits mean nothing.
func atFull(x uint64) uint64 {
	x &= x >> 1
	return x & (x >> 2)
}

// aboveZero returns a word that has the lowest bit of every counter set that is
// not 0. Its other bits mean nothing.
func aboveZero(x uint64) uint64 {
	x |= x >> 1
	return x | x>>2
}

// Add counts a hash: its counters, but for the full ones, go up by one.
func Add(b *Block, h uint64, k int) { change(b, h, k, 1) }

// Remove takes a hash out again: its counters, but for the full ones, go down by
// one. It returns 1, or 0 if the hash is certainly absent, for one of its counters
// is 0; it changes nothing then.
func Remove(b *Block, h uint64, k int) uint64 {
	hit := Test(b, h, k)
	if hit != 0 {
		change(b, h, k, ^uint64(0))
	}
	return hit
}

// change adds by, 1 or -1, to the counters of a hash that are not full.
func change(b *Block, h uint64, k int, by uint64) {
	w := block.Word(h)
	first, lane := block.Turn(w, w)
	fields := first
	for i := range uint(min(k, 8)) {
		changeOne(b, lane+i, fields, by)
		fields >>= block.FieldBits
	}
	if k <= 8 {
		return
	}
	fields, _ = block.Turn(w, block.Word2(h))
	for i := range uint(k - 8) {
		if (fields^first)%PerLane != 0 {
			changeOne(b, lane+i, fields, by)
		}
		fields >>= block.FieldBits
		first >>= block.FieldBits
	}
}

// changeOne adds by to the counter that a lane's field names, unless it is full.
func changeOne(b *Block, lane uint, field, by uint64) {
	word, shift := at(lane, field)
	full := atFull(b[word]) >> shift & 1
	b[word] += by << shift & (full - 1)
}

// Count returns the smallest counter of a hash, 0 to Full: as often as that at
// most it was added, unless it is Full.
func Count(b *Block, h uint64, k int) uint64 {
	w := block.Word(h)
	fields, lane := block.Turn(w, w)
	count := countLanes(b, fields, lane, min(k, 8))
	if k > 8 {
		fields, _ = block.Turn(w, block.Word2(h))
		count = min(count, countLanes(b, fields, lane, k-8))
	}
	return count
}

// countLanes returns the smallest of the counters that fields name in n lanes.
func countLanes(b *Block, fields uint64, lane uint, n int) uint64 {
	count := uint64(Full)
	for i := range uint(n) {
		word, shift := at(lane+i, fields)
		count = min(count, b[word]>>shift&Full)
		fields >>= block.FieldBits
	}
	return count
}

// Test returns 1 if none of the counters of a hash is 0, 0 otherwise. It has no
// branch on the data.
func Test(b *Block, h uint64, k int) uint64 { return (Count(b, h, k) + Full) >> 4 }
