//go:build !purego

package bitsieve

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels below take n >= 0 words.

//go:noescape
func countNEON(p *uint64, n int) int

//go:noescape
func andNEON(dst, a, b *uint64, n int)

//go:noescape
func orNEON(dst, a, b *uint64, n int)

//go:noescape
func xorNEON(dst, a, b *uint64, n int)

//go:noescape
func andNotNEON(dst, a, b *uint64, n int)

//go:noescape
func andCountNEON(a, b *uint64, n int) int

//go:noescape
func orCountNEON(a, b *uint64, n int) int

//go:noescape
func xorCountNEON(a, b *uint64, n int) int

//go:noescape
func andNotCountNEON(a, b *uint64, n int) int

// The lengths in words from which the kernels are called: about where whole calls
// cost as much as the Go loops in the models of scripts/mca (cycles on Neoverse
// N1 and V2: count of 8 words 35 and 33, in Go 37 and 31; And of 12 words 27 and
// 26, in Go 29 and 22).
const (
	minCountNEON  = 8
	minBinaryNEON = 12
)

func countWords(p []uint64) int {
	if !cpu.NEON || len(p) < minCountNEON {
		return countGeneric(p)
	}
	race.Read(p)
	return countNEON(&p[0], len(p))
}

func andWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		andGeneric(dst, a, b)
		return
	}
	declareBinary(dst, a, b)
	andNEON(&dst[0], &a[0], &b[0], len(dst))
}

func orWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		orGeneric(dst, a, b)
		return
	}
	declareBinary(dst, a, b)
	orNEON(&dst[0], &a[0], &b[0], len(dst))
}

func xorWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		xorGeneric(dst, a, b)
		return
	}
	declareBinary(dst, a, b)
	xorNEON(&dst[0], &a[0], &b[0], len(dst))
}

func andNotWords(dst, a, b []uint64) {
	if !cpu.NEON || len(dst) < minBinaryNEON {
		andNotGeneric(dst, a, b)
		return
	}
	declareBinary(dst, a, b)
	andNotNEON(&dst[0], &a[0], &b[0], len(dst))
}

func andCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return andCountGeneric(a, b)
	}
	race.Read(a)
	race.Read(b)
	return andCountNEON(&a[0], &b[0], len(a))
}

func orCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return orCountGeneric(a, b)
	}
	race.Read(a)
	race.Read(b)
	return orCountNEON(&a[0], &b[0], len(a))
}

func xorCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return xorCountGeneric(a, b)
	}
	race.Read(a)
	race.Read(b)
	return xorCountNEON(&a[0], &b[0], len(a))
}

func andNotCountWords(a, b []uint64) int {
	if !cpu.NEON || len(a) < minCountNEON {
		return andNotCountGeneric(a, b)
	}
	race.Read(a)
	race.Read(b)
	return andNotCountNEON(&a[0], &b[0], len(a))
}

// declareBinary tells the race detector what a binary kernel reads and writes.
func declareBinary(dst, a, b []uint64) {
	race.Read(a)
	race.Read(b)
	race.Write(dst)
}
