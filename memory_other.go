//go:build !linux

package bitsieve

func adviseHugePages([]uint64) {}
