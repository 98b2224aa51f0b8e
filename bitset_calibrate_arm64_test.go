//go:build !purego

package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/cpu"

	"github.com/bitsieve/bitsieve/internal/calibrate"
)

func init() { thresholds = append(thresholds, shortThresholds) }

func shortThresholds() []calibrate.Threshold {
	count := []shortCase{
		{"countNEON", cpu.LevelNEON, func(p []uint64) int { return countGeneric(p) },
			func(p []uint64) int { return countNEON(&p[0], len(p)) }},
		{"andCountNEON", cpu.LevelNEON, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountNEON(&a[0], &b[0], len(a)) }},
		{"orCountNEON", cpu.LevelNEON, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountNEON(&a[0], &b[0], len(a)) }},
		{"xorCountNEON", cpu.LevelNEON, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountNEON(&a[0], &b[0], len(a)) }},
		{"andNotCountNEON", cpu.LevelNEON, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountNEON(&a[0], &b[0], len(a)) }},
	}
	binary := []shortCase{
		{"andNEON", cpu.LevelNEON, func(dst, a, b []uint64) { andGeneric(dst, a, b) },
			func(dst, a, b []uint64) { andNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{"orNEON", cpu.LevelNEON, func(dst, a, b []uint64) { orGeneric(dst, a, b) },
			func(dst, a, b []uint64) { orNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{"xorNEON", cpu.LevelNEON, func(dst, a, b []uint64) { xorGeneric(dst, a, b) },
			func(dst, a, b []uint64) { xorNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{"andNotNEON", cpu.LevelNEON, func(dst, a, b []uint64) { andNotGeneric(dst, a, b) },
			func(dst, a, b []uint64) { andNotNEON(&dst[0], &a[0], &b[0], len(dst)) }},
	}
	return []calibrate.Threshold{
		calibrate.Threshold{Name: "minCountNEON", Unit: "words", Value: minCountNEON, Sizes: sizesFrom(1), Cases: shortCases(count)}.Short(),
		calibrate.Threshold{Name: "minBinaryNEON", Unit: "words", Value: minBinaryNEON, Sizes: sizesFrom(1), Cases: shortCases(binary)}.Short(),
	}
}
