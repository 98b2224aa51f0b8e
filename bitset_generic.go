package bitsieve

// The word-slice kernels in plain Go. They are the specification of every
// assembly kernel, the fallback where there is none, and the tail of those that
// work on whole vectors.
//
// Loops go four words at a time, in this form: the compiler does not unroll, and
// advancing the slices instead of an index is slower than not unrolling (1 KiB, a
// union: 59, 82 and 70 ns).
//
// Binary kernels take three slices of one length. dst may be a or b; any other
// overlap gives undefined contents.

import "math/bits"

// fewWords is how many words are done sooner by a plain loop than by a call.
const fewWords = 16

// The kernels for up to fewWords words, which the compiler inlines into the
// verbs.

func andFew(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

func orFew(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}

func xorFew(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] ^ b[i]
	}
}

func andNotFew(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] &^ b[i]
	}
}

func andCountFew(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

func orCountFew(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w | b[i])
	}
	return n
}

func xorCountFew(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

func andNotCountFew(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w &^ b[i])
	}
	return n
}

func countGeneric(p []uint64) (n int) {
	i := 0
	for ; i+4 <= len(p); i += 4 {
		q := p[i : i+4 : i+4]
		n += bits.OnesCount64(q[0]) + bits.OnesCount64(q[1]) +
			bits.OnesCount64(q[2]) + bits.OnesCount64(q[3])
	}
	for ; i < len(p); i++ {
		n += bits.OnesCount64(p[i])
	}
	return n
}

func andGeneric(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		d, p, q := dst[i:i+4:i+4], a[i:i+4:i+4], b[i:i+4:i+4]
		d[0] = p[0] & q[0]
		d[1] = p[1] & q[1]
		d[2] = p[2] & q[2]
		d[3] = p[3] & q[3]
	}
	for ; i < len(dst); i++ {
		dst[i] = a[i] & b[i]
	}
}

func orGeneric(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		d, p, q := dst[i:i+4:i+4], a[i:i+4:i+4], b[i:i+4:i+4]
		d[0] = p[0] | q[0]
		d[1] = p[1] | q[1]
		d[2] = p[2] | q[2]
		d[3] = p[3] | q[3]
	}
	for ; i < len(dst); i++ {
		dst[i] = a[i] | b[i]
	}
}

func xorGeneric(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		d, p, q := dst[i:i+4:i+4], a[i:i+4:i+4], b[i:i+4:i+4]
		d[0] = p[0] ^ q[0]
		d[1] = p[1] ^ q[1]
		d[2] = p[2] ^ q[2]
		d[3] = p[3] ^ q[3]
	}
	for ; i < len(dst); i++ {
		dst[i] = a[i] ^ b[i]
	}
}

func andNotGeneric(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		d, p, q := dst[i:i+4:i+4], a[i:i+4:i+4], b[i:i+4:i+4]
		d[0] = p[0] &^ q[0]
		d[1] = p[1] &^ q[1]
		d[2] = p[2] &^ q[2]
		d[3] = p[3] &^ q[3]
	}
	for ; i < len(dst); i++ {
		dst[i] = a[i] &^ b[i]
	}
}

func andCountGeneric(a, b []uint64) (n int) {
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		p, q := a[i:i+4:i+4], b[i:i+4:i+4]
		n += bits.OnesCount64(p[0]&q[0]) + bits.OnesCount64(p[1]&q[1]) +
			bits.OnesCount64(p[2]&q[2]) + bits.OnesCount64(p[3]&q[3])
	}
	for ; i < len(a); i++ {
		n += bits.OnesCount64(a[i] & b[i])
	}
	return n
}

func orCountGeneric(a, b []uint64) (n int) {
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		p, q := a[i:i+4:i+4], b[i:i+4:i+4]
		n += bits.OnesCount64(p[0]|q[0]) + bits.OnesCount64(p[1]|q[1]) +
			bits.OnesCount64(p[2]|q[2]) + bits.OnesCount64(p[3]|q[3])
	}
	for ; i < len(a); i++ {
		n += bits.OnesCount64(a[i] | b[i])
	}
	return n
}

func xorCountGeneric(a, b []uint64) (n int) {
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		p, q := a[i:i+4:i+4], b[i:i+4:i+4]
		n += bits.OnesCount64(p[0]^q[0]) + bits.OnesCount64(p[1]^q[1]) +
			bits.OnesCount64(p[2]^q[2]) + bits.OnesCount64(p[3]^q[3])
	}
	for ; i < len(a); i++ {
		n += bits.OnesCount64(a[i] ^ b[i])
	}
	return n
}

func andNotCountGeneric(a, b []uint64) (n int) {
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		p, q := a[i:i+4:i+4], b[i:i+4:i+4]
		n += bits.OnesCount64(p[0]&^q[0]) + bits.OnesCount64(p[1]&^q[1]) +
			bits.OnesCount64(p[2]&^q[2]) + bits.OnesCount64(p[3]&^q[3])
	}
	for ; i < len(a); i++ {
		n += bits.OnesCount64(a[i] &^ b[i])
	}
	return n
}
