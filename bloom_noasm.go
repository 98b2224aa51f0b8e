//go:build purego || (!amd64 && !arm64)

package bitsieve

func bloomFirst(_ []uint64, t *bloomTile, n int, d divisor) { bloomFirstGeneric(t, n, d) }

func bloomTestWave(words []uint64, t *bloomTile, n int, i uint64, d divisor) int {
	return bloomTestWaveGeneric(words, t, n, i, d)
}

func bloomAddWave(words []uint64, t *bloomTile, n int, i uint64, d divisor) {
	bloomAddWaveGeneric(words, t, n, i, d)
}
