package format

import (
	"errors"
	"io"
	"os"
)

// A Mapping is a file in memory. Its zero value, and a nil pointer, is none.
type Mapping struct{ bytes []byte }

// Close releases the mapping. Closing it twice is allowed.
func (m *Mapping) Close() error {
	if m == nil || m.bytes == nil {
		return nil
	}
	b := m.bytes
	m.bytes = nil
	return unmapFile(b)
}

// Open opens a filter's file, which must end where the filter does. A regular
// file is mapped where that is possible, and the words then lie in m; otherwise
// it is read, and m is nil. Writing to the words never changes the file.
func Open(path string, want Expect) (h Header, words []uint64, m *Mapping, err error) {
	file, err := os.Open(path)
	if err != nil {
		return h, nil, nil, err
	}
	defer file.Close()
	h, words, m, err = open(file, want)
	if err != nil {
		return h, nil, nil, WithPath(err, path)
	}
	return h, words, m, nil
}

func open(file *os.File, want Expect) (h Header, words []uint64, m *Mapping, err error) {
	info, err := file.Stat()
	if err != nil {
		return h, nil, nil, err
	}
	if !info.Mode().IsRegular() {
		if h, words, _, err = Read(file, want); err == nil {
			err = h.checkEnd(file)
		}
		return h, words, nil, err
	}
	h, _, err = readHeader(file, want.Kind)
	if err != nil {
		return h, nil, nil, err
	}
	if err := h.checkSize(uint64(info.Size())); err != nil {
		return h, nil, nil, err
	}
	if err := h.checkKey(want.Hash); err != nil {
		return h, nil, nil, err
	}
	words, m, err = h.load(file, want)
	return h, words, m, err
}

// checkEnd checks that r has nothing more.
func (h *Header) checkEnd(r io.Reader) error {
	var b [1]byte
	switch _, err := io.ReadFull(r, b[:]); err {
	case io.EOF:
		return nil
	case nil:
		return Errorf(ErrTrailingData, "end", int64(HeaderBytes+h.payloadBytes()), "data follow")
	default:
		return err
	}
}

// load maps a regular file whose size was checked, or reads it where there is no
// mapping, and checks the payload. The file's position is at the payload.
func (h *Header) load(file *os.File, want Expect) (words []uint64, m *Mapping, err error) {
	if !canMap || bigEndian() {
		words, _, err = h.readPayload(file, want)
		return words, nil, err
	}
	b, err := mapFile(file, int(HeaderBytes+h.payloadBytes()))
	if err != nil {
		return nil, nil, err
	}
	if b == nil {
		words, _, err = h.readPayload(file, want)
		return words, nil, err
	}
	words = view(b[HeaderBytes:])
	if want.SkipChecksum {
		adviseRandom(b)
	} else {
		p := newPayload(0, words)
		err = h.checkSum(p.sum())
	}
	if err == nil {
		err = h.checkRest(words)
	}
	if err != nil {
		return nil, nil, errors.Join(err, unmapFile(b))
	}
	return words, &Mapping{b}, nil
}

// An Inspection is what can be said of a file, whatever filter it holds and
// however damaged it is.
type Inspection struct {
	Size     int64 // of the file
	Header   Header
	Known    bool     // Header has the fields as they stand in the file
	HeaderOK bool     // and they are unaltered and valid
	Words    []uint64 // nil unless the payload is complete and unaltered

	mapping *Mapping
}

// Close releases the mapping that Words may lie in.
func (in *Inspection) Close() error {
	in.Words = nil
	return in.mapping.Close()
}

// Inspect reads and checks a file of any kind, for which it needs no key. The
// Inspection is valid, and to be closed, even if there is an error.
func Inspect(path string) (in Inspection, err error) {
	file, err := os.Open(path)
	if err != nil {
		return in, err
	}
	defer file.Close()
	if err := in.read(file); err != nil {
		return in, WithPath(err, path)
	}
	return in, nil
}

func (in *Inspection) read(file *os.File) error {
	stat, err := file.Stat()
	if err != nil {
		return err
	}
	h, n, err := readHeader(file, 0)
	in.Header, in.Known = h, h != (Header{})
	in.Size = n
	regular := stat.Mode().IsRegular()
	if regular {
		in.Size = stat.Size()
	}
	if err != nil {
		return err
	}
	in.HeaderOK = true
	if !regular {
		words, n, err := h.readPayload(file, Expect{})
		in.Size += n
		if err == nil {
			err = h.checkEnd(file)
		}
		if err == nil {
			in.Words = words
		}
		return err
	}
	if err := h.checkSize(uint64(in.Size)); err != nil {
		return err
	}
	in.Words, in.mapping, err = h.load(file, Expect{})
	return err
}
