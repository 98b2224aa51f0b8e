//go:build !purego

package bitsieve

func andAllWords(dst []uint64, sets [][]uint64)   { andAllTiles(dst, sets) }
func orAllWords(dst []uint64, sets [][]uint64)    { orAllTiles(dst, sets) }
func andAllCountWords(sets [][]uint64, n int) int { return andAllCountTiles(sets, n) }
func orAllCountWords(sets [][]uint64, n int) int  { return orAllCountTiles(sets, n) }

func andCountRows(counts []int, query, rows []uint64) { andCountRowsGeneric(counts, query, rows) }
func orCountRows(counts []int, query, rows []uint64)  { orCountRowsGeneric(counts, query, rows) }
func xorCountRows(counts []int, query, rows []uint64) { xorCountRowsGeneric(counts, query, rows) }
