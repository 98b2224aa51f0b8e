//go:build !purego

package decode

import (
	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

func init() { thresholds = append(thresholds, minThreshold) }

// minThreshold compares the kernels with decodeGeneric on a few words.
func minThreshold() []calibrate.Threshold {
	const oneIn = 16
	return []calibrate.Threshold{calibrate.Threshold{
		Name: "minNEON", Unit: "words", Value: minNEON, Sizes: shortSizes,
		Cases: []calibrate.Case{
			{Name: "decodeNEON", Level: cpu.LevelNEON, Ways: func(n int) (below, from func()) {
				dst := make([]uint, 64*n)
				return freshWords(n, oneIn, func(words []uint64) { decodeGeneric(dst, words, 0) }),
					freshWords(n, oneIn, func(words []uint64) { decodeNEON(&dst[0], len(dst), &words[0], len(words), 0) })
			}},
			{Name: "decode32NEON", Level: cpu.LevelNEON, Ways: func(n int) (below, from func()) {
				dst := make([]uint32, 64*n)
				return freshWords(n, oneIn, func(words []uint64) { decodeGeneric(dst, words, 0) }),
					freshWords(n, oneIn, func(words []uint64) { decode32NEON(&dst[0], len(dst), &words[0], len(words), 0) })
			}},
		},
	}.Short()}
}
