package bloom

// The serialised forms, which are those of github.com/bits-and-blooms/bloom v3.
//
// The binary form is m and k as 64-bit big-endian integers and then the binary
// form of the bitset. There is no checksum. The JSON form is an object with m and
// k as numbers and the JSON form of the bitset as b.

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/bitsieve/bitsieve"
)

const (
	headerSize = 16
	maxK       = 1 << 16 // that of bitsieve.NewBloomFromWords
)

// AppendBinary appends the binary form of the filter to dst and returns the
// extended slice. The error is always nil.
func (f *BloomFilter) AppendBinary(dst []byte) ([]byte, error) {
	return f.core.BitSet().AppendBinary(f.appendHeader(dst))
}

func (f *BloomFilter) appendHeader(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, f.core.Bits())
	return binary.BigEndian.AppendUint64(dst, uint64(f.core.K()))
}

// MarshalBinary returns the binary form of the filter: Cap and K as 64-bit
// big-endian integers, and then the binary form of its BitSet. The error is
// always nil.
func (f *BloomFilter) MarshalBinary() ([]byte, error) {
	return f.AppendBinary(make([]byte, 0, headerSize+f.core.BitSet().BinaryStorageSize()))
}

// WriteTo writes the binary form of the filter, as MarshalBinary returns it, and
// returns the number of bytes written. It needs no buffering around the writer.
func (f *BloomFilter) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(f.appendHeader(make([]byte, 0, headerSize)))
	if err != nil {
		return int64(n), err
	}
	written, err := f.core.BitSet().WriteTo(w)
	return int64(n) + written, err
}

// ReadFrom replaces the filter by one that WriteTo wrote to the stream, and
// returns the number of bytes read. It reads no further than the filter's end;
// around a file or a socket, a bufio.Reader helps with small filters.
//
// Memory is allocated as by [bitsieve.BitSet.ReadFrom]: at once where the reader
// says that it has what the stream claims, and otherwise as data arrives. The error
// is io.EOF if the stream is at its end already, io.ErrUnexpectedEOF if it ends
// within a filter, a FormatError that wraps ErrHeader if m or k cannot belong to the
// bitset: that is for m = 0, for m beyond the bitset's length, and for k over 65536;
// and it wraps ErrMemory if a filter of 1 GiB or more does not fit the machine's free
// memory. After an error the filter is unchanged.
func (f *BloomFilter) ReadFrom(r io.Reader) (int64, error) {
	header := make([]byte, headerSize)
	n, err := io.ReadFull(r, header)
	if err != nil {
		return int64(n), err
	}
	var bits bitsieve.BitSet
	read, err := bits.ReadFrom(r)
	read += headerSize
	if err != nil {
		return read, err
	}
	return read, f.setDecoded(binary.BigEndian.Uint64(header), binary.BigEndian.Uint64(header[8:]), bits)
}

// UnmarshalBinary replaces the filter by the one whose binary form data begins
// with, copying it. Errors are those of ReadFrom, but for io.ErrUnexpectedEOF if
// data is empty. After one the filter is unchanged.
func (f *BloomFilter) UnmarshalBinary(data []byte) error {
	if len(data) < headerSize {
		return io.ErrUnexpectedEOF
	}
	var bits bitsieve.BitSet
	if err := bits.UnmarshalBinary(data[headerSize:]); err != nil {
		return err
	}
	return f.setDecoded(binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:]), bits)
}

// GobEncode returns the binary form of the filter.
func (f *BloomFilter) GobEncode() ([]byte, error) { return f.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (f *BloomFilter) GobDecode(data []byte) error { return f.UnmarshalBinary(data) }

// MarshalJSON returns the JSON form of the filter, an object with the members m,
// k and b: Cap, K and the JSON form of its BitSet.
func (f BloomFilter) MarshalJSON() ([]byte, error) {
	b, err := f.core.BitSet().MarshalJSON()
	if err != nil {
		return nil, err
	}
	dst := make([]byte, 0, len(b)+64)
	dst = append(dst, `{"m":`...)
	dst = strconv.AppendUint(dst, f.core.Bits(), 10)
	dst = append(dst, `,"k":`...)
	dst = strconv.AppendUint(dst, uint64(f.core.K()), 10)
	dst = append(dst, `,"b":`...)
	dst = append(dst, b...)
	return append(dst, '}'), nil
}

// UnmarshalJSON replaces the filter by the one whose JSON form data is; the
// value null leaves it alone. For m and k the errors are those of ReadFrom. After
// an error the filter is unchanged.
func (f *BloomFilter) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var form struct {
		M, K uint64
		B    bitsieve.BitSet
	}
	if err := json.Unmarshal(data, &form); err != nil {
		return err
	}
	return f.setDecoded(form.M, form.K, form.B)
}

// setDecoded replaces the filter by one that was read, after checking that m, k
// and the bitset belong together.
//
// A bitset that does not hold m bits is what a filter over too few words leaves
// behind. It is refused because the first key added would allocate what a
// stranger's m asks for. The one exception is a filter that was made without
// bits, to which github.com/bits-and-blooms/bloom gives m = 1.
func (f *BloomFilter) setDecoded(m, k uint64, bits bitsieve.BitSet) error {
	if m == 0 || m > max(uint64(bits.Len()), 1) {
		return headerError("m", 0, "is %d for a bitset of %d bits", m, bits.Len())
	}
	if k > maxK {
		return headerError("k", 8, "is %d, want 0 to %d", k, maxK)
	}
	core, err := bitsieve.NewBloomFromWords(nil, m, int(k))
	if err != nil {
		return headerError("m", 0, "is %d, which this machine cannot hold", m)
	}
	*core.BitSet() = bits
	f.core = *core
	return nil
}

func headerError(field string, offset int64, format string, args ...any) error {
	return &bitsieve.FormatError{Field: field, Offset: offset, Detail: fmt.Sprintf(format, args...), Err: bitsieve.ErrHeader}
}
