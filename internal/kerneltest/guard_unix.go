//go:build unix

package kerneltest

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Guarded returns n words between two pages that fault on any access. n
// words must fill whole pages, so that both ends touch a guard.
func Guarded(t *testing.T, n int) []uint64 {
	t.Helper()
	page, size := os.Getpagesize(), 8*n
	if size%page != 0 {
		t.Fatalf("%d words do not fill pages of %d bytes", n, page)
	}
	mem, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("mmap: %v", err)
	}
	t.Cleanup(func() { unix.Munmap(mem) })
	for _, guard := range [][]byte{mem[:page], mem[page+size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatalf("mprotect: %v", err)
		}
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&mem[page])), n)
}
