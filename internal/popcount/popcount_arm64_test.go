//go:build !purego

package popcount

import (
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The most words that a NEON kernel takes in one round.
const blockNEON = 16

func init() {
	count2 := func(name string, fn func(a, b *uint64, n int) int, ref kerneltest.Count2Func) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: cpu.LevelNEON, Block: blockNEON, Fn: func(a, b []uint64) int {
			return fn(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
		}, Ref: ref}
	}
	directKernels = []kerneltest.Row{
		{Kernel: "countNEON", Level: cpu.LevelNEON, Block: blockNEON, Fn: func(p []uint64) int {
			return countNEON(unsafe.SliceData(p), len(p))
		}, Ref: countGeneric},
		count2("andCountNEON", andCountNEON, andCountGeneric),
		count2("orCountNEON", orCountNEON, orCountGeneric),
		count2("xorCountNEON", xorCountNEON, xorCountGeneric),
		count2("andNotCountNEON", andNotCountNEON, andNotCountGeneric),
	}
}

// The counting kernels empty their 16-bit sums before these overflow.
func TestCountNEONSums(t *testing.T) {
	kerneltest.NeedLevel(t, cpu.LevelNEON)
	p := make([]uint64, 3*511*blockNEON+1)
	for i := range p {
		p[i] = ^uint64(0)
	}
	for _, n := range []int{511 * blockNEON, 512 * blockNEON, len(p)} {
		if got := countNEON(&p[0], n); got != 64*n {
			t.Errorf("countNEON of %d words with all bits set = %d, want %d", n, got, 64*n)
		}
		if got := andCountNEON(&p[0], &p[0], n); got != 64*n {
			t.Errorf("andCountNEON of %d words with all bits set = %d, want %d", n, got, 64*n)
		}
	}
}
