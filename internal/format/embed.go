package format

// Files inside files: the payload of a kind that is made of other filters is
// their complete files, one after the other. As every file is whole blocks, the
// bits of each lie on a cache line's boundary, and are probed where they are.

import (
	"encoding/binary"
	"errors"

	"github.com/bitsieve/bitsieve/internal/block"
)

// Embed returns the file that Write writes as parts of another file's payload. The
// words are not copied.
func Embed(h Header, parts ...[]uint64) ([][]uint64, error) {
	p, err := h.start(parts)
	if err != nil {
		return nil, err
	}
	b := h.encode()
	header := make([]uint64, len(b)/8)
	for i := range header {
		header[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	file := append([][]uint64{header}, p.parts...)
	if p.more > 0 {
		rest := make([]uint64, p.more)
		rest[0] = p.last
		file = append(file, rest)
	}
	return file, nil
}

// A Part is a file inside the payload of another.
type Part struct {
	Header Header
	Words  []uint64
}

// Split returns the first file inside a payload, and what follows it. It checks
// its header and its size, but not the checksum of its payload, which the outer
// file's covers. Errors are of type *Error; offset is where words begin in the
// outer file.
func Split(words []uint64, offset int64) (part Part, rest []uint64, err error) {
	var b [HeaderBytes]byte
	n := min(len(words), HeaderBytes/8)
	for i, w := range words[:n] {
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
	part.Header, err = parse(b[:8*n], 0)
	if err != nil {
		return part, nil, within(err, offset)
	}
	words = words[n:]
	size := part.Header.Blocks * block.Words // does not wrap: parse has seen to it
	if uint64(len(words)) < size {
		return part, nil, within(part.Header.truncated(8*uint64(len(words))), offset)
	}
	part.Words = words[:size:size]
	if err := part.Header.checkRest(part.Words); err != nil {
		return part, nil, within(err, offset)
	}
	return part, words[size:], nil
}

// within moves an Error's offset to where the file that it is about begins.
func within(err error, offset int64) error {
	var e *Error
	if errors.As(err, &e) {
		e.Offset += offset
	}
	return err
}
