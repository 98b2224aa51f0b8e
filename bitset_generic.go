package bitsieve

// The word-slice kernels in plain Go. They are the specification of every
// assembly kernel, the fallback where there is none, and the tail of those that
// work on whole vectors.
//
// Loops go four words at a time by an index, because the compiler does not unroll
// (TUNING.md).
//
// Binary kernels take three slices of one length. dst may be a or b; any other
// overlap gives undefined contents.

import "math/bits"

// shortWords is how many words a plain loop does sooner than a call.
const shortWords = 16

// The kernels for up to shortWords words, which the compiler inlines into the
// verbs.

func andShort(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

func orShort(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}

func xorShort(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] ^ b[i]
	}
}

func andNotShort(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] &^ b[i]
	}
}

func andCountShort(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

func orCountShort(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w | b[i])
	}
	return n
}

func xorCountShort(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

func andNotCountShort(a, b []uint64) (n int) {
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

func andWithCountGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] & b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

func orWithCountGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] | b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

func xorWithCountGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] ^ b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

func andNotWithCountGeneric(dst, a, b []uint64) (n int) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] &^ b[i]
		dst[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}
