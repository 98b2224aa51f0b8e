package tests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
)

// scalableOf returns a filter of the given number of stages, all full but the last,
// which has half of its keys, for n keys or a few more in total.
func scalableOf(b *testing.B, n uint64, stages int, p float64, keys func() uint64) *Scalable {
	first := n
	if stages > 1 {
		first = n/(1<<(stages-1)-1+1<<(stages-2)) + 1
	}
	f := mustScalable(b, first, p)
	for f.Added() < n || len(f.Stages()) < stages {
		f.AddUint64(keys())
	}
	if len(f.Stages()) != stages {
		b.Fatalf("%d stages, want %d", len(f.Stages()), stages)
	}
	return f
}

// BenchmarkScalable takes batches of 4096 keys through filters of one, four and eight
// stages, through a Blocked of the right size from the start, and through a map. Test
// is of keys that are there and of keys that are not; Add is of new keys, in filters
// grown from the start to their final size.
func BenchmarkScalable(b *testing.B) {
	const batch = 4096
	const p = 1e-3
	for _, n := range []int{100_000, 10_000_000} {
		r := rand.New(rand.NewPCG(7, uint64(n)))
		present := make([]uint64, 0, n)
		key := func() uint64 {
			present = append(present, r.Uint64())
			return present[len(present)-1]
		}
		absent := make([]uint64, 1<<20)
		for i := range absent {
			absent[i] = r.Uint64()
		}
		run := func(impl string, op string, keys []uint64, do func(keys []uint64)) {
			b.Run(fmt.Sprintf("op=%s/impl=%s/n=%d", op, impl, n), func(b *testing.B) {
				at := 0
				for b.Loop() {
					do(keys[at : at+batch])
					if at += batch; at+batch > len(keys) {
						at = 0
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
			})
		}
		var hits BitSet
		for _, stages := range []int{1, 4, 8} {
			present = present[:0]
			f := scalableOf(b, uint64(n), stages, p, key)
			r.Shuffle(len(present), func(i, j int) { present[i], present[j] = present[j], present[i] })
			name := fmt.Sprintf("stages%d", stages)
			run(name, "TestPresent", present[:min(n, 1<<20)], func(k []uint64) { sinkInt += f.TestUint64s(k, &hits) })
			run(name, "TestAbsent", absent, func(k []uint64) { sinkInt += f.TestUint64s(k, &hits) })
			run(name, "TestAbsentOne", absent, func(k []uint64) {
				for _, x := range k {
					if f.TestUint64(x) {
						sinkInt++
					}
				}
			})
		}
		f, err := NewBlocked(uint64(n), p)
		if err != nil {
			b.Fatal(err)
		}
		f.AddUint64s(present)
		run("blocked", "TestPresent", present[:min(n, 1<<20)], func(k []uint64) { sinkInt += f.TestUint64s(k, &hits) })
		run("blocked", "TestAbsent", absent, func(k []uint64) { sinkInt += f.TestUint64s(k, &hits) })
		set := make(map[uint64]struct{})
		for _, x := range present {
			set[x] = struct{}{}
		}
		testMap := func(k []uint64) {
			for _, x := range k {
				if _, ok := set[x]; ok {
					sinkInt++
				}
			}
		}
		run("map", "TestPresent", present[:min(n, 1<<20)], testMap)
		run("map", "TestAbsent", absent, testMap)

		// All keys into an empty filter.
		present = present[:n]
		fill := func(impl string, do func()) {
			b.Run(fmt.Sprintf("op=TestAndAddNew/impl=%s/n=%d", impl, n), func(b *testing.B) {
				for b.Loop() {
					do()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
			})
		}
		fill("scalable", func() {
			f := mustScalable(b, 0, p)
			for at := 0; at < n; at += batch {
				f.TestAndAddUint64s(present[at:min(at+batch, n)], &hits)
			}
		})
		fill("blocked", func() {
			f, _ := NewBlocked(uint64(n), p)
			for at := 0; at < n; at += batch {
				f.TestAndAddUint64s(present[at:min(at+batch, n)], &hits)
			}
		})
		fill("map", func() {
			set := make(map[uint64]struct{})
			for _, x := range present {
				set[x] = struct{}{}
			}
		})
	}
}
