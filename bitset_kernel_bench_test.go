package bitsieve

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
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

func benchWords(n int) []uint64 {
	p := make([]uint64, n)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range p {
		p[i] = r.Uint64()
	}
	return p
}

// sinkInt keeps the compiler from dropping what a benchmark computes.
var sinkInt int

// BenchmarkKernels runs the verbs at every level. The binary
// ones work in place, on the first operand.
func BenchmarkKernels(b *testing.B) {
	largest := benchSizes[len(benchSizes)-1].words
	x, y := benchWords(largest), benchWords(largest)
	for _, row := range verbs {
		for _, size := range benchSizes {
			x, y := x[:size.words], y[:size.words]
			kerneltest.EachLevelBench(b, func(l cpu.Level) {
				name := fmt.Sprintf("kernel=%s/size=%s/impl=%v", row.kernel, size.name, l)
				switch fn := row.fn.(type) {
				case countFunc:
					benchBytes(b, name, x, func() { sinkInt += fn(x) })
				case count2Func:
					benchBytes(b, name, x, func() { sinkInt += fn(x, y) })
				case binaryFunc:
					benchBytes(b, name, x, func() { fn(x, x, y) })
				case withCountFunc:
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
