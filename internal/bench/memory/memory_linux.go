package memory

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// CanChoose tells that Map can give or withhold huge pages.
const CanChoose = true

// Map returns n words outside Go's heap, on huge pages or certainly not, and a
// function that returns them. Every page has been written to.
func Map(n int, huge bool) (words []uint64, free func(), err error) {
	raw, err := unix.Mmap(-1, 0, n*8+HugeSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	advice := unix.MADV_NOHUGEPAGE
	if huge {
		advice = unix.MADV_HUGEPAGE
	}
	_ = unix.Madvise(raw, advice) // a kernel without huge pages knows neither
	words = cut(unsafe.Slice((*uint64)(unsafe.Pointer(&raw[0])), len(raw)/8), n, HugeSize)
	for i := 0; i < n; i += 512 {
		words[i] = 1
	}
	return words, func() { _ = unix.Munmap(raw) }, nil
}

// AdviseHuge advises huge pages for the whole pages among n bytes at p, if they
// could fill a huge one.
func AdviseHuge(p unsafe.Pointer, n int) {
	if n < HugeSize {
		return
	}
	b := unsafe.Slice((*byte)(p), n)
	skip := int(-uintptr(p) & uintptr(unix.Getpagesize()-1))
	_ = unix.Madvise(b[skip:], unix.MADV_HUGEPAGE)
}
