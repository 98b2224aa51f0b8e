//go:build purego || !amd64

package sbbf

func sizeForKernels(int) int { return 0 }

func addHash(p *Bits, h uint64)   { addHashGeneric(p, h) }
func addUint64(p *Bits, x uint64) { addUint64Generic(p, x) }
func addUint32(p *Bits, x uint32) { addUint32Generic(p, x) }

func testHash(p *Bits, h uint64) uint8   { return testHashGeneric(p, h) }
func testUint64(p *Bits, x uint64) uint8 { return testUint64Generic(p, x) }
func testUint32(p *Bits, x uint32) uint8 { return testUint32Generic(p, x) }

// BytesKernels is true where there are kernels for single keys of any length.
const BytesKernels = false

func addBytes(p *Bits, data *byte, n int)        { addBytesGeneric(p, data, n) }
func testBytes(p *Bits, data *byte, n int) uint8 { return testBytesGeneric(p, data, n) }

func hashUint64s(dst, keys []uint64)          { hashUint64sGeneric(dst, keys) }
func hashUint32s(dst []uint64, keys []uint32) { hashUint32sGeneric(dst, keys) }
