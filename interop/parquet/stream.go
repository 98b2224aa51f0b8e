package parquet

import (
	"bytes"
	"io"
	"slices"

	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

// A filter's serialised form: the header and the bitset, which is what a Parquet
// file has at a column chunk's bloom_filter_offset.

// firstRead is the most memory in bytes that a header gets on its word, unless the
// data are known to be there.
const firstRead = 1 << 20

// WriteTo writes the filter as a file has it, header and bitset, and returns the
// number of bytes written. The zero value gives an error that wraps
// bitsieve.ErrParameter. It needs no buffering around the writer.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	if err := checkBytes(len(f.bits.Bytes)); err != nil {
		return 0, err
	}
	n, err := w.Write(AppendHeader(make([]byte, 0, usualHeader), len(f.bits.Bytes)))
	written := int64(n)
	for piece := range slices.Chunk(f.bits.Bytes, pieceBytes) {
		if err != nil {
			break
		}
		n, err = w.Write(piece)
		written += int64(n)
	}
	return written, err
}

// AppendBinary appends what WriteTo writes to dst and returns the extended slice.
// Errors are those of WriteTo, or wrap bitsieve.ErrMemory.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	if err := checkBytes(len(f.bits.Bytes)); err != nil {
		return dst, err
	}
	if need := usualHeader + len(f.bits.Bytes); cap(dst)-len(dst) < need {
		if err := memory.Check(uint64(len(dst)) + uint64(need)); err != nil {
			return dst, err
		}
	}
	dst = slices.Grow(dst, usualHeader+len(f.bits.Bytes))
	dst = AppendHeader(dst, len(f.bits.Bytes))
	start := len(dst)
	dst = dst[:start+len(f.bits.Bytes)]
	memory.CopyOf(dst[start:], f.bits.Bytes)
	return dst, nil
}

// MarshalBinary returns what WriteTo writes. Errors are those of
// AppendBinary.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// ReadFrom replaces the filter by one that it reads, header and bitset, and returns
// the number of bytes read. It reads no further than the filter's end; around a file
// or a socket a bufio.Reader helps with small filters.
//
// Memory is allocated as data arrive, never more than a small multiple of it,
// whatever size the header claims. Data that are no filter, or end too early, give a
// *bitsieve.FormatError, and a size that the machine's free memory cannot hold an
// error that wraps bitsieve.ErrMemory. After an error the filter is as it was.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	numBytes, headerLen, err := readHeader(r)
	if err != nil {
		return headerLen, err
	}
	bitset, n, err := readBitset(r, numBytes, headerLen)
	if err != nil {
		return headerLen + n, err
	}
	f.bits = sbbf.Of(bitset)
	return headerLen + n, nil
}

// readBitset reads the bitset that a header of the given length announces. The memory
// doubles whenever it is full.
func readBitset(r io.Reader, numBytes int, headerLen int64) (bitset []byte, n int64, err error) {
	if err := memory.Check(uint64(numBytes)); err != nil {
		return nil, 0, err
	}
	first := max(firstRead, known(r))
	for len(bitset) < numBytes {
		have := len(bitset)
		grown, err := allocate(min(numBytes, max(first, 2*have)))
		if err != nil {
			return nil, n, err
		}
		memory.CopyOf(grown, bitset)
		bitset = grown
		for piece := range slices.Chunk(bitset[have:], pieceBytes) {
			m, err := io.ReadFull(r, piece)
			n += int64(m)
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return nil, n, checkClaim(numBytes, n, headerLen)
			}
			if err != nil {
				return nil, n, err
			}
		}
	}
	return bitset, n, nil
}

// known returns how many bytes r certainly has, rounded to whole blocks, 0 if that is
// uncertain.
func known(r io.Reader) int {
	n := 0
	switch r := r.(type) {
	case *bytes.Reader:
		n = r.Len()
	case *bytes.Buffer:
		n = r.Len()
	}
	return n / BlockBytes * BlockBytes
}

// UnmarshalBinary replaces the filter by the one whose header and bitset data is,
// copying it. Errors are those of NewView, and of ReadFrom for the memory. After one
// the filter is as it was.
func (f *Filter) UnmarshalBinary(data []byte) error {
	v, err := NewView(data)
	if err != nil {
		return err
	}
	bitset, err := allocate(len(v.bits.Bytes))
	if err != nil {
		return err
	}
	memory.CopyOf(bitset, v.bits.Bytes)
	f.bits = sbbf.Of(bitset)
	return nil
}
