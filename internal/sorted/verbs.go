package sorted

// Intersect writes to dst the elements of the shorter list, a if they are equally long,
// that are in the other. It returns their number. dst has room for as many elements as
// the shorter list. It may be a or b if there are no doubles.
func Intersect[T Elem](dst, a, b []T) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if lopsided(len(b), len(a), gallopRatioKernel) {
		return intersectGallop(dst, a, b)
	}
	return intersect(dst, a, b)
}

// IntersectCount returns what Intersect would.
func IntersectCount[T Elem](a, b []T) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	return CountIn(a, b)
}

// CountIn returns the number of elements of a that are in b.
func CountIn[T Elem](a, b []T) int {
	switch {
	case lopsided(len(b), len(a), gallopRatioKernel):
		return countGallop(a, b)
	case lopsided(len(a), len(b), gallopRatioKernel):
		return countLong(a, b)
	}
	return count(a, b)
}

// IntersectAny reports whether a and b have an element in common. It stops soon after
// the first one.
func IntersectAny[T Elem](a, b []T) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	// Pieces of a that grow, each with what of b may be in it.
	for size := 32; len(a) > 0 && len(b) > 0; size *= 2 {
		piece := a[:min(size, len(a))]
		a = a[len(piece):]
		b = b[seek(b, piece[0]):]
		reach := seek(b, piece[len(piece)-1])
		if reach < len(b) {
			reach++
		}
		if CountIn(piece, b[:reach]) > 0 {
			return true
		}
	}
	return false
}

// Difference writes to dst the elements of a that are not in b, and returns their
// number. dst has room for len(a) elements, and may be a.
func Difference[T Elem](dst, a, b []T) int {
	switch {
	case lopsided(len(b), len(a), gallopRatioKernel):
		return differenceGallop(dst, a, b)
	case lopsided(len(a), len(b), gallopRatioKernel):
		return differenceLong(dst, a, b)
	}
	return difference(dst, a, b)
}

// Union writes to dst what is in a or b, once each, and returns the number. dst has room
// for len(a) + len(b) elements and overlaps neither.
func Union[T Elem](dst, a, b []T) int { return union(dst, a, b) }

// SymmetricDifference writes to dst what occurs exactly once in both lists together, and
// returns the number. dst has room for len(a) + len(b) elements and overlaps neither.
func SymmetricDifference[T Elem](dst, a, b []T) int { return symmetric(dst, a, b) }
