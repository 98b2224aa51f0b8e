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
	fused := []shortCase{
		{"andCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"orCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"orCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"xorCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"xorCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andNotCountAVX2", cpu.LevelAVX2, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andNotCountAVX512", cpu.LevelAVX512, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andCountedAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return andCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andCountedAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return andCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"orCountedAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return orCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return orCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"orCountedAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return orCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return orCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"xorCountedAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return xorCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return xorCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"xorCountedAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return xorCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return xorCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andNotCountedAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) int { return andNotCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andNotCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andNotCountedAVX512", cpu.LevelAVX512, func(dst, a, b []uint64) int { return andNotCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andNotCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
	}
	binary := []shortCase{
		{"andAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { andGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					andAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"orAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { orGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					orAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"xorAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { xorGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					xorAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"andNotAVX2", cpu.LevelAVX2, func(dst, a, b []uint64) { andNotGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					andNotAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
	}
	return []calibrate.Threshold{
		calibrate.Threshold{Name: "minCount", Unit: "words", Value: minCount, Sizes: sizesFrom(kernelWords), Cases: shortCases(count)}.Short(),
		calibrate.Threshold{Name: "minFused", Unit: "words", Value: minFused, Sizes: sizesFrom(kernelWords), Cases: shortCases(fused)}.Short(),
		calibrate.Threshold{Name: "minBinary", Unit: "words", Value: minBinary, Sizes: sizesFrom(1), Cases: shortCases(binary)}.Short(),
	}
}

// streamThresholds compares kernels for operands in the caches with those for
// operands past them. A destination lies apart from the operands.
func streamThresholds() []calibrate.Threshold {
	type binaryAsm = func(dst, a, b *uint64, n int)
	count := calibrate.Threshold{
		Name: "streamCount", Unit: "words", Value: streamCount, Sizes: calibrate.Powers(18, 24),
		Cases: []calibrate.Case{
			{"countAVX2", cpu.LevelAVX2, func(n int) (below, from func()) {
				p := calibrationWords()[0][:n]
				return func() { sinkInt += countAVX2(&p[0], n) }, func() { sinkInt += countStream(p) }
			}},
			{"countAVX512", cpu.LevelAVX512, func(n int) (below, from func()) {
				p := calibrationWords()[0][:n]
				return func() { sinkInt += countAVX512(&p[0], n) }, func() { sinkInt += countStream(p) }
			}},
		},
	}
	binary := calibrate.Threshold{Name: "streamBinary", Unit: "words", Value: streamBinary, Sizes: calibrate.Powers(17, 23)}
	for _, c := range []struct {
		name        string
		below, from binaryAsm
	}{
		{"and", andAVX2, andStreamAVX2}, {"or", orAVX2, orStreamAVX2},
		{"xor", xorAVX2, xorStreamAVX2}, {"andNot", andNotAVX2, andNotStreamAVX2},
	} {
		binary.Cases = append(binary.Cases, calibrate.Case{c.name, cpu.LevelAVX2, func(n int) (below, from func()) {
			p := calibrationWords()
			return func() { c.below(&p[2][0], &p[0][0], &p[1][0], n) }, func() { c.from(&p[2][0], &p[0][0], &p[1][0], n) }
		}})
	}

	// What has been written past the caches comes back slowly.
	reread := calibrate.Threshold{Name: "streamBinary+read", Unit: "words", Value: streamBinary, Sizes: binary.Sizes}
	for _, c := range binary.Cases {
		reread.Cases = append(reread.Cases, calibrate.Case{c.Name + ", counted afterwards", c.Level, func(n int) (below, from func()) {
			f, g := c.Ways(n)
			dst := calibrationWords()[2][:n]
			return func() { f(); sinkInt += countWords(dst) }, func() { g(); sinkInt += countWords(dst) }
		}})
	}
	return []calibrate.Threshold{count.Long(), binary.Long(), reread.Long()}
}
