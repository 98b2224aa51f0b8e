//go:build !purego

package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels take 1 <= n <= bloomTileKeys. x and y are t.terms(i).

//go:noescape
func bloomFirstARM64(words *uint64, t *bloomTile, n int, m, inv uint64)

//go:noescape
func bloomTestWaveARM64(words *uint64, t *bloomTile, n int, x, y *[bloomTileKeys]uint64, i, m, inv uint64) int

//go:noescape
func bloomAddWaveARM64(words *uint64, t *bloomTile, n int, x, y *[bloomTileKeys]uint64, i, m, inv uint64)

// bloomPrefetches reports whether the waves prefetch. Under the race detector
// they are Go, so that it sees which words they touch.
func bloomPrefetches() bool { return cpu.NEON && !race.Enabled }

func bloomFirst(words []uint64, t *bloomTile, n int, d divisor) {
	if !bloomPrefetches() {
		bloomFirstGeneric(t, n, d)
		return
	}
	bloomFirstARM64(&words[0], t, n, d.m, d.inv)
}

func bloomTestWave(words []uint64, t *bloomTile, n int, i uint64, d divisor) int {
	if !bloomPrefetches() {
		return bloomTestWaveGeneric(words, t, n, i, d)
	}
	x, y := t.terms(i)
	return bloomTestWaveARM64(&words[0], t, n, x, y, i, d.m, d.inv)
}

func bloomAddWave(words []uint64, t *bloomTile, n int, i uint64, d divisor) {
	if !bloomPrefetches() {
		bloomAddWaveGeneric(words, t, n, i, d)
		return
	}
	x, y := t.terms(i)
	bloomAddWaveARM64(&words[0], t, n, x, y, i, d.m, d.inv)
}
