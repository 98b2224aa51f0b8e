//go:build !purego

package popcount

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The most words that the kernels take in one round: for countAVX2 16 beside the
// tree of the AVX2 cardinalities.
const (
	blockAVX2   = 64
	blockTree   = 80
	blockAVX512 = 64
)

func init() {
	count := func(name string, l cpu.Level, block int, fn func(p *uint64, n int) int) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: l, Block: block, Fn: func(p []uint64) int {
			if len(p) < minCount {
				return countGeneric(p)
			}
			return fn(&p[0], len(p))
		}, Ref: countGeneric}
	}
	count2 := func(name string, l cpu.Level, block int, fn func(a, b *uint64, n int) int, ref kerneltest.Count2Func) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: l, Block: block, Fn: func(a, b []uint64) int {
			if len(a) < minCount2 {
				return ref(a, b)
			}
			return fn(&a[0], &b[0], len(a))
		}, Ref: ref}
	}
	withCount := func(name string, l cpu.Level, fn func(dst, a, b *uint64, n int) int, ref kerneltest.WithCountFunc) kerneltest.Row {
		return kerneltest.Row{Kernel: name, Level: l, Block: blockAVX2, Fn: func(dst, a, b []uint64) int {
			return fn(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
		}, Ref: ref}
	}
	directKernels = []kerneltest.Row{
		count("countAVX2", cpu.LevelAVX2, blockTree, countAVX2),
		count("countAVX512", cpu.LevelAVX512, blockAVX512, countAVX512),
		{Kernel: "countAhead", Level: cpu.LevelAVX512, Block: blockAVX512, Fn: func(p []uint64) int { return countAhead(p, 1024) }, Ref: countGeneric},
		{Kernel: "countStream", Level: cpu.LevelAVX2, Block: blockAVX2, Fn: countStream, Ref: countGeneric},
		count2("andCountAVX2", cpu.LevelAVX2, blockAVX2, andCountAVX2, andCountGeneric),
		count2("andCountAVX512", cpu.LevelAVX512, blockAVX512, andCountAVX512, andCountGeneric),
		count2("orCountAVX2", cpu.LevelAVX2, blockAVX2, orCountAVX2, orCountGeneric),
		count2("orCountAVX512", cpu.LevelAVX512, blockAVX512, orCountAVX512, orCountGeneric),
		count2("xorCountAVX2", cpu.LevelAVX2, blockAVX2, xorCountAVX2, xorCountGeneric),
		count2("xorCountAVX512", cpu.LevelAVX512, blockAVX512, xorCountAVX512, xorCountGeneric),
		count2("andNotCountAVX2", cpu.LevelAVX2, blockAVX2, andNotCountAVX2, andNotCountGeneric),
		count2("andNotCountAVX512", cpu.LevelAVX512, blockAVX512, andNotCountAVX512, andNotCountGeneric),
		withCount("andWithCountAVX2", cpu.LevelAVX2, andWithCountAVX2, andWithCountGeneric),
		withCount("andWithCountAVX512", cpu.LevelAVX512, andWithCountAVX512, andWithCountGeneric),
		withCount("orWithCountAVX2", cpu.LevelAVX2, orWithCountAVX2, orWithCountGeneric),
		withCount("orWithCountAVX512", cpu.LevelAVX512, orWithCountAVX512, orWithCountGeneric),
		withCount("xorWithCountAVX2", cpu.LevelAVX2, xorWithCountAVX2, xorWithCountGeneric),
		withCount("xorWithCountAVX512", cpu.LevelAVX512, xorWithCountAVX512, xorWithCountGeneric),
		withCount("andNotWithCountAVX2", cpu.LevelAVX2, andNotWithCountAVX2, andNotWithCountGeneric),
		withCount("andNotWithCountAVX512", cpu.LevelAVX512, andNotWithCountAVX512, andNotWithCountGeneric),
	}
}
