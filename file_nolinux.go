//go:build unix && !linux

package bitsieve

const mapFlags = 0

func adviseRandom([]byte) {}
