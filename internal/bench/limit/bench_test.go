package limit

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkReaders(b *testing.B) {
	for _, r := range Readers() {
		for _, size := range []int{8 << 10, 256 << 10, 4 << 20, 256 << 20} {
			b.Run(fmt.Sprintf("reader=%s/size=%dKiB", r.Name, size>>10), func(b *testing.B) {
				p := make([]uint64, size/8)
				for i := range p {
					p[i] = 1
				}
				b.SetBytes(int64(size))
				for b.Loop() {
					r.Read(p)
				}
			})
		}
	}
}

func BenchmarkRandomLines(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20, 1 << 30} {
		p := make([]uint64, size/8)
		lines := make([]uint32, 1<<20+MaxAhead)
		for i := range lines {
			lines[i] = rand.Uint32N(uint32(size / 64))
		}
		for i := range p {
			p[i] = 1
		}
		for _, ahead := range []int{0, 8, 16, 32, 64, 96, 128, 192, 256} {
			for _, l2 := range []bool{false, true} {
				b.Run(fmt.Sprintf("size=%dKiB/ahead=%d/L2=%v", size>>10, ahead, l2), func(b *testing.B) {
					for b.Loop() {
						RandomLines(p, lines, Prefetch{ahead, l2})
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N<<20), "ns/line")
				})
			}
		}
	}
}
