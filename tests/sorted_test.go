package tests

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A documentID is a user's own type of element.
type documentID uint32

// checkSortedLists compares all functions on sorted lists with definitions by maps. The lists
// are ascending; distinct says that they have no doubles.
func checkSortedLists[T ListElement](t *testing.T, a, b []T) {
	t.Helper()
	times := map[T][2]int{}
	for _, x := range a {
		times[x] = [2]int{times[x][0] + 1, 0}
	}
	for _, x := range b {
		n := times[x]
		times[x] = [2]int{n[0], n[1] + 1}
	}
	distinct := true
	var both, either, difference, once []T
	for x, n := range times {
		distinct = distinct && n[0] <= 1 && n[1] <= 1
		kept := n[0]
		if len(a) > len(b) {
			kept = n[1]
		}
		if n[0] > 0 && n[1] > 0 {
			both = append(both, slices.Repeat([]T{x}, kept)...)
		} else {
			difference = append(difference, slices.Repeat([]T{x}, n[0])...)
		}
		either = append(either, x)
		if n[0]+n[1] == 1 {
			once = append(once, x)
		}
	}
	equal := func(name string, got, want []T) {
		t.Helper()
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s of %v and %v is %v, want %v", name, a, b, got, want)
		}
	}
	count := func(name string, got, want int) {
		t.Helper()
		if got != want {
			t.Fatalf("%s of %v and %v is %d, want %d", name, a, b, got, want)
		}
	}
	equal("Intersect", Intersect(nil, a, b), both)
	equal("Union", Union(nil, a, b), either)
	equal("Difference", Difference(nil, a, b), difference)
	equal("SymmetricDifference", SymmetricDifference(nil, a, b), once)
	count("IntersectCount", IntersectCount(a, b), len(both))
	count("DifferenceCount", DifferenceCount(a, b), len(difference))
	count("UnionCount", UnionCount(a, b), len(a)+len(b)-len(both))
	count("SymmetricDifferenceCount", SymmetricDifferenceCount(a, b), len(a)+len(b)-2*len(both))
	if got := IntersectAny(a, b); got != (len(both) > 0) {
		t.Fatalf("IntersectAny of %v and %v is %v", a, b, got)
	}
	over := slices.Clone(a)
	equal("Difference over a", Difference(over[:0], over, b), difference)
	if distinct {
		count("UnionCount", UnionCount(a, b), len(either))
		count("SymmetricDifferenceCount", SymmetricDifferenceCount(a, b), len(once))
		over := slices.Clone(a)
		equal("Intersect over a", Intersect(over[:0], over, b), both)
		over = slices.Clone(b)
		equal("Intersect over b", Intersect(over, a, over), both)
	}
}

// sortedList returns n distinct elements out of span from first on, ascending.
func sortedList[T ListElement](r *rand.Rand, n int, first, span uint64) []T {
	list := make([]T, 0, n)
	seen := map[T]bool{}
	for len(list) < n {
		if x := T(first + r.Uint64N(span)); !seen[x] {
			seen[x] = true
			list = append(list, x)
		}
	}
	slices.Sort(list)
	return list
}

func TestSortedLists(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 11))
		rounds := 300
		if testing.Short() {
			rounds = 40
		}
		for range rounds {
			n, m := r.IntN(90), r.IntN(90)
			span := uint64(max(n, m)+1) * (1 + r.Uint64N(5))
			checkSortedLists(t, sortedList[uint16](r, n, 0, span), sortedList[uint16](r, m, 0, span))
			checkSortedLists(t, sortedList[documentID](r, n, 1<<32-span, span), sortedList[documentID](r, m, 1<<32-span, span))
			checkSortedLists(t, sortedList[uint64](r, n, 0, span), sortedList[uint64](r, m, 2, span))
			checkSortedLists(t, sortedList[uint](r, n, 5, span), sortedList[uint](r, m*70, 0, 70*span))
		}
		if !testing.Short() {
			checkSortedLists(t, sortedList[uint32](r, 30_000, 0, 60_000), sortedList[uint32](r, 20_000, 0, 60_000))
			checkSortedLists(t, sortedList[uint32](r, 300, 0, 60_000), sortedList[uint32](r, 20_000, 0, 60_000))
			checkSortedLists(t, sortedList[uint64](r, 9_000, 0, 1<<63), sortedList[uint64](r, 9_000, 0, 1<<63))
		}
	})
}

// What the memory is: dst from its beginning on where it has room, new memory where it
// has not, and nothing written past what is needed.
func TestSortedListsMemory(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 11))
		a, b := sortedList[uint32](r, 100, 0, 300), sortedList[uint32](r, 80, 0, 300)
		for _, f := range []struct {
			name string
			fn   func(dst, a, b []uint32) []uint32
			need int
		}{
			{"Intersect", Intersect[uint32], 80}, {"Difference", Difference[uint32], 100},
			{"Union", Union[uint32], 180}, {"SymmetricDifference", SymmetricDifference[uint32], 180},
			{"IntersectBits", func(dst, a, _ []uint32) []uint32 { return IntersectBits(dst, a, make([]uint64, 3)) }, 100},
			{"DifferenceBits", func(dst, a, _ []uint32) []uint32 { return DifferenceBits(dst, a, make([]uint64, 3)) }, 100},
		} {
			want := f.fn(nil, a, b)
			mem := make([]uint32, f.need+70)
			for i := range mem {
				mem[i] = 12345
			}
			got := f.fn(mem[:3], a, b)
			if len(got) > 0 && &got[0] != &mem[0] || !slices.Equal(got, want) {
				t.Errorf("%s does not write to the beginning of dst", f.name)
			}
			for i, x := range mem[f.need:] {
				if x != 12345 {
					t.Errorf("%s wrote element %d past what it needs", f.name, i)
				}
			}
			if got := f.fn(mem[:0:f.need-1], a, b); len(got) > 0 && &got[0] == &mem[0] || !slices.Equal(got, want) {
				t.Errorf("%s uses a dst that is too small", f.name)
			}
			if race.Enabled {
				continue
			}
			if n := testing.AllocsPerRun(10, func() { f.fn(mem[:0], a, b) }); n > 0 && f.name[len(f.name)-4:] != "Bits" {
				t.Errorf("%s allocates %v times", f.name, n)
			}
		}
		words := make([]uint64, 3)
		if n := testing.AllocsPerRun(10, func() {
			IntersectCount(a, b)
			UnionCount(a, b)
			DifferenceCount(a, b)
			SymmetricDifferenceCount(a, b)
			IntersectAny(a, b)
			IntersectBitsCount(a, words)
			IntersectBits(a, a, words)
			SetBits(words, a)
			ClearBits(words, a)
		}); n > 0 {
			t.Errorf("counts allocate %v times", n)
		}
	})
}

func TestListsAndBits(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		checkBits[uint16](t, 60_000)
		checkBits[documentID](t, 1<<32-1)
		checkBits[uint64](t, ^uint64(0))
	})
}

func checkBits[T ListElement](t *testing.T, far uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 11))
	for range 30 {
		n := r.IntN(100)
		words := benchWords(r.IntN(20))
		list := make([]T, n) // in any order, with doubles
		var in, out []T
		want := NewBitSet(0)
		for i := range list {
			if list[i] = T(r.Uint64N(1500)); r.IntN(10) == 0 {
				list[i] = T(far - r.Uint64N(3))
			}
			if x := uint64(list[i]); x/64 < uint64(len(words)) && words[x/64]>>(x%64)&1 == 1 {
				in = append(in, list[i])
			} else {
				out = append(out, list[i])
			}
			if uint64(list[i]) < uint64(64*len(words)) {
				want.Set(uint(list[i]))
			}
		}
		if got := IntersectBits(nil, list, words); !slices.Equal(got, in) {
			t.Fatalf("IntersectBits(%v) is %v, want %v", list, got, in)
		}
		if got := DifferenceBits(nil, list, words); !slices.Equal(got, out) {
			t.Fatalf("DifferenceBits(%v) is %v, want %v", list, got, out)
		}
		if got := IntersectBitsCount(list, words); got != len(in) {
			t.Fatalf("IntersectBitsCount(%v) is %d, want %d", list, got, len(in))
		}
		over := slices.Clone(list)
		if got := IntersectBits(over, over, words); !slices.Equal(got, in) {
			t.Fatalf("IntersectBits over the list is %v, want %v", got, in)
		}
		over = slices.Clone(list)
		if got := DifferenceBits(over[:0], over, words); !slices.Equal(got, out) {
			t.Fatalf("DifferenceBits over the list is %v, want %v", got, out)
		}
		all := make([]uint64, len(words))
		SetBits(all, list)
		if got := FromWords(all); !slices.Equal(AppendIndices(nil, all), AppendIndices(nil, want.Words())) {
			t.Fatalf("SetBits(%v) is %v, want %v", list, got, want)
		}
		cleared := slices.Clone(words)
		ClearBits(cleared, list)
		AndNot(all, words, all)
		if !slices.Equal(cleared, all) {
			t.Fatalf("ClearBits(%v) is wrong", list)
		}
	}
}

// FuzzSortedLists makes lists of any shape from bytes, each the distance from one element
// to the next, at every level.
func FuzzSortedLists(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04"), []byte{1, 1, 1, 1, 9}, uint64(0))
	f.Add([]byte{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1}, make([]byte, 40), ^uint64(0)-9)
	f.Add(slices.Repeat([]byte{1, 3, 1}, 40), slices.Repeat([]byte{2, 2, 1}, 30), uint64(1<<16-100))
	f.Add(slices.Repeat([]byte{1}, 100), []byte{}, uint64(1)) // nil
	f.Add([]byte{}, slices.Repeat([]byte{1}, 100), uint64(1))
	f.Fuzz(func(t *testing.T, x, y []byte, first uint64) {
		if len(x) > 1<<12 || len(y) > 1<<12 {
			return
		}
		saved := cpu.Current()
		defer cpu.Set(saved)
		for _, l := range cpu.Available() {
			cpu.Set(l)
			checkSortedLists(t, listOf[uint16](x, first), listOf[uint16](y, first))
			checkSortedLists(t, listOf[uint32](x, first), listOf[uint32](y, first))
			checkSortedLists(t, listOf[uint64](x, first), listOf[uint64](y, first))
			checkUnsorted(t, x, y)
		}
	})
}

// listOf returns an ascending list that begins at first and has distances for its
// steps, of which 0 makes doubles. It ends where the integers do.
func listOf[T ListElement](distances []byte, first uint64) (list []T) {
	x := T(first)
	for _, d := range distances {
		if x+T(d) < x {
			break
		}
		x += T(d)
		list = append(list, x)
	}
	return list
}

// checkUnsorted runs all functions on lists in any order: they stay in their bounds.
func checkUnsorted(t *testing.T, x, y []byte) {
	list := func(p []byte) (list []uint16) {
		for len(p) >= 2 {
			list = append(list, binary.LittleEndian.Uint16(p))
			p = p[2:]
		}
		return list
	}
	a, b := list(x), list(y)
	mem := slices.Repeat([]uint16{4711}, len(a)+len(b)+64)
	for _, f := range []struct {
		fn   func(dst, a, b []uint16) []uint16
		need int
	}{
		{Intersect[uint16], min(len(a), len(b))}, {Difference[uint16], len(a)},
		{Union[uint16], len(a) + len(b)}, {SymmetricDifference[uint16], len(a) + len(b)},
	} {
		f.fn(mem[:0:f.need], a, b)
		for _, x := range mem[f.need:] {
			if x != 4711 {
				t.Fatalf("%v and %v: written outside dst", a, b)
			}
		}
		for i := range mem {
			mem[i] = 4711
		}
	}
	if n := IntersectCount(a, b); n < 0 || n > min(len(a), len(b)) {
		t.Fatalf("IntersectCount(%v, %v) = %d", a, b, n)
	}
	IntersectAny(a, b)
}
