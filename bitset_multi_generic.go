package bitsieve

// In plain Go, as bitset_generic.go: operations that count what they write, those
// on many operands in one pass, and one operand against the rows of a matrix.

import "math/bits"

func andCountedGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] & b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

func orCountedGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] | b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

func xorCountedGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] ^ b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

func andNotCountedGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] &^ b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

// The kernels on many operands take two at least, each of n words or more. dst
// has n words and may be one of them.

func andAllGeneric(dst []uint64, sets [][]uint64) {
	for i := range dst {
		dst[i] = andAt(sets, i)
	}
}

func orAllGeneric(dst []uint64, sets [][]uint64) {
	for i := range dst {
		dst[i] = orAt(sets, i)
	}
}

func andAllCountGeneric(sets [][]uint64, n int) (count int) {
	for i := range n {
		count += bits.OnesCount64(andAt(sets, i))
	}
	return count
}

func orAllCountGeneric(sets [][]uint64, n int) (count int) {
	for i := range n {
		count += bits.OnesCount64(orAt(sets, i))
	}
	return count
}

func andAt(sets [][]uint64, i int) uint64 {
	w := sets[0][i]
	for _, s := range sets[1:] {
		w &= s[i]
	}
	return w
}

func orAt(sets [][]uint64, i int) uint64 {
	w := sets[0][i]
	for _, s := range sets[1:] {
		w |= s[i]
	}
	return w
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
