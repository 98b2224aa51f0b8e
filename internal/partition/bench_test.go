package partition

import (
	"fmt"
	"testing"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// BenchmarkScatter puts integers into chunks that nobody adds; BenchmarkDrain adds
// full chunks to one part after the other.
func BenchmarkScatter(b *testing.B) {
	for _, size := range []int{4 << 20, 64 << 20, 1 << 30} {
		b.Run(fmt.Sprintf("size=%dMiB", size>>20), func(b *testing.B) {
			var f block.Filter
			f.Init(block.New(uint64(size/block.Bytes), true), 8, hash.Hasher{})
			s := New(&f, true)
			w := s.Writer(0)
			s.plan.Drain = 1 << 30
			keys := make([]uint64, 1<<16)
			x := uint64(0)
			for b.Loop() {
				for i := range keys {
					keys[i] = x
					x++
				}
				w.Add(keys, true)
				for p := range s.parts {
					for _, c := range s.parts[p].waiting {
						w.free.put(&s.pool, c)
					}
					s.parts[p].waiting = s.parts[p].waiting[:0]
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
		})
	}
}

func BenchmarkDrain(b *testing.B) {
	for _, size := range []int{4 << 20, 64 << 20, 1 << 30} {
		for _, kpb := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("size=%dMiB/kpb=%d", size>>20, kpb), func(b *testing.B) {
				var f block.Filter
				f.Init(block.New(uint64(size/block.Bytes), true), 8, hash.Hasher{})
				s := New(&f, true)
				n := max(kpb<<s.plan.Shift/chunkKeys, 1)
				chunks := make([]chunk, n)
				at := 0
				x := uint64(0)
				for b.Loop() {
					at = (at + 1) % s.plan.Parts
					b.StopTimer()
					for i := range chunks {
						for j := range chunks[i] {
							x++
							chunks[i][j] = uint64(at)*(1<<63/uint64(s.plan.Parts)*2) + x*0x9e3779b97f4a7c15%(1<<63/uint64(s.plan.Parts)*2)
						}
					}
					b.StartTimer()
					for i := range chunks {
						f.AddPart(chunks[i][:chunkKeys])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*chunkKeys), "ns/key")
			})
		}
	}
}
