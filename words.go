package bitsieve

// The functions on slices of 64-bit words. Bit i of a slice is bit i%64 of word
// i/64, the lowest bit first. They are safe for concurrent use as long as
// nobody writes what another reads.

import (
	"slices"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/decode"
	"github.com/bitsieve/bitsieve/internal/many"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Count returns the number of set bits in p.
func Count(p []uint64) int { return popcount.CountHere(p) }

// And sets dst[i] = a[i] & b[i] for each index that all three slices have; the
// shortest decides. The rest of dst is untouched. dst may be a or b; if it
// overlaps one of them otherwise, its contents are undefined.
func And(dst, a, b []uint64) { andHere(dst, a, b, andRest) }

// Or sets dst[i] = a[i] | b[i], under the conditions of And.
func Or(dst, a, b []uint64) { orHere(dst, a, b, orRest) }

// Xor sets dst[i] = a[i] ^ b[i], under the conditions of And.
func Xor(dst, a, b []uint64) { xorHere(dst, a, b, xorRest) }

// AndNot sets dst[i] = a[i] &^ b[i], under the conditions of And.
func AndNot(dst, a, b []uint64) { andNotHere(dst, a, b, andNotRest) }

// Not sets dst[i] = ^a[i] for each index that both slices have; the shorter
// decides. The rest of dst is untouched. dst may be a; if it overlaps a otherwise,
// its contents are undefined.
func Not(dst, a []uint64) { notHere(dst, a, notRest) }

// Any reports whether a bit of p is set. It reads no further than to the first.
func Any(p []uint64) bool { return !noneHere(p, noneRest) }

// Intersects reports whether AndCount(a, b) is not 0. It stops soon after the first
// bit that is set in both, and so is faster than counting if there is one.
func Intersects(a, b []uint64) bool { return intersectsHere(a, b, intersectsRest) }

// AndCount returns the number of set bits in a[i] & b[i], summed over each
// index that both slices have; the shorter decides.
func AndCount(a, b []uint64) int { return popcount.AndHere(a, b) }

// OrCount returns the number of set bits in a[i] | b[i], summed over each index
// that both slices have; the shorter decides.
func OrCount(a, b []uint64) int { return popcount.OrHere(a, b) }

// XorCount returns the number of set bits in a[i] ^ b[i], summed over each
// index that both slices have; the shorter decides. This is the Hamming
// distance of slices of one length.
func XorCount(a, b []uint64) int { return popcount.XorHere(a, b) }

// AndNotCount returns the number of set bits in a[i] &^ b[i], summed over each
// index that both slices have; the shorter decides.
func AndNotCount(a, b []uint64) int { return popcount.AndNotHere(a, b) }

// AndWithCount is And, and returns the number of set bits that it wrote: the size
// of an intersection for hardly more than the price of the intersection.
func AndWithCount(dst, a, b []uint64) int {
	return andWithCountWords(dst, a, b)
}

// OrWithCount is Or, and returns the number of set bits that it wrote.
func OrWithCount(dst, a, b []uint64) int {
	return orWithCountWords(dst, a, b)
}

// XorWithCount is Xor, and returns the number of set bits that it wrote.
func XorWithCount(dst, a, b []uint64) int {
	return xorWithCountWords(dst, a, b)
}

// AndNotWithCount is AndNot, and returns the number of set bits that it wrote.
func AndNotWithCount(dst, a, b []uint64) int {
	return andNotWithCountWords(dst, a, b)
}

// AppendIndices appends the indices of the set bits of words to dst, in
// ascending order, and returns the extended slice. It allocates at most once,
// and not at all if dst has room; then it leaves alone what is behind the
// indices.
func AppendIndices(dst []uint, words []uint64) []uint { return appendIndices(dst, words) }

// AppendIndices32 is AppendIndices for 32-bit indices, which are decoded
// faster. Only the first 2^26 words have them; the rest are ignored.
func AppendIndices32(dst []uint32, words []uint64) []uint32 {
	return appendIndices(dst, words[:min(len(words), 1<<26)])
}

func appendIndices[T decode.Index](dst []T, words []uint64) []T {
	consumed := 0
	if !decode.CountFirst(words) {
		if dst, consumed = decode.AppendInGo(dst, words); consumed == len(words) {
			return dst
		}
		words = words[consumed:]
	}
	n := popcount.Count(words)
	dst = slices.Grow(dst, n)
	end := len(dst) + n
	decode.Indices(dst[len(dst):end], words, wordBits*T(consumed))
	return dst[:end]
}

// Functions beyond two operands: operations on many sets in one pass, and one set
// against the rows of a matrix. None of them allocates.

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
	dst = dst[:n]
	if len(sets) == 2 {
		andWords(dst, sets[0][:n], sets[1][:n])
		return
	}
	if !many.And(dst, sets) {
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
	dst = dst[:n]
	if len(sets) == 2 {
		orWords(dst, sets[0][:n], sets[1][:n])
		return
	}
	if !many.Or(dst, sets) {
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
	if len(sets) == 2 {
		return popcount.And(sets[0][:n], sets[1][:n])
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
	if len(sets) == 2 {
		return popcount.Or(sets[0][:n], sets[1][:n])
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
