// Package spectral is the cache-line-blocked spectral Bloom filter without its
// sizing, its files and its strings: from a hash to the counters of one block.
//
// Where a Bloom filter has bits, a spectral one has counters, and the smallest of a
// key's counters is an estimate of how often it was added that is never too low
// (Cohen and Matias, Spectral Bloom Filters, SIGMOD 2003: minimum selection). An
// addition raises only those of the key's counters that equal the smallest
// (minimal increase, known as conservative update too), by which counters take in
// less of other keys. A counter that is at its maximum stays there.
//
// A filter is a run of blocks of 64 counters of 8, 16 or 32 bits: one, two or four
// cache lines. A block is eight lanes of eight counters. A key's 64-bit hash h picks
// one block and, in each of k lanes, a counter:
//
//	block  = high 64 bits of h × blocks
//	w      = h × wordMul                  the in-block word
//	field  = bits 8j+5 … 8j+7 of w        lane j's counter, for j in 0 … 7
//	j is on iff (j + w) mod 8 < k         the low three bits of w rotate the lanes
//
// Counter i of a block is bits (i mod m)·bits … of its word i / m, where m counters
// lie in a word of 64 bits: as a file has the words in little-endian order, the
// counters of a block follow each other in a file, and in memory too where that is
// the machine's order.
//
// The functions of this file are the specification, and what works on the counters
// everywhere. In batches a kernel finds the counters of the next keys and has their
// lines on their way (batch.go, locate_*.s).
package spectral

import (
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/memory"
)

const (
	// Counters is the number of counters in a block.
	Counters = 64
	// Lanes is the number of lanes in a block, of Counters/Lanes counters each.
	Lanes = 8

	MinK = 1
	MaxK = Lanes

	wordMul    = block.WordMul
	fieldShift = 5
	fieldMask  = 0x0707070707070707
	laneStarts = 0x3830282018100800 // the first counter of each lane, a byte each
)

// A counter is what a filter counts in.
type counter interface{ uint8 | uint16 | uint32 }

// ValidBits reports whether there are counters of so many bits.
func ValidBits(bits int) bool { return bits == 8 || bits == 16 || bits == 32 }

// BlockBytes returns the size of a block of counters of so many bits.
func BlockBytes(bits int) uint64 { return Counters / 8 * uint64(bits) }

// New returns the words of n zeroed blocks, n > 0, of counters of so many bits.
// Blocks of up to four lines start on a boundary of their own size, up to 256
// bytes, only in storage that starts on a huge page's; smaller filters lie in
// cache, where that does not matter. See memory.Words.
func New(n uint64, bits int, huge bool) []uint64 {
	return memory.Words(n*BlockBytes(bits)/8, huge)
}

// bigEndian says that the first counter of a word lies last in memory.
const bigEndian = runtime.GOARCH == "s390x" || runtime.GOARCH == "ppc64" ||
	runtime.GOARCH == "mips" || runtime.GOARCH == "mips64"

// A spot is where a key's counters lie.
type spot struct {
	word   uint64 // the first of the block
	places uint64 // the counters' numbers in it, a byte each, the k in use in the low bytes
}

// locate returns the spot of a hash in a filter of so many blocks of counters of so
// many bits.
func locate(h, blocks uint64, size int) spot {
	w := block.Word(h)
	x := w>>fieldShift&fieldMask + laneStarts
	if bigEndian {
		x ^= uint64(64/size-1) * 0x0101010101010101
	}
	return spot{block.Index(h, blocks) * uint64(size), bits.RotateLeft64(x, int(8*(w&7)))}
}

// blockAt returns the block that starts with a word.
func blockAt[T counter](words []uint64, i uint64) *[Counters]T {
	return (*[Counters]T)(unsafe.Pointer(&words[i]))
}

// lowest returns the smallest of the k counters at the places x: the estimate. It
// reckons in uint32, for which the compiler takes conditional moves; smaller types
// make it branch, on what cannot be predicted.
func lowest[T counter](b *[Counters]T, x uint64, k int) uint32 {
	m := uint32(b[x&(Counters-1)])
	for range k - 1 {
		x >>= 8
		m = min(m, uint32(b[x&(Counters-1)]))
	}
	return m
}

// raise makes each of the k counters at the places x at least to.
func raise[T counter](b *[Counters]T, x uint64, k int, to uint32) {
	for range k {
		c := &b[x&(Counters-1)]
		*c = T(max(uint32(*c), to))
		x >>= 8
	}
}

// plus returns m + n, or the largest counter if that is less.
func plus[T counter](m uint32, n uint64) uint32 {
	return m + uint32(min(n, uint64(uint32(^T(0))-m)))
}

// add adds the key at the places x n times and returns its estimates before and
// after.
func add[T counter](b *[Counters]T, x uint64, k int, n uint64) (before, after uint32) {
	before = lowest(b, x, k)
	after = plus[T](before, n)
	raise(b, x, k, after)
	return before, after
}
