package bitsieve

// In plain Go, as bitset_generic.go: operations on many operands in one pass, and
// one operand against the rows of a matrix.

import "unsafe"

// The kernels on many operands take two at least, each of n words or more. dst
// has n words and may be one of them.
//
// These fold pairwise, tile by tile, so that the intermediate result stays in the
// first-level cache. The tile is a part of dst, unless dst is one of the operands
// that are still to be read then.

// tileWords is the length of a tile: 2 KiB, which is not much to clear first.
const tileWords = 256

func andAllTiles(dst []uint64, sets [][]uint64) {
	if isOneOf(dst, sets[2:]) {
		var tile [tileWords]uint64
		for i := 0; i < len(dst); i += tileWords {
			copy(dst[i:], andTile(tile[:min(tileWords, len(dst)-i)], sets, i))
		}
		return
	}
	for i := 0; i < len(dst); i += tileWords {
		andTile(dst[i:min(i+tileWords, len(dst))], sets, i)
	}
}

func orAllTiles(dst []uint64, sets [][]uint64) {
	if isOneOf(dst, sets[2:]) {
		var tile [tileWords]uint64
		for i := 0; i < len(dst); i += tileWords {
			copy(dst[i:], orTile(tile[:min(tileWords, len(dst)-i)], sets, i))
		}
		return
	}
	for i := 0; i < len(dst); i += tileWords {
		orTile(dst[i:min(i+tileWords, len(dst))], sets, i)
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

func andAllCountTiles(sets [][]uint64, n int) (count int) {
	var tile [tileWords]uint64
	for i := 0; i < n; i += tileWords {
		count += countWords(andTile(tile[:min(tileWords, n-i)], sets, i))
	}
	return count
}

func orAllCountTiles(sets [][]uint64, n int) (count int) {
	var tile [tileWords]uint64
	for i := 0; i < n; i += tileWords {
		count += countWords(orTile(tile[:min(tileWords, n-i)], sets, i))
	}
	return count
}

// andTile sets tile to the conjunction of the sets' words from i on.
func andTile(tile []uint64, sets [][]uint64, i int) []uint64 {
	andWords(tile, sets[0][i:][:len(tile)], sets[1][i:][:len(tile)])
	for _, s := range sets[2:] {
		andWords(tile, tile, s[i:][:len(tile)])
	}
	return tile
}

// orTile sets tile to the disjunction of the sets' words from i on.
func orTile(tile []uint64, sets [][]uint64, i int) []uint64 {
	orWords(tile, sets[0][i:][:len(tile)], sets[1][i:][:len(tile)])
	for _, s := range sets[2:] {
		orWords(tile, tile, s[i:][:len(tile)])
	}
	return tile
}

// The kernels on rows take len(counts) of them, which lie one after the other in
// rows, each as long as query.

func andCountRowsGeneric(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = andCountWords(query, rows[i*len(query):][:len(query)])
	}
}

func orCountRowsGeneric(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = orCountWords(query, rows[i*len(query):][:len(query)])
	}
}

func xorCountRowsGeneric(counts []int, query, rows []uint64) {
	for i := range counts {
		counts[i] = xorCountWords(query, rows[i*len(query):][:len(query)])
	}
}
