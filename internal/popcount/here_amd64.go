//go:build !purego

package popcount

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// What the functions of here.go call, straight from their callers: a kernel without the
// verb before it, up to maxDirect words.

// maxDirect is up to how many words one kernel does all. It is less than a piece.
const maxDirect = 1 << 12

func countRest(p []uint64) int { return direct(p, countKernel, countVerb) }

func countKernel(p []uint64) int { return countAVX512(unsafe.SliceData(p), len(p)) }
func countVerb(p []uint64) int   { return Count(p) }

func direct(p []uint64, kernel, verb func(p []uint64) int) int {
	if cpu.AVX512 && len(p) < maxDirect && !race.Enabled {
		return kernel(p)
	}
	return verb(p)
}

func direct2(a, b []uint64, n int, kernel, verb func(a, b []uint64, n int) int) int {
	if cpu.AVX512 && n < maxDirect && !race.Enabled {
		return kernel(a, b, n)
	}
	return verb(a, b, n)
}

func andRest(a, b []uint64, n int) int    { return direct2(a, b, n, andKernel, andVerb) }
func orRest(a, b []uint64, n int) int     { return direct2(a, b, n, orKernel, orVerb) }
func xorRest(a, b []uint64, n int) int    { return direct2(a, b, n, xorKernel, xorVerb) }
func andNotRest(a, b []uint64, n int) int { return direct2(a, b, n, andNotKernel, andNotVerb) }

func andKernel(a, b []uint64, n int) int {
	return andCountAVX512(unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func orKernel(a, b []uint64, n int) int {
	return orCountAVX512(unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func xorKernel(a, b []uint64, n int) int {
	return xorCountAVX512(unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func andNotKernel(a, b []uint64, n int) int {
	return andNotCountAVX512(unsafe.SliceData(a), unsafe.SliceData(b), n)
}

func andVerb(a, b []uint64, n int) int    { return And(a[:n], b[:n]) }
func orVerb(a, b []uint64, n int) int     { return Or(a[:n], b[:n]) }
func xorVerb(a, b []uint64, n int) int    { return Xor(a[:n], b[:n]) }
func andNotVerb(a, b []uint64, n int) int { return AndNot(a[:n], b[:n]) }
