//go:build !linux

package memory

func adviseHugePages([]uint64) {}
