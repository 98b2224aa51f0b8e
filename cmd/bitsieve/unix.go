//go:build unix

package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// endSignals are those that ask a program to end.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// isOpen reports whether this process has the file open.
func isOpen(path string) bool {
	var file, open unix.Stat_t
	if unix.Lstat(path, &file) != nil {
		return false
	}
	const most = 256 // more files than are ever open at once
	for fd := range most {
		if unix.Fstat(fd, &open) == nil && open.Dev == file.Dev && open.Ino == file.Ino {
			return true
		}
	}
	return false
}
