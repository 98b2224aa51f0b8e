//go:build !purego

package decode

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The kernels do what decodeGeneric does for n words and room places, which must not be
// tooLong, but stop before a word for which fewer than 64 places are free. Up to 64
// places behind those written may change.

//go:noescape
func decodeNEON(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)

//go:noescape
func decode32NEON(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)

// minNEON is the length in words from which the kernels are called: about where whole
// calls cost as much as the Go loop in the model of scripts/mca (cycles for 4 words
// with one bit in 8 set, on Neoverse N1 and V2: decode32 119 and 73, in Go 112 and 65).
const minNEON = 4

// Indices writes base + i to dst for every set bit i of words, in ascending order,
// and stops before the first word whose bits do not fit. Of what is left of dst then,
// some may have been written. It returns the number of indices written and of words
// consumed.
func Indices[T Index](dst []T, words []uint64, base T) (written, consumed int) {
	if !cpu.NEON || len(dst) < wordBits || len(words) < minNEON {
		return decodeGeneric(dst, words, base)
	}
	if tooLong(len(dst), len(words)) {
		return inPieces(dst, words, base)
	}
	d := unsafe.Pointer(&dst[0])
	if unsafe.Sizeof(base) == 4 {
		written, consumed = decode32NEON((*uint32)(d), len(dst), &words[0], len(words), uint32(base))
	} else {
		written, consumed = decodeNEON((*uint)(d), len(dst), &words[0], len(words), uint(base))
	}
	raceKernel(dst, words, written, consumed)
	n, c := decodeGeneric(dst[written:], words[consumed:], base+wordBits*T(consumed))
	return written + n, consumed + c
}
