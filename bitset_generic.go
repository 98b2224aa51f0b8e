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

// decodeGeneric writes base + i to dst for every set bit i of words, in
// ascending order, and stops before the first word whose bits might not fit:
// it goes on only while 64 places are free, or the word's bits fit exactly. It
// returns the number of indices written and of words consumed.
func decodeGeneric[T uint | uint32](dst []T, words []uint64, base T) (written, consumed int) {
	for i, w := range words {
		if w == 0 {
			base += 64
			continue
		}
		if len(dst)-written < 64 && len(dst)-written < bits.OnesCount64(w) {
			return written, i
		}
		for w != 0 {
			dst[written] = base + T(bits.TrailingZeros64(w))
			written++
			w &= w - 1
		}
		base += 64
	}
	return written, len(words)
}
