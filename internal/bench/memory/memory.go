// Package memory hands out the memory that contenders share or that a peer
// lets its caller choose, so that all of them get the same pages.
package memory

import "unsafe"

// HugeSize is the size and alignment of a huge page.
const HugeSize = 2 << 20

// Heap returns n zeroed words of Go's heap that begin on a huge page's boundary,
// and advises huge pages if they fill at least one.
func Heap(n int) []uint64 {
	if n*8 < HugeSize {
		return cut(make([]uint64, n+8), n, 64)
	}
	words := cut(make([]uint64, n+HugeSize/8), n, HugeSize)
	AdviseHuge(unsafe.Pointer(&words[0]), n*8)
	return words
}

// cut returns n words of raw from an aligned address on.
func cut(raw []uint64, n int, align uintptr) []uint64 {
	skip := -uintptr(unsafe.Pointer(&raw[0])) & (align - 1)
	return raw[skip/8:][:n:n]
}

// Bytes returns words as bytes, without copying.
func Bytes(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)
}
