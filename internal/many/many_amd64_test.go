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
}

// setsLengths are lengths around the rounds of the kernels on sets.
func setsLengths() []int {
	if testing.Short() {
		return []int{0, 1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 67, 127, 128, 129, 203}
	}
	return kerneltest.Sizes(64)[:4*64+4]
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
		if step, _ := setsPiece(k, 1<<20); step < pieceStep || step%pieceStep != 0 || step*k > maxWords {
			t.Errorf("pieces of %d words of %d sets", step, k)
		}
	}
	for words := 1; words <= max(maxRowAVX2, maxRowAVX512); words++ {
		if step := rowsPiece(words); step < rowStep || step%rowStep != 0 || step*words > maxWords {
			t.Errorf("pieces of %d rows of %d words", step, words)
		}
	}
	for _, c := range []struct{ k, n, far int }{
		{2, streamSets/2 - 1, 0}, {2, streamSets / 2, 1}, {8, streamSets/8 - 1, 0}, {8, streamSets / 8, 1},
	} {
		if _, far := setsPiece(c.k, c.n); far != c.far {
			t.Errorf("%d sets of %d words: far = %d", c.k, c.n, far)
		}
	}
}
