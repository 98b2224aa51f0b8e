//go:build !purego

package bitsieve

import (
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
