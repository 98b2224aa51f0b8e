//go:build !purego

package many

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

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

// Those on short rows take up to eight words, and prefetch far bytes ahead.

//go:noescape
func andCountShortRowsAVX512(counts *int, query, rows *uint64, words, n, far int)

//go:noescape
func orCountShortRowsAVX512(counts *int, query, rows *uint64, words, n, far int)

//go:noescape
func xorCountShortRowsAVX512(counts *int, query, rows *uint64, words, n, far int)

// The lengths in words up to which rows are counted by the kernels on rows. For
// longer ones the price of a call for each row no longer matters.
const (
	maxRowAVX2   = 1 << 7
	maxRowAVX512 = 1 << 12
	maxShortRow  = 8 // for the kernels on short rows, with AVX-512
)

// rowsKernel reports whether the level in force has kernels for n rows of a
// number of words.
func rowsKernel(words, n int) bool {
	return n > 0 && words > 0 && (cpu.AVX512 && words <= maxRowAVX512 || cpu.AVX2 && words <= maxRowAVX2)
}

// rowsPiece returns how many rows of a number of words go into one call.
func rowsPiece(words int) int { return maxWords / words &^ (rowStep - 1) }

// raceRows panics if there are too few rows, and declares to the race detector
// what a kernel on rows reads and writes.
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
	if n*words <= maxWords {
		andCountRowsPiece(counts, query, rows)
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
	switch {
	case cpu.AVX512 && len(query) <= maxShortRow:
		andCountShortRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts), cpu.Tune.Words.RowsAhead)
	case cpu.AVX512:
		andCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	default:
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
		orCountRowsPiece(counts, query, rows)
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
	switch {
	case cpu.AVX512 && len(query) <= maxShortRow:
		orCountShortRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts), cpu.Tune.Words.RowsAhead)
	case cpu.AVX512:
		orCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	default:
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
		xorCountRowsPiece(counts, query, rows)
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
	switch {
	case cpu.AVX512 && len(query) <= maxShortRow:
		xorCountShortRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts), cpu.Tune.Words.RowsAhead)
	case cpu.AVX512:
		xorCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	default:
		xorCountRowsAVX2(&counts[0], &query[0], &rows[0], len(query), len(counts))
	}
}
