//go:build purego || (!amd64 && !arm64)

package sbbf

func testKernel(b []byte, hashes, hits []uint64)    { testBatchGeneric(b, hashes, hits) }
func addKernel(b []byte, hashes []uint64)           { addBatchGeneric(b, hashes) }
func testAddKernel(b []byte, hashes, hits []uint64) { testAddBatchGeneric(b, hashes, hits) }
