package decode

import (
	"fmt"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// BenchmarkDecode reports the time for each word and for each index. It decodes
// into a buffer of 1024 indices again and again, as NextSetMany is used.
func BenchmarkDecode(b *testing.B) {
	for _, denominator := range []int{10000, 1000, 256, 64, 32, 16, 8, 4, 2} {
		words, ones := kerneltest.RandomBits(1<<14, denominator)
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			name := fmt.Sprintf("density=1_%d/impl=%v", denominator, l)
			b.Run("kernel=Indices/"+name, func(b *testing.B) {
				benchDecode(b, Indices[uint], words, ones)
			})
			b.Run("kernel=Indices32/"+name, func(b *testing.B) {
				benchDecode(b, Indices[uint32], words, ones)
			})
		})
	}
}

func benchDecode[T Index](b *testing.B, decode indicesFunc[T], words []uint64, ones int) {
	buf := make([]T, 1024)
	for b.Loop() {
		for rest, base := words, T(0); len(rest) > 0; {
			_, consumed := decode(buf, rest, base)
			rest = rest[consumed:]
			base += T(64 * consumed)
		}
	}
	ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(ns/float64(len(words)), "ns/word")
	b.ReportMetric(ns/float64(ones), "ns/index")
}
