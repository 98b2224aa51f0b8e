package rocksdb

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

var benchHits int

// Tests of hashes, half of them of keys that are there, singly and in batches.
func BenchmarkTest(b *testing.B) {
	for _, size := range []struct {
		name string
		keys int
	}{{"256KiB", 200_000}, {"64MiB", 50_000_000}} {
		f, err := New(uint64(size.keys), 10)
		if err != nil {
			b.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		hashes := make([]uint64, 4096)
		for range size.keys / 2048 {
			for i := range 2048 {
				hashes[i] = r.Uint64()
			}
			f.AddHashes(hashes[:2048])
		}
		for i := range hashes[2048:] {
			hashes[2048+i] = r.Uint64()
		}
		r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
		keys := make([]uint64, 1<<20)
		for i := range keys {
			keys[i] = r.Uint64()
		}
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			b.Run(fmt.Sprintf("op=batch/impl=%v/size=%s", l, size.name), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					part := keys[i*4096%len(keys):][:4096]
					benchHits += f.TestHashes(part, nil)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/key")
			})
			b.Run(fmt.Sprintf("op=one/impl=%v/size=%s", l, size.name), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					if f.TestHash(keys[i%len(keys)]) {
						benchHits++
					}
				}
			})
			b.Run(fmt.Sprintf("op=add/impl=%v/size=%s", l, size.name), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					f.AddHashes(keys[i*4096%len(keys):][:4096])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/key")
			})
		})
	}
}
