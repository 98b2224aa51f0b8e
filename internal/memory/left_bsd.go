//go:build darwin || freebsd

package memory

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// left returns the installed memory. What is free of it says little: both systems
// fill memory with caches, and macOS compresses it.
func left() limit {
	name := "hw.physmem"
	if runtime.GOOS == "darwin" {
		name = "hw.memsize"
	}
	n, err := unix.SysctlUint64(name)
	if err != nil {
		return unlimited
	}
	return limit{n, "installed memory"}
}
