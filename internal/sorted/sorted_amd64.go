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

//go:noescape
func intersect16AVX2(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)

//go:noescape
func intersect32AVX2(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)

//go:noescape
func intersect64AVX2(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)

//go:noescape
func count16AVX2(a *uint16, na int, b *uint16, nb int) (n, i, j int)

//go:noescape
func count32AVX2(a *uint32, na int, b *uint32, nb int) (n, i, j int)

//go:noescape
func count64AVX2(a *uint64, na int, b *uint64, nb int) (n, i, j int)

//go:noescape
func difference16AVX2(dst, a *uint16, na int, b *uint16, nb int) (n, i, j int)

//go:noescape
func difference32AVX2(dst, a *uint32, na int, b *uint32, nb int) (n, i, j int)

//go:noescape
func difference64AVX2(dst, a *uint64, na int, b *uint64, nb int) (n, i, j int)

// piece is the most elements of a list that a kernel gets in one call. Assembly cannot
// be preempted, and in lists that are not ascending a kernel may take a step for each
// element, 10 ns at the most.
const piece = 1 << 12

// nearPiece is the same where results go through a buffer, because dst overlaps a list:
// the kernels of AVX2 write whole vectors.
const nearPiece = 1 << 8

// blockOf returns the least elements that a kernel wants of each list.
func blockOf[T Elem]() int {
	if cpu.AVX512 {
		return 1
	}
	return 32 / int(unsafe.Sizeof(T(0)))
}

// intersect does what intersectGo does.
func intersect[T Elem](dst, a, b []T) (n int) {
	if cpu.AVX2 {
		if !cpu.AVX512 && (overlap(dst, a) || overlap(dst, b)) {
			return intersectNear(dst, a, b)
		}
		for block := blockOf[T](); len(a) >= block && len(b) >= block; {
			dn, i, j := intersectKernel(dst[n:], a[:min(piece, len(a))], b[:min(piece, len(b))])
			n, a, b = n+dn, a[i:], b[j:]
		}
	}
	return n + intersectRest(dst[n:], a, b)
}

// intersectNear does what intersect does, through a buffer.
func intersectNear[T Elem](dst, a, b []T) (n int) {
	var buffer [nearPiece]T
	for block := blockOf[T](); len(a) >= block && len(b) >= block; {
		dn, i, j := intersectKernel(buffer[:], a[:min(nearPiece, len(a))], b[:min(piece, len(b))])
		copy(dst[n:], buffer[:dn])
		n, a, b = n+dn, a[i:], b[j:]
	}
	return n + intersectRest(dst[n:], a, b)
}

// intersectKernel calls the kernel for a piece.
func intersectKernel[T Elem](dst, a, b []T) (n, i, j int) {
	d, p, q := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	switch size := unsafe.Sizeof(T(0)); {
	case size == 2 && cpu.AVX512:
		n, i, j = intersect16AVX512((*uint16)(d), (*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 2:
		n, i, j = intersect16AVX2((*uint16)(d), (*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 4 && cpu.AVX512:
		n, i, j = intersect32AVX512((*uint32)(d), (*uint32)(p), len(a), (*uint32)(q), len(b))
	case size == 4:
		n, i, j = intersect32AVX2((*uint32)(d), (*uint32)(p), len(a), (*uint32)(q), len(b))
	case cpu.AVX512:
		n, i, j = intersect64AVX512((*uint64)(d), (*uint64)(p), len(a), (*uint64)(q), len(b))
	default:
		n, i, j = intersect64AVX2((*uint64)(d), (*uint64)(p), len(a), (*uint64)(q), len(b))
	}
	raceKernel(dst[:n], a[:i], b[:j])
	return n, i, j
}

// count does what countGo does.
func count[T Elem](a, b []T) (n int) {
	if cpu.AVX2 {
		for block := blockOf[T](); len(a) >= block && len(b) >= block; {
			dn, i, j := countKernel(a[:min(piece, len(a))], b[:min(piece, len(b))])
			n, a, b = n+dn, a[i:], b[j:]
		}
	}
	return n + countRest(a, b)
}

// countKernel calls the kernel for a piece.
func countKernel[T Elem](a, b []T) (n, i, j int) {
	p, q := unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	switch size := unsafe.Sizeof(T(0)); {
	case size == 2 && cpu.AVX512:
		n, i, j = count16AVX512((*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 2:
		n, i, j = count16AVX2((*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 4 && cpu.AVX512:
		n, i, j = count32AVX512((*uint32)(p), len(a), (*uint32)(q), len(b))
	case size == 4:
		n, i, j = count32AVX2((*uint32)(p), len(a), (*uint32)(q), len(b))
	case cpu.AVX512:
		n, i, j = count64AVX512((*uint64)(p), len(a), (*uint64)(q), len(b))
	default:
		n, i, j = count64AVX2((*uint64)(p), len(a), (*uint64)(q), len(b))
	}
	raceKernel(nil, a[:i], b[:j])
	return n, i, j
}

// difference does what differenceGo does.
func difference[T Elem](dst, a, b []T) (n int) {
	if cpu.AVX2 {
		if !cpu.AVX512 && overlap(dst, a) {
			return differenceNear(dst, a, b)
		}
		for block := blockOf[T](); len(a) >= block && len(b) >= block; {
			dn, i, j := differenceKernel(dst[n:], a[:min(piece, len(a))], b[:min(piece, len(b))])
			n, a, b = n+dn, a[i:], b[j:]
		}
	}
	return n + differenceRest(dst[n:], a, b)
}

// differenceNear does what difference does, through a buffer.
func differenceNear[T Elem](dst, a, b []T) (n int) {
	var buffer [nearPiece]T
	for block := blockOf[T](); len(a) >= block && len(b) >= block; {
		dn, i, j := differenceKernel(buffer[:], a[:min(nearPiece, len(a))], b[:min(piece, len(b))])
		copy(dst[n:], buffer[:dn])
		n, a, b = n+dn, a[i:], b[j:]
	}
	return n + differenceRest(dst[n:], a, b)
}

// differenceKernel calls the kernel for a piece.
func differenceKernel[T Elem](dst, a, b []T) (n, i, j int) {
	d, p, q := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0])
	switch size := unsafe.Sizeof(T(0)); {
	case size == 2 && cpu.AVX512:
		n, i, j = difference16AVX512((*uint16)(d), (*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 2:
		n, i, j = difference16AVX2((*uint16)(d), (*uint16)(p), len(a), (*uint16)(q), len(b))
	case size == 4 && cpu.AVX512:
		n, i, j = difference32AVX512((*uint32)(d), (*uint32)(p), len(a), (*uint32)(q), len(b))
	case size == 4:
		n, i, j = difference32AVX2((*uint32)(d), (*uint32)(p), len(a), (*uint32)(q), len(b))
	case cpu.AVX512:
		n, i, j = difference64AVX512((*uint64)(d), (*uint64)(p), len(a), (*uint64)(q), len(b))
	default:
		n, i, j = difference64AVX2((*uint64)(d), (*uint64)(p), len(a), (*uint64)(q), len(b))
	}
	raceKernel(dst[:n], a[:i], b[:j])
	return n, i, j
}

// overlap reports whether two slices have memory in common.
func overlap[T Elem](x, y []T) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	p, q := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	size := unsafe.Sizeof(x[0])
	return p < q+uintptr(len(y))*size && q < p+uintptr(len(x))*size
}

// The tables of AVX2: for each mask of lanes, how the lanes in it move to the front.
var (
	laneNumbers  = laneTable(8, 1) // of 8 lanes of 32 bits: their numbers, in a byte each
	pairNumbers  = laneTable(4, 2) // of 4 lanes of 64 bits: the numbers of their halves
	wordShuffles = wordTable()     // of 8 lanes of 16 bits: the numbers of their bytes
)

func laneTable(lanes, parts int) (table [256][8]byte) {
	for mask := range 1 << lanes {
		n := 0
		for lane := range lanes {
			if mask>>lane&1 != 0 {
				for part := range parts {
					table[mask][n] = byte(lane*parts + part)
					n++
				}
			}
		}
	}
	return table
}

func wordTable() (table [256][16]byte) {
	for mask, numbers := range laneTable(8, 1) {
		for i, lane := range numbers {
			table[mask][2*i], table[mask][2*i+1] = 2*lane, 2*lane+1
		}
	}
	return table
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
