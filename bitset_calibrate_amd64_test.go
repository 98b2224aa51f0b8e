//go:build !purego

package bitsieve

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// kernelWords is the least number of words that the AVX-512 kernels take that
// count.
const kernelWords = 4

func init() {
	thresholds = append(thresholds, shortThresholds, streamThresholds, multiThresholds, pextThreshold)
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

func multiThresholds() []calibrate.Threshold {
	return []calibrate.Threshold{
		streamSetsThreshold(),
		rowsThreshold("maxRowAVX2", maxRowAVX2, cpu.LevelAVX2, calibrate.Powers(2, 11), []rowsCase{
			{"and", andCountRowsAVX2, andCountRowsGeneric},
			{"or", orCountRowsAVX2, orCountRowsGeneric},
			{"xor", xorCountRowsAVX2, xorCountRowsGeneric},
		}),
		rowsThreshold("maxRowAVX512", maxRowAVX512, cpu.LevelAVX512, calibrate.Powers(2, 14), []rowsCase{
			{"and", andCountRowsAVX512, andCountRowsGeneric},
			{"or", orCountRowsAVX512, orCountRowsGeneric},
			{"xor", xorCountRowsAVX512, xorCountRowsGeneric},
		}),
	}
}

// streamSetsThreshold compares many-operand kernels without and with prefetching.
// Its sizes are those of all operands together.
func streamSetsThreshold() calibrate.Threshold {
	th := calibrate.Threshold{Name: "streamSets", Unit: "words", Value: streamSets, Sizes: calibrate.Powers(17, 24)}
	for _, k := range []int{2, 8} {
		add := func(name string, l cpu.Level, run func(sets *[]uint64, n, far int)) {
			th.Cases = append(th.Cases, calibrate.Case{fmt.Sprintf("%s of %d sets", name, k), l, func(n int) (below, from func()) {
				p := calibrationWords()[0]
				n /= k
				var sets [][]uint64
				for i := range k {
					sets = append(sets, p[i*n:][:n])
				}
				return func() { run(&sets[0], n, 0) }, func() { run(&sets[0], n, 1) }
			}})
		}
		into := func(fn func(dst *uint64, sets *[]uint64, k, n, far int)) func(sets *[]uint64, n, far int) {
			return func(sets *[]uint64, n, far int) { fn(&calibrationWords()[2][0], sets, k, n, far) }
		}
		count := func(fn func(sets *[]uint64, k, n, far int) int) func(sets *[]uint64, n, far int) {
			return func(sets *[]uint64, n, far int) { sinkInt += fn(sets, k, n, far) }
		}
		add("andAllAVX2", cpu.LevelAVX2, into(andAllAVX2))
		add("orAllAVX2", cpu.LevelAVX2, into(orAllAVX2))
		add("andAllCountAVX2", cpu.LevelAVX2, count(andAllCountAVX2))
		add("orAllCountAVX2", cpu.LevelAVX2, count(orAllCountAVX2))
		add("andAllCountAVX512", cpu.LevelAVX512, count(andAllCountAVX512))
		add("orAllCountAVX512", cpu.LevelAVX512, count(orAllCountAVX512))
	}
	return th.Long()
}

type rowsCase struct {
	name   string
	kernel func(counts *int, query, rows *uint64, words, n int)
	calls  func(counts []int, query, rows []uint64) // one for each row
}

// rowsThreshold compares a kernel on rows with a call for each row, on matrices
// of 256 KiB and 4 MiB.
func rowsThreshold(name string, value int, l cpu.Level, sizes []int, ops []rowsCase) calibrate.Threshold {
	th := calibrate.Threshold{
		Name: name, Unit: "words", Value: value, UpTo: true, Sizes: sizes,
		Rounds: 9, Span: 200 * time.Microsecond,
	}
	for _, matrix := range []int{1 << 15, 1 << 19} {
		for _, op := range ops {
			th.Cases = append(th.Cases, calibrate.Case{fmt.Sprintf("%sCountRows of %d KiB", op.name, matrix>>7), l, func(n int) (below, from func()) {
				p := calibrationWords()
				counts, query, rows := make([]int, matrix/n), p[1][:n], p[0][:matrix]
				return func() {
						op.kernel(unsafe.SliceData(counts), unsafe.SliceData(query), unsafe.SliceData(rows), n, len(counts))
					}, func() {
						op.calls(counts, query, rows)
					}
			}})
		}
	}
	return th
}

// pextThreshold asks whether PEXT and PDEP beat the Go code, which cpu.PEXT tells
// by the CPU's family: 1, from one word on, is for yes, and never for no.
func pextThreshold() []calibrate.Threshold {
	const never = 1 << 30
	th := calibrate.Threshold{Name: "cpu.PEXT", Unit: "words", Value: never, Sizes: []int{1, 4, 64, 1024}}
	if cpu.PEXT {
		th.Value = 1
	}
	by := func(fast bool, f func()) func() {
		return func() {
			saved := cpu.PEXT
			cpu.PEXT = fast
			f()
			cpu.PEXT = saved
		}
	}
	add := func(name string, run func(n int) func()) {
		th.Cases = append(th.Cases, calibrate.Case{name, cpu.LevelAVX2, func(n int) (below, from func()) {
			f := run(n)
			return by(false, f), by(true, f)
		}})
	}
	add("extract", func(n int) func() {
		src, mask := benchWords(n), benchWords(n + 1)[1:]
		dst := make([]uint64, wordsFor(uint(countGeneric(mask))))
		return func() { extractWords(dst, src, mask) }
	})
	add("deposit", func(n int) func() {
		src, mask, dst := benchWords(n), benchWords(n + 1)[1:], make([]uint64, n)
		return func() { depositWords(dst, src, mask) }
	})
	add("select", func(n int) func() {
		p := benchWords(n)
		return func() {
			for i, w := range p {
				sinkInt += int(selectWord(w, uint(i)%16))
			}
		}
	})
	return []calibrate.Threshold{th.Short()}
}
