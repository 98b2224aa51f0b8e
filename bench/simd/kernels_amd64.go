//go:build goexperiment.simd

package simd

import (
	"math/bits"
	"simd/archsimd"

	"github.com/bitsieve/bitsieve/internal/block"
)

// Each function needs a CPU that Supported reports, takes any alignment and may be
// called by any number of goroutines. Vectors of 512 bits take eight words at a time;
// plain Go does what is left over. Each ends with VZEROUPPER, which the compiler does
// not put there itself: without it, SSE instructions after it wait for the vectors.

// Supported reports whether this CPU has the instructions.
func Supported() bool {
	return archsimd.X86.AVX512() && archsimd.X86.AVX512VPOPCNTDQ()
}

// Count returns the number of set bits in p.
func Count(p []uint64) (n int) {
	var sum archsimd.Uint64x8
	for ; len(p) >= 8; p = p[8:] {
		sum = sum.Add(archsimd.LoadUint64x8((*[8]uint64)(p)).OnesCount())
	}
	n = total(sum)
	for _, w := range p {
		n += bits.OnesCount64(w)
	}
	return n
}

// AndCount returns the number of set bits in a & b, of the words that both have.
func AndCount(a, b []uint64) (n int) {
	var sum archsimd.Uint64x8
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		v := archsimd.LoadUint64x8((*[8]uint64)(a)).And(archsimd.LoadUint64x8((*[8]uint64)(b)))
		sum = sum.Add(v.OnesCount())
	}
	n = total(sum)
	for i := range min(len(a), len(b)) {
		n += bits.OnesCount64(a[i] & b[i])
	}
	return n
}

// And sets dst = dst & b, of the words that both have. They must not overlap otherwise
// than by being the same.
func And(dst, b []uint64) {
	for ; len(dst) >= 8 && len(b) >= 8; dst, b = dst[8:], b[8:] {
		d := (*[8]uint64)(dst)
		archsimd.LoadUint64x8(d).And(archsimd.LoadUint64x8((*[8]uint64)(b))).Store(d)
	}
	archsimd.ClearAVXUpperBits()
	for i := range min(len(dst), len(b)) {
		dst[i] &= b[i]
	}
}

// total adds up the elements of v.
func total(v archsimd.Uint64x8) int {
	half := v.GetLo().Add(v.GetHi())
	quarter := half.GetLo().Add(half.GetHi())
	n := int(quarter.GetElem(0) + quarter.GetElem(1))
	archsimd.ClearAVXUpperBits()
	return n
}

// laneFields holds the first bit of every lane's field, and laneOne a one for each:
// internal/block says what lanes and fields are.
var (
	laneFields = [8]uint64{16, 22, 28, 34, 40, 46, 52, 58}
	laneOne    = [8]uint64{1, 1, 1, 1, 1, 1, 1, 1}
)

// TestHash reports whether a key with the hash h may have been added to blocks, one at
// least, with k = 8. An integer's hash is hash.Mix's.
func TestHash(blocks []block.Block, h uint64) bool {
	const wordMul = 0x9e3779b97f4a7c15
	fields := archsimd.BroadcastUint64x8(h * wordMul).ShiftRight(archsimd.LoadUint64x8(&laneFields))
	mask := archsimd.LoadUint64x8(&laneOne).RotateLeft(fields)
	missing := mask.AndNot(archsimd.LoadUint64x8(&blocks[block.Index(h, uint64(len(blocks)))]))
	present := missing.Equal(archsimd.Uint64x8{}).ToBits() == 0xFF
	archsimd.ClearAVXUpperBits()
	return present
}
