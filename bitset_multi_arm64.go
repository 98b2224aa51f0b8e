//go:build !purego

package bitsieve

// The kernels of bitset_arm64.go, one after the other on tiles that stay in the
// first-level cache, stand in for kernels that do it all in one pass.

// tileWords is the length of a tile: 4 KiB.
const tileWords = 512

func andCountedWords(dst, a, b []uint64) (n int) {
	if !useNEON {
		return andCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		andWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func orCountedWords(dst, a, b []uint64) (n int) {
	if !useNEON {
		return orCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		orWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func xorCountedWords(dst, a, b []uint64) (n int) {
	if !useNEON {
		return xorCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		xorWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func andNotCountedWords(dst, a, b []uint64) (n int) {
	if !useNEON {
		return andNotCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += tileWords {
		j := min(i+tileWords, len(dst))
		andNotWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

// The tile of a result is made apart from dst, which may be one of the operands
// that are still to be read.

func andAllWords(dst []uint64, sets [][]uint64) {
	if !useNEON {
		andAllGeneric(dst, sets)
		return
	}
	var tile [tileWords]uint64
	for i := 0; i < len(dst); i += tileWords {
		copy(dst[i:], andTile(tile[:min(tileWords, len(dst)-i)], sets, i))
	}
}

func orAllWords(dst []uint64, sets [][]uint64) {
	if !useNEON {
		orAllGeneric(dst, sets)
		return
	}
	var tile [tileWords]uint64
	for i := 0; i < len(dst); i += tileWords {
		copy(dst[i:], orTile(tile[:min(tileWords, len(dst)-i)], sets, i))
	}
}

func andAllCountWords(sets [][]uint64, n int) (count int) {
	if !useNEON {
		return andAllCountGeneric(sets, n)
	}
	var tile [tileWords]uint64
	for i := 0; i < n; i += tileWords {
		count += countWords(andTile(tile[:min(tileWords, n-i)], sets, i))
	}
	return count
}

func orAllCountWords(sets [][]uint64, n int) (count int) {
	if !useNEON {
		return orAllCountGeneric(sets, n)
	}
	var tile [tileWords]uint64
	for i := 0; i < n; i += tileWords {
		count += countWords(orTile(tile[:min(tileWords, n-i)], sets, i))
	}
	return count
}

// andTile sets the tile to the conjunction of the sets' words from i on.
func andTile(tile []uint64, sets [][]uint64, i int) []uint64 {
	andWords(tile, sets[0][i:][:len(tile)], sets[1][i:][:len(tile)])
	for _, s := range sets[2:] {
		andWords(tile, tile, s[i:][:len(tile)])
	}
	return tile
}

// orTile sets the tile to the disjunction of the sets' words from i on.
func orTile(tile []uint64, sets [][]uint64, i int) []uint64 {
	orWords(tile, sets[0][i:][:len(tile)], sets[1][i:][:len(tile)])
	for _, s := range sets[2:] {
		orWords(tile, tile, s[i:][:len(tile)])
	}
	return tile
}

func andCountRows(counts []int, query, rows []uint64) { andCountRowsGeneric(counts, query, rows) }
func orCountRows(counts []int, query, rows []uint64)  { orCountRowsGeneric(counts, query, rows) }
func xorCountRows(counts []int, query, rows []uint64) { xorCountRowsGeneric(counts, query, rows) }
