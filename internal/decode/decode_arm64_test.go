//go:build !purego

package decode

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

func init() {
	directKernels = []row{
		newRow("decodeNEON", cpu.LevelNEON, 1, kernelFunc(decodeNEON), decodeRoomy[uint]),
		newRow("decode32NEON", cpu.LevelNEON, 1, kernelFunc(decode32NEON), decodeRoomy[uint32]),
	}
	wholeKernels = []wholeKernel{{cpu.LevelNEON, kernelFunc(decodeNEON), kernelFunc(decode32NEON)}}
}

func kernelFunc[T Index](fn func(dst *T, room int, words *uint64, n int, base T) (written, consumed int)) indicesFunc[T] {
	return func(dst []T, words []uint64, base T) (written, consumed int) {
		return fn(unsafe.SliceData(dst), len(dst), unsafe.SliceData(words), len(words), base)
	}
}

// decodeRoomy is the reference of kernels that stop as soon as fewer than 64 places
// are free and leave the rest to decodeGeneric.
func decodeRoomy[T Index](dst []T, words []uint64, base T) (written, consumed int) {
	for consumed < len(words) && len(dst)-written >= 64 {
		n, _ := decodeGeneric(dst[written:], words[consumed:consumed+1], base)
		written += n
		consumed++
		base += 64
	}
	return written, consumed
}
