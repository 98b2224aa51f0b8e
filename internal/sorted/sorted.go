// Package sorted has the operations of sets on ascending lists of integers of 16, 32
// and 64 bits.
//
// This file specifies them. A list may hold doubles: what becomes of them is defined by
// the loops here, and each kernel does the same. Of a list that is not ascending the
// result is anything that fits into the bounds named, and the time is linear all the
// same; nothing outside the lists is read.
//
// verbs.go is what others call. It leaves pairs of which one list is far shorter to
// gallop.go and all others to merge… of the architecture, which takes the kernels'
// blocks and leaves what they do not to the loops here.
package sorted

// An Elem is an element of a list. Types of one size share their kernels.
type Elem interface {
	~uint16 | ~uint32 | ~uint64 | ~uint
}

// one is 1 if the condition holds: the compiler makes it a SETcc, not a branch.
func one(condition bool) (n int) {
	if condition {
		n = 1
	}
	return n
}

// intersectGo writes to dst the elements of a that are in b, and returns their number.
// dst has room for len(a) elements, and only as many as are found are written. It may
// be a; it may be b if neither list has doubles.
func intersectGo[T Elem](dst, a, b []T) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		if x == y { // not written otherwise, for dst[n] may be b[j]
			dst[n] = x
			n++
		}
		i += one(x <= y)
		j += one(y < x)
	}
	return n
}

// countGo returns the number of elements of a that are in b.
func countGo[T Elem](a, b []T) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		n += one(x == y)
		i += one(x <= y)
		j += one(y < x)
	}
	return n
}

// differenceGo writes to dst the elements of a that are not in b, and returns their
// number. dst has room for len(a) elements. It may be a.
func differenceGo[T Elem](dst, a, b []T) (n int) {
	i := 0
	for j := 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		dst[n] = x
		n += one(x < y)
		i += one(x <= y)
		j += one(y < x)
	}
	return n + copy(dst[n:], a[i:])
}

// unionGo writes to dst what is in a or b, once each, and returns the number. dst has
// room for len(a) + len(b) elements and overlaps neither.
func unionGo[T Elem](dst, a, b []T) (n int) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		n = putNew(dst, n, min(x, y))
		i += one(x <= y)
		j += one(y <= x)
	}
	for _, x := range a[i:] {
		n = putNew(dst, n, x)
	}
	for _, y := range b[j:] {
		n = putNew(dst, n, y)
	}
	return n
}

// putNew writes x behind the n elements of dst, and returns their number: one more if x
// is not the last of them.
func putNew[T Elem](dst []T, n int, x T) int {
	dst[n] = x
	return n + one(x != dst[max(n-1, 0)] || n == 0)
}

// symmetricGo writes to dst what occurs exactly once in both lists together, and
// returns the number. dst has room for len(a) + len(b) elements and overlaps neither.
func symmetricGo[T Elem](dst, a, b []T) (n int) {
	if len(a) == 0 {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	// x is written once what comes after it is known to differ.
	i, j := 0, 0
	next := func() (x T) {
		if i < len(a) && (j >= len(b) || a[i] <= b[j]) {
			x = a[i]
			i++
			return x
		}
		x = b[j]
		j++
		return x
	}
	x, single := next(), true
	for i < len(a) && j < len(b) {
		y, z := a[i], b[j]
		i += one(y <= z)
		j += one(z < y)
		y = min(y, z)
		dst[n] = x
		n += one(x != y) & one(single)
		x, single = y, x != y
	}
	for i < len(a) || j < len(b) {
		y := next()
		dst[n] = x
		n += one(x != y) & one(single)
		x, single = y, x != y
	}
	dst[n] = x
	return n + one(single)
}
