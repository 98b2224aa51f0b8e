package counters

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// benchFilter returns a filter with 40 bits, ten counters, per key, its hashes, at
// most max, and as many of which half are in it.
func benchFilter(size, k, max int) (f *Filter, present, mixed []uint64) {
	f = &Filter{Blocks: New(uint64(size)/Bytes, true), K: k}
	r := rand.New(rand.NewPCG(3, 4))
	present = make([]uint64, size*8/40&^(maxBatch-1))
	for i := range present {
		present[i] = r.Uint64()
	}
	f.AddHashes(present)
	present = present[:min(len(present), max)]
	mixed = append(mixed, present...)
	for i := range mixed {
		if r.Uint64()&1 == 0 {
			mixed[i] = r.Uint64()
		}
	}
	return f, present, mixed
}

// BenchmarkBatch does the verbs in batches. Keys are added and removed again, so that
// the filter stays as it is: a key of AddRemove is both.
func BenchmarkBatch(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20, 512 << 20} {
		for _, k := range []int{5, 8, 12} {
			f, present, mixed := benchFilter(size, k, 1<<22)
			hits := make([]uint64, maxBatch/64)
			for _, op := range []struct {
				name string
				keys []uint64
				do   func(hashes []uint64)
			}{
				{"Test", mixed, func(hashes []uint64) { f.TestHashes(hashes, hits) }},
				{"AddRemove", present, func(hashes []uint64) { f.AddHashes(hashes); f.RemoveHashes(hashes, hits) }},
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

// BenchmarkSingle does the verbs for one key at a time.
func BenchmarkSingle(b *testing.B) {
	for _, size := range []int{256 << 10, 64 << 20} {
		for _, k := range []int{5, 8, 12} {
			f, present, mixed := benchFilter(size, k, 1<<20)
			for _, op := range []struct {
				name string
				keys []uint64
				do   func(h uint64)
			}{
				{"Test", mixed, func(h uint64) { f.TestHash(h) }},
				{"AddRemove", present, func(h uint64) { f.AddHash(h); f.RemoveHash(h) }},
			} {
				kerneltest.EachLevelBench(b, func(l cpu.Level) {
					b.Run(fmt.Sprintf("op=%s/impl=%v/size=%dKiB/k=%d", op.name, l, size>>10, k), func(b *testing.B) {
						i := 0
						for b.Loop() {
							op.do(op.keys[i])
							if i++; i == len(op.keys) {
								i = 0
							}
						}
					})
				})
			}
		}
	}
}
