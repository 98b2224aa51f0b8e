//go:build !purego

package bitsieve

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels on many operands take k >= 2 of them of n >= 0 words, and prefetch if
// far is not 0. dst may be one of them.

//go:noescape
func andAllAVX2(dst *uint64, sets *[]uint64, k, n, far int)

//go:noescape
func orAllAVX2(dst *uint64, sets *[]uint64, k, n, far int)

//go:noescape
func andAllCountAVX2(sets *[]uint64, k, n, far int) int

//go:noescape
func andAllCountAVX512(sets *[]uint64, k, n, far int) int

//go:noescape
func orAllCountAVX2(sets *[]uint64, k, n, far int) int

//go:noescape
func orAllCountAVX512(sets *[]uint64, k, n, far int) int

// Those on rows take n >= 1 rows of words >= 1 words.

//go:noescape
func andCountRowsAVX2(counts *int, query, rows *uint64, words, n int)

//go:noescape
func andCountRowsAVX512(counts *int, query, rows *uint64, words, n int)

//go:noescape
func orCountRowsAVX2(counts *int, query, rows *uint64, words, n int)

//go:noescape
func orCountRowsAVX512(counts *int, query, rows *uint64, words, n int)

//go:noescape
func xorCountRowsAVX2(counts *int, query, rows *uint64, words, n int)

//go:noescape
func xorCountRowsAVX512(counts *int, query, rows *uint64, words, n int)

// streamSets is how many words all operands have together when they are
// prefetched: 32 MiB. On Zen 4 with a last-level cache of that size, of two sets and
// of eight, prefetching costs an eighth and more while they are in the cache, next
// to nothing at 32 MiB, and gains from nothing to a sixth, by run, from 64 MiB on
// ("go run . calibrate" in bench/).
const streamSets = 1 << 22

// The lengths in words up to which rows are counted by the kernels on rows. Longer
// ones outweigh a call for each.
const (
	maxRowAVX2   = 1 << 7
	maxRowAVX512 = 1 << 12
)

func andAllWords(dst []uint64, sets [][]uint64) {
	if cpu.AVX2 {
		declareSets(sets, len(dst))
		race.Write(dst)
		andAllAVX2(unsafe.SliceData(dst), &sets[0], len(sets), len(dst), far(sets, len(dst)))
		return
	}
	andAllTiles(dst, sets)
}

func orAllWords(dst []uint64, sets [][]uint64) {
	if cpu.AVX2 {
		declareSets(sets, len(dst))
		race.Write(dst)
		orAllAVX2(unsafe.SliceData(dst), &sets[0], len(sets), len(dst), far(sets, len(dst)))
		return
	}
	orAllTiles(dst, sets)
}

func andAllCountWords(sets [][]uint64, n int) int {
	if cpu.AVX2 {
		declareSets(sets, n)
		if cpu.AVX512 {
			return andAllCountAVX512(&sets[0], len(sets), n, far(sets, n))
		}
		return andAllCountAVX2(&sets[0], len(sets), n, far(sets, n))
	}
	return andAllCountTiles(sets, n)
}

func orAllCountWords(sets [][]uint64, n int) int {
	if cpu.AVX2 {
		declareSets(sets, n)
		if cpu.AVX512 {
			return orAllCountAVX512(&sets[0], len(sets), n, far(sets, n))
		}
		return orAllCountAVX2(&sets[0], len(sets), n, far(sets, n))
	}
	return orAllCountTiles(sets, n)
}

// far returns 1 if n words of each operand come from memory, else 0.
func far(sets [][]uint64, n int) int {
	if n >= streamSets/len(sets) {
		return 1
	}
	return 0
}

// declareSets panics if one of the sets has less than n words, and tells the race
// detector that so many are read.
func declareSets(sets [][]uint64, n int) {
	for _, s := range sets {
		race.Read(s[:n])
	}
}

func andCountRows(counts []int, query, rows []uint64) {
	switch {
	case len(counts) == 0 || len(query) == 0:
		clear(counts)
	case cpu.AVX512 && len(query) <= maxRowAVX512:
		declareRows(counts, query, rows)
		andCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	case cpu.AVX2 && len(query) <= maxRowAVX2:
		declareRows(counts, query, rows)
		andCountRowsAVX2(&counts[0], &query[0], &rows[0], len(query), len(counts))
	default:
		andCountRowsGeneric(counts, query, rows)
	}
}

func orCountRows(counts []int, query, rows []uint64) {
	switch {
	case len(counts) == 0 || len(query) == 0:
		clear(counts)
	case cpu.AVX512 && len(query) <= maxRowAVX512:
		declareRows(counts, query, rows)
		orCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	case cpu.AVX2 && len(query) <= maxRowAVX2:
		declareRows(counts, query, rows)
		orCountRowsAVX2(&counts[0], &query[0], &rows[0], len(query), len(counts))
	default:
		orCountRowsGeneric(counts, query, rows)
	}
}

func xorCountRows(counts []int, query, rows []uint64) {
	switch {
	case len(counts) == 0 || len(query) == 0:
		clear(counts)
	case cpu.AVX512 && len(query) <= maxRowAVX512:
		declareRows(counts, query, rows)
		xorCountRowsAVX512(&counts[0], &query[0], &rows[0], len(query), len(counts))
	case cpu.AVX2 && len(query) <= maxRowAVX2:
		declareRows(counts, query, rows)
		xorCountRowsAVX2(&counts[0], &query[0], &rows[0], len(query), len(counts))
	default:
		xorCountRowsGeneric(counts, query, rows)
	}
}

// declareRows panics if there are too few rows, and tells the race detector what
// a kernel on rows reads and writes.
func declareRows(counts []int, query, rows []uint64) {
	race.Read(query)
	race.Read(rows[:len(counts)*len(query)])
	race.Write(unsafe.Slice((*uint64)(unsafe.Pointer(&counts[0])), len(counts)))
}
