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

// The loops below have branches: on real lists, where one list often goes on for a while,
// they take two thirds of the time of loops without. TUNING.md has the figures.

// intersectGo writes to dst the elements of a that are in b, and returns their number.
// dst has room for len(a) elements, and only as many as are found are written. It may
// be a or b if neither list has doubles.
func intersectGo[T Elem](dst, a, b []T) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch x, y := a[i], b[j]; {
		case x < y:
			i++
		case x > y:
			j++
		default:
			dst[n] = x
			n++
			i++
		}
	}
	return n
}

// countGo returns the number of elements of a that are in b.
func countGo[T Elem](a, b []T) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch x, y := a[i], b[j]; {
		case x < y:
			i++
		case x > y:
			j++
		default:
			n++
			i++
		}
	}
	return n
}

// differenceGo writes to dst the elements of a that are not in b, and returns their
// number. dst has room for len(a) elements. It may be a.
func differenceGo[T Elem](dst, a, b []T) (n int) {
	i := 0
	for j := 0; i < len(a) && j < len(b); {
		switch x, y := a[i], b[j]; {
		case x < y:
			dst[n] = x
			n++
			i++
		case x > y:
			j++
		default:
			i++
		}
	}
	return n + copy(dst[n:], a[i:])
}

// unionGo writes to dst what is in a or b, once each, and returns the number. dst has
// room for len(a) + len(b) elements and overlaps neither.
func unionGo[T Elem](dst, a, b []T) (n int) {
	i, j := 0, 0
	var last T
	put := func(x T) {
		if x != last || n == 0 {
			dst[n] = x
			n++
			last = x
		}
	}
	for i < len(a) && j < len(b) {
		switch x, y := a[i], b[j]; {
		case x < y:
			put(x)
			i++
		case x > y:
			put(y)
			j++
		default:
			put(x)
			i++
			j++
		}
	}
	for _, x := range a[i:] {
		put(x)
	}
	for _, y := range b[j:] {
		put(y)
	}
	return n
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
