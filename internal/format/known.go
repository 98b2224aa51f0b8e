package format

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
)

// Known returns how many bytes r certainly has, 0 if that is uncertain: a reader
// may take so much memory on a header's word, once memory.Check has agreed. Another
// type's Len method proves nothing, and this is about types whose data lie in
// memory, or on a disk of which memory.Check knows whether memory takes it.
func Known(r io.Reader) uint64 {
	switch r := r.(type) {
	case *bytes.Reader:
		return uint64(r.Len())
	case *bytes.Buffer:
		return uint64(r.Len())
	case *strings.Reader:
		return uint64(r.Len())
	case *bufio.Reader:
		return uint64(r.Buffered())
	case *io.LimitedReader:
		return min(uint64(max(r.N, 0)), Known(r.R))
	case *os.File:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		at, err := r.Seek(0, io.SeekCurrent)
		if err != nil {
			return 0
		}
		return uint64(max(info.Size()-at, 0))
	}
	return 0
}
