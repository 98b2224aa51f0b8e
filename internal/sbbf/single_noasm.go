//go:build purego || !amd64

package sbbf

import "github.com/bitsieve/bitsieve/internal/cpu"

func addOne(b *byte, n int, h uint64, level cpu.Level)    { addOneGeneric(b, n, h, level) }
func addUint64(b *byte, n int, x uint64, level cpu.Level) { addUint64Generic(b, n, x, level) }
func addUint32(b *byte, n int, x uint32, level cpu.Level) { addUint32Generic(b, n, x, level) }

func testOne(b *byte, n int, h uint64, level cpu.Level) uint8 { return testOneGeneric(b, n, h, level) }
func testUint64(b *byte, n int, x uint64, level cpu.Level) uint8 {
	return testUint64Generic(b, n, x, level)
}
func testUint32(b *byte, n int, x uint32, level cpu.Level) uint8 {
	return testUint32Generic(b, n, x, level)
}

func hashUint64s(dst, keys []uint64)          { hashUint64sGeneric(dst, keys) }
func hashUint32s(dst []uint64, keys []uint32) { hashUint32sGeneric(dst, keys) }
