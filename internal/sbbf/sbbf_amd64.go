//go:build !purego

package sbbf

import (
	"math"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The batch kernels: batch_amd64.h has their preconditions. lastKeys points at the first key of the
// last group.

//go:noescape
func testAVX512(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64, hits *uint64)

//go:noescape
func addAVX512(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64)

//go:noescape
func testAddAVX512(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64, hits *uint64)

//go:noescape
func testAVX2(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64, hits *uint64)

//go:noescape
func addAVX2(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64)

//go:noescape
func testAddAVX2(b *byte, blocks uint64, keys unsafe.Pointer, n, distance int, lastKeys unsafe.Pointer, kind uint64, hits *uint64)

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

// vector reports whether the batch kernels take bitsets of that many blocks: their
// arithmetic is of 32 bits there.
func vector(blocks uint64) bool { return cpu.AVX2 && blocks <= math.MaxUint32 }

func testKernel[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	blocks := uint64(len(b)) / Bytes
	first, last, d := unsafe.Pointer(&keys[0]), unsafe.Pointer(&keys[len(keys)-kernelKeys]), distance(len(b), len(keys))
	switch {
	case !vector(blocks):
		testBatchGeneric(b, keys, hits, kind)
	case cpu.AVX512:
		testAVX512(&b[0], blocks, first, len(keys), d, last, kind, &hits[0])
	default:
		testAVX2(&b[0], blocks, first, len(keys), d, last, kind, &hits[0])
	}
}

func addKernel[K key](b []byte, keys []K, kind uint64) {
	blocks := uint64(len(b)) / Bytes
	first, last, d := unsafe.Pointer(&keys[0]), unsafe.Pointer(&keys[len(keys)-kernelKeys]), distance(len(b), len(keys))
	switch {
	case !vector(blocks):
		addBatchGeneric(b, keys, kind)
	case cpu.AVX512:
		addAVX512(&b[0], blocks, first, len(keys), d, last, kind)
	default:
		addAVX2(&b[0], blocks, first, len(keys), d, last, kind)
	}
}

func testAddKernel[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	blocks := uint64(len(b)) / Bytes
	first, last, d := unsafe.Pointer(&keys[0]), unsafe.Pointer(&keys[len(keys)-kernelKeys]), distance(len(b), len(keys))
	switch {
	case !vector(blocks):
		testAddBatchGeneric(b, keys, hits, kind)
	case cpu.AVX512:
		testAddAVX512(&b[0], blocks, first, len(keys), d, last, kind, &hits[0])
	default:
		testAddAVX2(&b[0], blocks, first, len(keys), d, last, kind, &hits[0])
	}
}
