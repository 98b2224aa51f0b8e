//go:build !purego

package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// extractWords is extractGeneric, with the further conditions that mask is not
// empty and its last word not zero.
func extractWords(dst, src, mask []uint64) {
	if !cpu.AVX2 || !cpu.PEXT {
		extractGeneric(dst, src, mask)
		return
	}
	if race.Enabled {
		race.Read(src)
		race.Read(mask)
		race.Write(dst)
	}
	extractBMI2(&dst[0], &src[0], &mask[0], len(mask))
}

// depositWords is depositGeneric, with the further condition that no slice is
// empty.
func depositWords(dst, src, mask []uint64) {
	if !cpu.AVX2 || !cpu.PEXT {
		depositGeneric(dst, src, mask)
		return
	}
	if race.Enabled {
		race.Read(src)
		race.Read(mask)
		race.Write(dst)
	}
	// The kernel reads two words of src at a time, so the last one is left to a
	// second run in which a zero follows it.
	last := len(src) - 1
	done, pos := depositBMI2(&dst[0], &src[0], &mask[0], len(mask), uint(last)*wordBits, 0)
	if done < len(mask) {
		tail := [2]uint64{src[last], 0}
		depositBMI2(&dst[done], &tail[0], &mask[done], len(mask)-done, wordBits, pos%wordBits)
	}
}

// selectWord is selectGeneric.
func selectWord(w uint64, j uint) uint {
	if !cpu.AVX2 || !cpu.PEXT {
		return selectGeneric(w, j)
	}
	return selectBMI2(w, j)
}

func selectBMI2(w uint64, j uint) uint

//go:noescape
func extractBMI2(dst, src, mask *uint64, words int)

//go:noescape
func depositBMI2(dst, src, mask *uint64, words int, end, pos uint) (done int, next uint)
