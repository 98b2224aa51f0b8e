//go:build !purego

package many

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// rowsHaveKernel reports whether the level in force has kernels for rows of a
// number of words, as the documentation of the thresholds says.
func rowsHaveKernel(words int) bool {
	return cpu.AVX512 && words <= maxRowAVX512 || cpu.AVX2 && words <= maxRowAVX2
}

// intoKernels, countKernels and rowsKernels are the tables of kernels: each is run
// at its level, whatever its verb chooses there.

var intoKernels = []struct {
	kernel string
	level  cpu.Level
	fn     func(dst *uint64, sets *[]uint64, k, from, to, far int)
	ref    func(dst []uint64, sets [][]uint64)
}{
	{"andAllAVX2", cpu.LevelAVX2, andAllAVX2, andAllGeneric},
	{"orAllAVX2", cpu.LevelAVX2, orAllAVX2, orAllGeneric},
	{"andAllAVX512", cpu.LevelAVX512, wideOr(andAllAVX512, andAllAVX2), andAllGeneric},
	{"orAllAVX512", cpu.LevelAVX512, wideOr(orAllAVX512, orAllAVX2), orAllGeneric},
}

// wideOr is a kernel that takes eight words at least, and for less another one.
func wideOr(wide func(dst *uint64, sets *[]uint64, k, from, to int), less func(dst *uint64, sets *[]uint64, k, from, to, far int)) func(dst *uint64, sets *[]uint64, k, from, to, far int) {
	return func(dst *uint64, sets *[]uint64, k, from, to, far int) {
		if to-from < 8 {
			less(dst, sets, k, from, to, far)
		} else {
			wide(dst, sets, k, from, to)
		}
	}
}

var countKernels = []struct {
	kernel string
	level  cpu.Level
	fn     func(sets *[]uint64, k, from, to, far int) int
	ref    func(sets [][]uint64, n int) int
}{
	{"andAllCountAVX2", cpu.LevelAVX2, andAllCountAVX2, andAllCountGeneric},
	{"orAllCountAVX2", cpu.LevelAVX2, orAllCountAVX2, orAllCountGeneric},
	{"andAllCountAVX512", cpu.LevelAVX512, andAllCountAVX512, andAllCountGeneric},
	{"orAllCountAVX512", cpu.LevelAVX512, orAllCountAVX512, orAllCountGeneric},
	{"andAllCountWideAVX512", cpu.LevelAVX512, wideThen(andAllCountWideAVX512, andAllCountAVX512), andAllCountGeneric},
	{"orAllCountWideAVX512", cpu.LevelAVX512, wideThen(orAllCountWideAVX512, orAllCountAVX512), orAllCountGeneric},
}

// wideThen is a kernel that takes whole rounds, and another one for the rest.
func wideThen(wide func(sets *[]uint64, k, from, to int) int, rest func(sets *[]uint64, k, from, to, far int) int) func(sets *[]uint64, k, from, to, far int) int {
	return func(sets *[]uint64, k, from, to, far int) (count int) {
		if whole := (to - from) &^ (wideRound - 1); whole > 0 {
			count = wide(sets, k, from, from+whole)
			from += whole
		}
		return count + rest(sets, k, from, to, far)
	}
}

var rowsKernels = []struct {
	kernel string
	level  cpu.Level
	fn     func(counts *int, query, rows *uint64, words, n int)
	ref    func(counts []int, query, rows []uint64)
}{
	{"andCountRowsAVX2", cpu.LevelAVX2, andCountRowsAVX2, andCountRowsGeneric},
	{"orCountRowsAVX2", cpu.LevelAVX2, orCountRowsAVX2, orCountRowsGeneric},
	{"xorCountRowsAVX2", cpu.LevelAVX2, xorCountRowsAVX2, xorCountRowsGeneric},
	{"andCountRowsAVX512", cpu.LevelAVX512, andCountRowsAVX512, andCountRowsGeneric},
	{"orCountRowsAVX512", cpu.LevelAVX512, orCountRowsAVX512, orCountRowsGeneric},
	{"xorCountRowsAVX512", cpu.LevelAVX512, xorCountRowsAVX512, xorCountRowsGeneric},
	{"andCountShortRowsAVX512", cpu.LevelAVX512, shortOr(andCountShortRowsAVX512, andCountRowsAVX512), andCountRowsGeneric},
	{"orCountShortRowsAVX512", cpu.LevelAVX512, shortOr(orCountShortRowsAVX512, orCountRowsAVX512), orCountRowsGeneric},
	{"xorCountShortRowsAVX512", cpu.LevelAVX512, shortOr(xorCountShortRowsAVX512, xorCountRowsAVX512), xorCountRowsGeneric},
}

// shortOr is a kernel for short rows, and for long ones another.
func shortOr(short func(counts *int, query, rows *uint64, words, n, far int), long func(counts *int, query, rows *uint64, words, n int)) func(counts *int, query, rows *uint64, words, n int) {
	return func(counts *int, query, rows *uint64, words, n int) {
		if words <= maxShortRow {
			short(counts, query, rows, words, n, 4096*(n%2))
		} else {
			long(counts, query, rows, words, n)
		}
	}
}

// setsLengths are lengths around the rounds of the kernels on sets.
func setsLengths() []int {
	if testing.Short() {
		return []int{0, 1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 67, 127, 128, 129, 203, 301, 512, 607}
	}
	return append(kerneltest.Sizes(64)[:4*64+4], 271, 299, 511, 512, 513, 607, 768, 1100)
}

// between returns the words from … to-1 of the sets.
func between(sets [][]uint64, from, to int) (cut [][]uint64) {
	for _, s := range sets {
		cut = append(cut, s[from:to])
	}
	return cut
}

// The kernels on sets do any range of words, prefetching or not, and leave the
// words of dst outside of it alone.
func TestSetsKernels(t *testing.T) {
	m := newManyMem(t, 1<<12)
	for _, row := range intoKernels {
		t.Run(row.kernel, func(t *testing.T) {
			kerneltest.NeedLevel(t, row.level)
			for _, n := range setsLengths() {
				for k := 2; k <= mostSets; k++ {
					sets, dst, before, after := m.operands(k, n)
					from, far := m.rand.IntN(n+1)*m.rand.IntN(2), m.rand.IntN(2)
					to := n - m.rand.IntN(n-from+1)*m.rand.IntN(2)
					want := make([]uint64, to-from)
					row.ref(want, between(sets, from, to))
					row.fn(unsafe.SliceData(dst), &sets[0], k, from, to, far)
					if !slices.Equal(dst[from:to], want) {
						t.Fatalf("%d sets of %d words, %d to %d, far = %d: wrong", k, n, from, to, far)
					}
					if !kerneltest.CanaryIntact(before, dst[:from], dst[to:], after) {
						t.Fatalf("%d sets of %d words, %d to %d, far = %d: writes elsewhere", k, n, from, to, far)
					}
					i := m.rand.IntN(k)
					row.fn(unsafe.SliceData(sets[i]), &sets[0], k, from, to, far)
					if !slices.Equal(sets[i][from:to], want) {
						t.Fatalf("%d sets of %d words, %d to %d, far = %d: wrong in set %d", k, n, from, to, far, i)
					}
				}
			}
		})
	}
	for _, row := range countKernels {
		t.Run(row.kernel, func(t *testing.T) {
			kerneltest.NeedLevel(t, row.level)
			for _, n := range setsLengths() {
				for k := 2; k <= mostSets; k++ {
					sets, _, _, _ := m.operands(k, n)
					from, far := m.rand.IntN(n+1)*m.rand.IntN(2), m.rand.IntN(2)
					to := n - m.rand.IntN(n-from+1)*m.rand.IntN(2)
					want := row.ref(between(sets, from, to), to-from)
					if got := row.fn(&sets[0], k, from, to, far); got != want {
						t.Fatalf("%d sets of %d words, %d to %d, far = %d: %d, want %d", k, n, from, to, far, got, want)
					}
				}
			}
		})
	}
}

// All bits set: the sums of bytes are at their greatest.
func TestSetsKernelsSums(t *testing.T) {
	ones := slices.Repeat([]uint64{^uint64(0)}, 1000)
	sets := [][]uint64{ones, ones, ones}
	for _, row := range countKernels {
		t.Run(row.kernel, func(t *testing.T) {
			kerneltest.NeedLevel(t, row.level)
			for _, n := range []int{32, 64, 1000} {
				if got := row.fn(&sets[0], 3, 0, n, 0); got != 64*n {
					t.Errorf("%d words = %d, want %d", n, got, 64*n)
				}
			}
		})
	}
}

func TestRowsKernels(t *testing.T) {
	m := newRowsMem(t, 1<<14)
	for _, row := range rowsKernels {
		t.Run(row.kernel, func(t *testing.T) {
			kerneltest.NeedLevel(t, row.level)
			for words := 1; words <= 140; words++ {
				if testing.Short() && words > 20 && words%8 > 1 {
					continue
				}
				for _, n := range []int{1, 2, 7, 8, 9, 16, 23} {
					query, rows := m.operands(words, n)
					counts, want := slices.Repeat([]int{-1}, n+2), slices.Repeat([]int{-1}, n+2)
					row.ref(want[1:n+1], query, rows)
					row.fn(&counts[1], &query[0], &rows[0], words, n)
					if !slices.Equal(counts, want) {
						t.Fatalf("%d rows of %d words: %v, want %v", n, words, counts, want)
					}
				}
			}
			// All bits set.
			ones, counts := slices.Repeat([]uint64{^uint64(0)}, 300), make([]int, 3)
			want := make([]int, 3)
			row.ref(want, ones[:100], ones)
			if row.fn(&counts[0], &ones[0], &ones[0], 100, 3); !slices.Equal(counts, want) {
				t.Errorf("all bits set: %v, want %v", counts, want)
			}
		})
	}
}

// No call of a kernel reads more than maxWords words.
func TestPieces(t *testing.T) {
	for k := 2; k <= maxSets; k++ {
		if step := setsPiece(k); step < pieceStep || step%pieceStep != 0 || step*k > maxWords {
			t.Errorf("pieces of %d words of %d sets", step, k)
		}
	}
	for words := 1; words <= max(maxRowAVX2, maxRowAVX512); words++ {
		if step := rowsPiece(words); step < rowStep || step%rowStep != 0 || step*words > maxWords {
			t.Errorf("pieces of %d rows of %d words", step, words)
		}
	}
}

// Each way is gone between the lengths that the tuning in force says.
func TestWays(t *testing.T) {
	defer func(saved cpu.Words) { cpu.Tune.Words = saved }(cpu.Tune.Words)
	cpu.Tune.Words = cpu.Words{SetsWide: 1 << 12, SetsWideCount: 1 << 11, SetsAhead: 1 << 14}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, c := range []struct {
			k, n        int
			into, count setsWay
		}{
			{2, minWide - 1, near, near}, {2, minWide, wide, wide}, {maxWide + 1, minWide, far, far},
			{8, 1 << 8, wide, wide}, {8, 1<<8 + 1, wide, near}, {8, 1 << 9, wide, near}, {8, 1<<9 + 1, near, near},
			{8, 1<<11 - 1, near, near}, {8, 1 << 11, far, far},
		} {
			if !cpu.AVX512 && c.into == wide {
				c.into = near
			}
			if !cpu.AVX512 && c.count == wide {
				c.count = near
			}
			if got := setsInto(c.k, c.n); got != c.into {
				t.Errorf("%d sets of %d words: %d, want %d", c.k, c.n, got, c.into)
			}
			if got := setsCount(c.k, c.n); got != c.count {
				t.Errorf("count of %d sets of %d words: %d, want %d", c.k, c.n, got, c.count)
			}
		}
	})
}

// What goes past the caches, at every place of dst in a line and a page.
func TestStream(t *testing.T) {
	kerneltest.NeedLevel(t, cpu.LevelAVX512)
	m := newManyMem(t, 1<<16)
	for op, verb := range setsVerbs {
		for _, n := range []int{1, 7, 8, 255, 256, 257, 263, 264, 519, 1000, maxWords/3 - 7, maxWords / 2} {
			for range 8 {
				k := 2 + m.rand.IntN(mostSets-1)
				sets, dst, before, after := m.operands(k, n)
				want := make([]uint64, n)
				verb.ref(want, sets)
				if stream(setsOp(op), dst, sets); !slices.Equal(dst, want) {
					t.Fatalf("%s of %d sets of %d words is wrong", verb.name, k, n)
				}
				if !kerneltest.CanaryIntact(before, after) {
					t.Fatalf("%s of %d sets of %d words writes elsewhere", verb.name, k, n)
				}
			}
		}
	}
}

// A destination that is one of the sets, or no multiple of eight, is not written past
// the caches.
func TestStreams(t *testing.T) {
	kerneltest.NeedLevel(t, cpu.LevelAVX512)
	saved, level := cpu.Tune.Words, cpu.Current()
	defer func() { cpu.Tune.Words = saved; cpu.Set(level) }()
	cpu.Set(cpu.LevelAVX512)
	cpu.Tune.Words = cpu.Words{SetsStream: 300}
	a, b, c := make([]uint64, 100), make([]uint64, 100), make([]uint64, 100)
	odd := unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(&make([]uint64, 101)[0]), 3)), 100)
	for _, row := range []struct {
		name string
		dst  []uint64
		sets [][]uint64
		want bool
	}{
		{"apart", make([]uint64, 100), [][]uint64{a, b, c}, true},
		{"short", make([]uint64, 99), [][]uint64{a, b, c}, false},
		{"first", a, [][]uint64{a, b, c}, false},
		{"last", c, [][]uint64{a, b, c}, false},
		{"odd", odd, [][]uint64{a, b, c}, false},
		{"many", make([]uint64, 100), slices.Repeat([][]uint64{a}, maxWide+1), false},
	} {
		if got := streams(row.dst, row.sets); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}
