package bitsieve

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/many"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Functions on slices of words beyond two operands: operations on many sets in one
// pass, and one set against the rows of a matrix. What words.go says of concurrent
// use holds here too. None of them allocates.

// AndAll sets dst[i] to the conjunction of sets[0][i], sets[1][i], … for each
// index that dst and all of the sets have; the shortest decides. The rest of dst
// is untouched, and so is all of it if there are no sets. dst may be one of the
// sets; if it overlaps one of them otherwise, its contents are undefined.
//
// It reads every set once, where folding with And would write and read the
// intermediate result again and again.
func AndAll(dst []uint64, sets ...[]uint64) {
	n := min(len(dst), shortest(sets))
	if len(sets) < 2 {
		copyOnly(dst[:n], sets)
		return
	}
	if dst = dst[:n]; !many.And(dst, sets) {
		andAllInChunks(dst, sets)
	}
}

// OrAll sets dst[i] to the disjunction of sets[0][i], sets[1][i], … under the
// conditions of AndAll.
func OrAll(dst []uint64, sets ...[]uint64) {
	n := min(len(dst), shortest(sets))
	if len(sets) < 2 {
		copyOnly(dst[:n], sets)
		return
	}
	if dst = dst[:n]; !many.Or(dst, sets) {
		orAllInChunks(dst, sets)
	}
}

// AndAllCount returns the number of set bits in the conjunction of the sets,
// summed over each index that all of them have; the shortest decides. It is 0 if
// there are no sets.
func AndAllCount(sets ...[]uint64) int {
	n := shortest(sets)
	if len(sets) < 2 {
		return countOnly(sets)
	}
	if count, ok := many.AndCount(sets, n); ok {
		return count
	}
	return andAllCountInChunks(sets, n)
}

// OrAllCount returns the number of set bits in the disjunction of the sets, under
// the conditions of AndAllCount.
func OrAllCount(sets ...[]uint64) int {
	n := shortest(sets)
	if len(sets) < 2 {
		return countOnly(sets)
	}
	if count, ok := many.OrCount(sets, n); ok {
		return count
	}
	return orAllCountInChunks(sets, n)
}

// shortest returns the least length of the sets, 0 if there are none.
func shortest(sets [][]uint64) int {
	if len(sets) == 0 {
		return 0
	}
	n := len(sets[0])
	for _, s := range sets[1:] {
		n = min(n, len(s))
	}
	return n
}

func copyOnly(dst []uint64, sets [][]uint64) {
	if len(sets) == 1 {
		memory.Copy(dst, sets[0])
	}
}

func countOnly(sets [][]uint64) int {
	if len(sets) == 0 {
		return 0
	}
	return popcount.Count(sets[0])
}

// AndCountRows compares a set with many of the same length, the rows of a matrix:
// it sets counts[i] to the number of set bits that query has in common with row
// i, which is rows[i*len(query):(i+1)*len(query)]. It does so for each i that
// both counts and rows have, and returns how many they are; an incomplete last
// row does not count. If query is empty it does nothing.
//
// With the rows' own counts at hand, this gives their similarities too: if q bits
// are set in query, r in a row and c in both, the Jaccard index is c / (q+r-c),
// the cosine c / √(q·r) and the overlap c / min(q, r).
func AndCountRows(counts []int, query, rows []uint64) int {
	n := wholeRows(counts, query, rows)
	if counts = counts[:n]; !many.AndCountRows(counts, query, rows) {
		andCountRowByRow(counts, query, rows)
	}
	return n
}

// OrCountRows sets counts[i] to the number of bits that are set in query, row i or
// both, under the conditions of AndCountRows.
func OrCountRows(counts []int, query, rows []uint64) int {
	n := wholeRows(counts, query, rows)
	if counts = counts[:n]; !many.OrCountRows(counts, query, rows) {
		orCountRowByRow(counts, query, rows)
	}
	return n
}

// XorCountRows sets counts[i] to the number of bits that differ between query and
// row i, their Hamming distance, under the conditions of AndCountRows.
func XorCountRows(counts []int, query, rows []uint64) int {
	n := wholeRows(counts, query, rows)
	if counts = counts[:n]; !many.XorCountRows(counts, query, rows) {
		xorCountRowByRow(counts, query, rows)
	}
	return n
}

// wholeRows returns the number of rows that counts and rows both have.
func wholeRows(counts []int, query, rows []uint64) int {
	if len(query) == 0 {
		return 0
	}
	return min(len(counts), len(rows)/len(query))
}

// The work of the above by the kernels for two operands, where internal/many has
// no kernel.
//
// Sets, two at least, each of n words or more, are folded two by two in chunks, so
// that the intermediate result stays in the first-level cache. A chunk is a part of
// dst, unless dst is one of the sets that are still to be read then.

// chunkWords is the length of a chunk: 2 KiB, which does not take long to clear.
const chunkWords = 256

func andAllInChunks(dst []uint64, sets [][]uint64) {
	if isOneOf(dst, sets[2:]) {
		var chunk [chunkWords]uint64
		for i := 0; i < len(dst); i += chunkWords {
			copy(dst[i:], andChunk(chunk[:min(chunkWords, len(dst)-i)], sets, i))
		}
		return
	}
	for i := 0; i < len(dst); i += chunkWords {
		andChunk(dst[i:min(i+chunkWords, len(dst))], sets, i)
	}
}

func orAllInChunks(dst []uint64, sets [][]uint64) {
	if isOneOf(dst, sets[2:]) {
		var chunk [chunkWords]uint64
		for i := 0; i < len(dst); i += chunkWords {
			copy(dst[i:], orChunk(chunk[:min(chunkWords, len(dst)-i)], sets, i))
		}
		return
	}
	for i := 0; i < len(dst); i += chunkWords {
		orChunk(dst[i:min(i+chunkWords, len(dst))], sets, i)
	}
}

func isOneOf(dst []uint64, sets [][]uint64) bool {
	for _, s := range sets {
		if unsafe.SliceData(s) == unsafe.SliceData(dst) {
			return true
		}
	}
	return false
}

func andAllCountInChunks(sets [][]uint64, n int) (count int) {
	var chunk [chunkWords]uint64
	for i := 0; i < n; i += chunkWords {
		count += popcount.Count(andChunk(chunk[:min(chunkWords, n-i)], sets, i))
	}
	return count
}

func orAllCountInChunks(sets [][]uint64, n int) (count int) {
	var chunk [chunkWords]uint64
	for i := 0; i < n; i += chunkWords {
		count += popcount.Count(orChunk(chunk[:min(chunkWords, n-i)], sets, i))
	}
	return count
}

// andChunk sets chunk to the conjunction of the sets' words from i on.
func andChunk(chunk []uint64, sets [][]uint64, i int) []uint64 {
	andWords(chunk, sets[0][i:][:len(chunk)], sets[1][i:][:len(chunk)])
	for _, s := range sets[2:] {
		andWords(chunk, chunk, s[i:][:len(chunk)])
	}
	return chunk
}

// orChunk sets chunk to the disjunction of the sets' words from i on.
func orChunk(chunk []uint64, sets [][]uint64, i int) []uint64 {
	orWords(chunk, sets[0][i:][:len(chunk)], sets[1][i:][:len(chunk)])
	for _, s := range sets[2:] {
		orWords(chunk, chunk, s[i:][:len(chunk)])
	}
	return chunk
}

// Rows lie one after the other, each as long as query, and there are len(counts).

func andCountRowByRow(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = popcount.And(query, rows[i*len(query):][:len(query)])
	}
}

func orCountRowByRow(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = popcount.Or(query, rows[i*len(query):][:len(query)])
	}
}

func xorCountRowByRow(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = popcount.Xor(query, rows[i*len(query):][:len(query)])
	}
}
