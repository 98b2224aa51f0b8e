//go:build purego || (!amd64 && !arm64)

package bitsieve

func andCountedWords(dst, a, b []uint64) int    { return andCountedGeneric(dst, a, b) }
func orCountedWords(dst, a, b []uint64) int     { return orCountedGeneric(dst, a, b) }
func xorCountedWords(dst, a, b []uint64) int    { return xorCountedGeneric(dst, a, b) }
func andNotCountedWords(dst, a, b []uint64) int { return andNotCountedGeneric(dst, a, b) }
