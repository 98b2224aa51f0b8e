//go:build purego || (!amd64 && !arm64)

package spectral

func locateAll(f *Filter, spots *[chunkKeys]spot, keys []uint64, mixed bool) {
	locateGeneric(f, spots, keys, mixed)
}
