//go:build !purego

package pebble

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// testLine8 is testLine for 1 to 8 probes from a hash on, whose distance is delta.
//
//go:noescape
func testLine8(line *[lineBytes]byte, h, delta uint32, probes int) bool

// testLine reports whether all bits of a hash are set in its line.
func testLine(line *[lineBytes]byte, probes uint8, h uint32) bool {
	if !cpu.AVX2 || probes == 0 {
		return testLineGeneric(line, probes, h)
	}
	race.Read(line[:])
	delta := bits.RotateLeft32(h, 15)
	n := int(probes)
	for ; n > 8; n -= 8 {
		if !testLine8(line, h, delta, 8) {
			return false
		}
		h += 8 * delta
	}
	return testLine8(line, h, delta, n)
}
