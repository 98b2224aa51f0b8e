//go:build !purego && (amd64 || arm64)

package decode

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/race"
)

// pieceRoom and pieceWords are the most places of dst and the most words that a kernel
// gets in one call. Assembly cannot be preempted, and the garbage collector waits for
// it. It takes longest where dst is 128 KiB of pages that are touched for the first
// time: some 60 µs on Sapphire Rapids.
const (
	pieceRoom  = 1 << 14
	pieceWords = 1 << 14
)

// tooLong reports whether a kernel must not take n words into room places in one call.
// Words with all bits set fill 64 places each.
func tooLong(room, n int) bool {
	return n > pieceRoom/wordBits && (room > pieceRoom || n > pieceWords)
}

// inPieces does what Indices does, in calls of Indices that are not too long. The
// scheduler can stop it between them.
func inPieces[T Index](dst []T, words []uint64, base T) (written, consumed int) {
	for consumed < len(words) {
		room := dst[written:min(len(dst), written+pieceRoom)]
		piece := words[consumed:min(len(words), consumed+pieceWords)]
		n, c := Indices(room, piece, base+wordBits*T(consumed))
		last := written+len(room) == len(dst)
		written += n
		consumed += c
		if c < len(piece) && last {
			break
		}
	}
	return written, consumed
}

// raceKernel declares to the race detector what a kernel has read and may have
// written: up to the rest of a block of eight words, and up to 64 places behind the
// indices.
func raceKernel[T Index](dst []T, words []uint64, written, consumed int) {
	if race.Enabled {
		race.Read(words[:min(len(words), consumed+8)])
		race.Write(dst[:min(len(dst), written+wordBits)])
	}
}

// byteNumbers has for each byte the numbers of its set bits, the lowest first, in a
// byte each.
var byteNumbers = func() (t [256]uint64) {
	for b := range t {
		for i, rest := 0, uint(b); rest != 0; i, rest = i+8, rest&(rest-1) {
			t[b] |= uint64(bits.TrailingZeros(rest)) << i
		}
	}
	return t
}()
