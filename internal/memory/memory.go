// Package memory allocates the storage of filters and reads it as the types that
// they need.
package memory

import "unsafe"

const (
	// LineBytes is the size of a cache line, on which storage starts.
	LineBytes = 64

	hugePageSize = 2 << 20
	// alignHugeFrom is the size from which storage starts on a huge page's
	// boundary, so that all of it can lie on huge pages. The up to 2 MiB skipped
	// in front are address space that is never touched.
	alignHugeFrom = 16 << 20
)

// Words returns n zeroed words, n > 0, the first on a cache line's boundary. On
// Linux, storage of 2 MiB and more is advised to lie on huge pages, if huge is
// set: a probe of a large filter otherwise waits for the page table as often as
// for the data.
//
// The memory belongs to Go's heap, and the advice stays with its pages when the
// garbage collector hands them to somebody else. A mapping of our own would not
// have that side effect, but would need every method to keep its filter alive to
// its last line.
func Words(n uint64, huge bool) []uint64 {
	size := n * 8
	align := uintptr(LineBytes)
	if size >= alignHugeFrom {
		align = hugePageSize
	}
	raw := make([]uint64, n+uint64(align)/8)
	skip := uint64(-uintptr(unsafe.Pointer(&raw[0]))&(align-1)) / 8
	words := raw[skip : skip+n : skip+n]
	if huge && size >= hugePageSize {
		adviseHugePages(words)
	}
	return words
}

// Bytes returns the memory of words, in the machine's byte order.
func Bytes(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}
