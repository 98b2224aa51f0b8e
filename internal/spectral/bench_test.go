package spectral

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// BenchmarkBatch adds and counts random integers in batches of 4,096, beside the
// verbs for one key.
func BenchmarkBatch(b *testing.B) {
	const batch = 4096
	for _, size := range []uint64{256 << 10, 4 << 20, 64 << 20, 512 << 20} {
		for _, bits := range []int{8, 16, 32} {
			for _, k := range []int{4, 8} {
				var f Filter
				f.Init(New(size/BlockBytes(bits), bits, true), bits, k, hash.Hasher{}, 0)
				keys := make([]uint64, 1<<21)
				r := rand.New(rand.NewPCG(3, 4))
				for i := range keys {
					keys[i] = r.Uint64()
				}
				f.AddUint64s(keys)
				counts := make([]uint64, batch)
				for _, op := range []struct {
					name string
					do   func(keys []uint64)
				}{
					{"Add", f.AddUint64s},
					{"AddCount", func(keys []uint64) { f.AddCountUint64s(keys, counts) }},
					{"Count", func(keys []uint64) { f.CountUint64s(keys, counts) }},
					{"AddOne", func(keys []uint64) {
						for _, x := range keys {
							f.AddHash(hash.Mix(x), 1)
						}
					}},
					{"CountOne", func(keys []uint64) {
						for _, x := range keys {
							counts[0] += f.CountHash(hash.Mix(x))
						}
					}},
				} {
					kerneltest.EachLevelBench(b, func(l cpu.Level) {
						if l == cpu.LevelAVX2 || (op.name == "AddOne" || op.name == "CountOne") && l != cpu.LevelGeneric {
							return // as AVX-512, or no other code
						}
						b.Run(fmt.Sprintf("op=%s/impl=%v/size=%dKiB/bits=%d/k=%d", op.name, l, size>>10, bits, k), func(b *testing.B) {
							at := 0
							for b.Loop() {
								op.do(keys[at : at+batch])
								at = (at + batch) % len(keys)
							}
							b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
						})
					})
				}
			}
		}
	}
}
