package tests

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// BenchmarkBuilder adds as many keys as the filter is made for, at 10 bits each, up to
// 2^26, by the filter's own batch method on one goroutine (direct-ns/key) and by a Builder
// on 1, 2, 4 … goroutines up to GOMAXPROCS, Finish included (1-ns/key …). The ways take turns;
// what is reported is the median of b.N rounds, the ratio of the direct way to the last, and
// in spread-% by how much the rounds of the last differ. -benchtime 5x is five rounds.
func BenchmarkBuilder(b *testing.B) {
	for _, kind := range []string{"uint64", "hash", "string"} {
		for _, size := range []int{4 << 20, 64 << 20, 1 << 30} {
			b.Run(fmt.Sprintf("keys=%s/size=%dMiB", kind, size>>20), func(b *testing.B) {
				benchmarkBuilder(b, kind, size)
			})
		}
	}
}

func benchmarkBuilder(b *testing.B, kind string, size int) {
	const batch = 1 << 16 // of keys that a goroutine has ready at a time
	f := mustBlocked(b, uint64(size/block.Bytes), 8)
	total := min(size*8/10, 1<<26) &^ (batch - 1)
	if size < 1<<30 {
		total = min(total, 1<<25)
	}
	if kind == "string" {
		total = min(total, 1<<23)
	}
	var texts []string
	if kind == "string" {
		// Each once: goroutines that read the same ones would fetch them for each other.
		texts = make([]string, total)
		for i := range texts {
			texts[i] = "key number " + strconv.Itoa(i)
		}
	}
	// What a goroutine does with keys [lo, hi): it makes a batch of them, and adds it.
	type adder interface {
		AddUint64s([]uint64)
		AddHashes([]uint64)
		AddStrings([]string)
	}
	work := func(a adder, lo, hi int) {
		keys := make([]uint64, batch)
		for ; lo < hi; lo += batch {
			switch kind {
			case "string":
				a.AddStrings(texts[lo:][:batch])
				continue
			case "hash":
				for i := range keys {
					keys[i] = uint64(lo+i) * 0x9e3779b97f4a7c15
				}
				a.AddHashes(keys)
			default:
				for i := range keys {
					keys[i] = uint64(lo + i)
				}
				a.AddUint64s(keys)
			}
		}
	}
	names, ways := []string{"direct"}, []func(){func() { work(f, 0, total) }}
	for n := 1; n <= runtime.GOMAXPROCS(0); n *= 2 {
		names = append(names, strconv.Itoa(n))
		ways = append(ways, func() {
			builder := NewBuilder(f)
			var wg sync.WaitGroup
			for g := range n {
				kerneltest.Go(&wg, func() {
					work(builder.Adder(), g*total/n&^(batch-1), (g+1)*total/n&^(batch-1))
				})
			}
			wg.Wait()
			builder.Finish()
		})
	}
	times := make([][]float64, len(ways))
	for range b.N {
		for i, way := range ways {
			f.Clear()
			start := time.Now()
			way()
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/float64(total))
			runtime.GC()
		}
	}
	for i, t := range times {
		slices.Sort(t)
		b.ReportMetric(t[len(t)/2], names[i]+"-ns/key")
	}
	last := times[len(times)-1]
	median := func(t []float64) float64 { return t[len(t)/2] }
	b.ReportMetric(median(times[0])/median(last), "direct/"+names[len(names)-1])
	b.ReportMetric(100*(last[len(last)-1]-last[0])/median(last), "spread-%")
	b.ReportMetric(0, "ns/op") // not shown
}
