//go:build purego || (!amd64 && !arm64)

package guava

func prefetch(data []byte, bits []uint64) {}
