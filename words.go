package bitsieve

// The functions on slices of 64-bit words. Bit i of a slice is bit i%64 of word
// i/64, the lowest bit first. They are safe for concurrent use as long as
// nobody writes what another reads.

import (
	"slices"

	"github.com/bitsieve/bitsieve/internal/decode"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Count returns the number of set bits in p.
func Count(p []uint64) int { return popcount.Count(p) }

// And sets dst[i] = a[i] & b[i] for each index that all three slices have; the
// shortest decides. The rest of dst is untouched. dst may be a or b; if it
// overlaps one of them otherwise, its contents are undefined.
func And(dst, a, b []uint64) {
	n := min(len(dst), len(a), len(b))
	andWords(dst[:n], a[:n], b[:n])
}

// Or sets dst[i] = a[i] | b[i], under the conditions of And.
func Or(dst, a, b []uint64) {
	n := min(len(dst), len(a), len(b))
	orWords(dst[:n], a[:n], b[:n])
}

// Xor sets dst[i] = a[i] ^ b[i], under the conditions of And.
func Xor(dst, a, b []uint64) {
	n := min(len(dst), len(a), len(b))
	xorWords(dst[:n], a[:n], b[:n])
}

// AndNot sets dst[i] = a[i] &^ b[i], under the conditions of And.
func AndNot(dst, a, b []uint64) {
	n := min(len(dst), len(a), len(b))
	andNotWords(dst[:n], a[:n], b[:n])
}

// Not sets dst[i] = ^a[i] for each index that both slices have; the shorter
// decides. The rest of dst is untouched. dst may be a; if it overlaps a otherwise,
// its contents are undefined.
func Not(dst, a []uint64) {
	n := min(len(dst), len(a))
	notWords(dst[:n], a[:n])
}

// Any reports whether a bit of p is set. It reads no further than to the first.
func Any(p []uint64) bool { return firstNonZero(p) < len(p) }

// Intersects reports whether AndCount(a, b) is not 0. It stops soon after the first
// bit that is set in both, and so is faster than counting if there is one.
func Intersects(a, b []uint64) bool {
	n := min(len(a), len(b))
	return intersectsWords(a[:n], b[:n])
}

// AndCount returns the number of set bits in a[i] & b[i], summed over each
// index that both slices have; the shorter decides.
func AndCount(a, b []uint64) int {
	n := min(len(a), len(b))
	return popcount.And(a[:n], b[:n])
}

// OrCount returns the number of set bits in a[i] | b[i], summed over each index
// that both slices have; the shorter decides.
func OrCount(a, b []uint64) int {
	n := min(len(a), len(b))
	return popcount.Or(a[:n], b[:n])
}

// XorCount returns the number of set bits in a[i] ^ b[i], summed over each
// index that both slices have; the shorter decides. This is the Hamming
// distance of slices of one length.
func XorCount(a, b []uint64) int {
	n := min(len(a), len(b))
	return popcount.Xor(a[:n], b[:n])
}

// AndNotCount returns the number of set bits in a[i] &^ b[i], summed over each
// index that both slices have; the shorter decides.
func AndNotCount(a, b []uint64) int {
	n := min(len(a), len(b))
	return popcount.AndNot(a[:n], b[:n])
}

// AndWithCount is And, and returns the number of set bits that it wrote: the size
// of an intersection for hardly more than the price of the intersection.
func AndWithCount(dst, a, b []uint64) int {
	return andWithCountWords(dst, a, b)
}

// OrWithCount is Or, and returns the number of set bits that it wrote.
func OrWithCount(dst, a, b []uint64) int {
	return orWithCountWords(dst, a, b)
}

// XorWithCount is Xor, and returns the number of set bits that it wrote.
func XorWithCount(dst, a, b []uint64) int {
	return xorWithCountWords(dst, a, b)
}

// AndNotWithCount is AndNot, and returns the number of set bits that it wrote.
func AndNotWithCount(dst, a, b []uint64) int {
	return andNotWithCountWords(dst, a, b)
}

// AppendIndices appends the indices of the set bits of words to dst, in
// ascending order, and returns the extended slice. It allocates at most once,
// and not at all if dst has room; then it leaves alone what is behind the
// indices.
func AppendIndices(dst []uint, words []uint64) []uint { return appendIndices(dst, words) }

// AppendIndices32 is AppendIndices for 32-bit indices, which are decoded
// faster. Only the first 2^26 words have them; the rest are ignored.
func AppendIndices32(dst []uint32, words []uint64) []uint32 {
	return appendIndices(dst, words[:min(len(words), 1<<26)])
}

func appendIndices[T decode.Index](dst []T, words []uint64) []T {
	consumed := 0
	if !decode.CountFirst(words) {
		if dst, consumed = decode.AppendInGo(dst, words); consumed == len(words) {
			return dst
		}
		words = words[consumed:]
	}
	n := popcount.Count(words)
	dst = slices.Grow(dst, n)
	end := len(dst) + n
	decode.Indices(dst[len(dst):end], words, wordBits*T(consumed))
	return dst[:end]
}
