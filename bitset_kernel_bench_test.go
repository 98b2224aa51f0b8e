package bitsieve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Benchmarks of the word-slice kernels. The names are for benchstat:
//
//	go test -run '^$' -bench Kernels -count 5 | benchstat -col /impl -row '/kernel /size' -

var benchSizes = []struct {
	name  string
	words int
}{
	{"8B", 1}, {"32B", 4}, {"64B", 8}, {"128B", 16}, {"256B", 32}, {"1KiB", 128},
	{"8KiB", 1 << 10}, {"256KiB", 1 << 15}, {"4MiB", 1 << 19}, {"64MiB", 1 << 23},
}

func benchWords(n int) []uint64 { return kerneltest.RandomWords(n) }

// sinkInt keeps the compiler from dropping what a benchmark computes.
var sinkInt int

// counts are the verbs of internal/popcount that only count.
var counts = []kerneltest.Row{
	{Kernel: "countWords", Fn: popcount.Count},
	{Kernel: "andCountWords", Fn: popcount.And},
	{Kernel: "orCountWords", Fn: popcount.Or},
	{Kernel: "xorCountWords", Fn: popcount.Xor},
	{Kernel: "andNotCountWords", Fn: popcount.AndNot},
}

// BenchmarkKernels runs the verbs, and those of internal/popcount, at every level.
// The binary ones work in place, on the first operand.
func BenchmarkKernels(b *testing.B) {
	largest := benchSizes[len(benchSizes)-1].words
	x, y := benchWords(largest), benchWords(largest)
	for _, row := range slices.Concat(counts, verbs) {
		for _, size := range benchSizes {
			x, y := x[:size.words], y[:size.words]
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				name := fmt.Sprintf("kernel=%s/size=%s/impl=%v", row.Kernel, size.name, l)
				switch fn := row.Fn.(type) {
				case kerneltest.CountFunc:
					benchBytes(b, name, x, func() { sinkInt += fn(x) })
				case kerneltest.Count2Func:
					benchBytes(b, name, x, func() { sinkInt += fn(x, y) })
				case kerneltest.BinaryFunc:
					benchBytes(b, name, x, func() { fn(x, x, y) })
				case kerneltest.WithCountFunc:
					benchBytes(b, name, x, func() { sinkInt += fn(x, x, y) })
				}
			})
		}
	}
}

// benchBytes reports the speed of f by the bytes of one operand.
func benchBytes(b *testing.B, name string, operand []uint64, f func()) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(8 * len(operand)))
		for b.Loop() {
			f()
		}
	})
}
