package many

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The verbs at every level against their specification, on operands between guard
// pages. Where a level has no kernel, a verb must leave everything alone.

// setsVerbs are the verbs on many sets with their specifications.
var setsVerbs = []struct {
	name     string
	into     func(dst []uint64, sets [][]uint64) bool
	count    func(sets [][]uint64, n int) (int, bool)
	ref      func(dst []uint64, sets [][]uint64)
	refCount func(sets [][]uint64, n int) int
}{
	{"And", And, AndCount, andAllGeneric, andAllCountGeneric},
	{"Or", Or, OrCount, orAllGeneric, orAllCountGeneric},
}

// rowsVerbs are the verbs on rows with their specifications.
var rowsVerbs = []struct {
	name string
	fn   func(counts []int, query, rows []uint64) bool
	ref  func(counts []int, query, rows []uint64)
}{
	{"AndCountRows", AndCountRows, andCountRowsGeneric},
	{"OrCountRows", OrCountRows, orCountRowsGeneric},
	{"XorCountRows", XorCountRows, xorCountRowsGeneric},
}

// The specifications themselves, on words whose results are known.
func TestSpecification(t *testing.T) {
	sets := [][]uint64{{0b1100, 7}, {0b1010, 7}, {0b1001, 7}}
	dst := make([]uint64, 1)
	if andAllGeneric(dst, sets); dst[0] != 0b1000 {
		t.Errorf("and: %b", dst[0])
	}
	if orAllGeneric(dst, sets); dst[0] != 0b1111 {
		t.Errorf("or: %b", dst[0])
	}
	if and, or := andAllCountGeneric(sets, 2), orAllCountGeneric(sets, 2); and != 4 || or != 7 {
		t.Errorf("counts of and, or: %d, %d", and, or)
	}
	query, rows := []uint64{0b1100, 1}, []uint64{0b1010, 0, 0b0101, 3}
	for i, want := range [][]int{{1, 2}, {4, 5}, {3, 3}} {
		counts := []int{-1, -1}
		if rowsVerbs[i].ref(counts, query, rows); !slices.Equal(counts, want) {
			t.Errorf("%s: %v, want %v", rowsVerbs[i].name, counts, want)
		}
	}
}

// kernels reports whether the level in force has kernels.
func kernels() bool { return cpu.AVX2 }

// mostSets is how many operands the tests have memory for.
const mostSets = 7

// A manyMem is memory between guard pages for sets and for a result.
type manyMem struct {
	rand *rand.Rand
	sets [mostSets][]uint64
	dst  []uint64
}

func newManyMem(t *testing.T, words int) *manyMem {
	m := &manyMem{rand: rand.New(rand.NewPCG(8, 9)), dst: kerneltest.Guarded(t, words)}
	for i := range m.sets {
		m.sets[i] = kerneltest.Guarded(t, words)
	}
	return m
}

// operands returns k sets of n words and a destination between canaries, each at
// its own distance from a guard page.
func (m *manyMem) operands(k, n int) (sets [][]uint64, dst, before, after []uint64) {
	for _, mem := range m.sets[:k] {
		s, _ := kerneltest.RandomPlace(m.rand).Slice(mem, n)
		for j := range s {
			s[j] = m.rand.Uint64() | m.rand.Uint64()
		}
		sets = append(sets, s)
	}
	dst, start := kerneltest.RandomPlace(m.rand).Slice(m.dst, n)
	before, after = kerneltest.Sides(m.dst, start, n)
	kerneltest.SetCanary(before, dst, after)
	return sets, dst, before, after
}

// checkSets runs the verbs on k sets of n words.
func checkSets(t *testing.T, m *manyMem, k, n int) {
	t.Helper()
	for _, verb := range setsVerbs {
		sets, dst, before, after := m.operands(k, n)
		want := make([]uint64, n)
		verb.ref(want, sets)
		count, ok := verb.count(sets, n)
		if ok != kernels() || ok && count != verb.refCount(sets, n) {
			t.Fatalf("%sCount of %d sets of %d words = %d, %v, want %d", verb.name, k, n, count, ok, verb.refCount(sets, n))
		}
		if ok := verb.into(dst, sets); ok != kernels() || ok && !slices.Equal(dst, want) {
			t.Fatalf("%s of %d sets of %d words is wrong", verb.name, k, n)
		} else if !ok && !kerneltest.CanaryIntact(dst) || !kerneltest.CanaryIntact(before, after) {
			t.Fatalf("%s of %d sets of %d words = %v writes elsewhere", verb.name, k, n, ok)
		}
		i := m.rand.IntN(k)
		if ok := verb.into(sets[i], sets); ok && !slices.Equal(sets[i], want) {
			t.Fatalf("%s of %d sets of %d words into set %d is wrong", verb.name, k, n, i)
		}
	}
}

func TestSets(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		kerneltest.EachWords(t, func(t *testing.T) {
			m := newManyMem(t, 1<<12)
			for n := range 820 {
				if (n > 220 || testing.Short()) && n%9 > 1 {
					continue
				}
				for k := 2; k <= mostSets; k++ {
					checkSets(t, m, k, n)
				}
			}
		})
	})
}

// TestLongSets has sets around the lengths that go in pieces.
func TestLongSets(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		kerneltest.EachWords(t, func(t *testing.T) {
			m := newManyMem(t, 1<<18)
			for _, k := range []int{2, 5, 7} {
				whole := maxWords / k
				step := whole &^ (4*pieceStep - 1)
				for _, n := range []int{whole, whole + 1, step, step + 1, 2 * step, 2*step + 77, 3*step - 1} {
					checkSets(t, m, k, n)
				}
			}
		})
	})
}

// TestFarSets has sets that together are past the length from which the kernels
// prefetch.
func TestFarSets(t *testing.T) {
	if testing.Short() {
		t.Skip("sets of 40 MiB")
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		kerneltest.EachWords(t, func(t *testing.T) {
			checkSets(t, newManyMem(t, 1<<20), 5, 1<<20-19)
		})
	})
}

func TestNumberOfSets(t *testing.T) {
	// One bit in 64 words decides, so that no set can be left out.
	r := rand.New(rand.NewPCG(10, 11))
	holes, dots := make([][]uint64, maxSets+1), make([][]uint64, maxSets+1)
	for i := range holes {
		holes[i], dots[i] = make([]uint64, 200), make([]uint64, 200)
		for j := range holes[i] {
			dots[i][j] = 1 << r.IntN(4096)
			holes[i][j] = ^dots[i][j]
		}
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{0, 1, 2, 256, 257, maxSets - 1, maxSets, maxSets + 1} {
			for i, verb := range setsVerbs {
				sets := [][][]uint64{holes, dots}[i][:k]
				dst, ref, want := make([]uint64, 150), make([]uint64, 150), kernels() && k >= 2 && k <= maxSets
				if want {
					verb.ref(ref, sets)
				}
				if ok := verb.into(dst, sets); ok != want || !slices.Equal(dst, ref) {
					t.Errorf("%s of %d sets: %v, want %v", verb.name, k, ok, want)
				}
				count, ok := verb.count(sets, 150)
				if ok != want || ok && count != verb.refCount(sets, 150) {
					t.Errorf("%sCount of %d sets = %d, %v, want %v", verb.name, k, count, ok, want)
				}
			}
		}
	})
}

// A set that is too short must panic at every level that has kernels.
func TestShortSet(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		if !kernels() {
			t.Skip("no kernels")
		}
		panics := func(name string, f func()) {
			t.Helper()
			defer func() {
				if recover() == nil {
					t.Errorf("%s reads past an operand's end", name)
				}
			}()
			f()
		}
		p := func(n int) []uint64 { return make([]uint64, n, n) }
		for _, verb := range setsVerbs {
			panics(verb.name, func() { verb.into(p(9), [][]uint64{p(9), p(9), p(8)}) })
			panics(verb.name+"Count", func() { verb.count([][]uint64{p(8), p(9)}, 9) })
		}
		for _, verb := range rowsVerbs {
			panics(verb.name, func() { verb.fn(make([]int, 3), p(4), p(11)) })
		}
	})
}

// A rowsMem is memory between guard pages for a query and rows.
type rowsMem struct {
	rand        *rand.Rand
	query, rows []uint64
}

func newRowsMem(t *testing.T, words int) *rowsMem {
	return &rowsMem{rand.New(rand.NewPCG(10, 11)), kerneltest.Guarded(t, 1<<13), kerneltest.Guarded(t, words)}
}

func (m *rowsMem) operands(words, n int) (query, rows []uint64) {
	query, _ = kerneltest.RandomPlace(m.rand).Slice(m.query, words)
	rows, _ = kerneltest.RandomPlace(m.rand).Slice(m.rows, words*n)
	for i := range query {
		query[i] = m.rand.Uint64() | m.rand.Uint64()
	}
	for i := range rows {
		rows[i] = m.rand.Uint64() & m.rand.Uint64()
	}
	return query, rows
}

// checkRows runs the verbs on n rows of a number of words. want is whether there
// are kernels for them.
func checkRows(t *testing.T, m *rowsMem, words, n int, want bool) {
	t.Helper()
	query, rows := m.operands(words, n)
	for _, verb := range rowsVerbs {
		all, ref := slices.Repeat([]int{-1}, n+2), slices.Repeat([]int{-1}, n+2)
		if want {
			verb.ref(ref[1:n+1], query, rows)
		}
		if ok := verb.fn(all[1:n+1], query, rows); ok != want {
			t.Fatalf("%s of %d rows of %d words: %v, want %v", verb.name, n, words, ok, want)
		}
		for i, got := range all {
			if got != ref[i] {
				t.Fatalf("%s, row %d of %d of %d words: %d, want %d", verb.name, i-1, n, words, got, ref[i])
			}
		}
	}
}

func TestRows(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		m := newRowsMem(t, 1<<14)
		longest := 0
		for words := range 140 {
			for _, n := range []int{0, 1, 2, 3, 8, 17} {
				want := n > 0 && words > 0 && rowsHaveKernel(words)
				checkRows(t, m, words, n, want)
				if want {
					longest = words
				}
			}
		}
		if kernels() && longest < 64 {
			t.Errorf("kernels for rows of up to %d words only", longest)
		}
		checkRows(t, m, 4096, 3, rowsHaveKernel(4096))
		checkRows(t, m, 4097, 3, rowsHaveKernel(4097))
	})
}

// TestLongRows has matrices around the sizes that go in pieces.
func TestLongRows(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		m := newRowsMem(t, 1<<18)
		for _, words := range []int{1, 7, 100, 127, 1000, 4096} {
			whole := maxWords / words
			step := whole &^ (rowStep - 1)
			for _, n := range []int{whole, whole + 1, step, step + 1, 2 * step, 2*step + 5, 3*step - 1} {
				if testing.Short() && n*words > 2*maxWords {
					continue
				}
				checkRows(t, m, words, n, rowsHaveKernel(words))
			}
		}
	})
}
