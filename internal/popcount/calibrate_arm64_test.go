//go:build !purego

package popcount

import (
	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

func init() { thresholds = append(thresholds, shortThresholds) }

func shortThresholds() []calibrate.Threshold {
	count := []kerneltest.ShortCase{
		{Name: "countNEON", Level: cpu.LevelNEON,
			InGo: func(p []uint64) int { return countGeneric(p) },
			Fn:   func(p []uint64) int { return countNEON(&p[0], len(p)) }},
		{Name: "andCountNEON", Level: cpu.LevelNEON,
			InGo: func(a, b []uint64) int { return andCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return andCountNEON(&a[0], &b[0], len(a)) }},
		{Name: "orCountNEON", Level: cpu.LevelNEON,
			InGo: func(a, b []uint64) int { return orCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return orCountNEON(&a[0], &b[0], len(a)) }},
		{Name: "xorCountNEON", Level: cpu.LevelNEON,
			InGo: func(a, b []uint64) int { return xorCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return xorCountNEON(&a[0], &b[0], len(a)) }},
		{Name: "andNotCountNEON", Level: cpu.LevelNEON,
			InGo: func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return andNotCountNEON(&a[0], &b[0], len(a)) }},
	}
	return []calibrate.Threshold{kerneltest.ShortThreshold("minCountNEON", minCountNEON, 1, count)}
}
