// Package popcount has the operations that count set bits: of words, of what two
// operands have in common and the like, and of what an operation writes.
//
// The functions named Generic, in this file, are the specification of every kernel,
// the fallback where there is none, and the tail of those that work on whole vectors.
// The exported functions, in the files named after an architecture, choose between
// them.
//
// Where only a and b are read, b must not be shorter than a. Where dst is written, the
// shortest of the three decides; dst may be a or b, and if it overlaps them otherwise,
// its contents are undefined.
//
// Loops go four words at a time by an index, because the compiler does not unroll
// (TUNING.md).
package popcount

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

// shortWords is how many words of two operands a plain loop counts sooner than a
// call.
const shortWords = 16

// The loops for up to shortWords words, which the compiler inlines into the exported
// functions.

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
