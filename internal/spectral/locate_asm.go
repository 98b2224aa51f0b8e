//go:build !purego && (amd64 || arm64)

package spectral

import (
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The mixer's constants, for the kernel.
const (
	mixMul   = hash.MixMul
	mixFirst = hash.MixFirst
)

// locateKernel finds the spots of n keys, n > 0, and has the cache begin to load
// their blocks, of size words each. If mixed, the keys are integers that hash.Mix
// turns into hashes on the way; otherwise they are hashes.
//
//go:noescape
func locateKernel(words *uint64, blocks uint64, size int, keys *uint64, n int, mixed bool, spots *spot)

// locateAll finds the spots of the keys, of which there are some, and sends for
// their blocks.
func locateAll(f *Filter, spots *[chunkKeys]spot, keys []uint64, mixed bool) {
	if !cpu.AVX2 && !cpu.NEON {
		locateGeneric(f, spots, keys, mixed)
		return
	}
	race.Read(keys)
	race.Write(unsafe.Slice(&spots[0], len(keys)))
	locateKernel(&f.Words[0], f.Blocks, f.Bits, &keys[0], len(keys), mixed, &spots[0])
}
