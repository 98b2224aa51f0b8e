package format

import (
	"errors"
	"io"
	"os"
)

// Load returns the bytes of a regular file, of whatever format, for reading in
// place. They are mapped where that is possible, and then lie in m until it is
// closed; otherwise they are read, and m is nil. Writing to them never changes the
// file. What is no regular file, and a file that the address space cannot hold, is
// an error.
func Load(path string) (data []byte, m *Mapping, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	switch {
	case !info.Mode().IsRegular():
		return nil, nil, WithPath(errors.New("bitsieve: not a regular file"), path)
	case size == 0:
		return nil, nil, nil // which cannot be mapped
	case int64(int(size)) != size:
		return nil, nil, WithPath(errors.New("bitsieve: too large for this platform"), path)
	}
	if canMap {
		if data, err = mapFile(file, int(size)); err != nil {
			return nil, nil, WithPath(err, path)
		}
		if data != nil {
			return data, &Mapping{data}, nil
		}
	}
	data, err = io.ReadAll(file)
	return data, nil, err
}
