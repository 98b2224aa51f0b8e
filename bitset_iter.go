package bitsieve

import (
	"iter"
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/decode"
	"github.com/bitsieve/bitsieve/internal/pext"
	"github.com/bitsieve/bitsieve/internal/popcount"
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
	for j, w := range b.words[x+1:] {
		if w != 0 {
			return (x+uint(j)+1)*wordBits + uint(bits.TrailingZeros64(w)), true
		}
	}
	return 0, false
}

// NextClear returns the smallest integer that is i or greater, below the length
// and not in the set, and whether there is one.
func (b *BitSet) NextClear(i uint) (uint, bool) {
	x := int(i / wordBits)
	if x >= len(b.words) {
		return 0, false
	}
	// Bits past the length are zero, so they end a search that finds nothing.
	if w := ^b.words[x] >> (i % wordBits); w != 0 {
		if i += uint(bits.TrailingZeros64(w)); i < b.length {
			return i, true
		}
		return 0, false
	}
	x++
	for j, w := range b.words[x:] {
		if w != ^uint64(0) {
			if i = uint(x+j)*wordBits + uint(bits.TrailingZeros64(^w)); i < b.length {
				return i, true
			}
			return 0, false
		}
	}
	return 0, false
}

// PreviousSet returns the largest member that is i or smaller, and whether there
// is one. If i is past the last word, which ends at Len() rounded up to a
// multiple of 64, there is none.
func (b *BitSet) PreviousSet(i uint) (uint, bool) {
	x := i / wordBits
	if x >= uint(len(b.words)) {
		return 0, false
	}
	if w := b.words[x] << (^i % wordBits); w != 0 {
		return i - uint(bits.LeadingZeros64(w)), true
	}
	for p := b.words[:x]; len(p) > 0; p = p[:len(p)-1] {
		if w := p[len(p)-1]; w != 0 {
			return uint(len(p))*wordBits - 1 - uint(bits.LeadingZeros64(w)), true
		}
	}
	return 0, false
}

// PreviousClear returns the largest integer that is i or smaller and not in the
// set, and whether there is one. If i is not below the length, there is none.
func (b *BitSet) PreviousClear(i uint) (uint, bool) {
	if i >= b.length {
		return 0, false
	}
	x := i / wordBits
	if w := ^b.words[x] << (^i % wordBits); w != 0 {
		return i - uint(bits.LeadingZeros64(w)), true
	}
	for p := b.words[:x]; len(p) > 0; p = p[:len(p)-1] {
		if w := ^p[len(p)-1]; w != 0 {
			return uint(len(p))*wordBits - 1 - uint(bits.LeadingZeros64(w)), true
		}
	}
	return 0, false
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
	return decode.From(buffer[:cap(buffer)], b.words, i)
}

// AppendTo appends the members, in ascending order, to buf and returns the
// extended slice. It allocates at most once.
func (b *BitSet) AppendTo(buf []uint) []uint { return AppendIndices(buf, b.words) }

// AsSlice returns the members, in ascending order, in the memory of buf, whose
// length does not matter. It panics if buf's capacity is below Count(). What is
// left of the capacity has undefined contents.
func (b *BitSet) AsSlice(buf []uint) []uint {
	buf = buf[:cap(buf)]
	n, consumed := decode.Indices(buf, b.words, 0)
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

// EachSetBackward returns an iterator over the members in descending order. Changes
// are seen as by EachSet.
func (b *BitSet) EachSetBackward() iter.Seq[uint] {
	return func(yield func(uint) bool) {
		words := b.words
		for x := len(words) - 1; x >= 0; x-- {
			for w := words[x]; w != 0; {
				bit := uint(bits.Len64(w)) - 1
				if !yield(uint(x)*wordBits + bit) {
					return
				}
				w ^= 1 << bit
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
	x := min(index/wordBits, uint(len(b.words)))
	n := countRun(b.words[:x])
	if x < uint(len(b.words)) {
		n += bits.OnesCount64(b.words[x] << (^index % wordBits))
	}
	return uint(n)
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
		countRun(b.words[first+1:last]) +
		bits.OnesCount64(b.words[last]&tail))
}

// countRun is popcount.Count for runs of words that may well be a few or none, which
// it counts without a call.
func countRun(p []uint64) (n int) {
	if len(p) >= 4 {
		return popcount.Count(p)
	}
	for _, w := range p {
		n += bits.OnesCount64(w)
	}
	return n
}

// selectNear is the number of words that Select looks through before it begins
// to count whole runs of them.
const selectNear = 64

// Select returns the member that has exactly index smaller ones, or Len() if
// there are not so many. It takes time linear in the result.
//
// Rank counts from 1 and Select from 0: Select(Rank(i)-1) is i for a member i.
func (b *BitSet) Select(index uint) uint {
	p := b.words
	x, left := skipWords(p[:min(len(p), selectNear)], index)
	if x == selectNear {
		for {
			// Counting the run that has the member is wasted work, so it is no more
			// than an eighth of what has been done.
			run := min(x/8, 256)
			if run > len(p)-x {
				break
			}
			n := uint(popcount.Count(p[x : x+run]))
			if n > left {
				break
			}
			left -= n
			x += run
		}
		n, rest := skipWords(p[x:], left)
		x, left = x+n, rest
	}
	if x == len(p) {
		return b.length
	}
	return uint(x)*wordBits + pext.Select(p[x], left)
}

// skipWords returns the index of the word of p that has the set bit numbered n
// from 0, and the bit's number in that word. If p has no such bit the index is
// len(p), and the number what is left of n after all of p.
func skipWords(p []uint64, n uint) (int, uint) {
	x := 0
	for ; len(p)-x >= 4; x += 4 {
		q := p[x : x+4 : x+4]
		c0, c1 := uint(bits.OnesCount64(q[0])), uint(bits.OnesCount64(q[1]))
		c2, c3 := uint(bits.OnesCount64(q[2])), uint(bits.OnesCount64(q[3]))
		c01 := c0 + c1
		if c := c01 + c2 + c3; c <= n {
			n -= c
			continue
		}
		if n >= c01 {
			x, n, c0 = x+2, n-c01, c2
		}
		if n >= c0 {
			x, n = x+1, n-c0
		}
		return x, n
	}
	for ; x < len(p); x++ {
		c := uint(bits.OnesCount64(p[x]))
		if c > n {
			break
		}
		n -= c
	}
	return x, n
}
