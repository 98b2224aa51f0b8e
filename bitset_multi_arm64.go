//go:build !purego

package bitsieve

import "github.com/bitsieve/bitsieve/internal/cpu"

// The kernels of bitset_arm64.go, one after the other on chunks that stay in the
// first-level cache, stand in for kernels that do it all in one pass.

func andCountedWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return andCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += chunkWords {
		j := min(i+chunkWords, len(dst))
		andWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func orCountedWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return orCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += chunkWords {
		j := min(i+chunkWords, len(dst))
		orWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func xorCountedWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return xorCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += chunkWords {
		j := min(i+chunkWords, len(dst))
		xorWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}

func andNotCountedWords(dst, a, b []uint64) (n int) {
	if !cpu.NEON {
		return andNotCountedGeneric(dst, a, b)
	}
	for i := 0; i < len(dst); i += chunkWords {
		j := min(i+chunkWords, len(dst))
		andNotWords(dst[i:j], a[i:j], b[i:j])
		n += countWords(dst[i:j])
	}
	return n
}
