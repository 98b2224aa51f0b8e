package bitsieve

// Sets kept as sorted lists: what they have in common, and what lists have in common with
// bitmaps. internal/sorted does the work.

import "github.com/bitsieve/bitsieve/internal/sorted"

// A ListElement is what sorted lists are made of.
type ListElement interface {
	~uint16 | ~uint32 | ~uint64 | ~uint
}

// Intersect returns the elements that are in both a and b, in dst's memory from its
// beginning on, whatever dst holds. Both lists must be ascending, and each element must be
// there once; see [IntersectLists] for lists in any order.
//
// It allocates only if cap(dst) is less than the length of the shorter list, and writes
// nothing past that length. dst may be a or b, or a[:0] or b[:0]; if it overlaps one of
// them otherwise, the result is undefined.
//
// Time is linear in len(a) + len(b), or, where one list is far shorter, in the shorter
// one times the logarithm of the ratio.
//
// A list that has doubles, but is ascending otherwise, gets this result: the elements of
// the shorter list, of a if both are equally long, that are in the other, doubles
// included; dst must then lie apart. If a list is not ascending, the result has any
// elements of both, as many as the shorter list at the most.
//
// The functions on lists are safe for concurrent use as long as nobody writes what
// another reads.
func Intersect[T ListElement](dst, a, b []T) []T {
	dst = listRoom(dst, min(len(a), len(b)))
	return dst[:sorted.Intersect(dst, a, b)]
}

// Difference returns the elements of a that are not in b, in dst's memory, under the
// conditions of Intersect, but for these: it allocates if cap(dst) is less than len(a), dst
// may be a but not b, and of ascending lists with doubles the result is every element of a
// that is not in b, doubles included.
func Difference[T ListElement](dst, a, b []T) []T {
	dst = listRoom(dst, len(a))
	return dst[:sorted.Difference(dst, a, b)]
}

// Union returns the elements that are in a, in b or in both, each once, in dst's memory,
// under the conditions of Intersect, but for these: it allocates if cap(dst) is less than
// len(a) + len(b), dst must overlap neither list, and of ascending lists with doubles the
// result has each element once.
func Union[T ListElement](dst, a, b []T) []T {
	dst = listRoom(dst, len(a)+len(b))
	return dst[:sorted.Union(dst, a, b)]
}

// SymmetricDifference returns the elements that are in a or in b but not in both, in
// dst's memory, under the conditions of Union. Of ascending lists with doubles the
// result is what occurs exactly once in both together.
func SymmetricDifference[T ListElement](dst, a, b []T) []T {
	dst = listRoom(dst, len(a)+len(b))
	return dst[:sorted.SymmetricDifference(dst, a, b)]
}

// IntersectCount returns the length of what Intersect returns.
func IntersectCount[T ListElement](a, b []T) int { return sorted.IntersectCount(a, b) }

// UnionCount returns len(a) + len(b) - IntersectCount(a, b): the length of what Union
// returns, if the lists have no doubles.
func UnionCount[T ListElement](a, b []T) int {
	return len(a) + len(b) - sorted.IntersectCount(a, b)
}

// DifferenceCount returns the length of what Difference returns.
func DifferenceCount[T ListElement](a, b []T) int { return len(a) - sorted.CountIn(a, b) }

// SymmetricDifferenceCount returns len(a) + len(b) - 2*IntersectCount(a, b): the length of
// what SymmetricDifference returns, if the lists have no doubles.
func SymmetricDifferenceCount[T ListElement](a, b []T) int {
	return len(a) + len(b) - 2*sorted.IntersectCount(a, b)
}

// IntersectAny reports whether IntersectCount(a, b) is not 0. It stops soon after the
// first element that is in both. See [Intersects] for bitmaps.
func IntersectAny[T ListElement](a, b []T) bool { return sorted.IntersectAny(a, b) }

// IntersectBits returns the elements of list that are in the bitmap words, in their order
// and in dst's memory from its beginning on, whatever dst holds: bit x%64 of word x/64
// tells of x, and what is past the words is not in the bitmap. The list may have any order
// and doubles. It allocates only if cap(dst) is less than len(list), and writes nothing
// past that length. dst may be list.
func IntersectBits[T ListElement](dst, list []T, words []uint64) []T {
	dst = listRoom(dst, len(list))
	return dst[:sorted.Within(dst, list, words)]
}

// DifferenceBits returns the elements of list that are not in the bitmap words, under the
// conditions of IntersectBits.
func DifferenceBits[T ListElement](dst, list []T, words []uint64) []T {
	dst = listRoom(dst, len(list))
	return dst[:sorted.Without(dst, list, words)]
}

// IntersectBitsCount returns the number of elements of list that are in the bitmap words.
func IntersectBitsCount[T ListElement](list []T, words []uint64) int {
	return sorted.CountWithin(list, words)
}

// SetBits sets the bits of words whose indices are in list, which may have any order
// and doubles. Indices past the words are ignored. [AppendIndices] goes the other way.
func SetBits[T ListElement](words []uint64, list []T) { sorted.SetBits(words, list) }

// ClearBits clears the bits of words whose indices are in list, under the conditions of
// SetBits: what is left is the bitmap without the list.
func ClearBits[T ListElement](words []uint64, list []T) { sorted.ClearBits(words, list) }

// listRoom returns n elements in dst's memory, or in new memory if there are not as many.
func listRoom[T any](dst []T, n int) []T {
	if cap(dst) < n {
		return make([]T, n)
	}
	return dst[:n]
}
