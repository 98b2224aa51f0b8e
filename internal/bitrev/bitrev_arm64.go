//go:build !purego

package bitrev

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// reverseNEON takes n >= 16 bytes, and no more than a piece (pieces.go). dst may be
// src.
//
//go:noescape
func reverseNEON(dst, src *byte, n int)

// minNEON is the length in bytes from which the kernel is called. Go's compiler has RBIT
// as well, for eight bytes: in the model of scripts/mca, 64 bytes take the Go loop 15 cycles
// on Neoverse N1 and 7 on V2, which is about what a call costs, and the kernel 6 and 2.
const minNEON = 64

// Reverse sets dst[i] to the bits of src[i] in reverse order, for each index of dst.
// src must not be shorter. dst may be src; if it overlaps it otherwise, its contents are
// undefined.
func Reverse(dst, src []byte) {
	if !cpu.NEON || len(dst) < minNEON {
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
	reverseNEON(&dst[0], &src[0], len(dst))
}
