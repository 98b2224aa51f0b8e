//go:build !purego

package bitrev

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels take no more than a piece (pieces.go), and at least one vector: n >= 64
// for the one of 512 bits, n >= 32 for the others. dst may be src.

//go:noescape
func reverseGFNI512(dst, src *byte, n int)

//go:noescape
func reverseGFNI256(dst, src *byte, n int)

//go:noescape
func reverseAVX2(dst, src *byte, n int)

// The lengths in bytes from which the kernels are called, which are also the shortest
// that they take. There they are faster than the Go loop already:
//
//	go test -run '^$' -bench Reverse ./internal/bitrev
const (
	minVector256 = 32
	minVector512 = 64
)

// Reverse sets dst[i] to the bits of src[i] in reverse order, for each index of dst.
// src must not be shorter. dst may be src; if it overlaps it otherwise, its contents are
// undefined.
//
// Every CPU with what the AVX-512 level asks for has GFNI too, so that a kernel with
// shuffles of 512 bits would have nothing to run on; where a hypervisor hides GFNI, the
// one of 256 bits runs.
func Reverse(dst, src []byte) {
	if !cpu.AVX2 || len(dst) < minVector256 {
		reverseGeneric(dst, src)
		return
	}
	if len(dst) > pieceBytes {
		inPieces(dst, src)
		return
	}
	src = src[:len(dst)]
	race.Read(src)
	race.Write(dst)
	if cpu.GFNI {
		if cpu.AVX512 && len(dst) >= minVector512 {
			reverseGFNI512(&dst[0], &src[0], len(dst))
			return
		}
		reverseGFNI256(&dst[0], &src[0], len(dst))
		return
	}
	reverseAVX2(&dst[0], &src[0], len(dst))
}
