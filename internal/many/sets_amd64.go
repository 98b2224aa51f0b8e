//go:build !purego

package many

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels on sets take k >= 2 of them and do the words from … to-1, of which
// there may be none. If far is not 0 they prefetch. dst may be one of the sets.

//go:noescape
func andAllAVX2(dst *uint64, sets *[]uint64, k, from, to, far int)

//go:noescape
func orAllAVX2(dst *uint64, sets *[]uint64, k, from, to, far int)

//go:noescape
func andAllCountAVX2(sets *[]uint64, k, from, to, far int) int

//go:noescape
func orAllCountAVX2(sets *[]uint64, k, from, to, far int) int

//go:noescape
func andAllCountAVX512(sets *[]uint64, k, from, to, far int) int

//go:noescape
func orAllCountAVX512(sets *[]uint64, k, from, to, far int) int

// Those by vectors of 512 bits do not prefetch. andAllAVX512 and orAllAVX512 take eight
// words at least; the others multiples of 256 words, of which there is one, and those
// for streams a dst that is apart from the sets and aligned to 64 bytes at from.

//go:noescape
func andAllAVX512(dst *uint64, sets *[]uint64, k, from, to int)

//go:noescape
func orAllAVX512(dst *uint64, sets *[]uint64, k, from, to int)

//go:noescape
func andAllStreamAVX512(dst *uint64, sets *[]uint64, k, from, to int)

//go:noescape
func orAllStreamAVX512(dst *uint64, sets *[]uint64, k, from, to int)

//go:noescape
func andAllCountWideAVX512(sets *[]uint64, k, from, to int) int

//go:noescape
func orAllCountWideAVX512(sets *[]uint64, k, from, to int) int

// Work of more than maxWords goes in pieces. Each one passes through a Go
// function that is not inlined, where the scheduler can stop the goroutine.

// setsKernel reports whether the level in force has kernels for k sets.
func setsKernel(k int) bool { return cpu.AVX2 && k >= 2 && k <= maxSets }

// raceSets panics if n words are more than the capacity of one of the sets, and
// declares to the race detector that so many are read.
func raceSets(sets [][]uint64, n int) {
	for _, s := range sets {
		race.Read(s[:n])
	}
}

// A setsWay is how the words of many sets are gone through.
type setsWay uint8

const (
	near setsWay = iota // by vectors of 256 bits
	far                 // the same, prefetching
	wide                // by vectors of 512 bits, in rounds of wideRound words
)

const (
	minWide   = 64 // words that wide kernels are called for; they take eight at least
	wideRound = 256
	maxWide   = maxWords / wideRound // sets that the wide kernels take at most
)

// setsInto returns how n words of each of k sets are combined, and setsCount how they
// are counted. What is in caches goes by wide vectors where the CPU gains by it. What
// comes from memory in so many streams may defeat the hardware's prefetching.
func setsInto(k, n int) setsWay { return setsWayUpTo(cpu.Tune.Words.SetsWide, k, n) }

func setsCount(k, n int) setsWay { return setsWayUpTo(cpu.Tune.Words.SetsWideCount, k, n) }

func setsWayUpTo(most, k, n int) setsWay {
	switch {
	case n*k <= most && n >= minWide && k <= maxWide && cpu.AVX512:
		return wide
	case n*k >= cpu.Tune.Words.SetsAhead:
		return far
	}
	return near
}

// ahead is what the kernels are told of a way: 1 if they are to prefetch.
func ahead(way setsWay) int {
	if way == far {
		return 1
	}
	return 0
}

// setsPiece returns how many words of each of k sets go into one call.
func setsPiece(k int) int {
	if k <= maxWide {
		return maxWords / k &^ (wideRound - 1)
	}
	return maxWords / k &^ (pieceStep - 1)
}

// streams reports whether dst is to be written past the caches. It must be apart from
// the sets then, and lie at a multiple of eight, which a slice made by unsafe may not.
func streams(dst []uint64, sets [][]uint64) bool {
	if k := len(sets); len(dst)*k < cpu.Tune.Words.SetsStream || k > maxWide || !cpu.AVX512 {
		return false
	}
	for _, s := range sets {
		if &s[0] == &dst[0] {
			return false
		}
	}
	return uintptr(unsafe.Pointer(&dst[0]))%8 == 0
}

// A setsOp is an operation on many sets. Pieces are told theirs by such a number, not
// by a function: a call through a variable would let the caller's slices escape.
type setsOp uint8

const (
	opAnd setsOp = iota
	opOr
)

// stream sets dst to the sets, combined, past the caches.
func stream(op setsOp, dst []uint64, sets [][]uint64) {
	head := min(int(-uintptr(unsafe.Pointer(&dst[0]))/8%8), len(dst)) // words to a line
	intoPiece(op, dst, sets, 0, head, near)
	from, step := head, setsPiece(len(sets))
	for len(dst)-from >= wideRound {
		to := from + min((len(dst)-from)&^(wideRound-1), step)
		streamPiece(op, dst, sets, from, to)
		from = to
	}
	intoPiece(op, dst, sets, from, len(dst), near)
}

//go:noinline
func streamPiece(op setsOp, dst []uint64, sets [][]uint64, from, to int) {
	if op == opAnd {
		andAllStreamAVX512(&dst[0], &sets[0], len(sets), from, to)
	} else {
		orAllStreamAVX512(&dst[0], &sets[0], len(sets), from, to)
	}
}

// into sets dst to the sets, combined.
func into(op setsOp, dst []uint64, sets [][]uint64) bool {
	k, n := len(sets), len(dst)
	if !setsKernel(k) {
		return false
	}
	raceSets(sets, n)
	race.Write(dst)
	way := setsInto(k, n)
	if n*k <= maxWords {
		intoPiece(op, dst, sets, 0, n, way)
		return true
	}
	if streams(dst, sets) {
		stream(op, dst, sets)
		return true
	}
	for from, step := 0, setsPiece(k); from < n; from += step {
		intoPiece(op, dst, sets, from, min(from+step, n), way)
	}
	return true
}

//go:noinline
func intoPiece(op setsOp, dst []uint64, sets [][]uint64, from, to int, way setsWay) {
	d, k := unsafe.SliceData(dst), len(sets)
	switch {
	case way == wide && to-from >= 8 && op == opAnd:
		andAllAVX512(d, &sets[0], k, from, to)
	case way == wide && to-from >= 8:
		orAllAVX512(d, &sets[0], k, from, to)
	case op == opAnd:
		andAllAVX2(d, &sets[0], k, from, to, ahead(way))
	default:
		orAllAVX2(d, &sets[0], k, from, to, ahead(way))
	}
}

// count returns the number of set bits in the first n words of the sets, combined.
func count(op setsOp, sets [][]uint64, n int) (total int, ok bool) {
	k := len(sets)
	if !setsKernel(k) {
		return 0, false
	}
	raceSets(sets, n)
	way := setsCount(k, n)
	if n*k <= maxWords {
		return countPiece(op, sets, 0, n, way), true
	}
	for from, step := 0, setsPiece(k); from < n; from += step {
		total += countPiece(op, sets, from, min(from+step, n), way)
	}
	return total, true
}

//go:noinline
func countPiece(op setsOp, sets [][]uint64, from, to int, way setsWay) (total int) {
	k := len(sets)
	if whole := (to - from) &^ (wideRound - 1); way == wide && whole > 0 {
		if op == opAnd {
			total = andAllCountWideAVX512(&sets[0], k, from, from+whole)
		} else {
			total = orAllCountWideAVX512(&sets[0], k, from, from+whole)
		}
		from += whole
	}
	switch {
	case cpu.AVX512 && op == opAnd:
		total += andAllCountAVX512(&sets[0], k, from, to, ahead(way))
	case cpu.AVX512:
		total += orAllCountAVX512(&sets[0], k, from, to, ahead(way))
	case op == opAnd:
		total += andAllCountAVX2(&sets[0], k, from, to, ahead(way))
	default:
		total += orAllCountAVX2(&sets[0], k, from, to, ahead(way))
	}
	return total
}

// Fewer words than a wide kernel is called for go to the others without the calls
// that choose. There are no more than maxWords of them.

func andAll(dst []uint64, sets [][]uint64) bool {
	if len(dst) < minWide && setsKernel(len(sets)) {
		raceSets(sets, len(dst))
		race.Write(dst)
		andAllAVX2(unsafe.SliceData(dst), &sets[0], len(sets), 0, len(dst), 0)
		return true
	}
	return into(opAnd, dst, sets)
}

func orAll(dst []uint64, sets [][]uint64) bool {
	if len(dst) < minWide && setsKernel(len(sets)) {
		raceSets(sets, len(dst))
		race.Write(dst)
		orAllAVX2(unsafe.SliceData(dst), &sets[0], len(sets), 0, len(dst), 0)
		return true
	}
	return into(opOr, dst, sets)
}

func andAllCount(sets [][]uint64, n int) (int, bool) {
	if k := len(sets); n < wideRound && setsKernel(k) && k <= maxWide {
		raceSets(sets, n)
		if cpu.AVX512 {
			return andAllCountAVX512(&sets[0], k, 0, n, 0), true
		}
		return andAllCountAVX2(&sets[0], k, 0, n, 0), true
	}
	return count(opAnd, sets, n)
}

func orAllCount(sets [][]uint64, n int) (int, bool) {
	if k := len(sets); n < wideRound && setsKernel(k) && k <= maxWide {
		raceSets(sets, n)
		if cpu.AVX512 {
			return orAllCountAVX512(&sets[0], k, 0, n, 0), true
		}
		return orAllCountAVX2(&sets[0], k, 0, n, 0), true
	}
	return count(opOr, sets, n)
}
