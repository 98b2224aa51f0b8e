package tests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// BenchmarkBatches takes keys in batches of 4096 and one by one, half of them
// present in tests and all in additions, with fewer than, as many as and more bits
// than a block has lanes.
func BenchmarkBatches(b *testing.B) {
	const batch = 4096
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} {
		for _, k := range []int{6, 8, 12} {
			f := mustBlocked(b, uint64(size/block.Bytes), k)
			r := rand.New(rand.NewPCG(3, 4))
			present := make([]uint64, size*8/10&^(batch-1))
			for i := range present {
				present[i] = r.Uint64()
			}
			f.AddUint64s(present)
			mixed := append([]uint64(nil), present[:min(len(present), 4<<20)]...)
			for i := range mixed {
				if r.Uint64()&1 == 0 {
					mixed[i] = r.Uint64()
				}
			}
			var hits BitSet
			run := func(op string, keys []uint64, do func(keys []uint64)) {
				kerneltest.EachLevelBench(b, func(l cpu.Level) {
					cpu.Refresh(f)
					b.Run(fmt.Sprintf("op=%s/impl=%v/size=%dKiB/k=%d", op, l, size>>10, k), func(b *testing.B) {
						at := 0
						for b.Loop() {
							do(keys[at : at+batch])
							if at += batch; at+batch > len(keys) {
								at = 0
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
					})
				})
			}
			run("Test", mixed, func(keys []uint64) { sinkInt += f.TestUint64s(keys, &hits) })
			run("TestOne", mixed, func(keys []uint64) {
				for _, x := range keys {
					n := 0
					if f.TestUint64(x) {
						n = 1
					}
					sinkInt += n
				}
			})
			run("Add", present, f.AddUint64s)
		}
	}
}
