package memory

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// adviseHugePages asks for huge pages under the whole pages of words. It is
// advice: where the kernel cannot follow it, nothing changes.
func adviseHugePages(words []uint64) {
	page := uintptr(unix.Getpagesize())
	b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)
	skip := -uintptr(unsafe.Pointer(&b[0])) & (page - 1)
	if uintptr(len(b)) > skip {
		_ = unix.Madvise(b[skip:], unix.MADV_HUGEPAGE)
	}
}
