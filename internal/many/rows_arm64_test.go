//go:build !purego

package many

import (
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

func rowsHaveKernel(words int) bool { return cpu.NEON && words <= maxRowNEON }

// TestRowsNEON runs each kernel whatever its verb chooses, up to the longest rows with
// all bits set, where its sums are at their greatest.
func TestRowsNEON(t *testing.T) {
	kerneltest.NeedLevel(t, cpu.LevelNEON)
	m := newRowsMem(t, 1<<14)
	for _, row := range []struct {
		kernel string
		fn     func(counts *int, query, rows *uint64, words, n int)
		ref    func(counts []int, query, rows []uint64)
	}{
		{"andCountRowsNEON", andCountRowsNEON, andCountRowsGeneric},
		{"orCountRowsNEON", orCountRowsNEON, orCountRowsGeneric},
		{"xorCountRowsNEON", xorCountRowsNEON, xorCountRowsGeneric},
	} {
		for words := 1; words <= 70; words++ {
			for _, n := range []int{1, 2, 7, 8, 9, 23} {
				query, rows := m.operands(words, n)
				counts, want := slices.Repeat([]int{-1}, n+2), slices.Repeat([]int{-1}, n+2)
				row.ref(want[1:n+1], query, rows)
				row.fn(&counts[1], &query[0], &rows[0], words, n)
				if !slices.Equal(counts, want) {
					t.Fatalf("%s, %d rows of %d words: %v, want %v", row.kernel, n, words, counts, want)
				}
			}
		}
		ones, counts, want := slices.Repeat([]uint64{^uint64(0)}, 2*maxRowNEON), make([]int, 2), make([]int, 2)
		row.ref(want, ones[:maxRowNEON], ones)
		if row.fn(&counts[0], &ones[0], &ones[0], maxRowNEON, 2); !slices.Equal(counts, want) {
			t.Errorf("%s, all bits set: %v, want %v", row.kernel, counts, want)
		}
	}
}

// Too few rows must panic.
func TestFewRowsNEON(t *testing.T) {
	kerneltest.NeedLevel(t, cpu.LevelNEON)
	for _, verb := range rowsVerbs {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s reads past the rows' end", verb.name)
				}
			}()
			verb.fn(make([]int, 3), make([]uint64, 4), make([]uint64, 11, 11))
		}()
	}
}
