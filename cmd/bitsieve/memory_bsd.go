//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// machineMemory returns the machine's memory, free or not.
func machineMemory() uint64 {
	name := map[string]string{"darwin": "hw.memsize", "netbsd": "hw.physmem64"}[runtime.GOOS]
	if name == "" {
		name = "hw.physmem"
	}
	n, err := unix.SysctlUint64(name)
	if err != nil {
		return 0
	}
	return n
}
