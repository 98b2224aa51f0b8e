//go:build !purego

package bitsieve

import (
	"fmt"
	"time"
	"unsafe"
)

// kernelWords is the least number of words that the AVX-512 kernels take that
// count.
const kernelWords = 4

func init() {
	thresholds = append(thresholds, shortThresholds, streamThresholds, multiThresholds, pextThreshold)
}

func shortThresholds() []threshold {
	count := []shortCase{
		{"countAVX2", levelAVX2, func(p []uint64) int { return countGeneric(p) },
			func(p []uint64) int { return countAVX2(&p[0], len(p)) }},
		{"countAVX512", levelAVX512, func(p []uint64) int { return countGeneric(p) },
			func(p []uint64) int { return countAVX512(&p[0], len(p)) }},
	}
	fused := []shortCase{
		{"andCountAVX2", levelAVX2, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andCountAVX512", levelAVX512, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"orCountAVX2", levelAVX2, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"orCountAVX512", levelAVX512, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"xorCountAVX2", levelAVX2, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"xorCountAVX512", levelAVX512, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andNotCountAVX2", levelAVX2, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountAVX2(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andNotCountAVX512", levelAVX512, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountAVX512(&a[0], &declareFused(a, b)[0], len(a)) }},
		{"andCountedAVX2", levelAVX2, func(dst, a, b []uint64) int { return andCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andCountedAVX512", levelAVX512, func(dst, a, b []uint64) int { return andCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"orCountedAVX2", levelAVX2, func(dst, a, b []uint64) int { return orCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return orCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"orCountedAVX512", levelAVX512, func(dst, a, b []uint64) int { return orCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return orCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"xorCountedAVX2", levelAVX2, func(dst, a, b []uint64) int { return xorCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return xorCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"xorCountedAVX512", levelAVX512, func(dst, a, b []uint64) int { return xorCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return xorCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andNotCountedAVX2", levelAVX2, func(dst, a, b []uint64) int { return andNotCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andNotCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
			}},
		{"andNotCountedAVX512", levelAVX512, func(dst, a, b []uint64) int { return andNotCountedGeneric(dst, a, b) },
			func(dst, a, b []uint64) int {
				a, b = declareBinary(dst, a, b)
				return andNotCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
			}},
	}
	binary := []shortCase{
		{"andAVX2", levelAVX2, func(dst, a, b []uint64) { andGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					andAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"orAVX2", levelAVX2, func(dst, a, b []uint64) { orGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					orAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"xorAVX2", levelAVX2, func(dst, a, b []uint64) { xorGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					xorAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
		{"andNotAVX2", levelAVX2, func(dst, a, b []uint64) { andNotGeneric(dst, a, b) },
			func(dst, a, b []uint64) {
				a, b = declareBinary(dst, a, b)
				if !streams(dst, a, b) {
					andNotAVX2(&dst[0], &a[0], &b[0], len(dst))
				}
			}},
	}
	return []threshold{
		threshold{name: "minCount", unit: "words", value: minCount, sizes: sizesFrom(kernelWords), cases: shortCases(count)}.short(),
		threshold{name: "minFused", unit: "words", value: minFused, sizes: sizesFrom(kernelWords), cases: shortCases(fused)}.short(),
		threshold{name: "minBinary", unit: "words", value: minBinary, sizes: sizesFrom(1), cases: shortCases(binary)}.short(),
	}
}

// streamThresholds compares kernels for operands in the caches with those for
// operands past them. A destination lies apart from the operands.
func streamThresholds() []threshold {
	type binaryAsm = func(dst, a, b *uint64, n int)
	count := threshold{
		name: "streamCount", unit: "words", value: streamCount, sizes: powers(18, 24),
		cases: []thresholdCase{
			{"countAVX2", levelAVX2, func(n int) (below, from func()) {
				p := calibrationWords()[0][:n]
				return func() { sinkInt += countAVX2(&p[0], n) }, func() { sinkInt += countStream(p) }
			}},
			{"countAVX512", levelAVX512, func(n int) (below, from func()) {
				p := calibrationWords()[0][:n]
				return func() { sinkInt += countAVX512(&p[0], n) }, func() { sinkInt += countStream(p) }
			}},
		},
	}
	binary := threshold{name: "streamBinary", unit: "words", value: streamBinary, sizes: powers(17, 23)}
	for _, c := range []struct {
		name        string
		below, from binaryAsm
	}{
		{"and", andAVX2, andStreamAVX2}, {"or", orAVX2, orStreamAVX2},
		{"xor", xorAVX2, xorStreamAVX2}, {"andNot", andNotAVX2, andNotStreamAVX2},
	} {
		binary.cases = append(binary.cases, thresholdCase{c.name, levelAVX2, func(n int) (below, from func()) {
			p := calibrationWords()
			return func() { c.below(&p[2][0], &p[0][0], &p[1][0], n) }, func() { c.from(&p[2][0], &p[0][0], &p[1][0], n) }
		}})
	}

	// What has been written past the caches comes back slowly.
	reread := threshold{name: "streamBinary+read", unit: "words", value: streamBinary, sizes: binary.sizes}
	for _, c := range binary.cases {
		reread.cases = append(reread.cases, thresholdCase{c.name + ", counted afterwards", c.level, func(n int) (below, from func()) {
			f, g := c.ways(n)
			dst := calibrationWords()[2][:n]
			return func() { f(); sinkInt += countWords(dst) }, func() { g(); sinkInt += countWords(dst) }
		}})
	}
	return []threshold{count.long(), binary.long(), reread.long()}
}

func multiThresholds() []threshold {
	return []threshold{
		streamSetsThreshold(),
		rowsThreshold("maxRowAVX2", maxRowAVX2, levelAVX2, powers(2, 11), []rowsCase{
			{"and", andCountRowsAVX2, andCountRowsGeneric},
			{"or", orCountRowsAVX2, orCountRowsGeneric},
			{"xor", xorCountRowsAVX2, xorCountRowsGeneric},
		}),
		rowsThreshold("maxRowAVX512", maxRowAVX512, levelAVX512, powers(2, 14), []rowsCase{
			{"and", andCountRowsAVX512, andCountRowsGeneric},
			{"or", orCountRowsAVX512, orCountRowsGeneric},
			{"xor", xorCountRowsAVX512, xorCountRowsGeneric},
		}),
	}
}

// streamSetsThreshold compares many-operand kernels without and with prefetching.
// Its sizes are those of all operands together.
func streamSetsThreshold() threshold {
	th := threshold{name: "streamSets", unit: "words", value: streamSets, sizes: powers(17, 24)}
	for _, k := range []int{2, 8} {
		add := func(name string, l level, run func(sets *[]uint64, n, far int)) {
			th.cases = append(th.cases, thresholdCase{fmt.Sprintf("%s of %d sets", name, k), l, func(n int) (below, from func()) {
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
		add("andAllAVX2", levelAVX2, into(andAllAVX2))
		add("orAllAVX2", levelAVX2, into(orAllAVX2))
		add("andAllCountAVX2", levelAVX2, count(andAllCountAVX2))
		add("orAllCountAVX2", levelAVX2, count(orAllCountAVX2))
		add("andAllCountAVX512", levelAVX512, count(andAllCountAVX512))
		add("orAllCountAVX512", levelAVX512, count(orAllCountAVX512))
	}
	return th.long()
}

type rowsCase struct {
	name   string
	kernel func(counts *int, query, rows *uint64, words, n int)
	calls  func(counts []int, query, rows []uint64) // one for each row
}

// rowsThreshold compares a kernel on rows with a call for each row, on matrices
// of 256 KiB and 4 MiB.
func rowsThreshold(name string, value int, l level, sizes []int, ops []rowsCase) threshold {
	th := threshold{
		name: name, unit: "words", value: value, upTo: true, sizes: sizes,
		rounds: 9, span: 200 * time.Microsecond,
	}
	for _, matrix := range []int{1 << 15, 1 << 19} {
		for _, op := range ops {
			th.cases = append(th.cases, thresholdCase{fmt.Sprintf("%sCountRows of %d KiB", op.name, matrix>>7), l, func(n int) (below, from func()) {
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

// pextThreshold asks whether PEXT and PDEP beat the Go code, which fastPEXT tells
// by the CPU's family: 1, from one word on, is for yes, and never for no.
func pextThreshold() []threshold {
	const never = 1 << 30
	th := threshold{name: "fastPEXT", unit: "words", value: never, sizes: []int{1, 4, 64, 1024}}
	if fastPEXT {
		th.value = 1
	}
	by := func(fast bool, f func()) func() {
		return func() {
			saved := fastPEXT
			fastPEXT = fast
			f()
			fastPEXT = saved
		}
	}
	add := func(name string, run func(n int) func()) {
		th.cases = append(th.cases, thresholdCase{name, levelAVX2, func(n int) (below, from func()) {
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
	return []threshold{th.short()}
}
