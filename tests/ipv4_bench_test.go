package tests

import (
	"math/rand/v2"
	"net/netip"
	"runtime"
	"strconv"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// benchIPv4 are the addresses that the benchmarks add: anywhere, the worst case for
// pages, and as visitors come, in 20,000 networks of 4,096 addresses, some of which are
// much more frequent than others.
var benchIPv4 = []struct {
	name string
	n    int
	make func(n int) []uint32
}{
	{"uniform", 1_000_000, uniformIPv4},
	{"visitors", 1_000_000, visitorsIPv4},
	{"visitors", 10_000, visitorsIPv4},
}

func uniformIPv4(n int) []uint32 {
	r := rand.New(rand.NewPCG(1, 2))
	xs := make([]uint32, n)
	for i := range xs {
		xs[i] = r.Uint32()
	}
	return xs
}

func visitorsIPv4(n int) []uint32 {
	r := rand.New(rand.NewPCG(3, 4))
	networks := make([]uint32, 20_000)
	for i := range networks {
		networks[i] = r.Uint32() &^ 0xfff
	}
	zipf := rand.NewZipf(r, 1.1, 10, uint64(len(networks)-1))
	xs := make([]uint32, n)
	for i := range xs {
		xs[i] = networks[zipf.Uint64()] + r.Uint32()>>20
	}
	return xs
}

func BenchmarkIPv4Set(b *testing.B) {
	for _, c := range benchIPv4 {
		xs := c.make(c.n)
		addrs := make([]netip.Addr, c.n)
		others := make([]uint32, c.n)
		for i, x := range xs {
			addrs[i] = addrOf(x)
			others[i] = x ^ 1<<31
		}
		s := new(IPv4Set)
		s.AddUint32s(xs)
		t := new(IPv4Set)
		t.AddUint32s(others)
		t.AddUint32s(xs[:c.n/2])
		model := map[netip.Addr]struct{}{}
		for _, a := range addrs {
			model[a] = struct{}{}
		}
		// each reports the time for one of n, the addresses unless said otherwise.
		each := func(op, impl string, n int, f func()) {
			b.Run("op="+op+"/impl="+impl+"/keys="+c.name+"/n="+strconv.Itoa(c.n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/address")
			})
		}
		each("build", "bitsieve", c.n, func() {
			s := new(IPv4Set)
			for _, a := range addrs {
				_, _ = s.Add(a)
			}
			sinkInt += int(s.SizeBytes())
		})
		each("build", "bitsieve batch", c.n, func() { sinkInt += new(IPv4Set).AddUint32s(xs) })
		each("build", "map", c.n, func() {
			m := map[netip.Addr]struct{}{}
			for _, a := range addrs {
				m[a] = struct{}{}
			}
			sinkInt += len(m)
		})
		each("add again", "bitsieve", c.n, func() {
			for _, a := range addrs {
				_, _ = s.Add(a)
			}
		})
		each("add again", "bitsieve batch", c.n, func() { sinkInt += s.AddUint32s(xs) })
		each("contains", "bitsieve", c.n, func() {
			for _, a := range addrs {
				if t.Contains(a) {
					sinkInt++
				}
			}
		})
		each("contains", "bitsieve batch", c.n, func() { sinkInt += t.ContainsUint32s(xs, nil) })
		each("contains", "map", c.n, func() {
			for _, a := range addrs {
				if _, ok := model[a]; ok {
					sinkInt++
				}
			}
		})
		members := len(model)
		each("count", "bitsieve", members, func() { sinkInt += int(s.Count()) })
		each("all", "bitsieve", members, func() {
			for range s.All() {
				sinkInt++
			}
		})
		each("all", "map", members, func() {
			for range model {
				sinkInt++
			}
		})
		each("prefixes", "bitsieve", members, func() {
			for range s.Prefixes() {
				sinkInt++
			}
		})
		each("union", "bitsieve", members, func() {
			u := s.Clone()
			u.Union(t)
		})
		each("intersection count", "bitsieve", members, func() { sinkInt += int(s.IntersectionCount(t)) })
		each("add by two goroutines", "bitsieve", c.n, func() {
			s := new(IPv4Set)
			var wg sync.WaitGroup
			for half := range 2 {
				kerneltest.Go(&wg, func() { s.AddUint32s(xs[half*c.n/2:][:c.n/2]) })
			}
			wg.Wait()
		})
	}
}

// BenchmarkIPv4SetMemory reports the memory of sets and of maps.
func BenchmarkIPv4SetMemory(b *testing.B) {
	for _, c := range benchIPv4 {
		xs := c.make(c.n)
		name := "/keys=" + c.name + "/n=" + strconv.Itoa(c.n)
		b.Run("impl=bitsieve"+name, func(b *testing.B) {
			s := new(IPv4Set)
			for b.Loop() {
				s.Clear()
				s.AddUint32s(xs)
			}
			b.ReportMetric(float64(s.SizeBytes())/float64(s.Count()), "B/address")
		})
		b.Run("impl=map"+name, func(b *testing.B) {
			var m map[netip.Addr]struct{}
			var before, after runtime.MemStats
			for b.Loop() {
				m = nil
				runtime.GC()
				runtime.ReadMemStats(&before)
				m = map[netip.Addr]struct{}{}
				for _, x := range xs {
					m[addrOf(x)] = struct{}{}
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(m)), "B/address")
			runtime.KeepAlive(m)
		})
	}
}
