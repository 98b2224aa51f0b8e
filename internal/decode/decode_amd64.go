//go:build !purego

package decode

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The kernels do what decodeGeneric does for n words and room places, which must not be
// tooLong. Up to 64 places behind those written may change.

//go:noescape
func decodeAVX512(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)

//go:noescape
func decode32AVX512(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)

//go:noescape
func decodeAVX2(dst *uint, room int, words *uint64, n int, base uint) (written, consumed int)

//go:noescape
func decode32AVX2(dst *uint32, room int, words *uint64, n int, base uint32) (written, consumed int)

// Indices writes base + i to dst for every set bit i of words, in ascending order,
// and stops before the first word whose bits do not fit. Of what is left of dst then,
// some may have been written. It returns the number of indices written and of words
// consumed.
func Indices[T Index](dst []T, words []uint64, base T) (written, consumed int) {
	if !cpu.AVX2 {
		return decodeGeneric(dst, words, base)
	}
	if tooLong(len(dst), len(words)) {
		return inPieces(dst, words, base)
	}
	d, w := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.SliceData(words)
	switch narrow := unsafe.Sizeof(base) == 4; {
	case cpu.AVX512 && narrow:
		written, consumed = decode32AVX512((*uint32)(d), len(dst), w, len(words), uint32(base))
	case cpu.AVX512:
		written, consumed = decodeAVX512((*uint)(d), len(dst), w, len(words), uint(base))
	case narrow:
		written, consumed = decode32AVX2((*uint32)(d), len(dst), w, len(words), uint32(base))
	default:
		written, consumed = decodeAVX2((*uint)(d), len(dst), w, len(words), uint(base))
	}
	raceKernel(dst, words, written, consumed)
	return written, consumed
}
