package bitsieve

import "unsafe"

const (
	hugePageSize = 2 << 20
	// alignHugeFrom is the size from which storage starts on a huge page's
	// boundary, so that all of it can lie on huge pages. The up to 2 MiB skipped
	// in front are address space that is never touched.
	alignHugeFrom = 16 << 20
)

// newBlocks returns n zeroed blocks, the first on a 64-byte boundary. On Linux,
// storage of 2 MiB and more is advised to lie on huge pages: a probe of a large
// filter otherwise waits for the page table as often as for the data.
//
// The memory belongs to Go's heap. A mapping of our own would need every method
// to keep its filter alive to its last line.
func newBlocks(n uint64) []block {
	size := n * blockBytes
	align := uintptr(blockBytes)
	if size >= alignHugeFrom {
		align = hugePageSize
	}
	raw := make([]uint64, size/8+uint64(align)/8)
	skip := -uintptr(unsafe.Pointer(&raw[0])) & (align - 1)
	words := raw[skip/8:][: size/8 : size/8]
	if size >= hugePageSize {
		adviseHugePages(words)
	}
	return unsafe.Slice((*block)(unsafe.Pointer(&words[0])), n)
}

// flatten returns the words of blocks, in order. It does not copy.
func flatten(blocks []block) []uint64 {
	if len(blocks) == 0 {
		return nil
	}
	return unsafe.Slice(&blocks[0][0], len(blocks)*blockWords)
}
