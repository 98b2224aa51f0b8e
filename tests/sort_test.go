package tests

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/race"
)

// randomList returns n integers of a span from lo on.
func randomList(r *rand.Rand, n int, lo uint32, span uint64) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = lo + uint32(r.Uint64N(span))
	}
	return v
}

// listModel is how often each value occurs.
func listModel(v []uint32) map[uint32]int {
	m := map[uint32]int{}
	for _, x := range v {
		m[x]++
	}
	return m
}

// chosen returns the values that a test selects, in order.
func chosen(m map[uint32]int, test func(x uint32, n int) bool) []uint32 {
	var v []uint32
	for x, n := range m {
		if test(x, n) {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	return v
}

// The functions on lists are what maps say, whatever the lists look like, at every level.
func TestLists(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 2, 10, 64, 65, 1000, 30_000} {
			if testing.Short() && n > 1000 {
				continue
			}
			for _, span := range []uint64{1, 2, 100, 1 << 15, 1 << 20, 1 << 25, 1<<25 + 1, 1 << 30, 1 << 32} {
				lo := uint32(r.Uint64N(1<<32 - span + 1))
				checkLists(t, randomList(r, n, lo, span), randomList(r, r.IntN(n+1), lo, span))
			}
		}
		ascending := make([]uint32, 5000)
		for i := range ascending {
			ascending[i] = uint32(i) * 7
		}
		descending := slices.Clone(ascending)
		slices.Reverse(descending)
		checkLists(t, ascending, descending[:100])
		checkLists(t, descending, ascending[:100])
		checkLists(t, make([]uint32, 1000), ascending[1:])
		checkLists(t, []uint32{0, 1<<32 - 1, 0}, []uint32{1<<32 - 1})
	})
}

func checkLists(t *testing.T, a, b []uint32) {
	t.Helper()
	inA, inB := listModel(a), listModel(b)
	check := func(name string, got, want []uint32) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Fatalf("%s of %d and %d values gives %d, want %d", name, len(a), len(b), len(got), len(want))
		}
	}
	check("SortUnique", SortUnique(slices.Clone(a)), slices.Sorted(maps.Keys(inA)))
	check("Singles", Singles(slices.Clone(a)), chosen(inA, func(_ uint32, n int) bool { return n == 1 }))
	check("Duplicates", Duplicates(slices.Clone(a)), chosen(inA, func(_ uint32, n int) bool { return n > 1 }))
	check("IntersectLists", IntersectLists(nil, a, b), chosen(inA, func(x uint32, _ int) bool { return inB[x] > 0 }))
	check("DifferenceLists", DifferenceLists(nil, a, b), chosen(inA, func(x uint32, _ int) bool { return inB[x] == 0 }))
	either := maps.Clone(inA)
	maps.Copy(either, inB)
	check("UnionLists", UnionLists(nil, a, b), slices.Sorted(maps.Keys(either)))
}

// So many that the list is not sorted by comparisons at any span, one after the other on
// the same working memory: whoever left a bit behind would show in the next.
func TestSortUniqueAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, span := range []uint64{1 << 18, 1 << 23, 1 << 26, 1 << 28, 1 << 32, 1 << 18, 1 << 26} {
		v := randomList(r, 200_000, 5, min(span, 1<<32-5))
		want := slices.Clone(v)
		slices.Sort(want)
		want = slices.Compact(want)
		if got := SortUnique(v); !slices.Equal(got, want) {
			t.Errorf("span %d", span)
		}
		if got := SortUnique(want); len(got) != len(want) || &got[0] != &want[0] {
			t.Errorf("span %d: a sorted list is not what it was", span)
		}
	}
}

// With counters of every size: singles, duplicates, distinct values, and all in order.
func TestCountMap(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, width := range []int{2, 4, 8, 16} {
			m, err := NewCountMap(width)
			if err != nil || m.Max() != 1<<width-1 {
				t.Fatal(err, m.Max())
			}
			var v []uint32
			for range 2000 {
				x := r.Uint32() >> (12 + r.IntN(20))
				for range r.IntN(5) {
					v = append(v, x)
				}
			}
			v = append(v, 0, 1<<32-1, 1<<18, 1<<18-1)
			r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
			counts := listModel(v)
			for _, x := range v[:10] {
				if err := m.Add(x); err != nil {
					t.Fatal(err)
				}
			}
			if err := m.Add(v[10:]...); err != nil {
				t.Fatal(err)
			}
			missed := 0
			for x, n := range counts {
				if n > m.Max() {
					missed += n - m.Max()
				}
				if got := m.Count(x); got != min(n, m.Max()) {
					t.Errorf("%d bits: Count(%d) = %d, want %d", width, x, got, n)
				}
			}
			if m.Missed() != uint64(missed) || m.Count(12345678) != 0 {
				t.Errorf("%d bits: %d missed, want %d", width, m.Missed(), missed)
			}
			if got := m.AppendDistinct([]uint32{3})[1:]; !slices.Equal(got, slices.Sorted(maps.Keys(counts))) {
				t.Errorf("%d bits: AppendDistinct", width)
			}
			if got := m.AppendSingles(nil); !slices.Equal(got, chosen(counts, func(_ uint32, n int) bool { return n == 1 })) {
				t.Errorf("%d bits: AppendSingles", width)
			}
			if got := m.AppendDuplicates(nil); !slices.Equal(got, chosen(counts, func(_ uint32, n int) bool { return n > 1 })) {
				t.Errorf("%d bits: AppendDuplicates", width)
			}
			for x, n := range m.EachCount() {
				if min(counts[x], m.Max()) != n {
					t.Errorf("%d bits: EachCount has %d %d times", width, x, n)
				}
			}
			for range m.EachCount() {
				break
			}
			sorted, err := m.AppendSorted([]uint32{9})
			if missed > 0 {
				if !errors.Is(err, ErrOverflow) || len(sorted) != 1 {
					t.Errorf("%d bits: AppendSorted of more than fits: %d, %v", width, len(sorted), err)
				}
			} else if slices.Sort(v); err != nil || !slices.Equal(sorted[1:], v) {
				t.Errorf("%d bits: AppendSorted: %v", width, err)
			} else if cap(sorted) >= 2*len(sorted) {
				t.Errorf("%d bits: AppendSorted has room for %d of %d", width, cap(sorted), len(sorted))
			}
			if m.SizeBytes() == 0 || m.SizeBytes()%(1<<15*uint64(width)) != 0 {
				t.Errorf("%d bits: %d bytes", width, m.SizeBytes())
			}
			m.Clear()
			if m.Missed() != 0 || m.SizeBytes() != 0 || len(m.AppendDistinct(nil)) != 0 || m.Count(v[0]) != 0 {
				t.Errorf("%d bits: something is left", width)
			}
			if sorted, err := m.AppendSorted(nil); err != nil || len(sorted) != 0 {
				t.Errorf("%d bits: sorted nothing: %d, %v", width, len(sorted), err)
			}
		}
	})
}

// A counter that is full stays full, and does not run over into the next.
func TestCountMapFull(t *testing.T) {
	for _, width := range []int{2, 4, 8, 16} {
		m, _ := NewCountMap(width)
		const x = 77
		for range m.Max() + 5 {
			if err := m.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		if m.Count(x) != m.Max() || m.Count(x-1) != 0 || m.Count(x+1) != 0 || m.Missed() != 5 {
			t.Errorf("%d bits: %d, %d, %d, %d missed", width, m.Count(x-1), m.Count(x), m.Count(x+1), m.Missed())
		}
		if _, err := m.AppendSorted(nil); !errors.Is(err, ErrOverflow) || !strings.Contains(err.Error(), "5 values are missed") {
			t.Error(err)
		}
		if got := m.AppendDuplicates(nil); !slices.Equal(got, []uint32{x}) {
			t.Errorf("%d bits: duplicates %v", width, got)
		}
	}
}

func TestCountMapParameters(t *testing.T) {
	for _, width := range []int{-1, 0, 1, 3, 5, 7, 9, 15, 17, 32, 64} {
		if m, err := NewCountMap(width); m != nil || !errors.Is(err, ErrParameter) {
			t.Errorf("%d bits: %v", width, err)
		}
	}
}

// Without memory for another page, what has been added stays.
func TestCountMapMemory(t *testing.T) {
	defer func() { memory.Override = 0 }()
	memory.Override = 1 << 10
	m, _ := NewCountMap(2)
	if err := m.Add(1, 2, 3); !errors.Is(err, ErrMemory) {
		t.Error(err)
	}
	memory.Override = 0
	if err := m.Add(1, 2, 3); err != nil {
		t.Error(err)
	}
	if sorted, err := m.AppendSorted(nil); !slices.Equal(sorted, []uint32{1, 2, 3}) || err != nil {
		t.Error(sorted, err)
	}
}

func TestCountMapAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the detector allocates")
	}
	m, _ := NewCountMap(4)
	v := randomList(rand.New(rand.NewPCG(7, 8)), 1000, 0, 1<<20)
	dst := make([]uint32, 0, 20_000)
	if err := m.Add(v...); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() {
		m.Add(v[:10]...)
		m.Add(v[0])
		dst = m.AppendDistinct(dst[:0])
		dst = m.AppendDuplicates(dst[:0])
		dst, _ = m.AppendSorted(dst[:0])
		sinkInt += m.Count(v[1])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzLists(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1}, []byte{2, 9}, uint8(0), uint16(1))
	f.Add([]byte{255, 0}, []byte{}, uint8(24), uint16(100))
	f.Fuzz(func(t *testing.T, x, y []byte, shift uint8, repeat uint16) {
		list := func(p []byte) (v []uint32) {
			for i := range len(p) * int(1+repeat%100) {
				v = append(v, (uint32(p[i%len(p)])+uint32(i/len(p))*77)<<(shift%32))
			}
			return v
		}
		a := list(x)
		checkLists(t, a, list(y))
		if shift%32 > 8 {
			return // counters for all of 2^32 take gigabytes
		}
		m, _ := NewCountMap(16)
		if err := m.Add(a...); err != nil {
			t.Fatal(err)
		}
		sorted, err := m.AppendSorted(nil)
		if slices.Sort(a); err != nil || !slices.Equal(sorted, a) {
			t.Errorf("AppendSorted: %v", err)
		}
	})
}

// lsdSort is a plain radix sort, to compare with: four passes of eight bits.
func lsdSort(v, other []uint32) {
	for shift := 0; shift < 32; shift += 8 {
		var ends [256]int
		for _, x := range v {
			ends[x>>shift&255]++
		}
		at := 0
		for i, n := range ends {
			ends[i] = at
			at += n
		}
		for _, x := range v {
			d := x >> shift & 255
			other[ends[d]] = x
			ends[d]++
		}
		v, other = other, v
	}
}

// BenchmarkSortUnique compares with sorting by comparisons and with a radix sort, both
// followed by slices.Compact; the copy of the list is part of all. ns/op is per value.
//
//	go test -run '^$' -bench SortUnique -benchtime 50ms ./tests
func BenchmarkSortUnique(b *testing.B) {
	for _, n := range []int{1e3, 1e5, 1e6, 1e7} {
		for _, s := range []struct {
			name string
			span uint64
		}{{"dense", 2 * uint64(n)}, {"16n", 16 * uint64(n)}, {"random", 1 << 32}} {
			orig := randomList(rand.New(rand.NewPCG(1, uint64(n))), n, 0, s.span)
			v, other := make([]uint32, n), make([]uint32, n)
			run := func(impl string, f func(v []uint32) []uint32) {
				b.Run(fmt.Sprintf("op=sortUnique/impl=%s/range=%s/n=%d", impl, s.name, n), func(b *testing.B) {
					for b.Loop() {
						copy(v, orig)
						sinkInt += len(f(v))
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
				})
			}
			run("bitsieve", SortUnique)
			run("radix", func(v []uint32) []uint32 { lsdSort(v, other); return slices.Compact(v) })
			run("slices", func(v []uint32) []uint32 { slices.Sort(v); return slices.Compact(v) })
		}
	}
}

// BenchmarkLists compares with merging after sorting, and with a map.
//
//	go test -run '^$' -bench Lists -benchtime 50ms ./tests
func BenchmarkLists(b *testing.B) {
	const n = 1_000_000
	for _, s := range []struct {
		name string
		span uint64
	}{{"dense", 2 * n}, {"16n", 16 * n}, {"random", 1 << 32}} {
		r := rand.New(rand.NewPCG(1, 2))
		x, y := randomList(r, n, 0, s.span), randomList(r, n, 0, s.span)
		var dst []uint32
		run := func(op, impl string, f func()) {
			b.Run(fmt.Sprintf("op=%s/impl=%s/range=%s/n=%d", op, impl, s.name, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2*n), "ns/value")
			})
		}
		run("intersect", "bitsieve", func() { dst = IntersectLists(dst[:0], x, y) })
		run("intersect", "slices", func() {
			p, q := slices.Clone(x), slices.Clone(y)
			slices.Sort(p)
			slices.Sort(q)
			p, q = slices.Compact(p), slices.Compact(q)
			dst = dst[:0]
			for len(p) > 0 && len(q) > 0 {
				switch cmp.Compare(p[0], q[0]) {
				case 0:
					dst = append(dst, p[0])
					p, q = p[1:], q[1:]
				case -1:
					p = p[1:]
				default:
					q = q[1:]
				}
			}
		})
		run("intersect", "map", func() {
			m := make(map[uint32]struct{}, n)
			for _, v := range x {
				m[v] = struct{}{}
			}
			dst = dst[:0]
			for _, v := range y {
				if _, ok := m[v]; ok {
					dst = append(dst, v)
					delete(m, v)
				}
			}
		})
		run("union", "bitsieve", func() { dst = UnionLists(dst[:0], x, y) })
		m, _ := NewCountMap(2)
		run("countMap", "bitsieve", func() {
			if err := m.Add(x...); err != nil {
				b.Fatal(err)
			}
		})
		run("singles", "countMap", func() { dst = m.AppendSingles(dst[:0]) })
	}
}
