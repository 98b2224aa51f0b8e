//go:build !purego

package popcount

import (
	"fmt"
	"sync"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

func init() {
	thresholds = append(thresholds, shortThresholds, streamThresholds)
}

// kernelWords is the least number of words that the AVX-512 kernels take.
const kernelWords = 4

func shortThresholds() []calibrate.Threshold {
	count := []kerneltest.ShortCase{
		{Name: "countAVX2", Level: cpu.LevelAVX2,
			InGo: func(p []uint64) int { return countGeneric(p) },
			Fn:   func(p []uint64) int { return countAVX2(&p[0], len(p)) }},
		{Name: "countAVX512", Level: cpu.LevelAVX512,
			InGo: func(p []uint64) int { return countGeneric(p) },
			Fn:   func(p []uint64) int { return countAVX512(&p[0], len(p)) }},
	}
	count2 := []kerneltest.ShortCase{
		{Name: "andCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(a, b []uint64) int { return andCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return andCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "andCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(a, b []uint64) int { return andCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return andCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "orCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(a, b []uint64) int { return orCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return orCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "orCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(a, b []uint64) int { return orCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return orCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "xorCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(a, b []uint64) int { return xorCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return xorCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "xorCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(a, b []uint64) int { return xorCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return xorCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "andNotCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return andNotCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "andNotCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			Fn:   func(a, b []uint64) int { return andNotCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{Name: "andWithCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) int { return andWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return andWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{Name: "andWithCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(dst, a, b []uint64) int { return andWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return andWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{Name: "orWithCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) int { return orWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return orWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{Name: "orWithCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(dst, a, b []uint64) int { return orWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return orWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{Name: "xorWithCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) int { return xorWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return xorWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{Name: "xorWithCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(dst, a, b []uint64) int { return xorWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return xorWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{Name: "andNotWithCountAVX2", Level: cpu.LevelAVX2,
			InGo: func(dst, a, b []uint64) int { return andNotWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return andNotWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{Name: "andNotWithCountAVX512", Level: cpu.LevelAVX512,
			InGo: func(dst, a, b []uint64) int { return andNotWithCountGeneric(dst, a, b) },
			Fn: func(dst, a, b []uint64) int {
				raceWithCount(dst, a, b)
				return andNotWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
	}
	return []calibrate.Threshold{
		kerneltest.ShortThreshold("minCount", minCount, kernelWords, count),
		kerneltest.ShortThreshold("minCount2", minCount2, kernelWords, count2),
	}
}

// streamThresholds compares counting in one place with counting in four, and with
// prefetching.
func streamThresholds() []calibrate.Threshold {
	words := sync.OnceValue(func() []uint64 { return kerneltest.RandomWords(1 << 24) })
	count := calibrate.Threshold{Name: "CountStream", Unit: "words", Value: cpu.Tune.Words.CountStream, Sizes: calibrate.Powers(18, 24)}
	for _, l := range []cpu.Level{cpu.LevelAVX2, cpu.LevelAVX512} {
		count.Cases = append(count.Cases, calibrate.Case{Name: "count", Level: l, Ways: func(n int) (below, from func()) {
			p := words()[:n]
			return func() { kerneltest.Sink += countPieces(p) }, func() { kerneltest.Sink += countStream(p) }
		}})
	}
	all := []calibrate.Threshold{count.Long()}
	for _, ahead := range []int{512, 1024, 2048, 4096} {
		th := calibrate.Threshold{Name: fmt.Sprintf("CountAheadFrom/%d", ahead), Unit: "words",
			Value: cpu.Tune.Words.CountAheadFrom, Sizes: calibrate.Powers(15, 24)}
		th.Cases = []calibrate.Case{{Name: "count", Level: cpu.LevelAVX512, Ways: func(n int) (below, from func()) {
			p := words()[:n]
			return func() { kerneltest.Sink += countPieces(p) }, func() { kerneltest.Sink += countAhead(p, ahead) }
		}}}
		all = append(all, th.Long())
	}
	return all
}
