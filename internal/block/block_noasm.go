//go:build purego || (!amd64 && !arm64)

package block

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
)

type probe struct{}

func newProbe(int, hash.Hasher) probe { return probe{} }

func testHash(f *Filter, h uint64) bool   { return testHashGeneric(f, h) }
func testUint64(f *Filter, x uint64) bool { return testUint64Generic(f, x) }
func addHash(f *Filter, h uint64)         { addHashGeneric(f, h) }
func addUint64(f *Filter, x uint64)       { addUint64Generic(f, x) }

func addKernel(blocks []Block, k int, keys []uint64, mixed bool) { addGeneric(blocks, k, keys, mixed) }

func testKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	testGeneric(blocks, k, keys, hits, mixed)
}

func testAndAddKernel(blocks []Block, k int, keys, hits []uint64, mixed bool) {
	testAndAddGeneric(blocks, k, keys, hits, mixed)
}

func vectorBlocks(uint64) bool { return false }

func testBits(bits *byte, n, k int, h uint64, level cpu.Level) bool {
	return testBitsGeneric(bits, n, k, h, level)
}
