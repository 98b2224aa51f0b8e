package v2

import (
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/bits"

	"github.com/bitsieve/bitsieve"
)

// errTruncated is what a stream that ends within a filter gives, in the words of this
// module and in those of package io.
var errTruncated = fmt.Errorf("%w: %w", bitsieve.ErrTruncated, io.ErrUnexpectedEOF)

// UnmarshalFromReader replaces the filter by one whose binary form is read from the
// input, and returns the number of bytes read. It reads no further than the form's
// end.
//
// Memory is allocated as data arrives, at most five times as much. The error is io.EOF
// if the input is at its end already; else a bitsieve.FormatError that wraps
// ErrTruncated and io.ErrUnexpectedEOF if it ends within the form, ErrHeader if magic,
// k or m are not a filter's, ErrChecksum if the SHA-384 differs; one that wraps
// ErrMemory if the machine lacks memory for it; or the input's own. After an error the
// filter is unchanged.
func (f *Filter) UnmarshalFromReader(input io.Reader) (n int64, err error) {
	d := decoder{r: input, hasher: sha512.New384()}
	if l, ok := input.(interface{ Len() int }); ok {
		d.arrived = uint64(max(l.Len(), 0))
	}
	g, err := d.filter()
	if err != nil {
		return d.offset, err
	}
	f.set(g)
	return d.offset, nil
}

// A decoder reads a filter from a stream.
type decoder struct {
	r       io.Reader
	hasher  hash.Hash
	offset  int64  // of what is read next
	arrived uint64 // how many bytes the input has in memory, at the start
	buf     []byte
}

func (d *decoder) filter() (*Filter, error) {
	header, err := d.next("header", headerSize)
	if err != nil {
		return nil, err
	}
	if got := string(header[:len(magic)]); got != magic {
		return nil, headerError("magic", 0, "is %x, want %x", got, magic)
	}
	var knm [3]uint64
	for i := range knm {
		knm[i] = binary.LittleEndian.Uint64(header[len(magic)+i*Uint64Bytes:])
	}
	k, n, m := knm[0], knm[1], knm[2]
	if err := checkSize(m, k); err != nil {
		return nil, headerError("k, m", int64(len(magic)), "%v", err)
	}
	if bits.UintSize == 32 && wordsOf(m) > 1<<28 {
		return nil, headerError("m", int64(len(magic)+16), "is %d, which this machine cannot hold", m)
	}
	keys, err := d.words("keys", k, func(n uint64) ([]uint64, error) { return make([]uint64, n), nil })
	if err != nil {
		return nil, err
	}
	words, err := d.words("bits", wordsOf(m), func(n uint64) ([]uint64, error) {
		if n < wordsOf(m) {
			return make([]uint64, n), nil
		}
		return newWords(m)
	})
	if err != nil {
		return nil, err
	}
	want := d.hasher.Sum(nil)
	at := d.offset
	sum, err := d.next("SHA-384", sha512.Size384)
	if err != nil {
		return nil, err
	}
	if string(sum) != string(want) {
		return nil, &bitsieve.FormatError{Field: "SHA-384", Offset: at, Err: bitsieve.ErrChecksum,
			Detail: fmt.Sprintf("is %x, the contents have %x", sum, want)}
	}
	return newFilter(m, n, keys, words), nil
}

// words reads n words. Memory comes from alloc, each piece no more than four times as
// large as the one before it, which it replaces.
func (d *decoder) words(field string, n uint64, alloc func(n uint64) ([]uint64, error)) ([]uint64, error) {
	var words []uint64
	for read := uint64(0); read < n; {
		if read == uint64(len(words)) {
			grown, err := alloc(min(n, max(chunkWords, 4*read, d.arrived/Uint64Bytes)))
			if err != nil {
				return nil, err
			}
			copy(grown, words)
			words = grown
		}
		part := words[read:min(read+chunkWords, uint64(len(words)))]
		data, err := d.next(field, len(part)*Uint64Bytes)
		if err != nil {
			return nil, err
		}
		for i := range part {
			part[i] = binary.LittleEndian.Uint64(data[i*Uint64Bytes:])
		}
		read += uint64(len(part))
	}
	return words, nil
}

// next reads and hashes n bytes, which are valid until the next call.
func (d *decoder) next(field string, n int) ([]byte, error) {
	if cap(d.buf) < n {
		d.buf = make([]byte, n)
	}
	data := d.buf[:n]
	read, err := io.ReadFull(d.r, data)
	start := d.offset
	d.offset += int64(read)
	switch {
	case err == nil:
		d.hasher.Write(data)
		return data, nil
	case err == io.EOF && start == 0:
		return nil, err
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &bitsieve.FormatError{Field: field, Offset: d.offset, Err: errTruncated,
			Detail: fmt.Sprintf("the data end %d bytes early", n-read)}
	}
	return nil, err
}

func headerError(field string, offset int64, detail string, args ...any) error {
	return &bitsieve.FormatError{Field: field, Offset: offset, Detail: fmt.Sprintf(detail, args...), Err: bitsieve.ErrHeader}
}
