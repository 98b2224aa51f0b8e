//go:build unix

package format

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFolder opens a folder for syncFolder; "" is the current one.
func openFolder(name string) (*os.File, error) {
	if name == "" {
		name = "."
	}
	return os.Open(name)
}

// syncFolder makes a rename in a folder survive a crash.
func syncFolder(folder *os.File) error {
	err := folder.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil // a file system that does not sync folders
	}
	return err
}

// keepGroup gives tmp the owner and group of old as far as this process may. It
// reports whether tmp has old's group.
func keepGroup(tmp *os.File, old fs.FileInfo) bool {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	info, err := tmp.Stat()
	if err != nil {
		return false
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	if !ok || have.Uid == want.Uid && have.Gid == want.Gid {
		return true
	}
	// Only the administrator may give files away, and users may choose among
	// their groups.
	return tmp.Chown(int(want.Uid), int(want.Gid)) == nil ||
		have.Gid == want.Gid || tmp.Chown(-1, int(want.Gid)) == nil
}
