package bitsieve

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/popcount"
)

// The work of words_many.go by the kernels for two operands, where internal/many
// has no kernel.
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
