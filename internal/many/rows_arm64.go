//go:build !purego

package many

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels on rows take n >= 1 rows of 1 to maxRowNEON words.

//go:noescape
func andCountRowsNEON(counts *int, query, rows *uint64, words, n int)

//go:noescape
func orCountRowsNEON(counts *int, query, rows *uint64, words, n int)

//go:noescape
func xorCountRowsNEON(counts *int, query, rows *uint64, words, n int)

// maxRowNEON is the length in words up to which rows are counted by the kernels on
// rows. For longer ones the price of a call for each row no longer matters; and their
// sums would not hold more than 8184.
const maxRowNEON = 1 << 12

// rowsKernel reports whether the level in force has kernels for n rows of a number of
// words.
func rowsKernel(words, n int) bool {
	return cpu.NEON && n > 0 && words > 0 && words <= maxRowNEON
}

// rowsPiece returns how many rows of a number of words go into one call.
func rowsPiece(words int) int { return maxWords / words &^ (rowStep - 1) }

// raceRows panics if there are too few rows, and declares to the race detector what a
// kernel on rows reads and writes.
func raceRows(counts []int, query, rows []uint64) {
	race.Read(query)
	race.Read(rows[:len(counts)*len(query)])
	race.Write(counts)
}

func andCountRows(counts []int, query, rows []uint64) bool {
	words, n := len(query), len(counts)
	if !rowsKernel(words, n) {
		return false
	}
	raceRows(counts, query, rows)
	step := rowsPiece(words)
	for i := 0; i < n; i += step {
		andCountRowsPiece(counts[i:min(i+step, n)], query, rows[i*words:])
	}
	return true
}

// It is not inlined: where it is called the scheduler can stop the goroutine.
//
//go:noinline
func andCountRowsPiece(counts []int, query, rows []uint64) {
	andCountRowsNEON(&counts[0], &query[0], &rows[0], len(query), len(counts))
}

func orCountRows(counts []int, query, rows []uint64) bool {
	words, n := len(query), len(counts)
	if !rowsKernel(words, n) {
		return false
	}
	raceRows(counts, query, rows)
	step := rowsPiece(words)
	for i := 0; i < n; i += step {
		orCountRowsPiece(counts[i:min(i+step, n)], query, rows[i*words:])
	}
	return true
}

// It is not inlined: where it is called the scheduler can stop the goroutine.
//
//go:noinline
func orCountRowsPiece(counts []int, query, rows []uint64) {
	orCountRowsNEON(&counts[0], &query[0], &rows[0], len(query), len(counts))
}

func xorCountRows(counts []int, query, rows []uint64) bool {
	words, n := len(query), len(counts)
	if !rowsKernel(words, n) {
		return false
	}
	raceRows(counts, query, rows)
	step := rowsPiece(words)
	for i := 0; i < n; i += step {
		xorCountRowsPiece(counts[i:min(i+step, n)], query, rows[i*words:])
	}
	return true
}

// It is not inlined: where it is called the scheduler can stop the goroutine.
//
//go:noinline
func xorCountRowsPiece(counts []int, query, rows []uint64) {
	xorCountRowsNEON(&counts[0], &query[0], &rows[0], len(query), len(counts))
}
