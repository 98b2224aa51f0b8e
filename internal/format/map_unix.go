//go:build unix

package format

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const canMap = true

// mapFile maps the first size bytes of a file, so that writes to the memory are
// private to this process. It returns nil for a file that lies where mapping is
// not possible.
func mapFile(file *os.File, size int) ([]byte, error) {
	b, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|mapFlags)
	if errors.Is(err, unix.ENOMEM) {
		// Reading it into memory instead would not end well either.
		return nil, os.NewSyscallError("mmap", err)
	}
	if err != nil {
		return nil, nil
	}
	return b, nil
}

// view returns b, whose start is aligned to a word, as words.
func view(b []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

func unmapFile(b []byte) error {
	return os.NewSyscallError("munmap", unix.Munmap(b))
}
