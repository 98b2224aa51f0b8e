package block

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// benchFilter returns a filter with 10 bits per key, its keys, at most max, and as
// many of which half are in it.
func benchFilter(size, k, max int) (f *Filter, present, mixed []uint64) {
	f = new(Filter)
	f.Init(New(uint64(size)/Bytes, true), k, hash.Hasher{})
	r := rand.New(rand.NewPCG(3, 4))
	present = make([]uint64, size*8/10&^(maxBatch-1))
	for i := range present {
		present[i] = r.Uint64()
	}
	f.AddUint64s(present)
	present = present[:min(len(present), max)]
	mixed = append(mixed, present...)
	for i := range mixed {
		if r.Uint64()&1 == 0 {
			mixed[i] = r.Uint64()
		}
	}
	return f, present, mixed
}

// BenchmarkTestAndAdd tests and adds integers that are present, in batches, beside
// the two verbs that it joins: adding does not fill the filter any further.
func BenchmarkTestAndAdd(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} {
		for _, k := range []int{6, 8, 12} {
			f, present, mixed := benchFilter(size, k, 1<<22)
			hits := make([]uint64, maxBatch/64)
			for _, op := range []struct {
				name string
				keys []uint64
				do   func(keys []uint64)
			}{
				{"Test", mixed, func(keys []uint64) { f.TestUint64s(keys, hits) }},
				{"Add", present, f.AddUint64s},
				{"TestAndAdd", present, func(keys []uint64) { f.TestAndAddUint64s(keys, hits) }},
			} {
				kerneltest.EachLevelBench(b, func(l cpu.Level) {
					b.Run(fmt.Sprintf("op=%s/impl=%v/size=%dKiB/k=%d", op.name, l, size>>10, k), func(b *testing.B) {
						at := 0
						for b.Loop() {
							op.do(op.keys[at : at+maxBatch])
							if at += maxBatch; at+maxBatch > len(op.keys) {
								at = 0
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/maxBatch, "ns/key")
					})
				})
			}
		}
	}
}

// BenchmarkMaxBatch takes 2^20 keys in one call of a kernel and in calls of
// maxBatch: what it costs that no call goes on for long.
func BenchmarkMaxBatch(b *testing.B) {
	const size, k, n = 64 << 20, 8, 1 << 20
	f, present, mixed := benchFilter(size, k, n)
	hits := make([]uint64, n/64)
	for _, op := range []struct {
		name string
		keys []uint64
		do   func(keys, hits []uint64)
	}{
		{"Test", mixed, func(keys, hits []uint64) { testKernel(f.Blocks, k, keys, hits, true) }},
		{"Add", present, func(keys, _ []uint64) { addKernel(f.Blocks, k, keys, true) }},
		{"TestAndAdd", present, func(keys, hits []uint64) { testAndAddKernel(f.Blocks, k, keys, hits, true) }},
	} {
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			for _, batch := range []int{maxBatch, n} {
				b.Run(fmt.Sprintf("op=%s/impl=%v/batch=%d", op.name, l, batch), func(b *testing.B) {
					for b.Loop() {
						for i := 0; i < n; i += batch {
							op.do(op.keys[i:i+batch], hits[i/64:])
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/key")
				})
			}
		})
	}
}
