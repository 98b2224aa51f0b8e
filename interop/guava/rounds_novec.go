//go:build purego || !amd64

package guava

func locateKernel(t *tile, p *probes, n int, i uint64) { panic("unreachable") }

func siftKernel(data *byte, t *tile, p *probes, n int, i uint64) int { panic("unreachable") }
