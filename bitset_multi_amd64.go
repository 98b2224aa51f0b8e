//go:build !purego

package bitsieve

import "github.com/bitsieve/bitsieve/internal/cpu"

// The kernels below take n >= 0 words. dst may be a or b.

//go:noescape
func andCountedAVX2(dst, a, b *uint64, n int) int

//go:noescape
func andCountedAVX512(dst, a, b *uint64, n int) int

//go:noescape
func orCountedAVX2(dst, a, b *uint64, n int) int

//go:noescape
func orCountedAVX512(dst, a, b *uint64, n int) int

//go:noescape
func xorCountedAVX2(dst, a, b *uint64, n int) int

//go:noescape
func xorCountedAVX512(dst, a, b *uint64, n int) int

//go:noescape
func andNotCountedAVX2(dst, a, b *uint64, n int) int

//go:noescape
func andNotCountedAVX512(dst, a, b *uint64, n int) int

func andCountedWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minFused {
		a, b = declareBinary(dst, a, b)
		if cpu.AVX512 {
			return andCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return andCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return andCountedGeneric(dst, a, b)
}

func orCountedWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minFused {
		a, b = declareBinary(dst, a, b)
		if cpu.AVX512 {
			return orCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return orCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return orCountedGeneric(dst, a, b)
}

func xorCountedWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minFused {
		a, b = declareBinary(dst, a, b)
		if cpu.AVX512 {
			return xorCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return xorCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return xorCountedGeneric(dst, a, b)
}

func andNotCountedWords(dst, a, b []uint64) int {
	if cpu.AVX2 && len(dst) >= minFused {
		a, b = declareBinary(dst, a, b)
		if cpu.AVX512 {
			return andNotCountedAVX512(&dst[0], &a[0], &b[0], len(dst))
		}
		return andNotCountedAVX2(&dst[0], &a[0], &b[0], len(dst))
	}
	return andNotCountedGeneric(dst, a, b)
}
