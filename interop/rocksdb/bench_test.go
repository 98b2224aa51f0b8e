package rocksdb

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

const batch = 4096

var benchHits int

// Keys that are not there, at 10 bits a key, by their hashes and as strings of 16 bytes
// (in the order of their memory).
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
		hashes := make([]uint64, 2048)
		for range size.keys / 2048 {
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			f.AddHashes(hashes)
		}
		keys := make([]uint64, 1<<20)
		for i := range keys {
			keys[i] = r.Uint64()
		}
		strings := make([]string, 1<<18)
		for i := range strings {
			strings[i] = fmt.Sprintf("user%012d", i*7919%len(strings))
		}
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			bench := func(op string, f func(i int)) {
				b.Run(fmt.Sprintf("op=%s/impl=%v/size=%s", op, l, size.name), func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						f(i * batch % len(keys))
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
				})
			}
			bench("batch", func(i int) { benchHits += f.TestHashes(keys[i:i+batch], nil) })
			bench("one", func(i int) {
				for _, h := range keys[i : i+batch] {
					if f.TestHash(h) {
						benchHits++
					}
				}
			})
			bench("strings", func(i int) { benchHits += f.TestStrings(strings[i%len(strings):][:batch], nil) })
			bench("add", func(i int) { f.AddHashes(keys[i : i+batch]) })
		})
	}
}
