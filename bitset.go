package bitsieve

import (
	"math"
	"math/bits"
	"slices"

	"github.com/bitsieve/bitsieve/internal/compat"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// BitSet is a set of non-negative integers kept as a bitmap. It grows to hold
// the largest integer put into it and takes about Len()/8 bytes. The zero value
// is an empty set of length 0, ready to use.
//
// The length is the number of bits that the set spans, members or not. It grows
// with Set, Flip and the like, and shrinks only where a method says so. Reading
// past it finds no member and never panics.
//
// A nil set is a programmer's error: methods of it, and methods given one, panic
// except where they say otherwise.
//
// The method set and its meaning are those of github.com/bits-and-blooms/bitset;
// package dropin/bitset has the rest of that interface.
//
// Any number of goroutines may read one set; a writer must be alone.
type BitSet struct {
	length uint
	// words has exactly wordsFor(length) elements, and the bits of the last
	// word from length on are zero, so that no kernel needs a mask. Only a
	// caller who writes through an aliased slice (Words, FromWords) can break
	// this. Words between len and cap may hold anything: growWords clears them.
	words []uint64
}

const wordBits = 64

const capacityMessage = "bitsieve: BitSet index out of capacity"

// wordsFor returns the number of words that length bits take. It does not
// overflow, whatever the length and the size of an int.
func wordsFor(length uint) int {
	return int(length/wordBits + (length%wordBits+wordBits-1)/wordBits)
}

// NewBitSet returns an empty set of the given length. The length is a hint: the
// set grows as needed. Like make, it panics if the memory cannot be had.
func NewBitSet(length uint) *BitSet {
	return &BitSet{length, make([]uint64, wordsFor(length))}
}

// FromWords returns a set over words, without copying them: bit i of the set is
// bit i%64 of words[i/64]. The set and the caller share the memory until the
// set grows past its capacity; growing within the capacity clears the words it
// takes in, as append would overwrite them.
func FromWords(words []uint64) *BitSet {
	b := new(BitSet)
	b.SetBitsetFrom(words)
	return b
}

// FromWordsWithLength is FromWords with a length in bits that need not be a
// multiple of 64. The set takes only the words that the length needs. Bits of
// the last of them from the length on are cleared in place; if they are zero
// already, nothing is written. It panics if there are too few words.
func FromWordsWithLength(length uint, words []uint64) *BitSet {
	n := wordsFor(length)
	if len(words) < n {
		panic("bitsieve: too few words for the BitSet's length")
	}
	b := &BitSet{length, words[:n]}
	if n > 0 && words[n-1]&^b.lastMask() != 0 {
		b.clearTail()
	}
	return b
}

// SetBitsetFrom makes b a set over words, as FromWords does, and lets go of the
// memory that b had.
func (b *BitSet) SetBitsetFrom(words []uint64) {
	if uint(len(words)) > math.MaxUint/wordBits {
		panic(capacityMessage) // only a 32-bit platform can get here
	}
	b.length, b.words = uint(len(words))*wordBits, words
}

// Words returns the words of the set, without copying them: bit i of the set is
// bit i%64 of word i/64. There are Len()/64 of them, rounded up. Whoever writes
// to them must leave the bits of the last word from Len() on zero.
func (b *BitSet) Words() []uint64 { return b.words }

// Bytes returns the words of the set, as Words does.
//
// Deprecated: the name is misleading and kept for compatibility; use
// [BitSet.Words].
func (b *BitSet) Bytes() []uint64 { return b.words }

// Len returns the length of the set in bits. See Count for the number of
// members.
func (b *BitSet) Len() uint { return b.length }

// lastMask returns the mask of the bits that the length leaves in the last
// word.
func (b *BitSet) lastMask() uint64 { return math.MaxUint64 >> (-b.length % wordBits) }

// clearTail clears the bits of the last word from the length on.
func (b *BitSet) clearTail() {
	if n := len(b.words); n > 0 {
		b.words[n-1] &= b.lastMask()
	}
}

// extend makes i the last bit of the set. i must not be below the length. It is
// kept out of line so that Set and Flip, which call it, are inlined.
//
//go:noinline
func (b *BitSet) extend(i uint) {
	if i == math.MaxUint {
		panic(capacityMessage)
	}
	if n := wordsFor(i + 1); n > len(b.words) {
		b.growWords(n)
	}
	b.length = i + 1
}

// growWords extends words to n, which is more than there are, with zeros.
func (b *BitSet) growWords(n int) {
	old := len(b.words)
	if n <= cap(b.words) {
		b.words = b.words[:n]
		memory.Clear(b.words[old:])
		return
	}
	room := n
	if b.words != nil {
		room = 2 * n // so that setting bits in ascending order is linear
	}
	// Not append(b.words, make(…)...): that clears the room even of memory
	// fresh from the operating system, which is zero, and so touches it all.
	words := make([]uint64, n, room)
	memory.Copy(words, b.words)
	b.words = words
}

// resize sets the length for a caller that is about to overwrite every word
// returned, whose contents are undefined.
func (b *BitSet) resize(length uint) []uint64 {
	n := wordsFor(length)
	if n > cap(b.words) {
		b.words = make([]uint64, n)
	}
	b.length, b.words = length, b.words[:n]
	return b.words
}

// FromIndices returns the set of the given integers, in any order. Its length is
// the largest of them plus one.
func FromIndices(indices ...uint) *BitSet { return new(BitSet).SetMany(indices) }

// Test reports whether i is in the set.
func (b *BitSet) Test(i uint) bool {
	if i >= b.length {
		return false
	}
	return b.words[i/wordBits]&(1<<(i%wordBits)) != 0
}

// Set adds i to the set, growing it if needed, and returns the set. It panics
// if i is the largest uint, or if there is no memory for i/8 bytes.
func (b *BitSet) Set(i uint) *BitSet {
	if i >= b.length {
		b.extend(i)
	}
	b.words[i/wordBits] |= 1 << (i % wordBits)
	return b
}

// SetMany adds each of the given integers, in any order, and returns the set. The
// set grows once at most. It panics as Set does, and has added nothing then.
func (b *BitSet) SetMany(indices []uint) *BitSet {
	if len(indices) == 0 {
		return b
	}
	if top := slices.Max(indices); top >= b.length {
		b.extend(top)
	}
	words := b.words
	for _, i := range indices {
		words[i/wordBits] |= 1 << (i % wordBits)
	}
	return b
}

// Clear removes i from the set and returns the set. It never grows the set.
func (b *BitSet) Clear(i uint) *BitSet {
	if i < b.length {
		b.words[i/wordBits] &^= 1 << (i % wordBits)
	}
	return b
}

// SetTo is Set(i) if value is true, and Clear(i) otherwise.
func (b *BitSet) SetTo(i uint, value bool) *BitSet {
	if value {
		return b.Set(i)
	}
	return b.Clear(i)
}

// Flip removes i from the set if it is there, adds it as Set does otherwise,
// and returns the set.
func (b *BitSet) Flip(i uint) *BitSet {
	if i >= b.length {
		b.extend(i)
	}
	b.words[i/wordBits] ^= 1 << (i % wordBits)
	return b
}

// SetRange adds the integers in [start, end), growing the set if needed, and
// returns the set. An empty range changes nothing.
func (b *BitSet) SetRange(start, end uint) *BitSet {
	if start >= end {
		return b
	}
	if end > b.length {
		b.extend(end - 1)
	}
	first, last := start/wordBits, (end-1)/wordBits
	head, tail := rangeMasks(start, end)
	if first == last {
		b.words[first] |= head & tail
		return b
	}
	b.words[first] |= head
	fillWords(b.words[first+1 : last])
	b.words[last] |= tail
	return b
}

// FlipRange flips each of the integers in [start, end), growing the set if
// needed, and returns the set. An empty range changes nothing.
func (b *BitSet) FlipRange(start, end uint) *BitSet {
	if start >= end {
		return b
	}
	if end > b.length {
		b.extend(end - 1)
	}
	first, last := start/wordBits, (end-1)/wordBits
	head, tail := rangeMasks(start, end)
	if first == last {
		b.words[first] ^= head & tail
		return b
	}
	b.words[first] ^= head
	middle := b.words[first+1 : last]
	notWords(middle, middle)
	b.words[last] ^= tail
	return b
}

// ClearRange removes the integers in [start, end) and returns the set. It never
// grows the set.
func (b *BitSet) ClearRange(start, end uint) *BitSet {
	end = min(end, b.length)
	if start >= end {
		return b
	}
	first, last := start/wordBits, (end-1)/wordBits
	head, tail := rangeMasks(start, end)
	if first == last {
		b.words[first] &^= head & tail
		return b
	}
	b.words[first] &^= head
	memory.Clear(b.words[first+1 : last])
	b.words[last] &^= tail
	return b
}

// rangeMasks returns the masks of [start, end), which must not be empty, in its
// first and last words. If they are one word, its mask is both at once.
func rangeMasks(start, end uint) (head, tail uint64) {
	return math.MaxUint64 << (start % wordBits), math.MaxUint64 >> (-end % wordBits)
}

// ClearAll removes every member and returns the set. The length and the memory
// stay. A nil set is returned as it is.
func (b *BitSet) ClearAll() *BitSet {
	if b != nil {
		memory.Clear(b.words)
	}
	return b
}

// SetAll adds every integer below the length and returns the set. A nil set is
// returned as it is.
func (b *BitSet) SetAll() *BitSet {
	if b != nil {
		fillWords(b.words)
		b.clearTail()
	}
	return b
}

// GetWord64AtBit returns bits i to i+63 as one word, bit i lowest. Bits past
// the length are zero.
func (b *BitSet) GetWord64AtBit(i uint) uint64 {
	var lo, hi uint64
	w := i / wordBits
	if w < uint(len(b.words)) {
		lo = b.words[w]
	}
	if w+1 < uint(len(b.words)) {
		hi = b.words[w+1]
	}
	return lo>>(i%wordBits) | hi<<1<<(^i%wordBits)
}

// Count returns the number of members. That of a nil set is 0.
func (b *BitSet) Count() uint {
	if b == nil {
		return 0
	}
	return uint(popcount.CountHere(b.words))
}

// Clone returns a copy of the set that shares no memory with it.
func (b *BitSet) Clone() *BitSet {
	return &BitSet{b.length, cloneWords(b.words)}
}

// Copy copies the bits below the smaller of the two lengths into dst and
// returns how many they are. The rest of dst and its length stay as they are.
// Nothing is copied into a nil set.
func (b *BitSet) Copy(dst *BitSet) (count uint) {
	if dst == nil {
		return 0
	}
	count = min(b.length, dst.length)
	n := int(count / wordBits)
	memory.Copy(dst.words[:n], b.words)
	if r := count % wordBits; r != 0 {
		mask := uint64(1)<<r - 1
		dst.words[n] = dst.words[n]&^mask | b.words[n]&mask
	}
	return count
}

// CopyFull makes dst a copy of the set, in dst's own memory if that is large
// enough. Nothing is copied into a nil set.
func (b *BitSet) CopyFull(dst *BitSet) {
	if dst == nil {
		return
	}
	if n := len(b.words); n <= cap(dst.words) {
		dst.words = dst.words[:n]
		memory.Copy(dst.words, b.words)
	} else {
		dst.words = memory.Clone(b.words)
	}
	dst.length = b.length
}

// cloneWords returns a copy of p that is not nil.
func cloneWords(p []uint64) []uint64 {
	if len(p) == 0 {
		return []uint64{}
	}
	return memory.Clone(p)
}

func mustNotBeNil(b *BitSet) {
	if b == nil {
		panic(compat.ErrNil)
	}
}

// fullWords are words without a zero bit, which stay in the first-level cache, for
// the kernels to combine others with.
var fullWords = func() (p [512]uint64) {
	for i := range p {
		p[i] = math.MaxUint64
	}
	return p
}()

// fillWords sets every bit of p.
func fillWords(p []uint64) {
	if len(p) > shortWords {
		fillMany(p)
		return
	}
	for i := range p {
		p[i] = math.MaxUint64
	}
}

func fillMany(p []uint64) {
	for len(p) > 0 {
		p = p[copy(p, fullWords[:]):]
	}
}

// notWords sets dst[i] = ^a[i]. dst may be a. Their lengths must be equal.
func notWords(dst, a []uint64) {
	if len(dst) > shortWords {
		notMany(dst, a)
		return
	}
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = ^a[i]
	}
}

// notHere is Not with a loop for fewer than minCall words in the caller:
// bitset_generic.go explains such functions.
func notHere(dst, a []uint64, rest func(dst, a []uint64, n int)) {
	n := min(len(dst), len(a))
	if n >= minCall {
		rest(dst, a, n)
		return
	}
	for i := range n {
		dst[i] = ^a[i]
	}
}

func notRest(dst, a []uint64, n int) { notWords(dst[:n], a[:n]) }

func notMany(dst, a []uint64) {
	for len(dst) > 0 {
		n := min(len(dst), len(fullWords))
		andNotWords(dst[:n], fullWords[:n], a[:n])
		dst, a = dst[n:], a[n:]
	}
}

// topBit returns the largest member.
func (b *BitSet) topBit() (uint, bool) {
	for i := len(b.words) - 1; i >= 0; i-- {
		if w := b.words[i]; w != 0 {
			return uint(i)*wordBits + uint(bits.Len64(w)) - 1, true
		}
	}
	return 0, false
}
