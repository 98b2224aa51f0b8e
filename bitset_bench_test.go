package bitsieve

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
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

func TestCalibrate(t *testing.T) { calibrate.Run(t, thresholds...) }

// thresholds return those of one subject each. The files of the subjects fill it
// in.
var thresholds []func() []calibrate.Threshold

// calibrationWords are three operands of 128 MiB each, which are made when needed.
var calibrationWords = sync.OnceValue(func() (p [3][]uint64) {
	for i := range p {
		p[i] = benchWords(1 << 24)
	}
	return p
})

func init() { thresholds = append(thresholds, shortWordsThreshold) }

func shortWordsThreshold() []calibrate.Threshold {
	return []calibrate.Threshold{calibrate.Threshold{
		Name: "shortWords", Unit: "words", Value: shortWords, UpTo: true, Sizes: []int{4, 8, 12, 16, 17, 20, 24, 32, 48, 64},
		Cases: []calibrate.Case{
			{Name: "fill", Level: cpu.Current(), Ways: func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { fillShort(p) }, func() { fillMany(p) }
			}},
			{Name: "not", Level: cpu.Current(), Ways: func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { notShort(p) }, func() { notMany(p, p) }
			}},
		},
	}.Short()}
}

// fillShort and notShort are the loops of fillWords and notWords.

func fillShort(p []uint64) {
	for i := range p {
		p[i] = math.MaxUint64
	}
}

func notShort(p []uint64) {
	for i := range p {
		p[i] = ^p[i]
	}
}
