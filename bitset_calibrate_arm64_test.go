//go:build !purego

package bitsieve

func init() { thresholds = append(thresholds, shortThresholds) }

func shortThresholds() []threshold {
	count := []shortCase{
		{"countNEON", levelNEON, func(p []uint64) int { return countGeneric(p) },
			func(p []uint64) int { return countNEON(&p[0], len(p)) }},
		{"andCountNEON", levelNEON, func(a, b []uint64) int { return andCountGeneric(a, b) },
			func(a, b []uint64) int { return andCountNEON(&a[0], &b[0], len(a)) }},
		{"orCountNEON", levelNEON, func(a, b []uint64) int { return orCountGeneric(a, b) },
			func(a, b []uint64) int { return orCountNEON(&a[0], &b[0], len(a)) }},
		{"xorCountNEON", levelNEON, func(a, b []uint64) int { return xorCountGeneric(a, b) },
			func(a, b []uint64) int { return xorCountNEON(&a[0], &b[0], len(a)) }},
		{"andNotCountNEON", levelNEON, func(a, b []uint64) int { return andNotCountGeneric(a, b) },
			func(a, b []uint64) int { return andNotCountNEON(&a[0], &b[0], len(a)) }},
	}
	binary := []shortCase{
		{"andNEON", levelNEON, func(dst, a, b []uint64) { andGeneric(dst, a, b) },
			func(dst, a, b []uint64) { andNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{"orNEON", levelNEON, func(dst, a, b []uint64) { orGeneric(dst, a, b) },
			func(dst, a, b []uint64) { orNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{"xorNEON", levelNEON, func(dst, a, b []uint64) { xorGeneric(dst, a, b) },
			func(dst, a, b []uint64) { xorNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{"andNotNEON", levelNEON, func(dst, a, b []uint64) { andNotGeneric(dst, a, b) },
			func(dst, a, b []uint64) { andNotNEON(&dst[0], &a[0], &b[0], len(dst)) }},
	}
	decode := []shortCase{
		{"decodeNEON", levelNEON, func(dst []uint, words []uint64, base uint) (written, consumed int) {
			return decodeGeneric(dst, words, base)
		}, func(dst []uint, words []uint64, base uint) (written, consumed int) {
			return decodeNEON(&dst[0], len(dst), &words[0], len(words), base)
		}},
		{"decode32NEON", levelNEON, func(dst []uint32, words []uint64, base uint32) (written, consumed int) {
			return decodeGeneric(dst, words, base)
		}, func(dst []uint32, words []uint64, base uint32) (written, consumed int) {
			return decode32NEON(&dst[0], len(dst), &words[0], len(words), base)
		}},
	}
	return []threshold{
		threshold{name: "minCountNEON", unit: "words", value: minCountNEON, sizes: sizesFrom(1), cases: shortCases(count)}.short(),
		threshold{name: "minBinaryNEON", unit: "words", value: minBinaryNEON, sizes: sizesFrom(1), cases: shortCases(binary)}.short(),
		threshold{name: "minDecodeNEON", unit: "words", value: minDecodeNEON, sizes: sizesFrom(1), cases: shortCases(decode)}.short(),
	}
}
