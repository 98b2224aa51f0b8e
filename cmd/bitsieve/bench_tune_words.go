package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/bench/tune"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// lengths are those, in words, at which the fields of cpu.Words are
// measured: in the caches, around their borders, and in memory.
type lengths struct{ near, middle, far []int }

var wordLengths = lengths{
	near:   []int{128, 1 << 10, 2 << 10},
	middle: []int{1 << 15, 1 << 17, 1 << 19},
	far:    []int{1 << 20, 1 << 22, 1 << 23},
}

// wordKnobs returns the knobs of cpu.Words.
func wordKnobs(l lengths) []tune.Knob {
	binary := func(lengths []int, then func([]uint64)) func() []tune.Work {
		return func() (works []tune.Work) {
			for _, n := range lengths {
				sets := randomSets(3, n)
				works = append(works, wordWork("Or into dst", n, func() {
					bitsieve.Or(sets[0], sets[1], sets[2])
					then(sets[0])
				}))
			}
			return works
		}
	}
	count := func(lengths []int) func() []tune.Work {
		return func() (works []tune.Work) {
			for _, n := range lengths {
				p := randomSets(1, n)[0]
				works = append(works, wordWork("Count", n, func() { bitsieve.Count(p) }))
			}
			return works
		}
	}
	// What several sets hold together is a length.
	many := func(lengths []int, verb string, do func(dst []uint64, sets [][]uint64)) func() []tune.Work {
		return func() (works []tune.Work) {
			for _, n := range lengths {
				for _, number := range []int{3, 8} {
					sets := randomSets(number+1, max(n/number, 1))
					works = append(works, wordWork(fmt.Sprintf("%s of %d", verb, number), n, func() { do(sets[number], sets[:number]) }))
				}
			}
			return works
		}
	}
	all := func(dst []uint64, sets [][]uint64) { bitsieve.AndAll(dst, sets...) }
	rows := func() (works []tune.Work) {
		for _, n := range append(append([]int{}, l.middle[:1]...), l.far[len(l.far)-1]) {
			for _, width := range []int{2, 4, 8} {
				matrix, query := randomSets(1, n)[0], randomSets(1, width)[0]
				counts := make([]int, n/width)
				works = append(works, wordWork(fmt.Sprintf("AndCountRows of %d words", width), n,
					func() { bitsieve.AndCountRows(counts, query, matrix) }))
			}
		}
		return works
	}
	both := append(append([]int{}, l.middle...), l.far...)
	avx512 := cpu.LevelAVX512
	return []tune.Knob{
		{Field: "Words.Wide", Level: avx512, Values: []any{64, 256, cpu.Never}, Works: binary(l.near, func([]uint64) {})},
		{Field: "Words.StreamBinary", Values: lengthsFrom(18, 22), Works: binary(both, func(dst []uint64) { bitsieve.Count(dst) })},
		{Field: "Words.CountAhead", Level: avx512, Values: []any{512, 1024, 2048, 4096},
			Given: func() { cpu.Tune.Words.CountAheadFrom = 0 }, Works: count(both)},
		{Field: "Words.CountAheadFrom", Level: avx512, Values: lengthsFrom(15, 20), Works: count(both)},
		{Field: "Words.CountStream", Values: lengthsFrom(20, 24), Works: count(l.far)},
		{Field: "Words.SetsWide", Level: avx512, Values: append(lengthsFrom(15, 22), 0), Works: many(both, "AndAll", all)},
		{Field: "Words.SetsWideCount", Level: avx512, Values: append(lengthsFrom(15, 22), 0),
			Works: many(both, "AndAllCount", func(_ []uint64, sets [][]uint64) { bitsieve.AndAllCount(sets...) })},
		{Field: "Words.SetsAhead", Level: avx512, Values: lengthsFrom(20, 24), Works: many(l.far, "AndAll", all)},
		{Field: "Words.SetsStream", Level: avx512, Values: lengthsFrom(20, 24), Works: many(l.far, "AndAll", all)},
		{Field: "Words.RowsAhead", Level: avx512, Values: []any{0, 1024, 2048, 4096}, Works: rows},
	}
}

// lengthsFrom returns the powers of two from 1<<low to 1<<high, and cpu.Never.
func lengthsFrom(low, high int) (values []any) {
	for shift := low; shift <= high; shift++ {
		values = append(values, 1<<shift)
	}
	return append(values, cpu.Never)
}

func wordWork(name string, n int, do func()) tune.Work {
	return tune.Work{Name: fmt.Sprintf("%s, %d words", name, n), N: n, Do: do}
}

// randomSets returns sets of n random words, each in memory of its own.
func randomSets(number, n int) [][]uint64 {
	r := rand.New(rand.NewPCG(14, uint64(n)))
	sets := make([][]uint64, number)
	for i := range sets {
		sets[i] = make([]uint64, n)
		for j := range sets[i] {
			sets[i][j] = r.Uint64()
		}
	}
	return sets
}
