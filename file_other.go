//go:build !unix

package bitsieve

import "os"

// canMap is false: files are read into memory.
const canMap = false

func mapFile(*os.File, int, bool) ([]byte, error) { return nil, nil }

func unmapFile([]byte) error { return nil }

// syncDir does nothing: there is no portable way to sync a directory here.
func syncDir(string) error { return nil }
