package parquet

import (
	"encoding/binary"
	"io"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
)

// The header, BloomFilterHeader of parquet.thrift: 1 numBytes, an i32, and three
// unions with one member each, 2 algorithm, 3 hash and 4 compression.

const (
	// minHeader is the length of the shortest header: numBytes in two bytes, the
	// unions in four each, and the end.
	minHeader = 15
	// maxHeader is how long a header may be that has fields which this package does
	// not know. Those that exist take at most 19 bytes.
	maxHeader = 4096
	// usualHeader is at least the length of a header without such fields.
	usualHeader = 64
)

// The header's fields behind numBytes, which are always the same: BLOCK, XXHASH,
// UNCOMPRESSED, and the end.
const headerRest = "\x1c\x1c\x00\x00" + "\x1c\x1c\x00\x00" + "\x1c\x1c\x00\x00" + "\x00"

// AppendHeader appends the header of a bitset of the given number of bytes to dst:
// what stands before it in a file. It panics unless the number is one that
// NewWithSize takes.
func AppendHeader(dst []byte, numBytes int) []byte {
	if err := checkBytes(numBytes); err != nil {
		panic(err)
	}
	dst = append(dst, 1<<4|kindInt32) // field 1
	dst = binary.AppendVarint(dst, int64(numBytes))
	return append(dst, headerRest...)
}

// DecodeHeader decodes the header at the start of data, whatever follows, and
// returns the size of the bitset that it announces and its own length, in bytes. It
// reads over fields that it does not know, but not over another algorithm, hash or
// compression. A header that is none gives a *bitsieve.FormatError.
func DecodeHeader(data []byte) (numBytes, headerLen int, err error) {
	d := decoder{buf: data}
	numBytes = d.header()
	if d.err != nil {
		return 0, 0, d.err
	}
	return numBytes, d.pos, nil
}

// readHeader reads a header and no byte behind it.
func readHeader(r io.Reader) (numBytes int, headerLen int64, err error) {
	buf := make([]byte, minHeader, usualHeader)
	n, err := io.ReadFull(r, buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, int64(n), err
	}
	d := decoder{buf: buf[:n], src: r, limit: maxHeader}
	numBytes = d.header()
	return numBytes, int64(len(d.buf)), d.err
}

// header reads a header and returns its numBytes, which is one that checkBytes takes.
func (d *decoder) header() (numBytes int) {
	names := [...]string{1: "numBytes", 2: "algorithm", 3: "hash", 4: "compression"}
	var seen [len(names)]bool
	start, numAt := d.pos, 0
	for f := (field{}); ; {
		d.what = "header"
		if !d.next(&f) {
			break
		}
		if f.id < 1 || int(f.id) >= len(names) {
			d.skip(f)
			continue
		}
		d.what = names[f.id]
		if seen[f.id] {
			d.fail(bitsieve.ErrHeader, f.start, "is there twice")
			break
		}
		seen[f.id] = true
		switch f.id {
		case 1:
			numBytes, numAt = int(d.int32(f)), f.start
		case 2:
			d.union(f, "BLOCK", "")
		case 3:
			d.union(f, "XXHASH", "")
		case 4:
			d.union(f, "UNCOMPRESSED", "GZIP, an addition of parquet-go's")
		}
	}
	for id := 1; id < len(names) && d.err == nil; id++ {
		if !seen[id] {
			d.what = names[id]
			d.fail(bitsieve.ErrHeader, start, "is missing")
		}
	}
	// Not before the rest is known: with another compression it is another number.
	if d.err == nil && checkBytes(numBytes) != nil {
		d.what = "numBytes"
		d.fail(bitsieve.ErrHeader, numAt, "is %d, want a multiple of %d, at most %d", numBytes, BlockBytes, MaxBytes)
	}
	return numBytes
}

// union reads a union whose member 1, an empty struct, is the only one that this
// package knows. second is what member 2 means, if anybody uses it.
func (d *decoder) union(f field, first, second string) {
	if !d.want(f, kindStruct) {
		return
	}
	members := 0
	for m := (field{}); d.next(&m); {
		members++
		switch {
		case members > 1:
			d.fail(bitsieve.ErrHeader, m.start, "is a union of which two members are set")
		case m.id == 2 && second != "":
			d.fail(bitsieve.ErrHeader, m.start, "is %s, want %s", second, first)
		case m.id != 1:
			d.fail(bitsieve.ErrHeader, m.start, "is the unknown member %d, want %s", m.id, first)
		case d.want(m, kindStruct):
			d.skip(m)
		}
	}
	if members == 0 {
		d.fail(bitsieve.ErrHeader, f.start, "is a union of which no member is set, want %s", first)
	}
}

// checkClaim compares what a header announces with the bytes that are left for it.
func checkClaim(numBytes int, left, offset int64) error {
	if left < int64(numBytes) {
		return format.Errorf(bitsieve.ErrTruncated, "bitset", offset+left, "is %d bytes, the header says %d", left, numBytes)
	}
	if left > int64(numBytes) {
		return format.Errorf(bitsieve.ErrTrailingData, "bitset", offset+int64(numBytes), "is followed by %d bytes", left-int64(numBytes))
	}
	return nil
}
