//go:build !purego

package sorted

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

//go:noescape
func intersect16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)

//go:noescape
func intersect32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)

//go:noescape
func intersect64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)

//go:noescape
func count16AVX512(a *uint16, na int, b *uint16, nb int) (n, i, j int)

//go:noescape
func count32AVX512(a *uint32, na int, b *uint32, nb int) (n, i, j int)

//go:noescape
func count64AVX512(a *uint64, na int, b *uint64, nb int) (n, i, j int)

//go:noescape
func difference16AVX512(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)

//go:noescape
func difference32AVX512(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)

//go:noescape
func difference64AVX512(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)

// piece is the most elements of a list that a kernel gets in one call. Assembly cannot
// be preempted, and in lists that are not ascending a kernel may take a step for each
// element, 10 ns at the most.
const piece = 1 << 12

// intersect does what intersectGo does.
func intersect[T Elem](dst, a, b []T) (n int) {
	if !cpu.AVX512 {
		return intersectGo(dst, a, b)
	}
	for len(a) > 0 && len(b) > 0 {
		pa, pb := a[:min(piece, len(a))], b[:min(piece, len(b))]
		d, p, q := unsafe.Pointer(unsafe.SliceData(dst[n:])), unsafe.Pointer(&pa[0]), unsafe.Pointer(&pb[0])
		var dn, i, j int
		switch unsafe.Sizeof(pa[0]) {
		case 2:
			dn, i, j = intersect16AVX512((*uint16)(d), (*uint16)(p), len(pa), (*uint16)(q), len(pb))
		case 4:
			dn, i, j = intersect32AVX512((*uint32)(d), (*uint32)(p), len(pa), (*uint32)(q), len(pb))
		default:
			dn, i, j = intersect64AVX512((*uint64)(d), (*uint64)(p), len(pa), (*uint64)(q), len(pb))
		}
		raceKernel(dst[n:n+dn], pa[:i], pb[:j])
		n, a, b = n+dn, a[i:], b[j:]
	}
	return n
}

// count does what countGo does.
func count[T Elem](a, b []T) (n int) {
	if !cpu.AVX512 {
		return countGo(a, b)
	}
	for len(a) > 0 && len(b) > 0 {
		pa, pb := a[:min(piece, len(a))], b[:min(piece, len(b))]
		p, q := unsafe.Pointer(&pa[0]), unsafe.Pointer(&pb[0])
		var dn, i, j int
		switch unsafe.Sizeof(pa[0]) {
		case 2:
			dn, i, j = count16AVX512((*uint16)(p), len(pa), (*uint16)(q), len(pb))
		case 4:
			dn, i, j = count32AVX512((*uint32)(p), len(pa), (*uint32)(q), len(pb))
		default:
			dn, i, j = count64AVX512((*uint64)(p), len(pa), (*uint64)(q), len(pb))
		}
		raceKernel(nil, pa[:i], pb[:j])
		n, a, b = n+dn, a[i:], b[j:]
	}
	return n
}

// difference does what differenceGo does.
func difference[T Elem](dst, a, b []T) (n int) {
	if !cpu.AVX512 {
		return differenceGo(dst, a, b)
	}
	for len(a) > 0 && len(b) > 0 {
		pa, pb := a[:min(piece, len(a))], b[:min(piece, len(b))]
		d, p, q := unsafe.Pointer(unsafe.SliceData(dst[n:])), unsafe.Pointer(&pa[0]), unsafe.Pointer(&pb[0])
		var dn, i, j int
		switch unsafe.Sizeof(pa[0]) {
		case 2:
			dn, i, j = difference16AVX512((*uint16)(d), (*uint16)(p), len(pa), (*uint16)(q), len(pb))
		case 4:
			dn, i, j = difference32AVX512((*uint32)(d), (*uint32)(p), len(pa), (*uint32)(q), len(pb))
		default:
			dn, i, j = difference64AVX512((*uint64)(d), (*uint64)(p), len(pa), (*uint64)(q), len(pb))
		}
		raceKernel(dst[n:n+dn], pa[:i], pb[:j])
		n, a, b = n+dn, a[i:], b[j:]
	}
	return n + copy(dst[n:], a)
}

// raceKernel declares to the race detector what a kernel has written and read.
func raceKernel[T Elem](dst, a, b []T) {
	if race.Enabled {
		race.Write(dst)
		race.Read(a)
		race.Read(b)
	}
}

// union does what unionGo does.
func union[T Elem](dst, a, b []T) int {
	if !cpu.AVX512 {
		return unionGo(dst, a, b)
	}
	return merge(dst, a, b, false)
}

// symmetric does what symmetricGo does.
func symmetric[T Elem](dst, a, b []T) int {
	if !cpu.AVX512 {
		return symmetricGo(dst, a, b)
	}
	return merge(dst, a, b, true)
}
