//go:build !purego

package sorted

import "unsafe"

//go:noescape
func union16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n int)

//go:noescape
func union32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n int)

//go:noescape
func union64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n int)

//go:noescape
func symmetric16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n int)

//go:noescape
func symmetric32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n int)

//go:noescape
func symmetric64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n int)

// mergePiece is the most elements of a list that a merging kernel gets in one call, of
// which each block of 8 takes it 10 ns at the most.
const mergePiece = 1 << 12

// merge does what unionGo does, or symmetricGo if single is true. The least and the
// greatest integer, which the kernels need for themselves, are taken off the lists, and
// the rest is cut at an integer x: what is x or less is merged first.
func merge[T Elem](dst, a, b []T, single bool) (n int) {
	a, zerosA := trimFirst(a, 0)
	b, zerosB := trimFirst(b, 0)
	n = putTimes(dst, 0, T(0), zerosA+zerosB, single)
	a, topsA := trimLast(a, ^T(0))
	b, topsB := trimLast(b, ^T(0))
	for len(a) > 0 || len(b) > 0 {
		if len(a) <= mergePiece && len(b) <= mergePiece {
			n += mergeKernel(dst[n:], a, b, single)
			break
		}
		x := ^T(0)
		if len(a) > mergePiece {
			x = a[mergePiece-1]
		}
		if len(b) > mergePiece {
			x = min(x, b[mergePiece-1])
		}
		i, j := upTo(a, x), upTo(b, x)
		if i+j < mergePiece { // not ascending: on with any elements
			i, j = min(mergePiece, len(a)), min(mergePiece, len(b))
		}
		n += mergeKernel(dst[n:], a[:i], b[:j], single)
		a, b = a[i:], b[j:]

		// Doubles of x that did not fit into the piece.
		a, i = trimFirst(a, x)
		b, j = trimFirst(b, x)
		if single && i+j > 0 && n > 0 && dst[n-1] == x {
			n--
		}
	}
	return putTimes(dst, n, ^T(0), topsA+topsB, single)
}

// upTo returns the number of elements of a piece at the beginning of list that are not
// above x, which is not below the last of the piece or is in it.
func upTo[T Elem](list []T, x T) int {
	list = list[:min(mergePiece, len(list))]
	n := seek(list, x)
	for n < len(list) && list[n] == x {
		n++
	}
	return n
}

// trimFirst takes elements that equal x off the beginning of list, and returns their
// number.
func trimFirst[T Elem](list []T, x T) ([]T, int) {
	n := 0
	for n < len(list) && list[n] == x {
		n++
	}
	return list[n:], n
}

// trimLast takes elements that equal x off the end of list, and returns their number.
func trimLast[T Elem](list []T, x T) ([]T, int) {
	n := len(list)
	for n > 0 && list[n-1] == x {
		n--
	}
	return list[:n], len(list) - n
}

// putTimes writes x behind the n elements of dst if it is part of the result, having
// occurred so many times. It returns the number of elements then.
func putTimes[T Elem](dst []T, n int, x T, times int, single bool) int {
	if times == 1 || times > 1 && !single {
		dst[n] = x
		n++
	}
	return n
}

// mergeKernel calls the kernel for a piece, of which one list may be empty: that one's
// address may be nil, below which there is none, as the kernels need.
func mergeKernel[T Elem](dst, a, b []T, single bool) (n int) {
	d := unsafe.Pointer(unsafe.SliceData(dst))
	p, q := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b))
	if len(a) == 0 {
		p = q
	}
	if len(b) == 0 {
		q = p
	}
	switch size := unsafe.Sizeof(T(0)); {
	case size == 2 && single:
		n = symmetric16AVX512((*uint16)(d), (*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 2:
		n = union16AVX512((*uint16)(d), (*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 4 && single:
		n = symmetric32AVX512((*uint32)(d), (*uint32)(p), len(a), (*uint32)(q), len(b))
	case size == 4:
		n = union32AVX512((*uint32)(d), (*uint32)(p), len(a), (*uint32)(q), len(b))
	case single:
		n = symmetric64AVX512((*uint64)(d), (*uint64)(p), len(a), (*uint64)(q), len(b))
	default:
		n = union64AVX512((*uint64)(d), (*uint64)(p), len(a), (*uint64)(q), len(b))
	}
	raceKernel(dst[:n], a, b)
	return n
}
