//go:build !purego

package sbbf

import (
	"math"
	"unsafe"

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

// tile is the number of integers that are hashed between two calls of a kernel: a
// multiple of 64, so that each begins with a word of results.
const tile = 512

// hashTile returns the hashes of the first integers, in a tile, and hashes as they are.
func hashTile[K key](hashes *[tile]uint64, keys []K, kind uint64) []uint64 {
	if kind == kindHash {
		return unsafe.Slice((*uint64)(unsafe.Pointer(&keys[0])), len(keys))
	}
	n := min(len(keys), tile)
	for i, x := range keys[:n] {
		hashes[i] = hashOf(x, kind)
	}
	return hashes[:n]
}

func testKernel[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	if !vector(uint64(len(b)) / Bytes) {
		testBatchGeneric(b, keys, hits, kind)
		return
	}
	var hashes [tile]uint64
	for len(keys) > 0 {
		h := hashTile(&hashes, keys, kind)
		testNEON(&b[0], uint64(len(b))/Bytes, &h[0], len(h), distance(len(b), len(h)), &hits[0])
		keys, hits = keys[len(h):], hits[(len(h)+63)/64:]
	}
}

func addKernel[K key](b []byte, keys []K, kind uint64) {
	if !vector(uint64(len(b)) / Bytes) {
		addBatchGeneric(b, keys, kind)
		return
	}
	var hashes [tile]uint64
	for len(keys) > 0 {
		h := hashTile(&hashes, keys, kind)
		addNEON(&b[0], uint64(len(b))/Bytes, &h[0], len(h), distance(len(b), len(h)))
		keys = keys[len(h):]
	}
}

func testAddKernel[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	if !vector(uint64(len(b)) / Bytes) {
		testAddBatchGeneric(b, keys, hits, kind)
		return
	}
	var hashes [tile]uint64
	for len(keys) > 0 {
		h := hashTile(&hashes, keys, kind)
		testAddNEON(&b[0], uint64(len(b))/Bytes, &h[0], len(h), distance(len(b), len(h)), &hits[0])
		keys, hits = keys[len(h):], hits[(len(h)+63)/64:]
	}
}
