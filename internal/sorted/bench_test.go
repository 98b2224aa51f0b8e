package sorted

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// Benchmarks of the verbs at every level, and of a merge with branches, the loop that
// everybody writes, in the same run. Figures per element are ns of a call over the
// elements of both lists.
//
//	go test -run '^$' -bench Lists -count 5 ./internal/sorted | benchstat -col /impl -row '/op /bits /n /density' -

// branches is the merge with branches.
func branches[T Elem](dst, a, b []T) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			dst[n] = a[i]
			n++
			i++
			j++
		}
	}
	return n
}

// uniform returns k lists of n distinct elements each out of span integers.
func uniform[T Elem](k, n, span int) (lists [][]T) {
	r := rand.New(rand.NewPCG(9, uint64(n)))
	for range k {
		chosen := map[T]bool{}
		list := make([]T, 0, n)
		for len(list) < n {
			if x := T(r.IntN(span)); !chosen[x] {
				chosen[x] = true
				list = append(list, x)
			}
		}
		slices.Sort(list)
		lists = append(lists, list)
	}
	return lists
}

// benchPairs is how many pairs a benchmark goes through, so that branches cannot be
// learnt by heart.
const benchPairs = 16

func benchLists[T Elem](b *testing.B, bits int) {
	for _, n := range []int{32, 256, 4096, 65536} {
		for _, density := range []int{4, 64} { // an element in so many integers
			if bits == 16 && n*density > 1<<16 {
				continue
			}
			span := n * density
			lists := uniform[T](2*benchPairs, n, span)
			as, bs := lists[:benchPairs], lists[benchPairs:]
			dst := make([]T, 2*n)
			run := func(op, impl string, fn func(dst, a, b []T) int) {
				b.Run(fmt.Sprintf("op=%s/bits=%d/n=%d/density=%d/impl=%s", op, bits, n, density, impl), func(b *testing.B) {
					i := 0
					for b.Loop() {
						kerneltest.Sink += fn(dst, as[i%benchPairs], bs[i%benchPairs])
						i++
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*n), "ns/elem")
				})
			}
			run("Intersect", "branches", branches[T])
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				run("Intersect", l.String(), Intersect[T])
				run("Count", l.String(), func(_, a, b []T) int { return IntersectCount(a, b) })
				run("Difference", l.String(), Difference[T])
				run("Union", l.String(), Union[T])
				run("Symmetric", l.String(), SymmetricDifference[T])
			})
		}
	}
}

func BenchmarkLists(b *testing.B) {
	benchLists[uint16](b, 16)
	benchLists[uint32](b, 32)
	benchLists[uint64](b, 64)
}

// BenchmarkGallop compares, at every level, searching the long list with going through
// both, by the ratio of their lengths: gallopRatio is where the first wins.
func BenchmarkGallop(b *testing.B) {
	long := uniform[uint32](2, 1<<16, 1<<20)
	for _, ratio := range []int{8, 16, 32, 64, 128, 256} {
		short := make([]uint32, 0, 1<<16/ratio)
		for i := ratio / 2; i < 1<<16; i += ratio {
			short = append(short, long[1][i])
		}
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			b.Run(fmt.Sprintf("ratio=%d/way=through/impl=%v", ratio, l), func(b *testing.B) {
				for b.Loop() {
					kerneltest.Sink += count(short, long[0])
				}
			})
		})
		b.Run(fmt.Sprintf("ratio=%d/way=gallop", ratio), func(b *testing.B) {
			for b.Loop() {
				kerneltest.Sink += countGallop(short, long[0])
			}
		})
	}
}
