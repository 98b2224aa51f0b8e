//go:build !purego && (amd64 || arm64)

package guava

import "github.com/bitsieve/bitsieve/internal/cpu"

// prefetchKernel prefetches the lines of n > 0 bits of data. It takes some 2 µs for a
// whole tile.
//
//go:noescape
func prefetchKernel(data *byte, bits *uint64, n int)

// prefetch makes the processor read the lines of bits, which are below 8 len(data).
func prefetch(data []byte, bits []uint64) {
	if len(bits) > 0 && (cpu.AVX2 || cpu.NEON) {
		prefetchKernel(&data[0], &bits[0], len(bits))
	}
}
