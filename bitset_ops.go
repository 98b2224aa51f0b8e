package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Set algebra. A result that is a new set spans what the operands span: the
// longer one for a union and a symmetric difference, the shorter one for an
// intersection, the receiver for a difference.

// byLength returns two sets, the shorter one first.
func byLength(a, b *BitSet) (short, long *BitSet) {
	mustNotBeNil(a)
	mustNotBeNil(b)
	if a.length <= b.length {
		return a, b
	}
	return b, a
}

// overlap returns the words of b and c at the indices that both have.
func overlap(b, c *BitSet) (p, q []uint64) {
	mustNotBeNil(b)
	mustNotBeNil(c)
	n := min(len(b.words), len(c.words))
	return b.words[:n], c.words[:n]
}

// Union returns a new set of the integers that are in b, in compare or in both.
func (b *BitSet) Union(compare *BitSet) *BitSet {
	short, long := byLength(b, compare)
	result := long.Clone()
	n := len(short.words)
	orWords(result.words[:n], result.words[:n], short.words)
	return result
}

// Intersection returns a new set of the integers that are in both b and compare.
func (b *BitSet) Intersection(compare *BitSet) *BitSet {
	short, long := byLength(b, compare)
	result := NewBitSet(short.length)
	andWords(result.words, short.words, long.words[:len(short.words)])
	return result
}

// Difference returns a new set of the integers that are in b but not in compare.
func (b *BitSet) Difference(compare *BitSet) *BitSet {
	p, q := overlap(b, compare)
	result := b.Clone()
	andNotWords(result.words[:len(p)], p, q)
	return result
}

// SymmetricDifference returns a new set of the integers that are in exactly one
// of b and compare.
func (b *BitSet) SymmetricDifference(compare *BitSet) *BitSet {
	short, long := byLength(b, compare)
	result := long.Clone()
	n := len(short.words)
	xorWords(result.words[:n], result.words[:n], short.words)
	return result
}

// Complement returns a new set, of the same length, of the integers below the
// length that are not in b.
func (b *BitSet) Complement() *BitSet {
	mustNotBeNil(b)
	result := NewBitSet(b.length)
	notMany(result.words, b.words)
	result.clearTail()
	return result
}

// InPlaceUnion adds the members of compare to b. b's length becomes the greater
// of the two.
func (b *BitSet) InPlaceUnion(compare *BitSet) {
	p, q := overlap(b, compare)
	orHere(p, p, q, orRest)
	b.appendTail(compare)
}

// InPlaceIntersection removes from b what is not in compare. b's length becomes
// the greater of the two.
func (b *BitSet) InPlaceIntersection(compare *BitSet) {
	p, q := overlap(b, compare)
	andHere(p, p, q, andRest)
	if b.length < compare.length {
		b.extend(compare.length - 1)
	} else if len(p) < len(b.words) {
		memory.Clear(b.words[len(p):])
	}
}

// InPlaceDifference removes the members of compare from b. b's length stays.
func (b *BitSet) InPlaceDifference(compare *BitSet) {
	p, q := overlap(b, compare)
	andNotHere(p, p, q, andNotRest)
}

// InPlaceSymmetricDifference flips in b each member of compare. b's length
// becomes the greater of the two.
func (b *BitSet) InPlaceSymmetricDifference(compare *BitSet) {
	p, q := overlap(b, compare)
	xorHere(p, p, q, xorRest)
	b.appendTail(compare)
}

// appendTail gives b the words of c that it does not have, and c's length if
// that is greater.
func (b *BitSet) appendTail(c *BitSet) {
	if c.length <= b.length {
		return
	}
	if n := len(b.words); n < len(c.words) {
		b.words = append(b.words, c.words[n:]...)
	}
	b.length = c.length
}

// UnionCardinality returns the number of members of the union of b and compare.
// Like all the cardinalities, it builds no set.
func (b *BitSet) UnionCardinality(compare *BitSet) uint {
	short, long := byLength(b, compare)
	n := len(short.words)
	count := popcount.OrHere(short.words, long.words[:n])
	if n < len(long.words) {
		count += popcount.Count(long.words[n:])
	}
	return uint(count)
}

// IntersectionCardinality returns the number of members of the intersection of
// b and compare.
func (b *BitSet) IntersectionCardinality(compare *BitSet) uint {
	p, q := overlap(b, compare)
	return uint(popcount.AndHere(p, q))
}

// DifferenceCardinality returns the number of members of b that are not in
// compare.
func (b *BitSet) DifferenceCardinality(compare *BitSet) uint {
	p, q := overlap(b, compare)
	count := popcount.AndNotHere(p, q)
	if len(p) < len(b.words) {
		count += popcount.Count(b.words[len(p):])
	}
	return uint(count)
}

// SymmetricDifferenceCardinality returns the number of integers that are in
// exactly one of b and compare.
func (b *BitSet) SymmetricDifferenceCardinality(compare *BitSet) uint {
	short, long := byLength(b, compare)
	n := len(short.words)
	count := popcount.XorHere(short.words, long.words[:n])
	if n < len(long.words) {
		count += popcount.Count(long.words[n:])
	}
	return uint(count)
}

// All reports whether every integer below the length is in the set. It is true
// of a set of length 0.
func (b *BitSet) All() bool {
	mustNotBeNil(b)
	n := len(b.words)
	return n == 0 || b.words[n-1] == b.lastMask() && firstNotFull(b.words[:n-1]) == n-1
}

// None reports whether the set has no member.
func (b *BitSet) None() bool {
	mustNotBeNil(b)
	return noneHere(b.words, noneRest)
}

// Any reports whether the set has a member.
func (b *BitSet) Any() bool { return !b.None() }

// Equal reports whether two sets have the same length and the same members. A
// nil set equals only a nil set.
func (b *BitSet) Equal(c *BitSet) bool {
	if b == nil || c == nil {
		return b == c
	}
	return b.length == c.length && equalHere(b.words, c.words, equalRest)
}

// equalHere is equalWords with a loop for fewer than minCall words in the caller:
// bitset_generic.go explains such functions.
func equalHere(p, q []uint64, rest func(p, q []uint64) bool) bool {
	if len(p) >= minCall || len(q) != len(p) {
		return rest(p, q)
	}
	for i, w := range p {
		if w != q[i] {
			return false
		}
	}
	return true
}

func equalRest(p, q []uint64) bool { return equalWords(p, q) }

// equalWords compares two slices of one length.
func equalWords(p, q []uint64) bool {
	if len(p) > shortWords {
		return equalMany(p, q)
	}
	q = q[:len(p)]
	for i, w := range p {
		if w != q[i] {
			return false
		}
	}
	return true
}

// equalMany is equalWords by the runtime's vector comparison of memory, which is
// what comparing arrays compiles to.
func equalMany(p, q []uint64) bool {
	const n = 32
	for ; len(p) >= n; p, q = p[n:], q[n:] {
		if *(*[n]uint64)(p) != *(*[n]uint64)(q) {
			return false
		}
	}
	q = q[:len(p)]
	for i, w := range p {
		if w != q[i] {
			return false
		}
	}
	return true
}

// IsSuperSet reports whether every member of other is in b. The lengths do not
// matter.
func (b *BitSet) IsSuperSet(other *BitSet) bool {
	p, q := overlap(b, other)
	return coversWords(p, q) && firstNonZero(other.words[len(q):]) == len(other.words)-len(q)
}

// Intersects reports whether b and c have a member in common. It stops soon after
// the first one, and so is faster than IntersectionCardinality if there is one.
func (b *BitSet) Intersects(c *BitSet) bool {
	p, q := overlap(b, c)
	return intersectsHere(p, q, intersectsRest)
}

// nearWords is how far coversWords and intersectsWords look word by word. Most that
// end early end there. The kernels check the rest, if it is longer than that, in runs
// of an eighth of the way so far, which bounds the wasted work.
const nearWords = 256

// coversWords reports whether every bit that is set in b is set in a, which is as
// long.
func coversWords(a, b []uint64) bool {
	near := len(a)
	if cpu.HasAsm && near > 2*nearWords {
		near = nearWords
	}
	if !coversNear(a[:near], b[:near]) {
		return false
	}
	for x := near; x < len(a); {
		run := min(x/8, 256, len(a)-x)
		if popcount.AndNot(b[x:x+run], a[x:x+run]) != 0 {
			return false
		}
		x += run
	}
	return true
}

// coversNear is coversWords word by word.
func coversNear(a, b []uint64) bool {
	b = b[:len(a)]
	x := 0
	for ; x+4 <= len(a); x += 4 {
		v, w := a[x:x+4:x+4], b[x:x+4:x+4]
		if w[0]&^v[0]|w[1]&^v[1]|w[2]&^v[2]|w[3]&^v[3] != 0 {
			return false
		}
	}
	for ; x < len(a); x++ {
		if b[x]&^a[x] != 0 {
			return false
		}
	}
	return true
}

// intersectsWords reports whether a bit is set in both a and b, which is as long.
func intersectsWords(a, b []uint64) bool {
	near := len(a)
	if cpu.HasAsm && near > 2*nearWords {
		near = nearWords
	}
	if intersectsNear(a[:near], b[:near]) {
		return true
	}
	for x := near; x < len(a); {
		run := min(x/8, 256, len(a)-x)
		if popcount.And(a[x:x+run], b[x:x+run]) != 0 {
			return true
		}
		x += run
	}
	return false
}

// intersectsNear is intersectsWords word by word.
func intersectsNear(a, b []uint64) bool {
	b = b[:len(a)]
	x := 0
	for ; x+4 <= len(a); x += 4 {
		v, w := a[x:x+4:x+4], b[x:x+4:x+4]
		if v[0]&w[0]|v[1]&w[1]|v[2]&w[2]|v[3]&w[3] != 0 {
			return true
		}
	}
	for ; x < len(a); x++ {
		if a[x]&b[x] != 0 {
			return true
		}
	}
	return false
}

// noneHere reports whether no bit of p is set; the first words it looks at in the
// caller: bitset_generic.go explains such functions.
func noneHere(p []uint64, rest func(p []uint64) bool) bool {
	for _, w := range p[:min(len(p), minCall)] {
		if w != 0 {
			return false
		}
	}
	return len(p) <= minCall || rest(p)
}

func noneRest(p []uint64) bool { return noneWords(p) }

// Inlined, it would make None too long for that.
//
//go:noinline
func noneWords(p []uint64) bool { return firstNonZero(p) == len(p) }

// intersectsHere is intersectsWords with a loop for fewer than minCall words in the
// caller; the shorter of a and b decides.
func intersectsHere(a, b []uint64, rest func(a, b []uint64, n int) bool) bool {
	n := min(len(a), len(b))
	if n >= minCall {
		return rest(a, b, n)
	}
	for i := range n {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}

func intersectsRest(a, b []uint64, n int) bool { return intersectsWords(a[:n], b[:n]) }

// IsStrictSuperSet reports whether every member of other is in b and b has one
// that other has not.
func (b *BitSet) IsStrictSuperSet(other *BitSet) bool {
	return b.Count() > other.Count() && b.IsSuperSet(other)
}

// firstNotFull returns the index of the first word that has a zero, or len(p).
func firstNotFull(p []uint64) int {
	i := 0
	for ; len(p)-i >= 4; i += 4 {
		if q := p[i : i+4 : i+4]; q[0]&q[1]&q[2]&q[3] != ^uint64(0) {
			break
		}
	}
	for i < len(p) && p[i] == ^uint64(0) {
		i++
	}
	return i
}

// firstNonZero returns the index of the first word that is not zero, or len(p).
func firstNonZero(p []uint64) int {
	i := 0
	for ; len(p)-i >= 4; i += 4 {
		if q := p[i : i+4 : i+4]; q[0]|q[1]|q[2]|q[3] != 0 {
			break
		}
	}
	for i < len(p) && p[i] == 0 {
		i++
	}
	return i
}
