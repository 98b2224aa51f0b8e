//go:build !purego

package bitsieve

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The most words that the kernels take in one round: for countAVX2 16 beside the
// tree of the AVX2 cardinalities.
const (
	blockAVX2   = 64
	blockTree   = 80
	blockAVX512 = 64
)

func init() {
	binary := func(name string, fn func(dst, a, b *uint64, n int), ref binaryFunc) kernelRow {
		return kernelRow{name, cpu.LevelAVX2, blockAVX2, func(dst, a, b []uint64) {
			fn(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
		}, ref}
	}
	stream := func(name string, op wordOp, ref binaryFunc) kernelRow {
		return kernelRow{name, cpu.LevelAVX2, blockAVX2, func(dst, a, b []uint64) {
			if len(dst) == 0 {
				return
			}
			binaryStream(op, dst, a, b)
		}, ref}
	}
	count := func(name string, l cpu.Level, block int, fn func(p *uint64, n int) int) kernelRow {
		return kernelRow{name, l, block, func(p []uint64) int {
			if len(p) < minCount {
				return countGeneric(p)
			}
			return fn(&p[0], len(p))
		}, countGeneric}
	}
	count2 := func(name string, l cpu.Level, block int, fn func(a, b *uint64, n int) int, ref count2Func) kernelRow {
		return kernelRow{name, l, block, func(a, b []uint64) int {
			if len(a) < minCount2 {
				return ref(a, b)
			}
			return fn(&a[0], &b[0], len(a))
		}, ref}
	}
	withCount := func(name string, l cpu.Level, fn func(dst, a, b *uint64, n int) int, ref withCountFunc) kernelRow {
		return kernelRow{name, l, blockAVX2, func(dst, a, b []uint64) int {
			return fn(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
		}, ref}
	}
	directKernels = []kernelRow{
		count("countAVX2", cpu.LevelAVX2, blockTree, countAVX2),
		count("countAVX512", cpu.LevelAVX512, blockAVX512, countAVX512),
		{"countStream", cpu.LevelAVX2, blockAVX2, func(p []uint64) int {
			return countStream(p)
		}, countGeneric},
		binary("andAVX2", andAVX2, andGeneric),
		stream("andStreamAVX2", opAnd, andGeneric),
		binary("orAVX2", orAVX2, orGeneric),
		stream("orStreamAVX2", opOr, orGeneric),
		binary("xorAVX2", xorAVX2, xorGeneric),
		stream("xorStreamAVX2", opXor, xorGeneric),
		binary("andNotAVX2", andNotAVX2, andNotGeneric),
		stream("andNotStreamAVX2", opAndNot, andNotGeneric),
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
