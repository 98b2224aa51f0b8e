// Package bitrev reverses the bits inside each byte, which turns bitmaps with the
// highest bit of a byte first, as Redis stores them, into those with the lowest first,
// and back.
//
// reverseGeneric is the specification of every kernel, what runs where there is none,
// and what short inputs take.
package bitrev

import (
	"encoding/binary"
	"math/bits"
)

// reverseGeneric sets dst[i] to the bits of src[i] in reverse order, for each index of
// dst. src must not be shorter. dst may be src.
func reverseGeneric(dst, src []byte) {
	src = src[:len(dst)]
	for ; len(dst) >= 32; dst, src = dst[32:], src[32:] {
		p, q := dst[:32:32], src[:32:32]
		reverse8(p[0:8], q[0:8])
		reverse8(p[8:16], q[8:16])
		reverse8(p[16:24], q[16:24])
		reverse8(p[24:32], q[24:32])
	}
	for ; len(dst) >= 8; dst, src = dst[8:], src[8:] {
		reverse8(dst[:8], src[:8])
	}
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = bits.Reverse8(src[i])
	}
}

// reverse8 is reverseGeneric for eight bytes. It reverses all 64 bits, and then puts
// the bytes back in their order; in which order they are loaded does not matter.
func reverse8(dst, src []byte) {
	w := bits.ReverseBytes64(bits.Reverse64(binary.NativeEndian.Uint64(src)))
	binary.NativeEndian.PutUint64(dst, w)
}
