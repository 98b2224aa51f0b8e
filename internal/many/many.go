// Package many has operations on many operands in one pass: the AND and the OR
// of k sets, their counts, and the counts of one query against the rows of a
// matrix.
//
// The functions named Generic, in this file, are the specification of every
// kernel. The verbs report whether the level in force has a kernel for the work;
// if they return false they have done nothing, and the caller folds the operands
// two by two. The files named after an architecture have the kernels.
package many

import "math/bits"

const (
	// maxWords is how many words of all operands together one call of a kernel
	// reads: it cannot be preempted, and takes 100 µs at 5 GB/s.
	maxWords = 1 << 16
	// pieceStep divides the words that a call takes of each set, and rowStep the
	// rows, so that only the last one has a remainder.
	pieceStep = 64
	rowStep   = 8
	// maxSets is how many sets the kernels take at most: so many that each still
	// has pieceStep words in a call.
	maxSets = maxWords / pieceStep
)

// And sets dst[i] to sets[0][i] & sets[1][i] & … for each i in [0, len(dst)).
// There must be two sets at least, none shorter than dst. dst may be one of them.
func And(dst []uint64, sets [][]uint64) bool { return andAll(dst, sets) }

// Or sets dst[i] to sets[0][i] | sets[1][i] | …, under the conditions of And.
func Or(dst []uint64, sets [][]uint64) bool { return orAll(dst, sets) }

// AndCount returns the number of set bits in the conjunction of the first n words
// of the sets. There must be two sets at least, none shorter than n.
func AndCount(sets [][]uint64, n int) (count int, ok bool) { return andAllCount(sets, n) }

// OrCount returns the number of set bits in the disjunction of the first n words
// of the sets, under the conditions of AndCount.
func OrCount(sets [][]uint64, n int) (count int, ok bool) { return orAllCount(sets, n) }

// AndCountRows sets counts[i] to the number of set bits that query has in common
// with row i, which is rows[i*len(query):(i+1)*len(query)], for each i in
// [0, len(counts)). There must be so many rows.
func AndCountRows(counts []int, query, rows []uint64) bool {
	return andCountRows(counts, query, rows)
}

// OrCountRows sets counts[i] to the number of bits that are set in query, row i or
// both, under the conditions of AndCountRows.
func OrCountRows(counts []int, query, rows []uint64) bool {
	return orCountRows(counts, query, rows)
}

// XorCountRows sets counts[i] to the number of bits that differ between query and
// row i, under the conditions of AndCountRows.
func XorCountRows(counts []int, query, rows []uint64) bool {
	return xorCountRows(counts, query, rows)
}

func andAllGeneric(dst []uint64, sets [][]uint64) {
	for i := range dst {
		w := sets[0][i]
		for _, s := range sets[1:] {
			w &= s[i]
		}
		dst[i] = w
	}
}

func orAllGeneric(dst []uint64, sets [][]uint64) {
	for i := range dst {
		w := sets[0][i]
		for _, s := range sets[1:] {
			w |= s[i]
		}
		dst[i] = w
	}
}

func andAllCountGeneric(sets [][]uint64, n int) (count int) {
	for i := range n {
		w := sets[0][i]
		for _, s := range sets[1:] {
			w &= s[i]
		}
		count += bits.OnesCount64(w)
	}
	return count
}

func orAllCountGeneric(sets [][]uint64, n int) (count int) {
	for i := range n {
		w := sets[0][i]
		for _, s := range sets[1:] {
			w |= s[i]
		}
		count += bits.OnesCount64(w)
	}
	return count
}

func andCountRowsGeneric(counts []int, query, rows []uint64) {
	for i := range counts {
		row := rows[i*len(query):][:len(query)]
		counts[i] = 0
		for j, w := range query {
			counts[i] += bits.OnesCount64(w & row[j])
		}
	}
}

func orCountRowsGeneric(counts []int, query, rows []uint64) {
	for i := range counts {
		row := rows[i*len(query):][:len(query)]
		counts[i] = 0
		for j, w := range query {
			counts[i] += bits.OnesCount64(w | row[j])
		}
	}
}

func xorCountRowsGeneric(counts []int, query, rows []uint64) {
	for i := range counts {
		row := rows[i*len(query):][:len(query)]
		counts[i] = 0
		for j, w := range query {
			counts[i] += bits.OnesCount64(w ^ row[j])
		}
	}
}
