//go:build !purego

package bitsieve

import "github.com/bitsieve/bitsieve/internal/cpu"

// The kernels of bitset_arm64.go, one after the other on tiles that stay in the
// first-level cache, stand in for kernels that do it all in one pass.

func andWithCountWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return andWithCountGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		andWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func orWithCountWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return orWithCountGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		orWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func xorWithCountWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return xorWithCountGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		xorWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func andNotWithCountWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return andNotWithCountGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		andNotWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func andAllWords(dst []uint64, sets [][]uint64)   { andAllTiles(dst, sets) }
func orAllWords(dst []uint64, sets [][]uint64)    { orAllTiles(dst, sets) }
func andAllCountWords(sets [][]uint64, n int) int { return andAllCountTiles(sets, n) }
func orAllCountWords(sets [][]uint64, n int) int  { return orAllCountTiles(sets, n) }

func andCountRows(counts []int, query, rows []uint64) { andCountRowsGeneric(counts, query, rows) }
func orCountRows(counts []int, query, rows []uint64)  { orCountRowsGeneric(counts, query, rows) }
func xorCountRows(counts []int, query, rows []uint64) { xorCountRowsGeneric(counts, query, rows) }
