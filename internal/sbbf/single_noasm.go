//go:build purego || !amd64

package sbbf

func testOne(b *byte, n int, h uint64, level uint8) bool { return testOneGeneric(b, n, h, level) }
func addOne(b *byte, n int, h uint64, level uint8)       { addOneGeneric(b, n, h, level) }

func hashUint64s(dst, keys []uint64)          { hashUint64sGeneric(dst, keys) }
func hashUint32s(dst []uint64, keys []uint32) { hashUint32sGeneric(dst, keys) }
