package bitsieve

import (
	"iter"
	"math/bits"
)

// NextSet returns the smallest member that is i or greater, and whether there is
// one.
//
//	for i, ok := b.NextSet(0); ok; i, ok = b.NextSet(i + 1) { … }
//
// EachSet is the simpler loop, NextSetMany and AppendTo are the faster ones.
func (b *BitSet) NextSet(i uint) (uint, bool) {
	x := i / wordBits
	if x >= uint(len(b.words)) {
		return 0, false
	}
	if w := b.words[x] >> (i % wordBits); w != 0 {
		return i + uint(bits.TrailingZeros64(w)), true
	}
	for x++; x < uint(len(b.words)); x++ {
		if w := b.words[x]; w != 0 {
			return x*wordBits + uint(bits.TrailingZeros64(w)), true
		}
	}
	return 0, false
}

// NextClear returns the smallest integer that is i or greater, below the length
// and not in the set, and whether there is one.
func (b *BitSet) NextClear(i uint) (uint, bool) {
	if i >= b.length {
		return 0, false
	}
	x := i / wordBits
	w := ^b.words[x] >> (i % wordBits) << (i % wordBits)
	for w == 0 {
		if x++; x == uint(len(b.words)) {
			return 0, false
		}
		w = ^b.words[x]
	}
	i = x*wordBits + uint(bits.TrailingZeros64(w))
	if i >= b.length {
		return 0, false
	}
	return i, true
}

// PreviousSet returns the largest member that is i or smaller, and whether there
// is one. If i is past the last word, which ends at Len() rounded up to a
// multiple of 64, there is none.
func (b *BitSet) PreviousSet(i uint) (uint, bool) {
	x := int(i / wordBits)
	if x >= len(b.words) {
		return 0, false
	}
	w := b.words[x] << (^i % wordBits) >> (^i % wordBits)
	for w == 0 {
		if x--; x < 0 {
			return 0, false
		}
		w = b.words[x]
	}
	return uint(x)*wordBits + uint(bits.Len64(w)) - 1, true
}

// PreviousClear returns the largest integer that is i or smaller and not in the
// set, and whether there is one. If i is not below the length, there is none.
func (b *BitSet) PreviousClear(i uint) (uint, bool) {
	if i >= b.length {
		return 0, false
	}
	x := int(i / wordBits)
	w := ^b.words[x] << (^i % wordBits) >> (^i % wordBits)
	for w == 0 {
		if x--; x < 0 {
			return 0, false
		}
		w = ^b.words[x]
	}
	return uint(x)*wordBits + uint(bits.Len64(w)) - 1, true
}

// NextSetMany returns the members that are i or greater, in ascending order, as
// many as the capacity of buffer holds, in buffer's memory. The first result is
// the last of them, or 0 if there are none. What is left of the buffer's
// capacity has undefined contents.
//
//	buffer := make([]uint, 256)
//	for i, m := b.NextSetMany(0, buffer); len(m) > 0; i, m = b.NextSetMany(i+1, buffer) {
//		for _, member := range m { … }
//	}
func (b *BitSet) NextSetMany(i uint, buffer []uint) (uint, []uint) {
	out := buffer[:cap(buffer)]
	x := i / wordBits
	if x >= uint(len(b.words)) || len(out) == 0 {
		return 0, out[:0]
	}
	n := 0
	if i%wordBits != 0 {
		n = decodeSome(out, b.words[x]>>(i%wordBits), i)
		x++
	}
	if n < len(out) && x < uint(len(b.words)) {
		written, consumed := decodeWords(out[n:], b.words[x:], x*wordBits)
		n += written
		x += uint(consumed)
		if x < uint(len(b.words)) {
			n += decodeSome(out[n:], b.words[x], x*wordBits)
		}
	}
	if n == 0 {
		return 0, out[:0]
	}
	return out[n-1], out[:n]
}

// decodeSome writes base + i to dst for the set bits i of w, as many as fit, and
// returns how many they are.
func decodeSome(dst []uint, w uint64, base uint) int {
	for i := range dst {
		if w == 0 {
			return i
		}
		dst[i] = base + uint(bits.TrailingZeros64(w))
		w &= w - 1
	}
	return len(dst)
}

// AppendTo appends the members, in ascending order, to buf and returns the
// extended slice. It allocates at most once.
func (b *BitSet) AppendTo(buf []uint) []uint { return AppendIndices(buf, b.words) }

// AsSlice returns the members, in ascending order, in the memory of buf, whose
// length does not matter. It panics if buf's capacity is below Count(). What is
// left of the capacity has undefined contents.
func (b *BitSet) AsSlice(buf []uint) []uint {
	buf = buf[:cap(buf)]
	n, consumed := decodeWords(buf, b.words, 0)
	if consumed < len(b.words) {
		panic("bitsieve: buffer too short for the members of the BitSet")
	}
	return buf[:n]
}

// EachSet returns an iterator over the members in ascending order. The set may
// be changed during the iteration; a change to a word that has been reached is
// not seen.
func (b *BitSet) EachSet() iter.Seq[uint] {
	return func(yield func(uint) bool) {
		for x, w := range b.words {
			for ; w != 0; w &= w - 1 {
				if !yield(uint(x)*wordBits + uint(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// EachClear returns an iterator over the integers below the length that are not
// in the set, in ascending order. Changes are seen as by EachSet.
func (b *BitSet) EachClear() iter.Seq[uint] {
	return func(yield func(uint) bool) {
		length := b.length
		for x, w := range b.words {
			for w = ^w; w != 0; w &= w - 1 {
				i := uint(x)*wordBits + uint(bits.TrailingZeros64(w))
				if i >= length || !yield(i) {
					return
				}
			}
		}
	}
}

// Rank returns the number of members that are index or smaller. It takes time
// linear in index.
func (b *BitSet) Rank(index uint) uint {
	x := index / wordBits
	if x >= uint(len(b.words)) {
		return uint(countWords(b.words))
	}
	return uint(countWords(b.words[:x]) + bits.OnesCount64(b.words[x]<<(^index%wordBits)))
}

// OnesBetween returns the number of members in [from, to), which is 0 if the
// range is empty.
func (b *BitSet) OnesBetween(from, to uint) uint {
	mustNotBeNil(b)
	to = min(to, b.length)
	if from >= to {
		return 0
	}
	first, last := from/wordBits, (to-1)/wordBits
	head, tail := rangeMasks(from, to)
	if first == last {
		return uint(bits.OnesCount64(b.words[first] & head & tail))
	}
	return uint(bits.OnesCount64(b.words[first]&head) +
		countWords(b.words[first+1:last]) +
		bits.OnesCount64(b.words[last]&tail))
}

// selectChunk is the number of words that Select counts at a time before it
// looks at each of them.
const selectChunk = 64

// Select returns the member that has exactly index smaller ones, or Len() if
// there are not so many. It takes time linear in the result.
//
// Rank counts from 1 and Select from 0: Select(Rank(i)-1) is i for a member i.
func (b *BitSet) Select(index uint) uint {
	p := b.words
	for len(p) >= selectChunk {
		n := uint(countWords(p[:selectChunk]))
		if n > index {
			break
		}
		index -= n
		p = p[selectChunk:]
	}
	for i, w := range p {
		n := uint(bits.OnesCount64(w))
		if n > index {
			return uint(len(b.words)-len(p)+i)*wordBits + selectWord(w, index)
		}
		index -= n
	}
	return b.length
}

// selectWord returns the place of the j-th set bit of w, from 0. w must have
// more than j set bits.
//
// This is the broadword selection of S. Vigna, "Broadword Implementation of
// Rank/Select Queries", 2008: counts by byte, a comparison of all eight with j
// in one subtraction, and the same again for the bits of the byte found.
func selectWord(w uint64, j uint) uint {
	const (
		each = 0x0101010101010101 // the lowest bit of each byte
		high = 0x8080808080808080 // the highest
	)
	s := w - w>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f * each // byte i counts bytes 0 to i
	// A byte's highest bit survives iff the count of the bytes up to it is <= j.
	below := uint(bits.OnesCount64(((uint64(j)*each|high)-s)&high)) * 8
	j -= uint(s << 8 >> below & 0xff)

	// Spread the byte's bits over eight bytes, and count them likewise.
	spread := w >> below & 0xff * each & 0x8040201008040201
	s = (spread + 0x7f7f7f7f7f7f7f7f) & high >> 7 * each
	return below + uint(bits.OnesCount64(((uint64(j)*each|high)-s)&high))
}
