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
// the lines of their blocks, of size words each, that have counters of theirs. If
// mixed, the keys are integers that hash.Mix turns into hashes on the way; otherwise
// they are hashes. far are places by which all lines are found: see farPlaces.
//
//go:noescape
func locateKernel(words *uint64, blocks uint64, size int, keys *uint64, n int, mixed bool, far *[3]uint64, spots *spot)

// farPlaces returns the shifts, in bits, that bring to the low byte of a spot's
// places three that lie, with the first, in every line that the k of them lie in.
// The lanes in use follow each other. A line has four of 16-bit counters: every
// fourth will do, and the last. A line has two of 32-bit counters: every second.
func farPlaces(bits, k int) (far [3]uint64) {
	step := 64 / bits
	for i := range far {
		far[i] = uint64(8 * min((i+1)*step, k-1))
	}
	return far
}

// locateAll finds the spots of the keys, of which there are some, and sends for
// their blocks.
func locateAll(f *Filter, spots *[chunkKeys]spot, keys []uint64, mixed bool) {
	if !cpu.AVX2 && !cpu.NEON {
		locateGeneric(f, spots, keys, mixed)
		return
	}
	race.Read(keys)
	race.Write(unsafe.Slice(&spots[0], len(keys)))
	far := farPlaces(f.Bits, f.K)
	locateKernel(&f.Words[0], f.Blocks, f.Bits, &keys[0], len(keys), mixed, &far, &spots[0])
}
