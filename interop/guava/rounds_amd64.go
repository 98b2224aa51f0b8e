//go:build !purego

package guava

// The kernels of tile.locate and tile.sift, for AVX-512. 1 <= n <= tileKeys, and p.inverse
// is not 0. A call takes some 10 µs if nothing is in a cache.

//go:noescape
func locateKernel(t *tile, p *probes, n int, i uint64)

//go:noescape
func siftKernel(data *byte, t *tile, p *probes, n int, i uint64) int
