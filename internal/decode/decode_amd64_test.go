//go:build !purego

package decode

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// blockAMD64 is the number of words that the kernels take in a round.
const blockAMD64 = 8

func init() {
	directKernels = []row{
		newRow("decodeAVX512", cpu.LevelAVX512, blockAMD64, kernelFunc(decodeAVX512), decodeGeneric[uint]),
		newRow("decode32AVX512", cpu.LevelAVX512, blockAMD64, kernelFunc(decode32AVX512), decodeGeneric[uint32]),
		newRow("decodeAVX2", cpu.LevelAVX2, blockAMD64, kernelFunc(decodeAVX2), decodeGeneric[uint]),
		newRow("decode32AVX2", cpu.LevelAVX2, blockAMD64, kernelFunc(decode32AVX2), decodeGeneric[uint32]),
	}
	wholeKernels = []wholeKernel{
		{cpu.LevelAVX512, kernelFunc(decodeAVX512), kernelFunc(decode32AVX512)},
		{cpu.LevelAVX2, kernelFunc(decodeAVX2), kernelFunc(decode32AVX2)},
	}
}

func kernelFunc[T Index](fn func(dst *T, room int, words *uint64, n int, base T) (written, consumed int)) indicesFunc[T] {
	return func(dst []T, words []uint64, base T) (written, consumed int) {
		return fn(unsafe.SliceData(dst), len(dst), unsafe.SliceData(words), len(words), base)
	}
}
