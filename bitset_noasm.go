//go:build purego || (!amd64 && !arm64)

package bitsieve

import "github.com/bitsieve/bitsieve/internal/popcount"

func andWords(dst, a, b []uint64)    { andGeneric(dst, a, b) }
func orWords(dst, a, b []uint64)     { orGeneric(dst, a, b) }
func xorWords(dst, a, b []uint64)    { xorGeneric(dst, a, b) }
func andNotWords(dst, a, b []uint64) { andNotGeneric(dst, a, b) }

func andWithCountWords(dst, a, b []uint64) int    { return popcount.AndWithCount(dst, a, b) }
func orWithCountWords(dst, a, b []uint64) int     { return popcount.OrWithCount(dst, a, b) }
func xorWithCountWords(dst, a, b []uint64) int    { return popcount.XorWithCount(dst, a, b) }
func andNotWithCountWords(dst, a, b []uint64) int { return popcount.AndNotWithCount(dst, a, b) }

func andRest(dst, a, b []uint64, n int)    { andGeneric(dst[:n], a[:n], b[:n]) }
func orRest(dst, a, b []uint64, n int)     { orGeneric(dst[:n], a[:n], b[:n]) }
func xorRest(dst, a, b []uint64, n int)    { xorGeneric(dst[:n], a[:n], b[:n]) }
func andNotRest(dst, a, b []uint64, n int) { andNotGeneric(dst[:n], a[:n], b[:n]) }
