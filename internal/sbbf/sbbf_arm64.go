//go:build !purego

package sbbf

import (
	"math"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The batch kernels: batch_arm64.s has their preconditions.

//go:noescape
func testNEON(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)

//go:noescape
func addNEON(b *byte, blocks uint64, hashes *uint64, n, distance int)

//go:noescape
func testAddNEON(b *byte, blocks uint64, hashes *uint64, n, distance int, hits *uint64)

// vector reports whether the kernels take bitsets of that many blocks: their
// arithmetic is of 32 bits there.
func vector(blocks uint64) bool { return cpu.NEON && blocks <= math.MaxUint32 }

func testKernel(b []byte, hashes, hits []uint64) {
	blocks := uint64(len(b)) / Bytes
	if !vector(blocks) {
		testBatchGeneric(b, hashes, hits)
		return
	}
	testNEON(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)), &hits[0])
}

func addKernel(b []byte, hashes []uint64) {
	blocks := uint64(len(b)) / Bytes
	if !vector(blocks) {
		addBatchGeneric(b, hashes)
		return
	}
	addNEON(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)))
}

func testAddKernel(b []byte, hashes, hits []uint64) {
	blocks := uint64(len(b)) / Bytes
	if !vector(blocks) {
		testAddBatchGeneric(b, hashes, hits)
		return
	}
	testAddNEON(&b[0], blocks, &hashes[0], len(hashes), distance(len(b)), &hits[0])
}
