package sbbf

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// BenchmarkVerbs adds and tests random keys, of which half are present, in batches
// and one by one, by hashes and by integers that are hashed on the way.
func BenchmarkVerbs(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} {
		bits := asBytes(memory.Words(uint64(size)/8, true))
		r := rand.New(rand.NewPCG(3, 4))
		keys := make([]uint64, 1<<20)
		for i := range keys {
			if keys[i] = r.Uint64(); i%2 == 0 {
				oneAdd(bits, keys[i])
				oneAdd(bits, HashUint64(keys[i]))
			}
		}
		hits := make([]uint64, maxBatch/64)
		for _, op := range []struct {
			name string
			do   func(keys []uint64)
		}{
			{"AddHashes", func(keys []uint64) { AddHashes(bits, keys) }},
			{"TestHashes", func(keys []uint64) { TestHashes(bits, keys, hits) }},
			{"TestAndAddHashes", func(keys []uint64) { TestAndAddHashes(bits, keys, hits) }},
			{"AddUint64s", func(keys []uint64) { AddUint64s(bits, keys) }},
			{"TestUint64s", func(keys []uint64) { TestUint64s(bits, keys, hits) }},
			{"Add", func(keys []uint64) {
				one := Of(bits)
				for _, h := range keys {
					one.Add(h)
				}
			}},
			{"Test", func(keys []uint64) {
				one := Of(bits)
				for i, h := range keys {
					hits[i/64] ^= bit(one.Test(h))
				}
			}},
		} {
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				b.Run(fmt.Sprintf("op=%s/impl=%v/size=%dKiB", op.name, l, size>>10), func(b *testing.B) {
					at := 0
					for b.Loop() {
						op.do(keys[at : at+maxBatch])
						at = (at + maxBatch) % len(keys)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/maxBatch, "ns/key")
				})
			})
		}
	}
}

// BenchmarkHash hashes integers in batches.
func BenchmarkHash(b *testing.B) {
	keys, hashes, ints := make([]uint64, tile), make([]uint64, tile), make([]uint32, tile)
	kerneltest.EachLevelBench(b, func(l cpu.Level) {
		for _, op := range []struct {
			name string
			do   func()
		}{
			{"HashUint64s", func() { HashUint64s(hashes, keys) }},
			{"HashUint32s", func() { HashUint32s(hashes, ints) }},
		} {
			b.Run(fmt.Sprintf("op=%s/impl=%v", op.name, l), func(b *testing.B) {
				for b.Loop() {
					op.do()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tile, "ns/key")
			})
		}
	})
}
