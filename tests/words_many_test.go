package tests

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The functions on many operands at every level, against folding in plain Go. The
// kernels have tests of their own, in internal/many.

// fold combines the first n words of the sets one after the other.
func fold(op func(dst, a, b []uint64), sets [][]uint64, n int) []uint64 {
	result := slices.Clone(sets[0][:n])
	for _, s := range sets[1:] {
		op(result, result, s[:n])
	}
	return result
}

func TestManySets(t *testing.T) {
	lengths := []int{0, 1, 7, 64, 100, chunkWords - 1, chunkWords, chunkWords + 1, 2*chunkWords + 5, 9999, 1 << 16, 1<<17 + 77}
	if testing.Short() {
		lengths = lengths[:len(lengths)-2]
	}
	r := rand.New(rand.NewPCG(8, 9))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range lengths {
			for k := 2; k <= 5; k++ {
				var sets [][]uint64
				for range k {
					s := make([]uint64, n)
					for j := range s {
						s[j] = r.Uint64() | r.Uint64()
					}
					sets = append(sets, s)
				}
				checkManySets(t, sets, n)
			}
		}
	})
}

// TestManyManySets has more sets than any kernel takes.
func TestManyManySets(t *testing.T) {
	const k, n = 1100, 300
	// One bit in 64 words decides, so that no set can be left out.
	r := rand.New(rand.NewPCG(10, 11))
	holes, dots := make([][]uint64, k), make([][]uint64, k)
	for i := range holes {
		holes[i], dots[i] = make([]uint64, n), make([]uint64, n)
		for j := range holes[i] {
			dots[i][j] = 1 << r.IntN(4096)
			holes[i][j] = ^dots[i][j]
		}
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		checkManySets(t, holes, n)
		checkManySets(t, dots, n)
	})
}

func checkManySets(t *testing.T, sets [][]uint64, n int) {
	t.Helper()
	for _, op := range []struct {
		name  string
		into  func(dst []uint64, sets ...[]uint64)
		count func(sets ...[]uint64) int
		ref   func(dst, a, b []uint64)
	}{
		{"AndAll", AndAll, AndAllCount, andReference},
		{"OrAll", OrAll, OrAllCount, orReference},
	} {
		want := fold(op.ref, sets, n)
		if got, want := op.count(sets...), countReference(want); got != want {
			t.Fatalf("%sCount of %d sets of %d words = %d, want %d", op.name, len(sets), n, got, want)
		}
		dst := make([]uint64, n)
		if op.into(dst, sets...); !slices.Equal(dst, want) {
			t.Fatalf("%s of %d sets of %d words is wrong", op.name, len(sets), n)
		}
		for _, i := range []int{0, 1, len(sets) - 1} {
			saved := slices.Clone(sets[i])
			if op.into(sets[i], sets...); !slices.Equal(sets[i], want) {
				t.Fatalf("%s of %d sets of %d words into set %d is wrong", op.name, len(sets), n, i)
			}
			copy(sets[i], saved)
		}
	}
}

func TestRows(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(10, 11))
		for _, words := range []int{1, 3, 8, 100, 128, 129, 4096, 4097} {
			for _, n := range []int{1, 8, 19} {
				checkRows(t, r, words, n)
			}
		}
		checkRows(t, r, 100, 1400) // more than a kernel takes in one call
	})
}

func checkRows(t *testing.T, r *rand.Rand, words, n int) {
	t.Helper()
	query, rows := make([]uint64, words), make([]uint64, words*n+words-1)
	for i := range query {
		query[i] = r.Uint64() | r.Uint64()
	}
	for i := range rows {
		rows[i] = r.Uint64() & r.Uint64()
	}
	counts := make([]int, n+1)
	for _, op := range []struct {
		name string
		rows func(counts []int, query, rows []uint64) int
		one  func(a, b []uint64) int
	}{
		{"AndCountRows", AndCountRows, andCountReference},
		{"OrCountRows", OrCountRows, orCountReference},
		{"XorCountRows", XorCountRows, xorCountReference},
	} {
		counts[n] = -1
		if got := op.rows(counts, query, rows); got != n {
			t.Fatalf("%s of %d rows of %d words = %d", op.name, n, words, got)
		}
		for i, got := range counts[:n] {
			if want := op.one(query, rows[i*words:][:words]); got != want {
				t.Fatalf("%s, row %d of %d of %d words: %d, want %d", op.name, i, n, words, got, want)
			}
		}
		if counts[n] != -1 {
			t.Fatalf("%s of %d rows wrote another", op.name, n)
		}
	}
}

// Lengths that differ, and few or no operands.
func TestManyLengths(t *testing.T) {
	ones := func(n int) []uint64 { return slices.Repeat([]uint64{^uint64(0)}, n) }
	kerneltest.EachLevel(t, func(t *testing.T) {
		dst := make([]uint64, 9)
		AndAll(dst, ones(7), ones(100), ones(8))
		if got := Count(dst); got != 7*64 || dst[7] != 0 {
			t.Errorf("AndAll of 7, 100 and 8 words sets %d bits", got)
		}
		if got := AndAllCount(ones(7), ones(100), ones(8)); got != 7*64 {
			t.Errorf("AndAllCount of 7, 100 and 8 words = %d", got)
		}
		if got := OrAllCount(ones(7), ones(3)); got != 3*64 {
			t.Errorf("OrAllCount of 7 and 3 words = %d", got)
		}
		if got := AndAllCount(ones(7), nil); got != 0 {
			t.Errorf("AndAllCount with an empty set = %d", got)
		}
		clear(dst)
		AndAll(dst)
		OrAll(dst)
		if got := Count(dst) + AndAllCount() + OrAllCount(); got != 0 {
			t.Errorf("without sets: %d", got)
		}
		OrAll(dst, ones(5))
		if got := Count(dst); got != 5*64 {
			t.Errorf("OrAll of one set of 5 words sets %d bits", got)
		}
		if got := AndAllCount(ones(5)) + OrAllCount(ones(6)); got != 11*64 {
			t.Errorf("one set of 5 words and one of 6: %d", got)
		}
		for _, c := range []struct{ counts, query, rows, want int }{
			{3, 4, 11, 2}, {1, 4, 11, 1}, {3, 4, 3, 0}, {3, 0, 11, 0}, {0, 4, 11, 0}, {3, 4, 12, 3},
		} {
			counts := slices.Repeat([]int{-1}, c.counts)
			if got := AndCountRows(counts, ones(c.query), ones(c.rows)); got != c.want {
				t.Errorf("AndCountRows of %+v = %d", c, got)
			}
			for i, n := range counts {
				if i < c.want && n != 64*c.query || i >= c.want && n != -1 {
					t.Errorf("AndCountRows of %+v: counts %v", c, counts)
				}
			}
		}
		if got := AndWithCount(dst, ones(4), ones(3)); got != 3*64 {
			t.Errorf("AndWithCount of 4 and 3 words = %d", got)
		}
	})
}

func TestManyAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("what is declared to the race detector escapes")
	}
	a, b, c, dst := benchWords(100), benchWords(100), benchWords(100), make([]uint64, 100)
	counts := make([]int, 10)
	long, longDst, longCounts := benchWords(1<<16), make([]uint64, 1<<16), make([]int, 1<<16/10)
	kerneltest.EachLevel(t, func(t *testing.T) {
		if n := testing.AllocsPerRun(10, func() {
			sinkInt += AndWithCount(dst, a, b) + AndAllCount(a, b, c) + OrAllCount(a, b, c)
			AndAll(dst, a, b, c)
			OrAll(dst, a, b, c)
			sinkInt += AndCountRows(counts, a[:10], b)
			// In several pieces.
			AndAll(longDst, long, long, long)
			OrAll(longDst, long, long, long)
			sinkInt += AndAllCount(long, long) + OrAllCount(long, long)
			sinkInt += AndCountRows(longCounts, a[:10], long) + XorCountRows(longCounts, a[:5], long)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// BenchmarkManySets compares one pass with folding pairwise.
func BenchmarkManySets(b *testing.B) {
	for _, k := range []int{3, 8, 16} {
		for _, size := range benchSizes {
			if size.words < 16 || size.words > 1<<19 {
				continue
			}
			var sets [][]uint64
			for range k {
				sets = append(sets, benchWords(size.words))
			}
			dst := make([]uint64, size.words)
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				name := func(kernel string) string {
					return fmt.Sprintf("kernel=%s/sets=%d/size=%s/impl=%v", kernel, k, size.name, l)
				}
				benchBytes(b, name("AndAll"), dst, func() { AndAll(dst, sets...) })
				benchBytes(b, name("AndPairwise"), dst, func() {
					And(dst, sets[0], sets[1])
					for _, s := range sets[2:] {
						And(dst, dst, s)
					}
				})
				benchBytes(b, name("AndAllCount"), dst, func() { sinkInt += AndAllCount(sets...) })
			})
		}
	}
}

// BenchmarkRows reports the speed by the bytes of the matrix.
func BenchmarkRows(b *testing.B) {
	for _, matrix := range []int{1 << 15, 1 << 19} {
		rows := benchWords(matrix)
		for _, words := range []int{4, 8, 16, 32, 64, 256} {
			query, counts := benchWords(words), make([]int, matrix/words)
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				name := fmt.Sprintf("matrix=%dKiB/row=%dB/impl=%v", matrix/128, 8*words, l)
				benchBytes(b, name, rows, func() { AndCountRows(counts, query, rows) })
			})
		}
	}
}
