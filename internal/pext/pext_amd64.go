//go:build !purego

package pext

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

//go:noescape
func extractBMI2(dst, src, mask *uint64, n int, fill uint) (next uint)

//go:noescape
func depositBMI2(dst, src, mask *uint64, n int, first, stop uint) (done int, next uint)

func selectBMI2(w uint64, j uint) uint

// maxWords is the largest number of words for one call of a kernel, which cannot
// be preempted: 100 µs at 6 ns a word, four times what it takes. Between calls
// another Go function must begin, for there the scheduler can stop a goroutine.
const maxWords = 16 << 10

func extract(dst, src, mask []uint64) (n int) {
	if !cpu.PEXT {
		return extractGeneric(dst, src, mask)
	}
	// Up to the last bit there is always a word of dst for the kernel to write.
	for len(mask) > 0 && mask[len(mask)-1] == 0 {
		mask = mask[:len(mask)-1]
	}
	if len(mask) == 0 {
		return 0
	}
	race.Read(mask)
	race.Read(src[:len(mask)])
	next := extractBMI2(&dst[0], &src[0], &mask[0], min(len(mask), maxWords), 0)
	for done := maxWords; done < len(mask); done += maxWords {
		next = next&^63 + extractPiece(dst[next/64:], src[done:], mask[done:], next%64)
	}
	if race.Enabled { // not even a check of the bounds otherwise
		race.Write(dst[:(next+63)/64])
	}
	return int(next)
}

// extractPiece must not be inlined: see maxWords.
//
//go:noinline
func extractPiece(dst, src, mask []uint64, fill uint) (next uint) {
	return extractBMI2(&dst[0], &src[0], &mask[0], min(len(mask), maxWords), fill)
}

func deposit(dst, src, mask []uint64, pos uint) (next uint) {
	if !cpu.PEXT {
		return depositGeneric(dst, src, mask, pos)
	}
	for len(mask) > maxWords && len(src) > 0 {
		pos = deposit(dst, src, mask[:maxWords], pos)
		dst, mask = dst[maxWords:], mask[maxWords:]
		src, pos = src[min(pos/64, uint(len(src))):], pos%64
	}
	if len(mask) == 0 || len(src) == 0 {
		return pos
	}
	// The kernel reads two words of src at a time. So it stops at the last one,
	// which is then deposited with a zero after it.
	last := len(src) - 1
	end := 64 * uint(last)
	done, next := depositBMI2(&dst[0], &src[0], &mask[0], len(mask), pos, end)
	if done < len(mask) {
		tail := [2]uint64{src[last], 0}
		n, pos := depositBMI2(&dst[done], &tail[0], &mask[done], len(mask)-done, next-end, 64)
		done, next = done+n, end+pos
	}
	if race.Enabled {
		race.Read(mask[:done])
		race.Read(src[:min((next+63)/64, uint(len(src)))])
		race.Write(dst[:done])
	}
	return next
}

func selectBit(w uint64, j uint) uint {
	if !cpu.PEXT {
		return selectGeneric(w, j)
	}
	return selectBMI2(w, j)
}
