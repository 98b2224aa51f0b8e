package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

// ErrNoFilter is wrapped when a column chunk has no Bloom filter.
var ErrNoFilter = errors.New("parquet: the column chunk has no Bloom filter")

// A File knows where the Bloom filters of a Parquet file are: one, or none, for each
// column in each row group. Its methods may be called by several goroutines if those
// of its io.ReaderAt may.
type File struct {
	src     io.ReaderAt
	dataEnd int64 // where the footer starts
	footer
}

// A Column is a leaf of the file's schema.
type Column struct {
	Type   Type
	Length int // of a value in bytes, for FIXED_LEN_BYTE_ARRAY
	node   int32
}

// A Chunk is the part of a column that lies in one row group.
type Chunk struct {
	// FilterOffset is where in the file the chunk's filter starts, with its header; 0 if
	// it has none.
	FilterOffset int64
	// FilterLength is the length in bytes of the filter and its header; 0 if the file
	// does not say it, as those of older writers do not.
	FilterLength int64
	// Values is the number of values, nulls and repetitions included.
	Values int64
	// Encrypted says that the chunk's filter, if it has one, is encrypted.
	Encrypted bool
	// Elsewhere says that the chunk lies in another file.
	Elsewhere bool
}

const (
	magic          = "PAR1"
	magicEncrypted = "PARE"
	trailerBytes   = 8 // the footer's length and the magic
	// tailBytes is how much of a file's end is read at first: often all of the footer.
	tailBytes = 32 << 10
)

// Open reads the footer of a Parquet file of the given size in bytes: FileMetaData of
// parquet.thrift, as far as it says where filters are. It reads the file's last bytes
// in one step, or in two if the footer takes over 32 KiB, and takes memory in
// proportion to the footer, at most some 50 times its size.
//
// A file that is none, is damaged in what is read, or has an encrypted footer, gives a
// *bitsieve.FormatError whose Offset is one in the file. Of what lies elsewhere in the
// file nothing is checked.
func Open(r io.ReaderAt, size int64) (*File, error) {
	if size < int64(len(magic)+trailerBytes) {
		return nil, format.Errorf(bitsieve.ErrTruncated, "file", max(size, 0), "is %d bytes, a Parquet file has at least %d", size, len(magic)+trailerBytes)
	}
	tail, err := readAt(r, max(size-tailBytes, 0), size)
	if err != nil {
		return nil, err
	}
	trailer := tail[len(tail)-trailerBytes:]
	switch found := string(trailer[4:]); found {
	case magic:
	case magicEncrypted:
		return nil, format.Errorf(bitsieve.ErrHeader, "magic", size-4, "is %q: the footer is encrypted, which this package does not read", found)
	default:
		return nil, format.Errorf(bitsieve.ErrHeader, "magic", size-4, "is %q, want %q", found, magic)
	}
	length := int64(binary.LittleEndian.Uint32(trailer))
	start := size - trailerBytes - length
	if start < int64(len(magic)) {
		return nil, format.Errorf(bitsieve.ErrTruncated, "footer length", size-trailerBytes, "is %d, in a file of %d bytes", length, size)
	}
	data := tail[max(len(tail)-trailerBytes-int(length), 0) : len(tail)-trailerBytes]
	if int64(len(data)) < length {
		if data, err = readAt(r, start, start+length); err != nil {
			return nil, err
		}
	}
	f := &File{src: r, dataEnd: start}
	d := decoder{buf: data, base: start}
	d.footer(&f.footer)
	if d.err != nil {
		return nil, d.err
	}
	return f, nil
}

// readAt reads the bytes of a file from start to end. That so many are there is the
// word of who opened the file, not that of the file.
func readAt(r io.ReaderAt, start, end int64) ([]byte, error) {
	if err := memory.Check(uint64(end - start)); err != nil {
		return nil, err
	}
	return fill(r, make([]byte, end-start), start)
}

// fill reads len(b) bytes from start on.
func fill(r io.ReaderAt, b []byte, start int64) ([]byte, error) {
	for have := 0; have < len(b); {
		piece := b[have:min(have+pieceBytes<<4, len(b))]
		n, err := r.ReadAt(piece, start+int64(have))
		have += n
		if n == len(piece) {
			continue
		}
		if err == io.EOF || err == nil {
			return nil, format.Errorf(bitsieve.ErrTruncated, "file", start+int64(have), "ends before its size")
		}
		return nil, err
	}
	return b, nil
}

// Rows returns the number of rows in the file.
func (f *File) Rows() int64 { return f.rows }

// CreatedBy returns what the file says of the program that wrote it.
func (f *File) CreatedBy() string { return f.createdBy }

// Columns returns the leaves of the schema, in the file's order. The slice is the
// File's own.
func (f *File) Columns() []Column { return f.columns }

// RowGroups returns the number of row groups.
func (f *File) RowGroups() int { return len(f.groups) }

// RowsIn returns the number of rows in a row group.
func (f *File) RowsIn(rowGroup int) int64 { return f.groups[rowGroup] }

// Chunk returns where the filter of a column in a row group is.
func (f *File) Chunk(rowGroup, column int) Chunk {
	n := len(f.columns)
	return f.chunks[rowGroup*n : (rowGroup+1)*n][column]
}

// Path returns the names on the way from the schema's root to a column.
func (f *File) Path(column int) []string {
	var path []string
	for n := f.columns[column].node; n > 0; n = f.nodes[n].parent {
		path = append(path, f.nodes[n].name)
	}
	slices.Reverse(path)
	return path
}

// Find returns the column with a path whose names are joined by dots, and whether
// there is one.
func (f *File) Find(path string) (column int, ok bool) {
	for i := range f.columns {
		rest, found := path, true
		for n := f.columns[i].node; n > 0 && found; n = f.nodes[n].parent {
			rest, found = strings.CutSuffix(rest, f.nodes[n].name)
			if found && f.nodes[n].parent > 0 {
				rest, found = strings.CutSuffix(rest, ".")
			}
		}
		if found && rest == "" {
			return i, true
		}
	}
	return 0, false
}

// ReadFilter reads the filter of a column in a row group: in one step if the file says
// how long it is, else in two.
//
// A column chunk without a filter gives an error that wraps ErrNoFilter. One whose filter is
// encrypted, lies in another file, or is damaged gives a *bitsieve.FormatError whose
// Offset is one in the file, and a filter that the machine's free memory cannot hold
// an error that wraps bitsieve.ErrMemory.
func (f *File) ReadFilter(rowGroup, column int) (*Filter, error) {
	bitset, err := f.readFilter(f.Chunk(rowGroup, column))
	if err != nil {
		var fe *bitsieve.FormatError
		if errors.As(err, &fe) {
			fe.Detail += fmt.Sprintf(" (row group %d, column %d)", rowGroup, column)
		}
		return nil, err
	}
	return &Filter{sbbf.Of(bitset)}, nil
}

func (f *File) readFilter(c Chunk) ([]byte, error) {
	start := c.FilterOffset
	bad := func(field, detail string, args ...any) error {
		return format.Errorf(bitsieve.ErrHeader, field, start, detail, args...)
	}
	switch {
	case start == 0:
		return nil, ErrNoFilter
	case c.Encrypted:
		return nil, bad("filter", "is encrypted, which this package does not read")
	case c.Elsewhere:
		return nil, bad("filter", "lies in another file")
	case start < int64(len(magic)) || start > f.dataEnd:
		return nil, bad("bloom_filter_offset", "is %d, in a file with data up to %d", start, f.dataEnd)
	case c.FilterLength > f.dataEnd-start:
		return nil, bad("bloom_filter_length", "is %d, in a file with data up to %d", c.FilterLength, f.dataEnd)
	case c.FilterLength > MaxBytes+maxHeader:
		return nil, bad("bloom_filter_length", "is %d, at most %d are possible", c.FilterLength, int64(MaxBytes+maxHeader))
	case c.FilterLength > 0:
		return f.readWhole(start, c.FilterLength)
	}
	return f.readParts(start)
}

// readWhole reads a filter of known length. It guesses how long the header is, so
// that the bitset behind it comes to lie on a block's boundary.
func (f *File) readWhole(start, length int64) ([]byte, error) {
	size := int(length)
	guess := minHeader
	if size > minHeader {
		guess = len(AppendHeader(nil, max((size-minHeader)/BlockBytes, 1)*BlockBytes))
	}
	lead := -guess & (usualHeader - 1)
	room, err := allocate((lead + size + BlockBytes - 1) / BlockBytes * BlockBytes)
	if err != nil {
		return nil, err
	}
	data, err := fill(f.src, room[lead:lead+size], start)
	if err != nil {
		return nil, err
	}
	d := decoder{buf: data, base: start}
	numBytes := d.header()
	if d.err != nil {
		return nil, d.err
	}
	if err := checkClaim(numBytes, length-int64(d.pos), start+int64(d.pos)); err != nil {
		return nil, err
	}
	return data[d.pos:], nil
}

// readParts reads a filter of unknown length: its header first.
func (f *File) readParts(start int64) ([]byte, error) {
	r := io.NewSectionReader(f.src, start, f.dataEnd-start)
	var few [usualHeader]byte
	head, err := fill(f.src, few[:min(usualHeader, r.Size())], start)
	if err != nil {
		return nil, err
	}
	d := decoder{buf: head, src: io.NewSectionReader(r, int64(len(head)), r.Size()), limit: maxHeader, base: start}
	numBytes := d.header()
	if d.err != nil {
		return nil, d.err
	}
	bits := start + int64(d.pos)
	if left := f.dataEnd - bits; left < int64(numBytes) {
		return nil, checkClaim(numBytes, left, bits)
	}
	room, err := allocate(numBytes)
	if err != nil {
		return nil, err
	}
	return fill(f.src, room, bits)
}
