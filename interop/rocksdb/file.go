package rocksdb

import (
	"io"
	"slices"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// WriteTo writes the filter's bytes, as RocksDB has them in a block. It implements
// io.WriterTo. No goroutine may add to the filter at the same time.
func (f *Filter) WriteTo(w io.Writer) (n int64, err error) {
	for _, part := range [][]byte{f.table.bits, f.table.appendTrailer(nil)} {
		m, err := w.Write(part)
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender. An error wraps bitsieve.ErrMemory.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	if need := f.table.size(); cap(b)-len(b) < need {
		if err := memory.Check(uint64(len(b)) + uint64(need)); err != nil {
			return b, err
		}
		b = slices.Grow(b, need)
	}
	return f.table.appendTrailer(append(b, f.table.bits...)), nil
}

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary replaces the filter by the one in data, which it copies. Errors are
// those of NewView, or wrap bitsieve.ErrMemory, and leave f as it was. It implements
// encoding.BinaryUnmarshaler.
func (f *Filter) UnmarshalBinary(data []byte) error {
	t, err := parse(data)
	if err != nil {
		return err
	}
	if len(t.bits) > 0 {
		if err := memory.Check(uint64(len(t.bits))); err != nil {
			return err
		}
		bits := memory.Bytes(memory.Words(uint64(len(t.bits))/8, true))
		memory.CopyOf(bits, t.bits)
		t.bits = bits
	}
	*f = Filter{table: t}
	return nil
}

// firstRead is how many bytes ReadFrom makes room for before any has come.
const firstRead = 4 << 10

// ReadFrom replaces the filter by the one that r has, up to its end: the format does
// not say how long it is, and its trailer comes last. Memory doubles as data arrive.
// Errors are r's and those of UnmarshalBinary; more bytes than the largest filter has
// wrap bitsieve.ErrTrailingData. They leave f as it was. It implements io.ReaderFrom.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	data := make([]byte, 0, firstRead)
	for {
		m, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+m]
		if err == io.EOF {
			return int64(len(data)), f.UnmarshalBinary(data)
		}
		if err != nil {
			return int64(len(data)), err
		}
		if int64(len(data)) > maxBytes {
			return int64(len(data)), format.Errorf(bitsieve.ErrTrailingData, "filter", 0, "more than %d bytes", int64(maxBytes))
		}
		if len(data) == cap(data) {
			if err := memory.Check(2 * uint64(cap(data))); err != nil {
				return int64(len(data)), err
			}
			data = slices.Grow(data, cap(data))
		}
	}
}
