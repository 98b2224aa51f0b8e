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

// What the exported functions and the methods are, up to where they call something: a
// loop for fewer than minCall words, in the caller itself, for a call costs as much as
// eight words of work. The shortest of dst, a and b decides how many words there are.
//
// rest does minCall words or more. It is a parameter because a call of one costs the
// compiler's inliner 17 of the 80 nodes that a function may have, any other call 57:
// so the loop fits in, and the call of what long operands want too. Once all is
// inlined, the parameter is a constant, and what it calls is called directly, if it is
// inlined itself. tests/inline_test.go sees to it that all of this is so.

// minCall is the length in words from which the exported functions call anything
// (TUNING.md; BenchmarkShort of tests).
const minCall = 8

func andHere(dst, a, b []uint64, rest func(dst, a, b []uint64, n int)) {
	n := min(len(dst), len(a), len(b))
	if n >= minCall {
		rest(dst, a, b, n)
		return
	}
	for i := range n {
		dst[i] = a[i] & b[i]
	}
}

func orHere(dst, a, b []uint64, rest func(dst, a, b []uint64, n int)) {
	n := min(len(dst), len(a), len(b))
	if n >= minCall {
		rest(dst, a, b, n)
		return
	}
	for i := range n {
		dst[i] = a[i] | b[i]
	}
}

func xorHere(dst, a, b []uint64, rest func(dst, a, b []uint64, n int)) {
	n := min(len(dst), len(a), len(b))
	if n >= minCall {
		rest(dst, a, b, n)
		return
	}
	for i := range n {
		dst[i] = a[i] ^ b[i]
	}
}

func andNotHere(dst, a, b []uint64, rest func(dst, a, b []uint64, n int)) {
	n := min(len(dst), len(a), len(b))
	if n >= minCall {
		rest(dst, a, b, n)
		return
	}
	for i := range n {
		dst[i] = a[i] &^ b[i]
	}
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
