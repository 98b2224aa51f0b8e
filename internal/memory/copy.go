package memory

import (
	"slices"
	"unsafe"
)

// pieceWords is how much Copy and Clear do at a time, 512 KiB. The runtime's
// memmove and memclr cannot be preempted, so that a garbage collection waits for
// their end.
const pieceWords = 64 << 10

// Copy does what the builtin copy does, overlapping or not, with a point every
// 512 KiB at which the goroutine can be preempted.
func Copy(dst, src []uint64) {
	if len(src) > pieceWords {
		copyLong(dst, src)
		return
	}
	copy(dst, src)
}

func copyLong(dst, src []uint64) {
	n := min(len(dst), len(src))
	dst, src = dst[:n], src[:n]
	if uintptr(unsafe.Pointer(unsafe.SliceData(dst))) > uintptr(unsafe.Pointer(unsafe.SliceData(src))) {
		for n > 0 { // from the end, in case src goes on into dst
			m := min(n, pieceWords)
			copyPiece(dst[n-m:n], src[n-m:n])
			n -= m
		}
		return
	}
	for len(src) > 0 {
		m := min(len(src), pieceWords)
		copyPiece(dst[:m], src[:m])
		dst, src = dst[m:], src[m:]
	}
}

// copyPiece is not inlined for the sake of its stack check, at which the
// scheduler can stop the goroutine; so are those below.
//
//go:noinline
func copyPiece(dst, src []uint64) { copy(dst, src) }

// Clear zeroes words, with the same points at which the goroutine can be
// preempted.
func Clear(words []uint64) {
	if len(words) > pieceWords {
		ClearOf(words)
		return
	}
	clear(words)
}

// pieceOf returns how many elements of a type are a piece.
func pieceOf[T any]() int { return 8 * pieceWords / int(unsafe.Sizeof(*new(T))) }

// CopyOf is Copy for elements of any type, from the first to the last: dst and src
// are the same or do not overlap.
func CopyOf[T any](dst, src []T) {
	if unsafe.SliceData(dst) == unsafe.SliceData(src) {
		return
	}
	for n := min(len(dst), len(src)); n > 0; n = min(len(dst), len(src)) {
		m := min(n, pieceOf[T]())
		copyPieceOf(dst[:m], src[:m])
		dst, src = dst[m:], src[m:]
	}
}

//go:noinline
func copyPieceOf[T any](dst, src []T) { copy(dst, src) }

// ClearOf is Clear for elements of any type.
func ClearOf[T any](p []T) {
	for len(p) > 0 {
		m := min(len(p), pieceOf[T]())
		clearPieceOf(p[:m])
		p = p[m:]
	}
}

//go:noinline
func clearPieceOf[T any](p []T) { clear(p) }

// CloneOf returns a copy of p, by CopyOf.
func CloneOf[T any](p []T) []T {
	c := make([]T, len(p))
	CopyOf(c, p)
	return c
}

// cloneWords is up to how many words Clone leaves the copying to the runtime,
// 8 MiB: a millisecond. The runtime does not clear what it then overwrites; of
// more, in memory that was used before, a clone takes up to 1.7 times as long.
const cloneWords = 1 << 20

// Clone returns a copy of words, nil if they are.
func Clone(words []uint64) []uint64 {
	if len(words) <= cloneWords {
		return slices.Clone(words)
	}
	c := make([]uint64, len(words))
	Copy(c, words)
	return c
}
