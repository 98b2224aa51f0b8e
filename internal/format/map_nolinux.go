//go:build unix && !linux

package format

const mapFlags = 0

func adviseRandom([]byte) {}
