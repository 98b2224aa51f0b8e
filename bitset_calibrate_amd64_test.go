//go:build !purego

package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// kernelWords is the least number of words that the AVX-512 kernels take that
// count.
const kernelWords = 4

func init() {
	thresholds = append(thresholds, shortThresholds, streamThresholds)
}

func shortThresholds() []calibrate.Threshold {
	count := []shortCase{
		{"countAVX2", cpu.LevelAVX2, func(p []uint64) int { return countGeneric(p) },
			func(p []uint64) int { return countAVX2(&p[0], len(p)) }},
		{"countAVX512", cpu.LevelAVX512, func(p []uint64) int { return countGeneric(p) },
			func(p []uint64) int { return countAVX512(&p[0], len(p)) }},
	}
	count2 := []shortCase{
		{"andCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"andCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"orCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"orCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"xorCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"xorCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"andNotCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountAVX2(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"andNotCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountAVX512(&a[0], &raceCount2(a, b)[0], len(a)) }},
		{"andWithCountAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return andWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return andWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andWithCountAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return andWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return andWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"orWithCountAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return orWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return orWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"orWithCountAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return orWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return orWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"xorWithCountAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return xorWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return xorWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"xorWithCountAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return xorWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return xorWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andNotWithCountAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return andNotWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return andNotWithCountAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andNotWithCountAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return andNotWithCountGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = raceBinary(dst, a, b)
				return andNotWithCountAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
	}
	binary := []shortCase{
		{"andAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { andGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					andAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"orAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { orGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					orAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"xorAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { xorGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					xorAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"andNotAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { andNotGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = raceBinary(dst, a, b)
				if len(dst) <= piecePair {
					andNotAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
	}
	return []calibrate.Threshold{
		calibrate.Threshold{Name: "minCount", Unit: "words", Value: minCount, Sizes: sizesFrom(kernelWords), Cases: shortCases(count)}.Short(),
		calibrate.Threshold{Name: "minCount2", Unit: "words", Value: minCount2, Sizes: sizesFrom(kernelWords), Cases: shortCases(count2)}.Short(),
		calibrate.Threshold{Name: "minBinary", Unit: "words", Value: minBinary, Sizes: sizesFrom(1), Cases: shortCases(binary)}.Short(),
	}
}

// streamThresholds compares kernels for operands in the caches with those for
// operands past them. A destination lies apart from the operands.
func streamThresholds() []calibrate.Threshold {
	count := calibrate.Threshold{Name: "streamCount", Unit: "words", Value: streamCount, Sizes: calibrate.Powers(18, 24)}
	for _, l := range []cpu.Level{cpu.LevelAVX2, cpu.LevelAVX512} {
		count.Cases = append(count.Cases, calibrate.Case{Name: "count", Level: l, Ways: func(n int) (below, from func()) {
			p := calibrationWords()[0][:n]
			return func() { sinkInt += countPieces(p) }, func() { sinkInt += countStream(p) }
		}})
	}
	binary := calibrate.Threshold{Name: "streamBinary", Unit: "words", Value: streamBinary, Sizes: calibrate.Powers(17, 23)}
	for op, name := range []string{opAnd: "and", opOr: "or", opXor: "xor", opAndNot: "andNot"} {
		binary.Cases = append(binary.Cases, calibrate.Case{Name: name, Level: cpu.LevelAVX2, Ways: func(n int) (below, from func()) {
			p := calibrationWords()
			dst, a, b := p[2][:n], p[0][:n], p[1][:n]
			return func() { binaryPieces(wordOp(op), dst, a, b) }, func() { binaryStream(wordOp(op), dst, a, b) }
		}})
	}

	// What has been written past the caches comes back slowly.
	reread := calibrate.Threshold{Name: "streamBinary+read", Unit: "words", Value: streamBinary, Sizes: binary.Sizes}
	for _, c := range binary.Cases {
		reread.Cases = append(reread.Cases, calibrate.Case{Name: c.Name + ", counted afterwards", Level: c.Level, Ways: func(n int) (below, from func()) {
			f, g := c.Ways(n)
			dst := calibrationWords()[2][:n]
			return func() { f(); sinkInt += countWords(dst) }, func() { g(); sinkInt += countWords(dst) }
		}})
	}
	return []calibrate.Threshold{count.Long(), binary.Long(), reread.Long()}
}
