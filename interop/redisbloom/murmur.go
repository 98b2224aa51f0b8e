package redisbloom

import "encoding/binary"

// MurmurHash2 (Austin Appleby), the 64-bit version A for 64-bit machines and the 32-bit
// one, as RedisBloom has them.

const (
	murmurMul   = 0xc6a4a7935bd1e995 // and the first seed
	murmurMul32 = 0x5bd1e995
	murmurSeed  = 0x9747b28c
)

// A pair is what a filter knows of a key: its bits are a + i*b.
type pair struct{ a, b uint64 }

// hashKey returns the pair of a key.
func hashKey(key []byte, wide bool) pair {
	if wide {
		a := murmur64(key, murmurMul)
		return pair{a, murmur64(key, a)}
	}
	a := murmur32(key, murmurSeed)
	return pair{uint64(a), uint64(murmur32(key, a))}
}

func murmur64(key []byte, seed uint64) uint64 {
	h := seed ^ uint64(len(key))*murmurMul
	for len(key) >= 8 {
		h = (h ^ murmurMix(binary.LittleEndian.Uint64(key))) * murmurMul
		key = key[8:]
	}
	if len(key) > 0 {
		h = (h ^ tail(key)) * murmurMul
	}
	h ^= h >> 47
	h *= murmurMul
	return h ^ h>>47
}

func murmurMix(x uint64) uint64 {
	x *= murmurMul
	x ^= x >> 47
	return x * murmurMul
}

// tail returns 1 to 7 bytes as a number, the first one lowest.
func tail(p []byte) (x uint64) {
	n := len(p)
	if n >= 4 {
		// The two reads overlap, and agree where they do.
		return uint64(binary.LittleEndian.Uint32(p)) | uint64(binary.LittleEndian.Uint32(p[n-4:]))<<(8*(n-4))
	}
	return uint64(p[0]) | uint64(p[n>>1])<<(8*(n>>1)) | uint64(p[n-1])<<(8*(n-1))
}

func murmur32(key []byte, seed uint32) uint32 {
	h := seed ^ uint32(len(key))
	for len(key) >= 4 {
		x := binary.LittleEndian.Uint32(key) * murmurMul32
		x ^= x >> 24
		h = h*murmurMul32 ^ x*murmurMul32
		key = key[4:]
	}
	if len(key) > 0 {
		h = (h ^ uint32(tail(key))) * murmurMul32
	}
	h ^= h >> 13
	h *= murmurMul32
	return h ^ h>>15
}
