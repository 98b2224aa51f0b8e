package main

import (
	_ "unsafe" // for go:linkname

	_ "github.com/RoaringBitmap/roaring/v2"
)

// The word kernels of roaring's bitmap containers, which it exports only inside bitmaps
// that it allocates. It calls them for 1,024 words at a time.

const (
	roaringPeer    = "roaring"
	containerWords = 1024
	containerBytes = 8 * containerWords
)

//go:linkname roaringCount github.com/RoaringBitmap/roaring/v2.popcntSlice
func roaringCount(s []uint64) uint64

//go:linkname roaringAndCount github.com/RoaringBitmap/roaring/v2.popcntAndSlice
func roaringAndCount(a, b []uint64) uint64

//go:linkname roaringOrCount github.com/RoaringBitmap/roaring/v2.popcntOrSlice
func roaringOrCount(a, b []uint64) uint64

//go:linkname roaringXorCount github.com/RoaringBitmap/roaring/v2.popcntXorSlice
func roaringXorCount(a, b []uint64) uint64

//go:linkname roaringAndNotCount github.com/RoaringBitmap/roaring/v2.popcntMaskSlice
func roaringAndNotCount(a, b []uint64) uint64

//go:linkname roaringAnd github.com/RoaringBitmap/roaring/v2.andSlice
func roaringAnd(dst, a, b []uint64)

//go:linkname roaringOr github.com/RoaringBitmap/roaring/v2.orSlice
func roaringOr(dst, a, b []uint64)

//go:linkname roaringXor github.com/RoaringBitmap/roaring/v2.xorSlice
func roaringXor(dst, a, b []uint64)

//go:linkname roaringAndNot github.com/RoaringBitmap/roaring/v2.andNotSlice
func roaringAndNot(dst, a, b []uint64)

//go:linkname roaringAndWithCount github.com/RoaringBitmap/roaring/v2.andCardSlice
func roaringAndWithCount(dst, a, b []uint64) uint64

//go:linkname roaringOrWithCount github.com/RoaringBitmap/roaring/v2.orCardSlice
func roaringOrWithCount(dst, a, b []uint64) uint64

// roaringXorWithCount and roaringAndNotWithCount are two passes, as its containers'
// xor and andNot are: the count decides what kind of container to store into.
func roaringXorWithCount(dst, a, b []uint64) uint64 {
	n := roaringXorCount(a, b)
	roaringXor(dst, a, b)
	return n
}

func roaringAndNotWithCount(dst, a, b []uint64) uint64 {
	n := roaringAndNotCount(a, b)
	roaringAndNot(dst, a, b)
	return n
}

// roaringStores does f container by container.
func roaringStores(f func(dst, a, b []uint64)) func(dst, a, b []uint64) {
	return func(dst, a, b []uint64) {
		for ; len(dst) >= containerWords; dst, a, b = dst[containerWords:], a[containerWords:], b[containerWords:] {
			f(dst[:containerWords], a[:containerWords], b[:containerWords])
		}
	}
}

// roaringCounts does f container by container and adds up.
func roaringCounts(f func(a, b []uint64) uint64) func(dst, a, b []uint64) int {
	return func(_, a, b []uint64) (n int) {
		for ; len(a) >= containerWords; a, b = a[containerWords:], b[containerWords:] {
			n += int(f(a[:containerWords], b[:containerWords]))
		}
		return n
	}
}
