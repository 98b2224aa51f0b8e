//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package main

// machineMemory returns 0: it is unknown here.
func machineMemory() uint64 { return 0 }
