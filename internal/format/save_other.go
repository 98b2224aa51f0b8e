//go:build !unix

package format

import (
	"io/fs"
	"os"
)

// There is no portable way to sync a folder here.
func openFolder(string) (*os.File, error) { return nil, nil }

func syncFolder(*os.File) error { return nil }

// keepGroup does nothing: permissions here know of no group.
func keepGroup(*os.File, fs.FileInfo) bool { return true }
