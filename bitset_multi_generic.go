package bitsieve

// In plain Go, as bitset_generic.go: operations that count what they write.

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
