package sbbf

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

func BenchmarkX(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} {
		f := new(block.Filter)
		f.Init(block.New(uint64(size)/64, true), 8, hash.Hasher{})
		bytes := bytesOf(block.Flatten(f.Blocks))
		r := rand.New(rand.NewPCG(3, 4))
		present := make([]uint64, min(1<<21, size*8/10)&^(maxBatch-1))
		for i := range present {
			present[i] = r.Uint64()
		}
		hits := make([]uint64, maxBatch/64)
		for _, op := range []struct {
			name string
			do   func(keys []uint64)
		}{
			{"block.Add", func(keys []uint64) { f.AddHashes(keys) }},
			{"block.Test", func(keys []uint64) { f.TestHashes(keys, hits) }},
			{"Add", func(keys []uint64) { addKernel(bytes, keys) }},
			{"Test", func(keys []uint64) { testKernel(bytes, keys, hits) }},
		} {
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				if l == 0 {
					return
				}
				b.Run(fmt.Sprintf("op=%s/impl=%v/size=%dKiB", op.name, l, size>>10), func(b *testing.B) {
					at := 0
					for b.Loop() {
						op.do(present[at : at+maxBatch])
						if at += maxBatch; at+maxBatch > len(present) {
							at = 0
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/maxBatch, "ns/key")
				})
			})
		}
	}
}

func bytesOf(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), 8*len(w))
}
