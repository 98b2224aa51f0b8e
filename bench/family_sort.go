package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/bitsieve/bitsieve"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A sorter sorts in and drops what is there again. It may overwrite in, out and tmp,
// which are of one length, and returns a part of one of them or memory of its own.
type sorter struct {
	name string
	kind string
	// dense tells that it is only for integers below a small multiple of their number.
	dense bool
	sort  func(in, out, tmp []uint32) []uint32
}

func sorters() []sorter {
	var set bitsieve.BitSet
	return []sorter{
		{"BitSet and AppendIndices32", report.Ours, true, func(in, out, _ []uint32) []uint32 {
			set.ClearAll()
			for _, x := range in {
				set.Set(uint(x))
			}
			return bitsieve.AppendIndices32(out[:0], set.Words())
		}},
		{"SortUnique", report.Ours, false, func(in, _, _ []uint32) []uint32 { return bitsieve.SortUnique(in) }},
		{"slices.Sort, Compact", report.Peer, false, func(in, _, _ []uint32) []uint32 {
			slices.Sort(in)
			return slices.Compact(in)
		}},
		{"radix sort, Compact", report.Peer, false, func(in, out, tmp []uint32) []uint32 {
			radixSort(out, in, tmp)
			return slices.Compact(out)
		}},
	}
}

// sortFamily measures sorting and de-duplication of n integers that are drawn from
// below 4 n, and from all there are, and returns the table.
func sortFamily(p familyPlan) string {
	r := rand.New(rand.NewPCG(9, 10))
	list := sorters()
	head := []string{"integers"}
	rows := make([][]string, len(list))
	for i, s := range list {
		rows[i] = []string{s.name}
		if s.kind == report.Ours {
			rows[i] = []string{"**" + s.name + "**"}
		}
	}
	for _, dense := range []bool{true, false} {
		for _, size := range p.sizes {
			n := int(size / 4)
			below := uint64(1) << 32
			if dense {
				below = uint64(4 * n)
			}
			head = append(head, fmt.Sprintf("%d below %d", n, below))
			for i, s := range measureSorters(r, list, n, below, p.rounds) {
				rows[i] = append(rows[i], cell(s))
			}
		}
	}
	return table(head, rows)
}

// measureSorters returns nanoseconds per integer for each sorter, by turns. It panics
// if one is wrong.
func measureSorters(r *rand.Rand, list []sorter, n int, below uint64, rounds int) []report.Samples {
	given := make([]uint32, n)
	for i := range given {
		given[i] = uint32(r.Uint64N(below))
	}
	want := slices.Compact(slices.Sorted(slices.Values(given)))
	in, out, tmp := make([]uint32, n), make([]uint32, n), make([]uint32, n)
	samples := make([]report.Samples, len(list))
	first := one(n < 1<<20) // round that counts: the one before is to warm up
	for round := range rounds + first {
		for _, i := range r.Perm(len(list)) {
			if list[i].dense && below > 4*uint64(n) {
				continue
			}
			var took time.Duration
			repeat := max(1, 1<<18/n)
			for range repeat {
				copy(in, given)
				start := time.Now()
				got := list[i].sort(in, out, tmp)
				took += time.Since(start)
				if !slices.Equal(got, want) {
					panic(list[i].name + " does not sort")
				}
			}
			if round >= first {
				samples[i] = append(samples[i], float64(took.Nanoseconds())/float64(repeat*n))
			}
		}
	}
	return samples
}
