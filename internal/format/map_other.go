//go:build !unix

package format

import "os"

// canMap is false: files are read into memory.
const canMap = false

func mapFile(*os.File, int) ([]byte, error) { return nil, nil }

func view([]byte) []uint64 { return nil }

func adviseRandom([]byte) {}

func unmapFile([]byte) error { return nil }
