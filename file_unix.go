//go:build unix

package bitsieve

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const canMap = true

// mapFile maps the first size bytes of a file, so that writes to the memory are
// private to this process. It returns nil for a file that lies where mapping is
// not possible. random tells that the memory will be read here and there rather
// than through.
func mapFile(file *os.File, size int, random bool) ([]byte, error) {
	b, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|mapFlags)
	if errors.Is(err, unix.ENOMEM) {
		// Reading it into memory instead would not end well either.
		return nil, os.NewSyscallError("mmap", err)
	}
	if err != nil {
		return nil, nil
	}
	if random {
		adviseRandom(b)
	}
	return b, nil
}

func unmapFile(b []byte) error {
	return os.NewSyscallError("munmap", unix.Munmap(b))
}

// syncDir makes a rename in dir survive a crash.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil // a file system that does not sync directories
	}
	return errors.Join(err, d.Close())
}
