package bitsieve

// The serialised forms, which are those of github.com/bits-and-blooms/bitset.
//
// The binary form is the length in bits and then the words, each a 64-bit
// big-endian integer. There is no checksum. The JSON form is a string: the
// base64 encoding, in the URL alphabet with padding, of the binary form.
// dropin/bitset can change the byte order and the alphabet.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/compat"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
)

const (
	wordBytes = wordBits / 8

	// codecChunk is how many bytes WriteTo converts at a time, and how many ReadFrom
	// allocates on the word of a stream.
	codecChunk = 32 << 10
)

// BinaryStorageSize returns the size in bytes of the binary form.
func (b *BitSet) BinaryStorageSize() int { return wordBytes + wordBytes*len(b.words) }

// AppendBinary appends the binary form of the set to dst and returns the
// extended slice. The error is always nil.
func (b *BitSet) AppendBinary(dst []byte) ([]byte, error) {
	var header [wordBytes]byte
	little := compat.IsLittleEndian()
	putWord(header[:], uint64(b.length), little)
	dst = append(dst, header[:]...)
	n := len(dst)
	dst = append(dst, wordsAsBytes(b.words)...)
	orderWords(dst[n:], little)
	return dst, nil
}

// MarshalBinary returns the binary form of the set: its length in bits as a
// 64-bit big-endian integer, and then its words likewise. (A program that calls
// LittleEndian of dropin/bitset, or of the library that it stands for, changes
// that for every set of the process.) The error is always nil.
func (b *BitSet) MarshalBinary() ([]byte, error) {
	return b.AppendBinary(make([]byte, 0, b.BinaryStorageSize()))
}

// WriteTo writes the binary form of the set, as MarshalBinary returns it, and
// returns the number of bytes written. Around a file or a socket, a bufio.Writer
// helps with small sets, whose length and words are two writes.
func (b *BitSet) WriteTo(w io.Writer) (int64, error) {
	little := compat.IsLittleEndian()
	rest := wordsAsBytes(b.words)
	buf := make([]byte, max(wordBytes, min(len(rest), codecChunk)))
	putWord(buf, uint64(b.length), little)
	n, err := w.Write(buf[:wordBytes])
	written := int64(n)
	for err == nil && len(rest) > 0 {
		chunk := buf[:copy(buf, rest)]
		orderWords(chunk, little)
		n, err = w.Write(chunk)
		written += int64(n)
		rest = rest[len(chunk):]
	}
	return written, err
}

// ReadFrom replaces the set by one that WriteTo wrote to the stream, and returns
// the number of bytes read. It reads no further than the set's end; around a
// file or a socket, a bufio.Reader helps with small sets.
//
// The set's memory is used again if it is large enough. Otherwise it is allocated
// at once if r is a regular file, or one of the standard library's readers of
// memory, that has what the stream claims, an io.LimitedReader of one included.
// From any other reader memory is allocated as data arrives, at most four times as
// much whatever length the stream claims, but for the first 32 KiB.
//
// Bits past the length are ignored. The error is io.ErrUnexpectedEOF if the stream
// ends early, and wraps ErrMemory if a set of 1 GiB or more is more than the
// machine's free memory holds. After an error the set is unchanged or empty.
func (b *BitSet) ReadFrom(r io.Reader) (int64, error) {
	header := make([]byte, wordBytes)
	n, err := io.ReadFull(r, header)
	if err != nil {
		return int64(n), noEOF(err)
	}
	little := compat.IsLittleEndian()
	length, err := decodeLength(header, little)
	if err != nil {
		return wordBytes, err
	}
	need := wordsFor(length)
	words := b.words[:0]
	reuse := need <= cap(words)
	read := int64(wordBytes)
	for len(words) < need {
		have := len(words)
		if need > cap(words) {
			room := min(need, roomFor(r, need, have))
			if err := memory.Check(wordBytes * uint64(room)); err != nil {
				return read, err
			}
			grown := make([]uint64, have, room)
			memory.Copy(grown, words)
			words = grown
		}
		words = words[:min(need, cap(words))]
		chunk := wordsAsBytes(words[have:])
		n, err := io.ReadFull(r, chunk)
		read += int64(n)
		if err != nil {
			if reuse {
				b.length, b.words = 0, b.words[:0]
			}
			return read, noEOF(err)
		}
		orderWords(chunk, little)
	}
	b.length, b.words = length, words[:need]
	b.clearTail()
	return read, nil
}

// roomFor returns how many words ReadFrom makes room for, of which it has read some
// and the stream claims need.
func roomFor(r io.Reader, need, have int) int {
	room := max(4*have, codecChunk/wordBytes)
	if have == 0 && need > room {
		room = max(room, int(min(format.Known(r)/wordBytes, uint64(need))))
	}
	return room
}

// UnmarshalBinary replaces the set by the one whose binary form data begins
// with, copying it. If data is too short, the error is io.ErrUnexpectedEOF and
// the set unchanged.
func (b *BitSet) UnmarshalBinary(data []byte) error {
	if len(data) < wordBytes {
		return io.ErrUnexpectedEOF
	}
	little := compat.IsLittleEndian()
	length, err := decodeLength(data, little)
	if err != nil {
		return err
	}
	data = data[wordBytes:]
	n := wordsFor(length)
	if n > len(data)/wordBytes {
		return io.ErrUnexpectedEOF
	}
	p := wordsAsBytes(b.resize(length))
	copy(p, data)
	orderWords(p, little)
	b.clearTail()
	return nil
}

// MarshalJSON returns the JSON form of the set, a string that holds the base64
// encoding of the binary form.
func (b BitSet) MarshalJSON() ([]byte, error) {
	form, _ := b.MarshalBinary()
	e := compat.Base64()
	dst := make([]byte, 0, e.EncodedLen(len(form))+2)
	dst = append(dst, '"')
	dst = e.AppendEncode(dst, form)
	return append(dst, '"'), nil
}

// UnmarshalJSON replaces the set by the one whose JSON form data is. After an
// error the set is unchanged.
func (b *BitSet) UnmarshalJSON(data []byte) error {
	// The usual case is decoded where it lies. The decoder checks all but the
	// line breaks, which base64 skips and JSON forbids.
	if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' && !bytes.ContainsAny(data, "\r\n") {
		if form, err := compat.Base64().AppendDecode(nil, data[1:n-1]); err == nil {
			return b.UnmarshalBinary(form)
		}
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	form, err := compat.Base64().DecodeString(s)
	if err != nil {
		return err
	}
	return b.UnmarshalBinary(form)
}

// maxStringItems bounds the result of String.
const maxStringItems = 0x40000

// String returns the members in braces, as in {1,2,3}, for people to read. After
// 262,144 of them it ends in "...".
func (b *BitSet) String() string {
	s := []byte{'{'}
	n := 0
	for i := range b.EachSet() {
		if n > 0 {
			s = append(s, ',')
		}
		if n == maxStringItems {
			s = append(s, "..."...)
			break
		}
		s = strconv.AppendUint(s, uint64(i), 10)
		n++
	}
	return string(append(s, '}'))
}

// DumpAsBits returns the words of the set in binary, the last one first, each
// followed by a period, so that bit 0 is the last digit. It is for debugging.
func (b *BitSet) DumpAsBits() string {
	if b.words == nil {
		return "."
	}
	s := make([]byte, 0, (wordBits+1)*len(b.words))
	for i := len(b.words) - 1; i >= 0; i-- {
		s = fmt.Appendf(s, "%064b.", b.words[i])
	}
	return string(s)
}

// decodeLength returns the length that the first word of data holds.
func decodeLength(data []byte, little bool) (uint, error) {
	length := binary.BigEndian.Uint64(data)
	if little {
		length = bits.ReverseBytes64(length)
	}
	if uint64(uint(length)) != length {
		return 0, fmt.Errorf("bitsieve: BitSet of %d bits does not fit this platform", length)
	}
	return uint(length), nil
}

func putWord(dst []byte, w uint64, little bool) {
	if little {
		w = bits.ReverseBytes64(w)
	}
	binary.BigEndian.PutUint64(dst, w)
}

// wordsAsBytes returns the memory of p.
func wordsAsBytes(p []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(p))), wordBytes*len(p))
}

// orderWords turns words of this machine's byte order, whose memory p is a copy
// of, into those of a stream's, or the other way round.
func orderWords(p []byte, little bool) {
	if little == (binary.NativeEndian.Uint16([]byte{1, 0}) == 1) {
		return
	}
	for ; len(p) >= wordBytes; p = p[wordBytes:] {
		binary.LittleEndian.PutUint64(p, binary.BigEndian.Uint64(p))
	}
}

// noEOF makes the end of a stream an error in the middle of a set.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
