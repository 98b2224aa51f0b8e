//go:build purego || !amd64

package sbbf

func testOne(b *byte, n int, h uint64, level uint8) bool { return testOneGeneric(b, n, h, level) }
func addOne(b *byte, n int, h uint64, level uint8)       { addOneGeneric(b, n, h, level) }

func testKernel(b []byte, hashes, hits []uint64)    { testBatchGeneric(b, hashes, hits) }
func addKernel(b []byte, hashes []uint64)           { addBatchGeneric(b, hashes) }
func testAddKernel(b []byte, hashes, hits []uint64) { testAddBatchGeneric(b, hashes, hits) }

func hashUint64s(dst, keys []uint64)          { hashUint64sGeneric(dst, keys) }
func hashUint32s(dst []uint64, keys []uint32) { hashUint32sGeneric(dst, keys) }
