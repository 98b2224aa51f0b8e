package main

import (
	"math/rand/v2"
	"slices"

	bnb "github.com/bits-and-blooms/bitset"
	"github.com/bitsieve/bitsieve"
	"github.com/kelindar/bitmap"

	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// sorting is what the sorters of integers work on.
type sorting struct {
	in   []uint32 // all below len(in)
	out  []uint32
	out2 []uint32 // for those that need it
	uint []uint   // for those that give nothing else
}

// sortStage measures a bitmap, set bit by bit in the order of the input and then
// decoded, against sorting by comparison and by radix: n integers below n in
// random order, for Sort all of them, for SortUnique drawn with repetition.
func sortStage(op string, n int) *Stage {
	s := new(sorting)
	return &Stage{
		Title: "sorting integers",
		Need:  int64(n) * 40,
		Groups: []*Group{{
			Op: op, Size: 4 * int64(n), Unit: report.Integers, PerCall: float64(n),
			Contenders: s.contenders(n, op == "SortUnique"),
		}},
		Setup:   func() error { s.make(n, op == "SortUnique"); return nil },
		Cleanup: func() { *s = sorting{} },
	}
}

func (s *sorting) make(n int, repeated bool) {
	r := rand.New(rand.NewPCG(9, uint64(n)))
	s.in, s.out, s.out2, s.uint = make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint, n)
	for i := range s.in {
		s.in[i] = uint32(i)
	}
	if repeated {
		for i := range s.in {
			s.in[i] = r.Uint32N(uint32(n))
		}
		return
	}
	r.Shuffle(n, func(i, j int) { s.in[i], s.in[j] = s.in[j], s.in[i] })
}

// wake reads the input and writes the outputs.
func (s *sorting) wake() {
	copy(s.out, s.in)
	copy(s.out2, s.in)
	clear(s.uint)
}

func (s *sorting) contenders(n int, unique bool) []Contender {
	var b bitsieve.BitSet
	cs := measure.PerLevel(s.each(func() int {
		b.ClearAll()
		for _, v := range s.in {
			b.Set(uint(v))
		}
		return len(bitsieve.AppendIndices32(s.out[:0], b.Words()))
	}), 0)

	compact := func(sorted []uint32) int {
		if unique {
			sorted = slices.Compact(sorted)
		}
		return len(sorted)
	}
	var theirs bnb.BitSet
	var kelindars bitmap.Bitmap
	cs = append(cs,
		peer("slices.Sort", 0, s.each(func() int {
			copy(s.out, s.in)
			slices.Sort(s.out)
			return compact(s.out)
		})),
		peer("go loop, radix", 0, s.each(func() int {
			radixSort(s.out, s.in, s.out2)
			return compact(s.out)
		})),
		peer(bitsAndBlooms, 0, s.each(func() int {
			theirs.ClearAll()
			for _, v := range s.in {
				theirs.Set(uint(v))
			}
			return len(theirs.AsSlice(s.uint[:n]))
		})),
		peer(kelindar, 0, s.each(func() int {
			kelindars.Clear()
			for _, v := range s.in {
				kelindars.Set(v)
			}
			out := s.out[:0]
			kelindars.Range(func(x uint32) { out = append(out, x) })
			return len(out)
		})))
	for i := range cs {
		cs[i].Wake = s.wake
	}
	return cs
}

func (s *sorting) each(sort func() int) func(calls int) {
	return func(calls int) {
		for range calls {
			sink += sort()
		}
	}
}

// radixSort sorts src into dst, by 11 bits at a time from the lowest. tmp is
// overwritten.
func radixSort(dst, src, tmp []uint32) {
	const digit = 11
	var places [3][1 << digit]int
	for _, v := range src {
		for pass := range places {
			places[pass][v>>(digit*pass)%(1<<digit)]++
		}
	}
	for pass := range places {
		at := 0
		for d, n := range places[pass] {
			places[pass][d] = at
			at += n
		}
	}
	for pass, to := range [][]uint32{dst, tmp, dst} {
		place := &places[pass]
		for _, v := range src {
			d := v >> (digit * pass) % (1 << digit)
			to[place[d]] = v
			place[d]++
		}
		src = to
	}
}
