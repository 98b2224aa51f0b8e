//go:build purego || (!amd64 && !arm64)

package counters

func vector() bool { return false }

func kernel(v verb, blocks []Block, k int, hashes, hits []uint64) {
	generic(v, blocks, k, hashes, hits)
}
