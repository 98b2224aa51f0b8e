package redisbloom

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// pairBytes is what a file has in front of the bytes of a pair.
const pairBytes = 16

func appendPair(b []byte, iterator int64, size int) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(iterator))
	return binary.LittleEndian.AppendUint64(b, uint64(size))
}

// SizeBytes returns the number of bytes that WriteTo writes.
func (f *Filter) SizeBytes() uint64 {
	n := uint64(pairBytes)
	for _, chunk := range f.Chunks() {
		n += pairBytes + uint64(len(chunk))
	}
	return n
}

// WriteTo writes the pairs of a dump as a file, which the package describes. It implements
// io.WriterTo. A filter that was never made is an error. No goroutine may add to the filter
// at the same time.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	if len(f.links) == 0 {
		return 0, format.ErrEmpty
	}
	write := func(p []byte) {
		if err == nil {
			var m int
			m, err = w.Write(p)
			n += int64(m)
		}
	}
	for iterator, chunk := range f.Chunks() {
		write(appendPair(nil, iterator, len(chunk)))
		write(chunk)
	}
	write(appendPair(nil, 0, 0))
	return n, err
}

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender. Errors are WriteTo's, or wrap bitsieve.ErrMemory.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	if len(f.links) == 0 {
		return b, format.ErrEmpty
	}
	if need := f.SizeBytes(); uint64(cap(b)-len(b)) < need {
		if err := memory.Check(uint64(len(b)) + need); err != nil {
			return b, err
		}
		b = slices.Grow(b, int(need))
	}
	for iterator, chunk := range f.Chunks() {
		b = append(appendPair(b, iterator, len(chunk)), chunk...)
	}
	return appendPair(b, 0, 0), nil
}

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the last pair.
// It implements encoding.BinaryUnmarshaler.
func (f *Filter) UnmarshalBinary(data []byte) error {
	d := decoder{data: data, known: true}
	g, err := d.filter()
	if err != nil {
		return err
	}
	if d.at < int64(len(data)) {
		return format.Errorf(bitsieve.ErrTrailingData, "file", d.at, "%d bytes after the last pair", int64(len(data))-d.at)
	}
	*f = *g
	return nil
}

// ReadFrom replaces the filter by the one that r has, as WriteTo wrote it or in chunks of
// other sizes. It takes no byte past the last pair. Memory is taken as data arrive, at most
// about twice as much. Errors are r's and those of NewView and Loader, with offsets from the
// first byte read, and leave f as it was. It implements io.ReaderFrom.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	d := decoder{r: r, buf: make([]byte, pieceBytes)}
	g, err := d.filter()
	if err == nil {
		*f = *g
	}
	return d.at, err
}

// pieceBytes is how much is read at a time.
const pieceBytes = 64 << 10

// A decoder reads a file out of data, or else from r.
type decoder struct {
	r     io.Reader
	buf   []byte
	data  []byte
	known bool
	at    int64 // bytes read
}

// next returns the next bytes, as many as asked for and at most pieceBytes, or io.EOF or
// io.ErrUnexpectedEOF. They stay what they are until the next call.
func (d *decoder) next(n int) ([]byte, error) {
	if d.known {
		rest := d.data[d.at:]
		if len(rest) < n {
			d.at += int64(len(rest))
			return nil, io.ErrUnexpectedEOF
		}
		d.at += int64(n)
		return rest[:n], nil
	}
	m, err := io.ReadFull(d.r, d.buf[:n])
	d.at += int64(m)
	return d.buf[:n], err
}

// truncated makes an error of an end that came too early.
func (d *decoder) truncated(err error, field string) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return format.Errorf(bitsieve.ErrTruncated, field, d.at, "the data end here")
	}
	return err
}

// pair reads what is in front of the bytes of a pair.
func (d *decoder) pair() (iterator int64, size uint64, err error) {
	b, err := d.next(pairBytes)
	if err != nil {
		return 0, 0, d.truncated(err, "iterator")
	}
	return int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint64(b[8:]), nil
}

// each reads so many bytes and gives them to f, piece by piece.
func (d *decoder) each(n uint64, field string, f func([]byte) error) error {
	for n > 0 {
		m := min(n, pieceBytes)
		b, err := d.next(int(m))
		if err != nil {
			return d.truncated(err, field)
		}
		if err := f(b); err != nil {
			return err
		}
		n -= m
	}
	return nil
}

// filter reads a file.
func (d *decoder) filter() (*Filter, error) {
	iterator, size, err := d.pair()
	if err != nil {
		return nil, err
	}
	if iterator != 1 {
		return nil, format.Errorf(bitsieve.ErrHeader, "iterator", 0, "is %d, want the 1 of a header", iterator)
	}
	var l Loader
	var header []byte
	if err := d.each(size, "header", func(b []byte) error {
		header = append(header, b...)
		return nil
	}); err != nil {
		return nil, err
	}
	if err := l.start(header, pairBytes); err != nil {
		return nil, err
	}
	for {
		at := d.at
		iterator, size, err := d.pair()
		if err != nil {
			return nil, err
		}
		if iterator == 0 && size == 0 && l.Done() {
			return l.Filter()
		}
		if err := l.checkChunk(iterator, size, at); err != nil {
			return nil, err
		}
		if err := d.each(size, "bits", l.take); err != nil {
			return nil, err
		}
	}
}
