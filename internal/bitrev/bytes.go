package bitrev

import (
	"encoding/binary"
	"math/bits"
	"runtime"
	"unsafe"
)

// Words returns the words that lie in p, at addresses that may not be multiples of 8 where
// the machine does not mind, and the bytes in front of and behind them. In which order a
// word's bytes are is the machine's business, so that only what treats all bits alike may
// be done with words.
func Words(p []byte) (head []byte, words []uint64, tail []byte) {
	skip := 0
	if !unaligned {
		skip = min(Misaligned(p), len(p))
	}
	head, p = p[:skip], p[skip:]
	n := len(p) / 8
	if n == 0 {
		return head, nil, p
	}
	return head, unsafe.Slice((*uint64)(unsafe.Pointer(&p[0])), n), p[8*n:]
}

// unaligned reports whether the machine loads and stores words at any address, and the
// kernels too.
const unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386" ||
	runtime.GOARCH == "s390x" || runtime.GOARCH == "ppc64le"

// Misaligned returns how many bytes of p lie in front of the first address that is a
// multiple of 8.
func Misaligned(p []byte) int {
	return int(-uintptr(unsafe.Pointer(unsafe.SliceData(p))) % 8)
}

// Shared returns the words that lie in three slices of one length, and the number of bytes in
// front of them in each: as many as bring dst to a multiple of 8. There are none where a or
// b would then have to be loaded from an address that the machine does not take.
func Shared(dst, a, b []byte) (skip int, d, p, q []uint64) {
	skip = min(Misaligned(dst), len(dst))
	n := (len(dst) - skip) / 8
	if n == 0 || !unaligned && (Misaligned(a) != Misaligned(dst) || Misaligned(b) != Misaligned(dst)) {
		return skip, nil, nil, nil
	}
	word := func(p []byte) []uint64 { return unsafe.Slice((*uint64)(unsafe.Pointer(&p[skip])), n) }
	return skip, word(dst), word(a), word(b)
}

// MSBFirst sets the words to the bits of p, of which the highest of a byte is the first: bit
// i of p is bit i%64 of word i/64. There must be as many words as p takes. Bits that p
// lacks of the last word are cleared.
func MSBFirst(words []uint64, p []byte) {
	if n := len(words); n > 0 {
		words[n-1] = 0
	}
	Reverse(bytesOf(words)[:len(p)], p)
	littleEndian(words)
}

// ToMSB is the way back: it sets p to the first bits of the words, the first of each eight
// in the highest bit of a byte. The words must be enough.
func ToMSB(p []byte, words []uint64) {
	if bigEndian {
		for i := range p {
			p[i] = bits.Reverse8(byte(words[i/8] >> (8 * (i % 8))))
		}
		return
	}
	Reverse(p, bytesOf(words))
}

var bigEndian = binary.NativeEndian.Uint16([]byte{1, 0}) != 1

// littleEndian turns words loaded from little-endian memory into the machine's.
func littleEndian(words []uint64) {
	if bigEndian {
		b := bytesOf(words)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
	}
}

func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}
