package counters

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/block"
)

// Whole filters, sixteen counters at a time. These are plain loops, which can be
// preempted.

const (
	lowBits = 0x1111111111111111 // the lowest bit of every counter
	evens   = 0x0f0f0f0f0f0f0f0f // every other counter, with room for carries above it
	carries = 0x1010101010101010
)

// NotZero returns the number of counters that are not 0.
func NotZero(words []uint64) (n int) {
	for _, x := range words {
		n += bits.OnesCount64(aboveZero(x) & lowBits)
	}
	return n
}

// Saturated returns the number of counters that are full.
func Saturated(words []uint64) (n int) {
	for _, x := range words {
		n += bits.OnesCount64(atFull(x) & lowBits)
	}
	return n
}

// AddAll adds b's counters to those of dst, of the same length, up to Full: one that
// is full in either is full in the sum.
func AddAll(dst, b []uint64) {
	b = b[:len(dst)]
	for i, x := range dst {
		y := b[i]
		dst[i] = sums(x&evens, y&evens) | sums(x>>4&evens, y>>4&evens)<<4
	}
}

// sums adds the counters in the low halves of bytes.
func sums(x, y uint64) uint64 {
	s := x + y
	over := s & carries
	return (s | (over - over>>4)) & evens // 16 - 1 sets every bit
}

// MinAll leaves in dst the smaller of its counters and b's, of the same length.
func MinAll(dst, b []uint64) {
	b = b[:len(dst)]
	for i, x := range dst {
		y := b[i]
		dst[i] = mins(x&evens, y&evens) | mins(x>>4&evens, y>>4&evens)<<4
	}
}

// mins returns the smaller counters in the low halves of bytes.
func mins(x, y uint64) uint64 {
	notLess := ((x | carries) - y) & carries // set where x >= y
	takeY := notLess - notLess>>4
	return y&takeY | x&^takeY
}

// Snapshot sets bits c and c + 32 of every lane of dst where counter c of the lane is
// not 0: then block.Test and Test answer alike for every hash. dst has as many
// blocks.
func Snapshot(dst []block.Block, blocks []Block) {
	for i := range blocks {
		Occupied(&dst[i], &blocks[i])
	}
}

// Occupied is Snapshot for one block.
func Occupied(dst *block.Block, b *Block) {
	for j := range dst {
		lane := gather(b[j]) | gather(b[j+8])<<16
		dst[j] = lane | lane<<PerLane
	}
}

// gather returns 16 bits that say which of 16 counters are not 0.
func gather(x uint64) uint64 {
	x = aboveZero(x) & lowBits
	x = (x | x>>3) & 0x0303030303030303
	x = (x | x>>6) & 0x000f000f000f000f
	x = (x | x>>12) & 0x000000ff000000ff
	return (x | x>>24) & 0xffff
}
