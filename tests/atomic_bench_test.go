package tests

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// BenchmarkAtomic compares AtomicBlocked with Blocked, integers at 10 bits a key and
// k = 8: keys that are new, from one goroutine and several, each with a share of
// them; keys that are present; and tests of keys of which half are.
func BenchmarkAtomic(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} {
		plain := mustBlocked(b, uint64(size/block.Bytes), 8)
		shared := plain.Atomic()
		r := rand.New(rand.NewPCG(3, 4))
		present := make([]uint64, size*8/10)
		for i := range present {
			present[i] = r.Uint64()
		}
		mixed := append([]uint64(nil), present[:min(len(present), 4<<20)]...)
		for i := range mixed {
			if r.Uint64()&1 == 0 {
				mixed[i] = r.Uint64()
			}
		}
		run := func(op, impl string, goroutines int, keys []uint64, before func(), do func(keys []uint64)) {
			b.Run(fmt.Sprintf("op=%s/impl=%s/goroutines=%d/size=%dKiB", op, impl, goroutines, size>>10), func(b *testing.B) {
				for b.Loop() {
					if before != nil {
						b.StopTimer()
						before()
						b.StartTimer()
					}
					var wg sync.WaitGroup
					for g := range goroutines {
						kerneltest.Go(&wg, func() { do(keys[g*len(keys)/goroutines : (g+1)*len(keys)/goroutines]) })
					}
					wg.Wait()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
			})
		}
		one := func(do func(uint64)) func([]uint64) {
			return func(keys []uint64) {
				for _, x := range keys {
					do(x)
				}
			}
		}
		count := func(do func(uint64) bool) func([]uint64) {
			return func(keys []uint64) {
				n := 0
				for _, x := range keys {
					if do(x) {
						n++
					}
				}
				sinkInt = n
			}
		}
		var locked sync.Mutex
		for n := 1; n <= runtime.GOMAXPROCS(0); n *= 2 {
			if n == 1 {
				run("AddNew", "Blocked", n, present, plain.Clear, plain.AddUint64s)
			}
			run("AddNew", "Mutex", n, present, plain.Clear, func(keys []uint64) {
				for len(keys) > 0 {
					m := min(512, len(keys))
					locked.Lock()
					plain.AddUint64s(keys[:m])
					locked.Unlock()
					keys = keys[m:]
				}
			})
			run("AddNew", "Atomic", n, present, plain.Clear, shared.AddUint64s)
			run("AddNewOne", "Atomic", n, present, plain.Clear, one(shared.AddUint64))
			run("TestAndAddNew", "Atomic", n, present, plain.Clear, func(keys []uint64) { shared.TestAndAddUint64s(keys, nil) })
		}
		for n := 1; n <= runtime.GOMAXPROCS(0); n *= 2 {
			if n == 1 {
				run("AddPresent", "Blocked", n, present, nil, plain.AddUint64s)
				run("AddPresentOne", "Blocked", n, present, nil, one(plain.AddUint64))
			}
			run("AddPresent", "Atomic", n, present, nil, shared.AddUint64s)
			run("AddPresentOne", "Atomic", n, present, nil, one(shared.AddUint64))
			run("Test", "Blocked", n, mixed, nil, func(keys []uint64) { plain.TestUint64s(keys, nil) })
			run("Test", "Atomic", n, mixed, nil, func(keys []uint64) { shared.TestUint64s(keys, nil) })
			run("TestOne", "Blocked", n, mixed, nil, count(plain.TestUint64))
			run("TestOne", "Atomic", n, mixed, nil, count(shared.TestUint64))
		}
	}
}
