package sortmap

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/race"
)

var verbNames = []string{"unique", "singles", "duplicates", "intersection", "union", "difference"}

// reference is the definition of the verbs, by maps.
func reference(op verb, a, b []uint32) []uint32 {
	inA, inB := map[uint32]int{}, map[uint32]int{}
	for _, x := range a {
		inA[x]++
	}
	for _, x := range b {
		inB[x]++
	}
	var r []uint32
	for x, n := range inA {
		if op == unique || op == union || op == singles && n == 1 || op == duplicates && n > 1 ||
			op == intersection && inB[x] > 0 || op == difference && inB[x] == 0 {
			r = append(r, x)
		}
	}
	if op == union {
		for x := range inB {
			if inA[x] == 0 {
				r = append(r, x)
			}
		}
	}
	slices.Sort(r)
	return r
}

// lists of every shape: n integers of a span from lo on.
func list(r *rand.Rand, n int, lo uint32, span uint64) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = lo + uint32(r.Uint64N(span))
	}
	return v
}

// ways are plans for every way, whatever the list.
func ways(span uint64) map[string]plan {
	m := map[string]plan{
		"by bitmap":  {way: byBitmap, words: int((span + wordBits - 1) / wordBits)},
		"by sorting": {way: bySorting},
		"by nothing": {way: byNothing},
	}
	for _, shift := range []uint{6, 11, 20} {
		if span>>shift <= 1<<12 {
			m[fmt.Sprint("by parts of ", shift)] = plan{way: byParts, shift: shift}
		}
	}
	if span > 1<<27 {
		delete(m, "by bitmap")
	}
	return m
}

// Every way gives what the definition gives, for every verb, at every level.
func TestWays(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{1, 2, 65, 1000, 6000} {
			for _, span := range []uint64{1, 64, 65, 1000, 1<<17 + 1, 1 << 20, 1 << 32} {
				for _, lo := range []uint32{0, 77, uint32(1<<32 - span)} {
					if uint64(lo)+span > 1<<32 || testing.Short() && r.IntN(12) != 0 {
						continue
					}
					a := list(r, n, lo, span)
					b := list(r, 1+r.IntN(n), lo, span)
					for way, p := range ways(span) {
						for op := range verb(len(verbNames)) {
							b := b
							if op.lists() == 1 {
								b = nil
							}
							v := slices.Clone(a)
							dst := []uint32{5}
							if b == nil {
								dst = v[:0]
							}
							got := runBy(p, op, dst, v, b, lo, lo+uint32(span-1))
							if b != nil {
								if got[0] != 5 {
									t.Fatalf("%s %s overwrote what was there", verbNames[op], way)
								}
								got = got[1:]
								if !slices.Equal(v, a) {
									t.Fatalf("%s %s changed a list", verbNames[op], way)
								}
							}
							if want := reference(op, a, b); !slices.Equal(got, want) {
								t.Fatalf("%s of %d and %d integers of %d from %d on %s: %d, want %d",
									verbNames[op], n, len(b), span, lo, way, len(got), len(want))
							}
						}
					}
				}
			}
		}
	})
}

// Of two lists only the range counts that the verb looks at.
func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, span := range []uint64{1000, 1 << 22, 1 << 31} {
		for _, n := range []int{10, 100, 50_000} {
			a, b := list(r, n, 500, span), list(r, n, uint32(span/2), span)
			for op, f := range map[verb]func(dst, a, b []uint32) []uint32{
				intersection: AppendIntersection, union: AppendUnion, difference: AppendDifference,
			} {
				for _, c := range [][2][]uint32{{a, b}, {b, a}, {a, a}, {a, nil}, {nil, b}, {nil, nil}, {a[:1], b}, {a, b[:1]}} {
					if got, want := f(nil, c[0], c[1]), reference(op, c[0], c[1]); !slices.Equal(got, want) {
						t.Errorf("%s of %d and %d integers of %d: %d, want %d", verbNames[op], len(c[0]), len(c[1]), span, len(got), len(want))
					}
				}
				// Over either list.
				for i := range 2 {
					c := [2][]uint32{slices.Clone(a), slices.Clone(b)}
					if got := f(c[i][:0], c[0], c[1]); !slices.Equal(got, reference(op, a, b)) {
						t.Errorf("%s over list %d", verbNames[op], i)
					}
				}
			}
		}
	}
}

// All plans are chosen, and none where it cannot be.
func TestPlan(t *testing.T) {
	chosen := map[way]bool{}
	for n := 1; n > 0 && n <= 1<<30; n *= 2 {
		for _, span := range []uint64{1, 64, 1 << 12, 1 << wholeShift, 1<<wholeShift + 1, 1 << 29, 1 << 32} {
			p := planFor(n, span, 2)
			chosen[p.way] = true
			if p.way == byBitmap && uint64(p.words)*64 < span || p.way == byParts && (span-1)>>p.shift > 1<<12 {
				t.Errorf("%d integers of %d: %+v", n, span, p)
			}
		}
	}
	defer func() { memory.Override = 0 }()
	memory.Override = 1 << 20
	for _, n := range []int{1 << 24, maxScratch + 1} {
		if p := planFor(n, 1<<32, 1); p.way != byNothing {
			t.Errorf("without memory %d integers go %v", n, p.way)
		}
	}
	if want := []way{byBitmap, byParts, bySorting}; !slices.Equal(slices.Sorted(maps.Keys(chosen))[:3], want) {
		t.Errorf("chosen: %v", chosen)
	}
}

// Nothing is allocated once there is working memory, and what is kept is bounded.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("under the detector a pool forgets at random")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties the pool
	r := rand.New(rand.NewPCG(5, 6))
	for _, span := range []uint64{1 << 16, 1 << 25, 1 << 32} {
		v := list(r, 300_000, 0, span)
		w, dst := make([]uint32, len(v)), make([]uint32, 0, 2*len(v))
		if n := testing.AllocsPerRun(3, func() {
			SortUnique(w[:copy(w, v)])
			Duplicates(w[:copy(w, v)])
			dst = AppendUnion(dst[:0], v, v[:1000])
		}); n != 0 {
			t.Errorf("span %d: %v allocations", span, n)
		}
	}
	w := work{scratch: make([]uint32, keepScratch+1), second: make([]uint32, keepScratch+1)}
	w.makePlanes(2, keepWords+1)
	if w.put(); w.scratch != nil || w.second != nil || w.room[0] != nil || w.room[1] != nil {
		t.Error("large memory is kept")
	}
}

func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 1; n < 40; n++ {
		for range 50 {
			v := list(r, n, math.MaxUint32-50, 1+r.Uint64N(50))
			if r.IntN(3) == 0 {
				slices.Sort(v)
				v = slices.Compact(v)
			}
			lo, hi, ascending := bounds(v)
			want := slices.IsSorted(v) && len(slices.Compact(slices.Clone(v))) == len(v)
			if lo != slices.Min(v) || hi != slices.Max(v) || ascending != want {
				t.Fatalf("bounds(%v) = %d, %d, %v", v, lo, hi, ascending)
			}
		}
	}
}
