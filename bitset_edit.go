package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/pext"
)

// Shrink removes the members above last and makes it the last bit of the set,
// if it is below the length, and returns the set. The words that are kept move
// to an allocation of their own, so that the old one can be freed.
func (b *BitSet) Shrink(last uint) *BitSet {
	if last >= b.length {
		return b
	}
	b.length = last + 1
	b.words = memory.Clone(b.words[:wordsFor(b.length)])
	b.clearTail()
	return b
}

// Compact shrinks the set to the words up to the last one with a member, but to
// no less than one, and returns the set. See Shrink.
func (b *BitSet) Compact() *BitSet {
	n := len(b.words)
	for n > 1 && b.words[n-1] == 0 {
		n--
	}
	if n == len(b.words) {
		return b
	}
	return b.Shrink(uint(n)*wordBits - 1)
}

// InsertAt makes room for one more bit at idx, which is not a member: members
// from idx on become greater by one, and so does the length. If idx is not
// below the length, the set grows to hold idx. InsertAt returns the set and
// takes time linear in the bits moved.
func (b *BitSet) InsertAt(idx uint) *BitSet {
	if idx >= b.length {
		b.extend(idx)
		return b
	}
	b.extend(b.length)
	p := b.words[idx/wordBits:]
	for i := len(p) - 1; i > 0; i-- {
		p[i] = p[i]<<1 | p[i-1]>>63
	}
	below := uint64(1)<<(idx%wordBits) - 1
	p[0] = p[0]&below | p[0]&^below<<1
	return b
}

// DeleteAt takes bit i out of the set: members above i become smaller by one,
// and so does the length. If i is not below the length, nothing happens.
// DeleteAt returns the set and takes time linear in the bits moved.
func (b *BitSet) DeleteAt(i uint) *BitSet {
	if i >= b.length {
		return b
	}
	p := b.words[i/wordBits:]
	below := uint64(1)<<(i%wordBits) - 1
	w := p[0]&below | p[0]>>1&^below
	for i, next := range p[1:] {
		p[i] = w | next<<63
		w = next >> 1
	}
	p[len(p)-1] = w
	b.length--
	b.words = b.words[:wordsFor(b.length)]
	return b
}

// ShiftLeft adds n to every member. The length grows if the largest member needs
// it. It panics if that is past the largest uint.
func (b *BitSet) ShiftLeft(n uint) {
	mustNotBeNil(b)
	top, ok := b.topBit()
	if n == 0 || !ok {
		return
	}
	if top+n < n || top+n+1 == 0 {
		panic(capacityMessage)
	}
	pages := int(n / wordBits)
	used, length := b.words[:wordsFor(top+1)], max(b.length, top+n+1)
	if need := wordsFor(length); need > cap(b.words) {
		b.words = make([]uint64, need)
	} else if need > len(b.words) {
		b.growWords(need)
	}
	b.length = length
	dst := b.words[pages:]
	if n%wordBits == 0 {
		memory.Copy(dst, used)
	} else {
		shiftWordsLeft(dst[:min(len(used)+1, len(dst))], used, n%wordBits)
	}
	memory.Clear(b.words[:pages])
}

// ShiftRight subtracts n from every member, and removes those below n. The
// length stays.
func (b *BitSet) ShiftRight(n uint) {
	mustNotBeNil(b)
	if n >= b.length {
		memory.Clear(b.words)
		return
	}
	kept := b.words[n/wordBits:]
	if n%wordBits == 0 {
		memory.Copy(b.words, kept)
	} else {
		shiftWordsRight(b.words, kept, n%wordBits)
	}
	memory.Clear(b.words[len(kept):])
}

// shiftWordsLeft sets dst to src << s, for s from 1 to 63. dst is as long as
// src, or longer by one word, which takes the bits shifted out of src. It may
// overlap src if it starts there or later.
func shiftWordsLeft(dst, src []uint64, s uint) {
	s %= 64 // tells the compiler
	r := 64 - s
	n := len(src)
	hi := src[n-1]
	if len(dst) > n {
		dst[n] = hi >> (r % 64)
	}
	dst = dst[:n]
	for i := n - 1; i > 0; i-- {
		lo := src[i-1]
		dst[i] = hi<<s | lo>>(r%64)
		hi = lo
	}
	dst[0] = hi << s
}

// shiftWordsRight sets the first len(src) words of dst to src >> s, for s from 1
// to 63. dst may overlap src if it starts there or earlier.
func shiftWordsRight(dst, src []uint64, s uint) {
	s %= 64 // tells the compiler
	r := 64 - s
	dst = dst[:len(src)]
	lo := src[0]
	for i, hi := range src[1:] {
		dst[i] = lo>>s | hi<<(r%64)
		lo = hi
	}
	dst[len(dst)-1] = lo >> s
}

// Extract returns a new set of the bits of b that mask selects, packed: bit j of
// the result is bit i of b, for i the j-th member of mask, from 0. Its length is
// mask.Count().
//
// With mask = {1, 4, 5}, bits 1, 4 and 5 of b become bits 0, 1 and 2.
func (b *BitSet) Extract(mask *BitSet) *BitSet {
	mustNotBeNil(b)
	mustNotBeNil(mask)
	n := mask.Count()
	dst := NewBitSet(n)
	b.extractTo(mask, dst, n)
	return dst
}

// ExtractTo overwrites the first mask.Count() bits of dst with what Extract
// returns. Other bits of dst stay, and it grows if needed. If b or mask has
// length 0, nothing happens. dst may be b or mask.
func (b *BitSet) ExtractTo(mask *BitSet, dst *BitSet) {
	mustNotBeNil(b)
	mustNotBeNil(mask)
	mustNotBeNil(dst)
	b.extractTo(mask, dst, mask.Count())
}

// extractTo is ExtractTo for a mask of n members.
func (b *BitSet) extractTo(mask, dst *BitSet, n uint) {
	if n == 0 || len(b.words) == 0 {
		return
	}
	if dst.length < n {
		dst.extend(n - 1)
	}
	last := wordsFor(n) - 1
	above := dst.words[last] &^ (^uint64(0) >> (-n % wordBits))
	src, m := overlap(b, mask)
	used := wordsFor(uint(pext.Extract(dst.words[:last+1], src, m)))
	clear(dst.words[used : last+1])
	dst.words[last] |= above
}

// Deposit returns a new set of the first bits of b, spread over the places that
// mask selects: bit i of the result is bit j of b, for i the j-th member of
// mask, from 0. Its length is that of mask. This is the inverse of Extract.
//
// With mask = {1, 4, 5}, bits 0, 1 and 2 of b become bits 1, 4 and 5.
func (b *BitSet) Deposit(mask *BitSet) *BitSet {
	mustNotBeNil(b)
	mustNotBeNil(mask)
	dst := NewBitSet(mask.length)
	b.DepositTo(mask, dst)
	return dst
}

// DepositTo overwrites the bits of dst that mask selects with the first bits of
// b. Other bits of dst stay, and it does not grow. Words of dst for which b has
// no word left stay too. dst may be b or mask.
func (b *BitSet) DepositTo(mask *BitSet, dst *BitSet) {
	mustNotBeNil(b)
	mustNotBeNil(mask)
	p, m := overlap(dst, mask)
	if len(p) == 0 || len(b.words) == 0 {
		return
	}
	src := b.words
	if dst == b {
		src = cloneWords(src)
	}
	pext.Deposit(p, src, m)
	dst.clearTail()
}
