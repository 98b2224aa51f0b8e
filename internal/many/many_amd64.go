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

// The kernels on rows take n >= 1 rows of words >= 1 words.

//go:noescape
func andCountRowsAVX2(counts *int, query, rows *uint64, words, n int)

//go:noescape
func orCountRowsAVX2(counts *int, query, rows *uint64, words, n int)

//go:noescape
func xorCountRowsAVX2(counts *int, query, rows *uint64, words, n int)

//go:noescape
func andCountRowsAVX512(counts *int, query, rows *uint64, words, n int)

//go:noescape
func orCountRowsAVX512(counts *int, query, rows *uint64, words, n int)

//go:noescape
func xorCountRowsAVX512(counts *int, query, rows *uint64, words, n int)

// streamSets is how many words all sets have together when they are prefetched:
// 32 MiB, the last-level cache of a Zen 4. See TUNING.md.
const streamSets = 1 << 22

// The lengths in words up to which rows are counted by the kernels on rows. For
// longer ones the price of a call for each row no longer matters.
const (
	maxRowAVX2   = 1 << 7
	maxRowAVX512 = 1 << 12
)

// Work of more than maxWords goes in pieces. Each one passes through a Go
// function that is not inlined, where the scheduler can stop the goroutine.

// setsKernel reports whether the level in force has kernels for k sets.
func setsKernel(k int) bool { return cpu.AVX2 && k >= 2 && k <= maxSets }

// setsPiece returns how many words of each of k sets go into one call, and
// whether n words of each are so many that they come from memory.
func setsPiece(k, n int) (step, far int) {
	if n*k >= streamSets {
		far = 1
	}
	return maxWords / k &^ (pieceStep - 1), far
}

// rowsKernel reports whether the level in force has kernels for n rows of a
// number of words.
func rowsKernel(words, n int) bool {
	return n > 0 && words > 0 && (cpu.AVX512 && words <= maxRowAVX512 || cpu.AVX2 && words <= maxRowAVX2)
}

// rowsPiece returns how many rows of a number of words go into one call.
func rowsPiece(words int) int { return maxWords / words &^ (rowStep - 1) }

// raceSets panics if n words are more than the capacity of one of the sets, and
// declares to the race detector that so many are read.
func raceSets(sets [][]uint64, n int) {
	for _, s := range sets {
		race.Read(s[:n])
	}
}

// raceRows panics if there are too few rows, and declares to the race detector
// what a kernel on rows reads and writes.
func raceRows(counts []int, query, rows []uint64) {
	race.Read(query)
	race.Read(rows[:len(counts)*len(query)])
	race.Write(counts)
}

func andAll(dst []uint64, sets [][]uint64) bool {
	k, n := len(sets), len(dst)
	if !setsKernel(k) {
		return false
	}
	raceSets(sets, n)
	race.Write(dst)
	if n*k <= maxWords {
		andAllAVX2(unsafe.SliceData(dst), &sets[0], k, 0, n, 0)
		return true
	}
	step, far := setsPiece(k, n)
	for from := 0; from < n; from += step {
		andAllPiece(dst, sets, from, min(from+step, n), far)
	}
	return true
}

//go:noinline
func andAllPiece(dst []uint64, sets [][]uint64, from, to, far int) {
	andAllAVX2(&dst[0], &sets[0], len(sets), from, to, far)
}

func orAll(dst []uint64, sets [][]uint64) bool {
	k, n := len(sets), len(dst)
	if !setsKernel(k) {
		return false
	}
	raceSets(sets, n)
	race.Write(dst)
	if n*k <= maxWords {
		orAllAVX2(unsafe.SliceData(dst), &sets[0], k, 0, n, 0)
		return true
	}
	step, far := setsPiece(k, n)
	for from := 0; from < n; from += step {
		orAllPiece(dst, sets, from, min(from+step, n), far)
	}
	return true
}

//go:noinline
func orAllPiece(dst []uint64, sets [][]uint64, from, to, far int) {
	orAllAVX2(&dst[0], &sets[0], len(sets), from, to, far)
}

func andAllCount(sets [][]uint64, n int) (count int, ok bool) {
	k := len(sets)
	if !setsKernel(k) {
		return 0, false
	}
	raceSets(sets, n)
	if n*k <= maxWords {
		if cpu.AVX512 {
			return andAllCountAVX512(&sets[0], k, 0, n, 0), true
		}
		return andAllCountAVX2(&sets[0], k, 0, n, 0), true
	}
	step, far := setsPiece(k, n)
	for from := 0; from < n; from += step {
		count += andAllCountPiece(sets, from, min(from+step, n), far)
	}
	return count, true
}

//go:noinline
func andAllCountPiece(sets [][]uint64, from, to, far int) int {
	if cpu.AVX512 {
		return andAllCountAVX512(&sets[0], len(sets), from, to, far)
	}
	return andAllCountAVX2(&sets[0], len(sets), from, to, far)
}

func orAllCount(sets [][]uint64, n int) (count int, ok bool) {
	k := len(sets)
	if !setsKernel(k) {
		return 0, false
	}
	raceSets(sets, n)
	if n*k <= maxWords {
		if cpu.AVX512 {
			return orAllCountAVX512(&sets[0], k, 0, n, 0), true
		}
		return orAllCountAVX2(&sets[0], k, 0, n, 0), true
	}
	step, far := setsPiece(k, n)
	for from := 0; from < n; from += step {
		count += orAllCountPiece(sets, from, min(from+step, n), far)
	}
	return count, true
}

//go:noinline
func orAllCountPiece(sets [][]uint64, from, to, far int) int {
	if cpu.AVX512 {
		return orAllCountAVX512(&sets[0], len(sets), from, to, far)
	}
	return orAllCountAVX2(&sets[0], len(sets), from, to, far)
}

func andCountRows(counts []int, query, rows []uint64) bool {
	words, n := len(query), len(counts)
	if !rowsKernel(words, n) {
		return false
	}
	raceRows(counts, query, rows)
	if n*words <= maxWords {
		if cpu.AVX512 {
			andCountRowsAVX512(&counts[0], &query[0], &rows[0], words, n)
		} else {
			andCountRowsAVX2(&counts[0], &query[0], &rows[0], words, n)
		}
		return true
	}
	step := rowsPiece(words)
	for i := 0; i < n; i += step {
		andCountRowsPiece(counts[i:min(i+step, n)], query, rows[i*words:])
	}
	return true
}

//go:noinline
func andCountRowsPiece(counts []int, query, rows []uint64) {
	if cpu.AVX512 {
		andCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	} else {
		andCountRowsAVX2(&counts[0], &query[0], &rows[0], len(query), len(counts))
	}
}

func orCountRows(counts []int, query, rows []uint64) bool {
	words, n := len(query), len(counts)
	if !rowsKernel(words, n) {
		return false
	}
	raceRows(counts, query, rows)
	if n*words <= maxWords {
		if cpu.AVX512 {
			orCountRowsAVX512(&counts[0], &query[0], &rows[0], words, n)
		} else {
			orCountRowsAVX2(&counts[0], &query[0], &rows[0], words, n)
		}
		return true
	}
	step := rowsPiece(words)
	for i := 0; i < n; i += step {
		orCountRowsPiece(counts[i:min(i+step, n)], query, rows[i*words:])
	}
	return true
}

//go:noinline
func orCountRowsPiece(counts []int, query, rows []uint64) {
	if cpu.AVX512 {
		orCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	} else {
		orCountRowsAVX2(&counts[0], &query[0], &rows[0], len(query), len(counts))
	}
}

func xorCountRows(counts []int, query, rows []uint64) bool {
	words, n := len(query), len(counts)
	if !rowsKernel(words, n) {
		return false
	}
	raceRows(counts, query, rows)
	if n*words <= maxWords {
		if cpu.AVX512 {
			xorCountRowsAVX512(&counts[0], &query[0], &rows[0], words, n)
		} else {
			xorCountRowsAVX2(&counts[0], &query[0], &rows[0], words, n)
		}
		return true
	}
	step := rowsPiece(words)
	for i := 0; i < n; i += step {
		xorCountRowsPiece(counts[i:min(i+step, n)], query, rows[i*words:])
	}
	return true
}

//go:noinline
func xorCountRowsPiece(counts []int, query, rows []uint64) {
	if cpu.AVX512 {
		xorCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	} else {
		xorCountRowsAVX2(&counts[0], &query[0], &rows[0], len(query), len(counts))
	}
}
