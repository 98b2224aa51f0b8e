//go:build purego || (!amd64 && !arm64)

package sbbf

func testKernel[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	testBatchGeneric(b, keys, hits, kind)
}

func addKernel[K key](b []byte, keys []K, kind uint64) { addBatchGeneric(b, keys, kind) }

func testAddKernel[K key](b []byte, keys []K, hits []uint64, kind uint64) {
	testAddBatchGeneric(b, keys, hits, kind)
}
