package tests

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/bench/limit"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// BenchmarkReaders tests keys in one filter from several goroutines at a time, and
// reads as many random lines: what cores that share their memory can do at all.
func BenchmarkReaders(b *testing.B) {
	for _, size := range []int{256 << 10, 64 << 20, 1 << 30} {
		f := mustBlocked(b, uint64(size/block.Bytes), 8)
		r := rand.New(rand.NewPCG(1, 2))
		keys, lines := make([]uint64, 1<<23), make([]uint32, 1<<23+limit.MaxAhead)
		for i := range keys {
			keys[i], lines[i] = r.Uint64(), r.Uint32N(uint32(f.Blocks()))
		}
		f.AddUint64s(keys)
		// As much memory, and of the same kind, as the filter has.
		words := memory.Words(uint64(size/8), true)
		for i := range words {
			words[i] = uint64(i)
		}
		for _, impl := range []struct {
			name string
			read func(from, to int)
			warm func() // memory that has lain idle may be slow at first touch
		}{
			{"TestUint64s", func(from, to int) { f.TestUint64s(keys[from:to], nil) }, func() { f.Fill() }},
			{"limit", func(from, to int) {
				limit.RandomLines(words, lines[from:to+limit.MaxAhead], limit.Prefetch{Ahead: 64, L2: true})
			}, func() { Count(words) }},
		} {
			for n := 1; n <= runtime.GOMAXPROCS(0); n *= 2 {
				b.Run(fmt.Sprintf("impl=%s/goroutines=%d/size=%dKiB", impl.name, n, size>>10), func(b *testing.B) {
					impl.warm()
					b.ResetTimer()
					for b.Loop() {
						var wg sync.WaitGroup
						for g := range n {
							kerneltest.Go(&wg, func() { impl.read(g*len(keys)/n, (g+1)*len(keys)/n) })
						}
						wg.Wait()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
				})
			}
		}
	}
}
