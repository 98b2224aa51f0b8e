package guava

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// ints returns n different integers in no order.
func ints(n int, from uint32) []int32 {
	keys := make([]int32, n)
	for i := range keys {
		keys[i] = int32((from + uint32(i)) * 0x9e3779b1)
	}
	return keys
}

func BenchmarkInt32(b *testing.B) {
	for _, size := range []struct {
		name string
		n    int
	}{{"256KiB", 1 << 18 * 8 / 10}, {"12MB", 10_000_000}} {
		present, absent := ints(size.n, 0), ints(size.n, uint32(size.n))
		f, err := New(uint64(size.n), 0.01)
		if err != nil {
			b.Fatal(err)
		}
		f.AddInt32s(present)
		for _, c := range []struct {
			name string
			keys []int32
		}{{"present", present}, {"absent", absent}} {
			b.Run("op=Test/size="+size.name+"/"+c.name, func(b *testing.B) {
				hits := 0
				for i := range b.N {
					if f.TestInt32(c.keys[i%size.n]) {
						hits++
					}
				}
			})
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				b.Run("op=TestBatch/size="+size.name+"/"+c.name+"/level="+l.String(), func(b *testing.B) {
					at := 0
					for b.Loop() {
						f.TestInt32s(c.keys[at:at+4096], nil)
						at = (at + 4096) % (size.n - 4096)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/key")
				})
			})
		}
		g := f.Clone()
		b.Run("op=Add/size="+size.name, func(b *testing.B) {
			for i := range b.N {
				g.AddInt32(present[i%size.n])
			}
		})
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			b.Run("op=AddBatch/size="+size.name+"/level="+l.String(), func(b *testing.B) {
				at := 0
				for b.Loop() {
					g.AddInt32s(present[at : at+4096])
					at = (at + 4096) % (size.n - 4096)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/key")
			})
		})
	}
}
