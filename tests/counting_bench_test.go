package tests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// BenchmarkCounting tests, adds and removes integers, in batches and one by one, in
// filters of which half the counters are in use. AddRemove is both for each key, so
// that the filter stays as it is. Beside it a Blocked of the same k and number of
// keys tests, in a quarter of the memory.
func BenchmarkCounting(b *testing.B) {
	const k, batch = 6, 4096
	for _, size := range []int{256 << 10, 64 << 20} {
		f, blocked := mustCounting(b, uint64(size/128), k), mustBlocked(b, uint64(size/256), k)
		r := rand.New(rand.NewPCG(5, 7))
		present := make([]uint64, size*2/9&^(batch-1))
		for i := range present {
			present[i] = r.Uint64()
		}
		f.AddUint64s(present)
		blocked.AddUint64s(present)
		present = present[:min(len(present), 1<<20)]
		mixed := append([]uint64{}, present...)
		for i := range mixed {
			if r.Uint64()&1 == 0 {
				mixed[i] = r.Uint64()
			}
		}
		for _, op := range []struct {
			name, impl string
			keys       []uint64
			do         func(keys []uint64)
		}{
			{"Test", "batch", mixed, func(keys []uint64) { f.TestUint64s(keys, nil) }},
			{"Test", "single", mixed, func(keys []uint64) {
				for _, x := range keys {
					f.TestUint64(x)
				}
			}},
			{"Test", "Blocked", mixed, func(keys []uint64) { blocked.TestUint64s(keys, nil) }},
			{"AddRemove", "batch", present, func(keys []uint64) { f.AddUint64s(keys); f.RemoveUint64s(keys, nil) }},
			{"AddRemove", "single", present, func(keys []uint64) {
				for _, x := range keys {
					f.AddUint64(x)
					f.RemoveUint64(x)
				}
			}},
		} {
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				cpu.Refresh(blocked)
				b.Run(fmt.Sprintf("op=%s/impl=%s-%v/size=%dKiB", op.name, op.impl, l, size>>10), func(b *testing.B) {
					at := 0
					for b.Loop() {
						op.do(op.keys[at : at+batch])
						if at += batch; at+batch > len(op.keys) {
							at = 0
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
				})
			})
		}
	}
}
