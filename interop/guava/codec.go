package guava

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// Where the fields of the stream are.
const (
	kOffset     = 1
	wordsOffset = 2
	headerBytes = 6
)

// A header is what stands before the words.
type header struct {
	strategy Strategy
	k        int
	words    uint64
}

func (h header) payloadBytes() uint64 { return 8 * h.words }

// parseHeader checks a header. It refuses what Guava refuses, but for its size: that is
// for who knows what follows.
func parseHeader(b [headerBytes]byte) (h header, err error) {
	if b[0] > byte(MITZ64) {
		return h, format.Errorf(bitsieve.ErrHeader, "strategy", 0, "is %d, want 0 or 1", int8(b[0]))
	}
	if b[kOffset] == 0 {
		return h, format.Errorf(bitsieve.ErrHeader, "number of hash functions", kOffset, "is 0, want 1 to %d", maxK)
	}
	words := int32(binary.BigEndian.Uint32(b[wordsOffset:]))
	if words <= 0 {
		return h, format.Errorf(bitsieve.ErrHeader, "number of words", wordsOffset, "is %d, want 1 to %d", words, maxWords)
	}
	return header{Strategy(b[0]), int(b[kOffset]), uint64(words)}, nil
}

// checkSize returns an error unless a stream is of exactly the size that its header says.
func (h header) checkSize(size uint64) error {
	switch want := headerBytes + h.payloadBytes(); {
	case size < want:
		return h.truncated(size - headerBytes)
	case size > want:
		return format.Errorf(bitsieve.ErrTrailingData, "words", int64(want), "%d bytes follow", size-want)
	}
	return nil
}

func (h header) truncated(have uint64) error {
	return format.Errorf(bitsieve.ErrTruncated, "words", headerBytes+int64(have),
		"%d of %d bytes, which %d words take", have, h.payloadBytes(), h.words)
}

func shortHeader(have int) error {
	return format.Errorf(bitsieve.ErrTruncated, "header", int64(have), "%d of %d bytes", have, headerBytes)
}

// split checks a stream that lies in memory and returns its parts.
func split(data []byte) (h header, payload []byte, err error) {
	if len(data) < headerBytes {
		return h, nil, shortHeader(len(data))
	}
	if h, err = parseHeader([headerBytes]byte(data)); err != nil {
		return h, nil, err
	}
	return h, data[headerBytes:len(data):len(data)], h.checkSize(uint64(len(data)))
}

// header returns the stream's first bytes.
func (p *probes) header() [headerBytes]byte {
	b := [headerBytes]byte{byte(p.strategy), byte(p.k)}
	binary.BigEndian.PutUint32(b[wordsOffset:], uint32(len(p.data)/8))
	return b
}

// pieceBytes is how much is written or copied at a time: see internal/memory.
const pieceBytes = 512 << 10

// WriteTo writes what Guava's writeTo writes and returns the number of bytes written. A
// value that was never made has none, and is an error. Nobody may add to the filter at the
// same time.
func (p *probes) WriteTo(w io.Writer) (n int64, err error) {
	if len(p.data) == 0 {
		return 0, format.ErrEmpty
	}
	h := p.header()
	for part, rest := h[:], p.data; len(part) > 0; {
		m, err := w.Write(part)
		n += int64(m)
		if err != nil {
			return n, err
		}
		part, rest = rest[:min(pieceBytes, len(rest))], rest[min(pieceBytes, len(rest)):]
	}
	return n, nil
}

// AppendBinary appends what WriteTo writes to b. It implements encoding.BinaryAppender. If
// there is no room the error wraps bitsieve.ErrMemory.
func (p *probes) AppendBinary(b []byte) ([]byte, error) {
	if len(p.data) == 0 {
		return b, format.ErrEmpty
	}
	need := headerBytes + len(p.data)
	if cap(b)-len(b) < need {
		if err := memory.Check(uint64(len(b)) + uint64(need)); err != nil {
			return b, err
		}
	}
	h := p.header()
	b = append(slices.Grow(b, need), h[:]...)
	memory.CopyOf(b[len(b):len(b)+len(p.data)], p.data)
	return b[:len(b)+len(p.data)], nil
}

// MarshalBinary returns what WriteTo writes. It implements encoding.BinaryMarshaler.
func (p *probes) MarshalBinary() ([]byte, error) { return p.AppendBinary(nil) }

// firstWords is the most memory, in words, that a header gets on its word: 1 MiB.
const firstWords = 128 << 10

// ReadFrom replaces the filter's contents by a filter that WriteTo or Guava's writeTo
// wrote, with its own size, k and strategy, and returns the number of bytes read. Like
// Guava's readFrom it takes no byte past the filter's end. It implements io.ReaderFrom.
//
// Memory is allocated as data arrive, at most twice as much, whatever the header claims. A
// stream that is damaged, cut short or foreign is a *bitsieve.FormatError that wraps
// ErrHeader or ErrTruncated; more than the machine's memory holds wraps ErrMemory; errors
// of r are returned as they are. After an error f is as it was.
func (f *Filter) ReadFrom(r io.Reader) (n int64, err error) {
	var b [headerBytes]byte
	m, err := io.ReadFull(r, b[:])
	n = int64(m)
	if ended(err) {
		err = shortHeader(m)
	}
	if err != nil {
		return n, err
	}
	h, err := parseHeader(b)
	if err != nil {
		return n, err
	}
	if err := memory.Check(h.payloadBytes()); err != nil {
		return n, err
	}
	var words []uint64
	for have := uint64(0); have < h.words; have = uint64(len(words)) {
		size := min(h.words, max(firstWords, 2*have))
		if err := memory.Check(8 * size); err != nil {
			return n, err
		}
		grown := memory.Words(size, true)
		memory.Copy(grown, words)
		words = grown
		m, err := readPieces(r, memory.Bytes(words[have:]))
		n += m
		if ended(err) {
			err = h.truncated(uint64(n) - headerBytes)
		}
		if err != nil {
			return n, err
		}
	}
	f.adopt(words, h.k, h.strategy)
	return n, nil
}

// ended reports whether what io.ReadFull returned says that the data ended.
func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// readPieces fills p, in pieces.
func readPieces(r io.Reader, p []byte) (n int64, err error) {
	for len(p) > 0 && err == nil {
		var m int
		m, err = io.ReadFull(r, p[:min(pieceBytes, len(p))])
		n += int64(m)
		p = p[m:]
	}
	return n, err
}

// UnmarshalBinary is ReadFrom for bytes in memory, which it copies. Bytes after the
// filter's end are an error that wraps bitsieve.ErrTrailingData. It implements
// encoding.BinaryUnmarshaler.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, payload, err := split(data)
	if err != nil {
		return err
	}
	if err := memory.Check(h.payloadBytes()); err != nil {
		return err
	}
	words := memory.Words(h.words, true)
	memory.CopyOf(memory.Bytes(words), payload)
	f.adopt(words, h.k, h.strategy)
	return nil
}

// A View tests keys in the bytes of a stream where they lie: at any alignment, and without
// copying them. It is a small value. The zero value contains nothing.
//
// Any number of goroutines may use a View at the same time while nobody writes to the
// bytes. No method allocates memory but for growing a result's BitSet.
type View struct{ probes }

// NewView returns a View of what Guava's writeTo wrote. It looks at the header only.
// data is kept and must not change; it is exactly the filter. Errors are
// *bitsieve.FormatError and wrap ErrHeader, ErrTruncated or ErrTrailingData.
func NewView(data []byte) (View, error) {
	h, payload, err := split(data)
	if err != nil {
		return View{}, err
	}
	return View{newProbes(payload, h.k, h.strategy)}, nil
}
