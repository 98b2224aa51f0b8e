//go:build purego || (!amd64 && !arm64)

package bitsieve

func testHash(f *Blocked, h uint64) bool   { return testHashGeneric(f, h) }
func testUint64(f *Blocked, x uint64) bool { return testHashGeneric(f, f.hash.uint64(x)) }
func addHash(f *Blocked, h uint64)         { addHashGeneric(f, h) }
func addUint64(f *Blocked, x uint64)       { addHashGeneric(f, f.hash.uint64(x)) }

func addHashes(blocks []block, k int, hashes []uint64) { addHashesGeneric(blocks, k, hashes) }
func addUint64s(blocks []block, k int, keys []uint64)  { addUint64sGeneric(blocks, k, keys) }

func testHashes(blocks []block, k int, hashes, hits []uint64) int {
	return testHashesGeneric(blocks, k, hashes, hits)
}

func testUint64s(blocks []block, k int, keys, hits []uint64) int {
	return testUint64sGeneric(blocks, k, keys, hits)
}
