//go:build !purego

package bitsieve

import "unsafe"

// The most words that a NEON kernel takes in one round.
const blockNEON = 16

func init() {
	binary := func(name string, fn func(dst, a, b *uint64, n int), ref binaryFunc) kernelRow {
		return kernelRow{name, levelNEON, blockNEON, func(dst, a, b []uint64) {
			fn(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), len(dst))
		}, ref}
	}
	fused := func(name string, fn func(a, b *uint64, n int) int, ref fusedFunc) kernelRow {
		return kernelRow{name, levelNEON, blockNEON, func(a, b []uint64) int {
			return fn(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
		}, ref}
	}
	directKernels = []kernelRow{
		{"countNEON", levelNEON, blockNEON, func(p []uint64) int {
			return countNEON(unsafe.SliceData(p), len(p))
		}, countGeneric},
		binary("andNEON", andNEON, andGeneric),
		binary("orNEON", orNEON, orGeneric),
		binary("xorNEON", xorNEON, xorGeneric),
		binary("andNotNEON", andNotNEON, andNotGeneric),
		fused("andCountNEON", andCountNEON, andCountGeneric),
		fused("orCountNEON", orCountNEON, orCountGeneric),
		fused("xorCountNEON", xorCountNEON, xorCountGeneric),
		fused("andNotCountNEON", andNotCountNEON, andNotCountGeneric),
		{"decode64NEON", levelNEON, 1, func(dst []uint, words []uint64, base uint) (written, consumed int) {
			if len(dst) < 64 {
				return 0, 0
			}
			return decode64NEON(&dst[0], len(dst), unsafe.SliceData(words), len(words), base)
		}, decodeRoomy[uint]},
		{"decode32NEON", levelNEON, 1, func(dst []uint32, words []uint64, base uint32) (written, consumed int) {
			if len(dst) < 64 {
				return 0, 0
			}
			return decode32NEON(&dst[0], len(dst), unsafe.SliceData(words), len(words), base)
		}, decodeRoomy[uint32]},
	}
}
