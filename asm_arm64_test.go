//go:build !purego

package bitsieve

import (
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The most words that a NEON kernel takes in one round.
const blockNEON = 16

func init() {
	binary := func(name string, fn func(dst, a, b *uint64, n int), ref kerneltest.BinaryFunc) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: cpu.LevelNEON, Block: blockNEON, Fn: func(dst, a, b []uint64) {
			fn(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
		}, Ref: ref}
	}
	directKernels = []kerneltest.Row{
		binary("andNEON", andNEON, andGeneric),
		binary("orNEON", orNEON, orGeneric),
		binary("xorNEON", xorNEON, xorGeneric),
		binary("andNotNEON", andNotNEON, andNotGeneric),
	}
	thresholds = append(thresholds, binaryThresholds)
}

func binaryThresholds() []calibrate.Threshold {
	binary := []kerneltest.ShortCase{
		{Name: "andNEON", Level: cpu.LevelNEON,
			InGo: func(dst, a, b []uint64) { andGeneric(dst, a, b) },
			Fn:   func(dst, a, b []uint64) { andNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{Name: "orNEON", Level: cpu.LevelNEON,
			InGo: func(dst, a, b []uint64) { orGeneric(dst, a, b) },
			Fn:   func(dst, a, b []uint64) { orNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{Name: "xorNEON", Level: cpu.LevelNEON,
			InGo: func(dst, a, b []uint64) { xorGeneric(dst, a, b) },
			Fn:   func(dst, a, b []uint64) { xorNEON(&dst[0], &a[0], &b[0], len(dst)) }},
		{Name: "andNotNEON", Level: cpu.LevelNEON,
			InGo: func(dst, a, b []uint64) { andNotGeneric(dst, a, b) },
			Fn:   func(dst, a, b []uint64) { andNotNEON(&dst[0], &a[0], &b[0], len(dst)) }},
	}
	return []calibrate.Threshold{kerneltest.ShortThreshold("minBinaryNEON", minBinaryNEON, 1, binary)}
}

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:and":    andWords,
	"neon:or":     orWords,
	"neon:xor":    xorWords,
	"neon:andNot": andNotWords,

	"go:and":    andGeneric,
	"go:or":     orGeneric,
	"go:xor":    xorGeneric,
	"go:andNot": andNotGeneric,
}

// TestForModel is no test: see kerneltest.Model.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, _ int, dst, a, b []uint64) bool {
		f, ok := modelKernels[name].(kerneltest.BinaryFunc)
		if ok {
			f(dst[:len(a)], a, b)
		}
		return ok
	})
}
