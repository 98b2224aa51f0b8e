package v2

import (
	"compress/gzip"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"io"
	"os"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
	_ io.ReaderFrom              = (*Filter)(nil)
	_ io.WriterTo                = (*Filter)(nil)
	_ gob.GobDecoder             = (*Filter)(nil)
	_ gob.GobEncoder             = (*Filter)(nil)
	_ json.Marshaler             = (*Filter)(nil)
	_ json.Unmarshaler           = (*Filter)(nil)
)

// ReadFrom replaces the filter by one that WriteTo wrote to the stream. It returns the
// number of bytes after decompression, or −1 with an error; see the function ReadFrom.
// After an error the filter is unchanged.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	g, n, err := ReadFrom(r)
	if err != nil {
		return -1, err
	}
	f.set(g)
	return n, nil
}

// ReadFrom returns the filter that WriteTo wrote to the stream, and the number of its
// bytes after decompression; after an error, nil and −1. If r is no io.ByteReader,
// more than the filter may be read from it. Errors are those of UnmarshalFromReader and of
// compress/gzip. Memory grows with what decompression yields, which may be a thousand
// times what is read.
func ReadFrom(r io.Reader) (f *Filter, n int64, err error) {
	raw, err := gzip.NewReader(r)
	if err != nil {
		return nil, -1, err
	}
	defer raw.Close()
	f = new(Filter)
	if n, err = f.UnmarshalFromReader(raw); err != nil {
		return nil, -1, err
	}
	return f, n, nil
}

// ReadFile is ReadFrom of the file of that name.
func ReadFile(filename string) (f *Filter, n int64, err error) {
	r, err := os.Open(filename)
	if err != nil {
		return nil, -1, err
	}
	defer r.Close()
	return ReadFrom(r)
}

// WriteTo writes the binary form of the filter, compressed by gzip, and returns the
// number of bytes before compression. The filter is locked for reading.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	raw := gzip.NewWriter(w)
	size, _, err := f.MarshallToWriter(raw)
	if closeErr := raw.Close(); err == nil {
		err = closeErr
	}
	return int64(size), err
}

// WriteFile is WriteTo to a file of that name, which is created or overwritten. An
// error may leave part of it. A usual ending is .bf.gz.
func (f *Filter) WriteFile(filename string) (n int64, err error) {
	w, err := os.Create(filename)
	if err != nil {
		return -1, err
	}
	n, err = f.WriteTo(w)
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return n, err
}
