package sorted

// Lists of which one is far shorter: each element of the short one is searched for in
// the long one, by steps that double from where the last one was found, and by halves
// between the last two (E. Demaine, A. López-Ortiz, I. Munro, "Adaptive set
// intersections, unions, and differences", 2000). That takes time linear in the short
// list, times the logarithm of the ratio.

// A list that is so many times as long as the other is searched: kernels pass over what
// has nothing in common a block at a time. BenchmarkGallop compares.
const (
	gallopRatio       = 16  // instead of the loops in Go
	gallopRatioKernel = 256 // instead of kernels
)

// lopsided reports whether a list of n elements is to be searched for those of one of m.
func lopsided(n, m, ratio int) bool { return n/ratio >= m }

// seek returns the number of elements at the beginning of list that are below x.
func seek[T Elem](list []T, x T) int {
	if len(list) == 0 || list[0] >= x {
		return 0
	}
	// list[low] < x, and list[low+step] is not known to be
	low, step := 0, 1
	for low+step < len(list) && list[low+step] < x {
		low += step
		step *= 2
	}
	n := min(step, len(list)-low) // list[low+n], if there is one, is not below x
	for n > 1 {
		half := n / 2
		low += half & -one(list[low+half] < x)
		n -= half
	}
	return low + 1
}

// intersectGallop does what intersectGo does: it is for a long b.
func intersectGallop[T Elem](dst, a, b []T) (n int) {
	for _, x := range a {
		b = b[seek(b, x):]
		if len(b) == 0 {
			break
		}
		if b[0] == x {
			dst[n] = x
			n++
		}
	}
	return n
}

// intersectLong does what intersectGo does: it is for a long a.
func intersectLong[T Elem](dst, a, b []T) (n int) {
	for _, y := range b {
		for a = a[seek(a, y):]; len(a) > 0 && a[0] == y; a = a[1:] {
			dst[n] = y
			n++
		}
	}
	return n
}

// countGallop does what countGo does: it is for a long b.
func countGallop[T Elem](a, b []T) (n int) {
	for _, x := range a {
		b = b[seek(b, x):]
		if len(b) == 0 {
			break
		}
		n += one(b[0] == x)
	}
	return n
}

// countLong does what countGo does: it is for a long a.
func countLong[T Elem](a, b []T) (n int) {
	for _, y := range b {
		for a = a[seek(a, y):]; len(a) > 0 && a[0] == y; a = a[1:] {
			n++
		}
	}
	return n
}

// differenceGallop does what differenceGo does: it is for a long b.
func differenceGallop[T Elem](dst, a, b []T) (n int) {
	for _, x := range a {
		b = b[seek(b, x):]
		dst[n] = x
		n += one(len(b) == 0 || b[0] != x)
	}
	return n
}

// differenceLong does what differenceGo does: it is for a long a, of which the parts
// between the elements of b are moved.
func differenceLong[T Elem](dst, a, b []T) (n int) {
	for _, y := range b {
		below := seek(a, y)
		n += copy(dst[n:], a[:below])
		for a = a[below:]; len(a) > 0 && a[0] == y; {
			a = a[1:]
		}
	}
	return n + copy(dst[n:], a)
}

// intersectRest does what intersectGo does, in Go.
func intersectRest[T Elem](dst, a, b []T) int {
	switch {
	case lopsided(len(b), len(a), gallopRatio):
		return intersectGallop(dst, a, b)
	case lopsided(len(a), len(b), gallopRatio):
		return intersectLong(dst, a, b)
	}
	return intersectGo(dst, a, b)
}

// countRest does what countGo does, in Go.
func countRest[T Elem](a, b []T) int {
	switch {
	case lopsided(len(b), len(a), gallopRatio):
		return countGallop(a, b)
	case lopsided(len(a), len(b), gallopRatio):
		return countLong(a, b)
	}
	return countGo(a, b)
}

// differenceRest does what differenceGo does, in Go.
func differenceRest[T Elem](dst, a, b []T) int {
	switch {
	case lopsided(len(b), len(a), gallopRatio):
		return differenceGallop(dst, a, b)
	case lopsided(len(a), len(b), gallopRatio):
		return differenceLong(dst, a, b)
	}
	return differenceGo(dst, a, b)
}
