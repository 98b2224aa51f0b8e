package sorted

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// Every verb at every level, on lists between pages that fault, against definitions
// that know nothing of order.

// occurrences returns how often each element occurs.
func occurrences[T Elem](lists ...[]T) map[T]int {
	m := map[T]int{}
	for _, list := range lists {
		for _, x := range list {
			m[x]++
		}
	}
	return m
}

// filter returns the elements of a that are in b, or those that are not.
func filter[T Elem](a, b []T, in bool) (list []T) {
	m := occurrences(b)
	for _, x := range a {
		if (m[x] > 0) == in {
			list = append(list, x)
		}
	}
	return list
}

// keep returns, in order, what occurs in both lists together, often at the most.
func keep[T Elem](a, b []T, often int) (list []T) {
	for x, n := range occurrences(a, b) {
		if n <= often {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return list
}

// A verb is one that writes a list.
type verb[T Elem] struct {
	name  string
	fn    func(dst, a, b []T) int
	want  func(a, b []T) []T
	bound func(n, m int) int
	over  int // dst may be: 0 neither, 1 a, 2 a or b without doubles
}

func verbs[T Elem]() []verb[T] {
	sum := func(n, m int) int { return n + m }
	return []verb[T]{
		{"Intersect", Intersect[T], func(a, b []T) []T {
			if len(a) > len(b) {
				a, b = b, a
			}
			return filter(a, b, true)
		}, func(n, m int) int { return min(n, m) }, 2},
		{"Difference", Difference[T], func(a, b []T) []T { return filter(a, b, false) },
			func(n, _ int) int { return n }, 1},
		{"Union", Union[T], func(a, b []T) []T { return keep(a, b, len(a)+len(b)) }, sum, 0},
		{"SymmetricDifference", SymmetricDifference[T], func(a, b []T) []T { return keep(a, b, 1) }, sum, 0},
	}
}

// A pattern makes a pair of lists of n and m elements.
type pattern struct {
	name string
	// doubles and ascending say what the lists may have.
	doubles, ascending bool
	fill               func(r *rand.Rand, x []uint64, most uint64)
}

// spread fills x with elements up to most: distinct and ascending, about one in
// stretch integers.
func spread(r *rand.Rand, x []uint64, most, stretch uint64) {
	span := min(most, uint64(len(x))*stretch+uint64(len(x)))
	first := uint64(0)
	if most > span && r.IntN(2) == 0 {
		first = most - span // up to the greatest integer that there is
	}
	// Selection in order: each integer with the chance that is left.
	seen := map[uint64]bool{}
	for i := range x {
		for {
			x[i] = first + r.Uint64N(span) + r.Uint64N(2)
			if !seen[x[i]] {
				break
			}
		}
		seen[x[i]] = true
	}
	slices.Sort(x)
}

var patterns = []pattern{
	{"dense", false, true, func(r *rand.Rand, x []uint64, most uint64) { spread(r, x, most, 1) }},
	{"half", false, true, func(r *rand.Rand, x []uint64, most uint64) { spread(r, x, most, 3) }},
	{"sparse", false, true, func(r *rand.Rand, x []uint64, most uint64) { spread(r, x, most, 1000) }},
	{"run", false, true, func(r *rand.Rand, x []uint64, most uint64) {
		first := r.Uint64N(uint64(len(x)) + 3)
		if r.IntN(4) == 0 {
			first = most - uint64(len(x)) + 1
		}
		for i := range x {
			x[i] = first + uint64(i)
		}
	}},
	{"clustered", false, true, func(r *rand.Rand, x []uint64, most uint64) {
		at := uint64(0)
		for i := range x {
			if r.IntN(24) == 0 {
				at += r.Uint64N(64)
			}
			x[i] = at
			at++
		}
	}},
	{"doubles", true, true, func(r *rand.Rand, x []uint64, most uint64) {
		for i := range x {
			x[i] = most - r.Uint64N(min(most, uint64(len(x))/2+1))
		}
		slices.Sort(x)
	}},
	{"few values", true, true, func(r *rand.Rand, x []uint64, most uint64) {
		for i := range x {
			x[i] = []uint64{0, 1, 7, most - 1, most}[r.IntN(5)]
		}
		slices.Sort(x)
	}},
	{"zeros", true, true, func(_ *rand.Rand, x []uint64, _ uint64) { clear(x) }},
	{"unsorted", true, false, func(r *rand.Rand, x []uint64, most uint64) {
		for i := range x {
			x[i] = most - r.Uint64N(min(most, uint64(len(x))*2+1))
		}
	}},
	{"descending", true, false, func(_ *rand.Rand, x []uint64, most uint64) {
		for i := range x {
			x[i] = most - uint64(i)
		}
	}},
}

// sizes are lengths around those of blocks, and pairs of them.
func sizes() (pairs [][2]int) {
	around := []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 48, 63, 64, 65, 100, 129}
	for _, n := range around {
		for _, m := range around {
			pairs = append(pairs, [2]int{n, m})
		}
	}
	for _, n := range []int{1, 3, 17} {
		pairs = append(pairs, [2]int{n, 256 * n}, [2]int{257*n + 5, n})
	}
	for _, n := range []int{1, 5, 16, 40, 130} {
		pairs = append(pairs, [2]int{n, 16 * n}, [2]int{16*n + 7, n})
		pairs = append(pairs, [2]int{n, 64*n - 1}, [2]int{64 * n, n}, [2]int{n, 64*n + 5}, [2]int{70*n + 1, n})
	}
	for _, n := range []int{1000, 4095, 4096, 4097, 9001} {
		pairs = append(pairs, [2]int{n, n}, [2]int{n, n/3 + 1}, [2]int{n / 5, n})
	}
	return pairs
}

func TestVerbs(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		t.Run("16", testVerbs[uint16])
		t.Run("32", testVerbs[uint32])
		t.Run("64", testVerbs[uint64])
	})
}

// A bench of memory: lists between guard pages.
type guarded[T Elem] struct{ a, b, dst []T }

func newGuarded[T Elem](t *testing.T) guarded[T] {
	var lists [3][]T
	for i := range lists {
		words := kerneltest.Guarded(t, 1<<15)
		lists[i] = unsafe.Slice((*T)(unsafe.Pointer(&words[0])), len(words)*8/int(unsafe.Sizeof(T(0))))
	}
	return guarded[T]{lists[0], lists[1], lists[2]}
}

// place copies list to one end of mem, or near it.
func place[T Elem](r *rand.Rand, mem []T, list []T) []T {
	off := r.IntN(4) * r.IntN(9)
	if r.IntN(3) > 0 {
		off = len(mem) - len(list) - off
	}
	copy(mem[off:], list)
	return mem[off : off+len(list) : off+len(list)]
}

func lists[T Elem](r *rand.Rand, p pattern, n int) []T {
	x := make([]uint64, n)
	p.fill(r, x, uint64(^T(0)))
	list := make([]T, n)
	for i := range x {
		list[i] = T(x[i])
	}
	return list
}

func testVerbs[T Elem](t *testing.T) {
	g := newGuarded[T](t)
	r := rand.New(rand.NewPCG(1, 11))
	step := 0
	for _, size := range sizes() {
		for _, p := range patterns {
			if step++; cpu.Current() == cpu.LevelGeneric && step%7 != 0 ||
				testing.Short() && (step%23 != 0 || size[0]+size[1] > 3000 && step%5 != 0) {
				continue
			}
			a, b := lists[T](r, p, size[0]), lists[T](r, p, size[1])
			if r.IntN(8) == 0 && len(a) == len(b) {
				copy(b, a)
			}
			label := fmt.Sprintf("%s of %d and %d", p.name, size[0], size[1])
			testPair(t, r, g, label, p, a, b)
		}
	}
}

func testPair[T Elem](t *testing.T, r *rand.Rand, g guarded[T], label string, p pattern, a, b []T) {
	t.Helper()
	for _, v := range verbs[T]() {
		want := v.want(a, b)
		bound := v.bound(len(a), len(b))
		check := func(where string, got []T) {
			t.Helper()
			if p.ascending && !slices.Equal(got, want) {
				t.Fatalf("%s %s, %s:\na    %v\nb    %v\ngot  %v\nwant %v", v.name, label, where, a, b, got, want)
			}
		}
		ga, gb := place(r, g.a, a), place(r, g.b, b)
		room := make([]T, bound)
		for i := range room {
			room[i] = 99
		}
		dst := place(r, g.dst, room)
		at := int(uintptr(unsafe.Pointer(unsafe.SliceData(dst)))-uintptr(unsafe.Pointer(&g.dst[0]))) / int(unsafe.Sizeof(T(0)))
		if bound == 0 {
			at = 0
		}
		before, after := g.dst[max(0, at-64):at], g.dst[at+bound:min(len(g.dst), at+bound+64)]
		for _, side := range [][]T{before, after} {
			for i := range side {
				side[i] = 77
			}
		}
		n := v.fn(dst, ga, gb)
		check("apart", dst[:n])
		for _, side := range [][]T{before, after} {
			for _, x := range side {
				if x != 77 {
					t.Fatalf("%s %s wrote outside dst", v.name, label)
				}
			}
		}
		if !slices.Equal(ga, a) || !slices.Equal(gb, b) {
			t.Fatalf("%s %s changed a list", v.name, label)
		}
		if v.over == 1 || v.over == 2 && len(a) >= bound && !p.doubles {
			inPlace := place(r, g.a, a)
			check("over a", inPlace[:v.fn(inPlace, inPlace, gb)])
		}
		if v.over >= 2 && len(b) >= bound && !p.doubles {
			ga, inPlace := place(r, g.a, a), place(r, g.b, b)
			check("over b", inPlace[:v.fn(inPlace, ga, inPlace)])
		}
		if v.over >= 2 && !p.doubles {
			// Over both: the list with itself.
			inPlace := place(r, g.a, a)
			if n := v.fn(inPlace, inPlace, inPlace); !slices.Equal(inPlace[:n], a) {
				t.Fatalf("%s %s with itself: %v", v.name, label, inPlace[:n])
			}
		}
	}
	if p.ascending {
		ga, gb := place(r, g.a, a), place(r, g.b, b)
		if got, want := CountIn(ga, gb), len(filter(a, b, true)); got != want {
			t.Fatalf("CountIn %s = %d, want %d\na %v\nb %v", label, got, want, a, b)
		}
		if got, want := IntersectCount(ga, gb), Intersect(g.dst, ga, gb); got != want {
			t.Fatalf("IntersectCount %s = %d, want %d", label, got, want)
		}
		if got, want := IntersectAny(ga, gb), len(filter(a, b, true)) > 0; got != want {
			t.Fatalf("IntersectAny %s = %v, want %v\na %v\nb %v", label, got, want, a, b)
		}
	} else {
		ga, gb := place(r, g.a, a), place(r, g.b, b)
		CountIn(ga, gb)
		IntersectAny(ga, gb)
	}
}
