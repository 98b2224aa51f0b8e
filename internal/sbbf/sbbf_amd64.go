//go:build !purego

package sbbf

import (
	"math"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The batch kernels: batch_amd64.h has their preconditions.

//go:noescape
func testAVX512(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)

//go:noescape
func addAVX512(b *byte, blocks uint64, hashes *uint64, n, distance int)

//go:noescape
func testAddAVX512(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)

//go:noescape
func testAVX2(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)

//go:noescape
func addAVX2(b *byte, blocks uint64, hashes *uint64, n, distance int)

//go:noescape
func testAddAVX2(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)

// The kernels for single keys. Tests return 0 if no bit is missing.

//go:noescape
func testHash(p *Bits, h uint64) (missing uint8)

//go:noescape
func addHash(p *Bits, h uint64)

//go:noescape
func testUint64(p *Bits, x uint64) (missing uint8)

//go:noescape
func addUint64(p *Bits, x uint64)

//go:noescape
func testUint32(p *Bits, x uint32) (missing uint8)

//go:noescape
func addUint32(p *Bits, x uint32)

// BytesKernels says that single keys of any length are hashed and probed by one kernel.
// Where they are not, a caller with a faster XXH64 than HashBytes adds and tests hashes.
const BytesKernels = true

//go:noescape
func testBytes(p *Bits, data *byte, n int) (missing uint8)

//go:noescape
func addBytes(p *Bits, data *byte, n int)

// sizeForKernels returns what Bits.size is for n bytes.
func sizeForKernels(n int) int {
	switch {
	case cpu.AVX512:
		return n
	case cpu.AVX2:
		return -n
	}
	return 0
}

// vector reports whether the kernels take bitsets of that many blocks: their
// arithmetic is of 32 bits there.
func vector(blocks uint64) bool { return cpu.AVX2 && blocks <= math.MaxUint32 }

func testKernel(b []byte, hashes, hits []uint64) {
	blocks := uint64(len(b)) / Bytes
	switch {
	case !vector(blocks):
		testBatchGeneric(b, hashes, hits)
	case cpu.AVX512:
		testAVX512(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)), &hits[0])
	default:
		testAVX2(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)), &hits[0])
	}
}

func addKernel(b []byte, hashes []uint64) {
	blocks := uint64(len(b)) / Bytes
	switch {
	case !vector(blocks):
		addBatchGeneric(b, hashes)
	case cpu.AVX512:
		addAVX512(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)))
	default:
		addAVX2(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)))
	}
}

func testAddKernel(b []byte, hashes, hits []uint64) {
	blocks := uint64(len(b)) / Bytes
	switch {
	case !vector(blocks):
		testAddBatchGeneric(b, hashes, hits)
	case cpu.AVX512:
		testAddAVX512(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)), &hits[0])
	default:
		testAddAVX2(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)), &hits[0])
	}
}

// The kernels for hashes take a number of integers that kernelKeys divides.

//go:noescape
func hashUint64sAVX512(dst, keys *uint64, n int)

//go:noescape
func hashUint32sAVX512(dst *uint64, keys *uint32, n int)

//go:noescape
func hashUint64sAVX2(dst, keys *uint64, n int)

//go:noescape
func hashUint32sAVX2(dst *uint64, keys *uint32, n int)

func hashUint64s(dst, keys []uint64) {
	n := 0
	if cpu.AVX2 {
		n = len(keys) &^ (kernelKeys - 1)
	}
	switch {
	case n == 0:
	case cpu.AVX512:
		hashUint64sAVX512(&dst[0], &keys[0], n)
	default:
		hashUint64sAVX2(&dst[0], &keys[0], n)
	}
	hashUint64sGeneric(dst[n:], keys[n:])
}

func hashUint32s(dst []uint64, keys []uint32) {
	n := 0
	if cpu.AVX2 {
		n = len(keys) &^ (kernelKeys - 1)
	}
	switch {
	case n == 0:
	case cpu.AVX512:
		hashUint32sAVX512(&dst[0], &keys[0], n)
	default:
		hashUint32sAVX2(&dst[0], &keys[0], n)
	}
	hashUint32sGeneric(dst[n:], keys[n:])
}
