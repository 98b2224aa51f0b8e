package sortmap

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/memory"
)

const wordBits = 64

// A way to do it.
type way uint8

const (
	byBitmap  way = iota // a bitmap of all that the lists span
	byParts              // partitioned, a small bitmap for each part
	bySorting            // a radix sort
	byNothing            // there is no memory for any of them
)

// A plan is a way, with the words of a bitmap or the logarithm of a part's span.
type plan struct {
	way   way
	words int
	shift uint
}

// The thresholds between the ways, on a Sapphire Rapids with 48 KiB of first-level and
// 2 MiB of second-level cache:
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v ./internal/sortmap
const (
	// smallList is the length up to which slices.Sort does it.
	smallList = 64
	// wholeShift is the logarithm of the span up to which one bitmap has all: 4 MiB.
	wholeShift = 25
	// wholeSparse and partsSparse are how many integers may be spanned for each one in the
	// lists, so that one bitmap and that bitmaps for parts pay.
	wholeSparse = 256
	partsSparse = 448
	// partShift is the logarithm of what a part spans, 2^20 bits or 128 KiB.
	partShift = 20
	// maxScratch is how many integers are copied at the most, 512 MiB: as much as the
	// largest bitmap.
	maxScratch = 1 << 27
)

// planFor chooses a way for n integers that lie in a span.
func planFor(n int, span uint64, planes int) plan {
	words := int((span + wordBits - 1) / wordBits)
	whole := plan{way: byBitmap, words: words}
	bitmap := uint64(words) * 8 * uint64(planes)
	switch {
	case span <= 1<<wholeShift:
		if span <= wholeSparse*uint64(n) {
			return whole
		}
	case n > maxScratch:
		if affordable(bitmap) {
			return whole
		}
		return plan{way: byNothing}
	case !affordable(8 * uint64(n)):
		return plan{way: byNothing}
	case span <= partsSparse*uint64(n):
		return plan{way: byParts, shift: partShift}
	}
	return plan{way: bySorting}
}

// work is memory that one call uses.
type work struct {
	planes  [2][]uint64 // zero between two calls
	scratch []uint32
	second  []uint32 // the other half of a radix sort
	bucket  [2][]uint32
	room    [2][]uint64
	digits  [1 << digitBits]uint32
}

var pool = sync.Pool{New: func() any { return new(work) }}

// What is kept between calls, at most: bitmaps of 2^wholeShift bits and 4 MiB of scratch.
const (
	keepWords   = 1 << wholeShift / wordBits
	keepScratch = 1 << 20
)

func (w *work) put() {
	for i := range w.planes {
		w.planes[i] = nil
		if cap(w.room[i]) > keepWords {
			w.room[i] = nil
		}
	}
	if cap(w.scratch) > keepScratch {
		w.scratch = nil
	}
	if cap(w.second) > keepScratch {
		w.second = nil
	}
	pool.Put(w)
}

// makePlanes provides zeroed bitmaps.
func (w *work) makePlanes(planes, words int) {
	for i := range planes {
		if words > cap(w.room[i]) {
			w.room[i] = memory.Words(uint64(words), true)
		}
		w.planes[i] = w.room[i][:words]
	}
}

// makeScratch provides room for n integers.
func (w *work) makeScratch(n int) {
	w.scratch = sized(w.scratch, n)
}

// ends provides n zeroed counters, of two kinds.
func (w *work) ends(kind, n int) []uint32 {
	w.bucket[kind] = sized(w.bucket[kind], n)
	clear(w.bucket[kind])
	return w.bucket[kind]
}

// sized returns p at length n, its contents undefined.
func sized(p []uint32, n int) []uint32 {
	if n > cap(p) {
		// A power of two, so that lists of slowly growing lengths do not allocate each; and
		// on huge pages, because a pass writes to thousands of places in turn.
		room := max(n, min(keepScratch, 1<<bits.Len(uint(n))))
		words := memory.Words(uint64(room+1)/2, true)
		return unsafe.Slice((*uint32)(unsafe.Pointer(&words[0])), 2*len(words))[:n]
	}
	return p[:n]
}
