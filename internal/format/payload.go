package format

// The payload: little-endian words, which on a little-endian machine is what
// memory holds. Everything that reads or writes all of it does so in pieces:
// hashing and copying are assembly, which cannot be preempted, and a garbage
// collection would wait for their end.

import (
	"encoding/binary"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// pieceWords is how much of the payload is hashed, read or written at a time,
// 512 KiB: 20 to 70 µs of hashing, and what a second-level cache still has when
// it is hashed after reading. TUNING.md has the figures.
const pieceWords = 64 << 10

func bigEndian() bool {
	return binary.NativeEndian.Uint16([]byte{0, 1}) == 1
}

// A payload is what a file holds of a filter's words: whole blocks.
type payload struct {
	parts [][]uint64 // as they are, one after the other
	words uint64     // how many those are
	last  uint64     // the word after them, if any follows
	more  uint64     // how many follow: last and zeros
}

// newPayload returns the payload of a filter over parts. With bits > 0 there is
// one part, of which only so many bits count: what it has beyond them is not
// written, and what it lacks is written as zeros.
func newPayload(bits uint64, parts ...[]uint64) payload {
	p := payload{parts: parts}
	for _, words := range parts {
		p.words += uint64(len(words))
	}
	if bits == 0 {
		p.more = -p.words % block.Words
		return p
	}
	if whole := bits / 64; p.words > whole {
		words := parts[0]
		p.last = words[whole] & (1<<(bits%64) - 1)
		p.parts, p.words = [][]uint64{words[:whole]}, whole
	}
	p.more = block.Words*blocksFor(bits) - p.words
	return p
}

func (p *payload) blocks() uint64 { return (p.words + p.more) / block.Words }

// each calls f with the payload's words, piece by piece.
func (p *payload) each(f func([]uint64) error) error {
	for _, words := range p.parts {
		if err := eachPiece(words, f); err != nil {
			return err
		}
	}
	var buf [512]uint64
	buf[0] = p.last
	for more := p.more; more > 0; buf[0] = 0 {
		n := min(more, uint64(len(buf)))
		if err := f(buf[:n]); err != nil {
			return err
		}
		more -= n
	}
	return nil
}

// eachPiece calls f with the pieces of words.
func eachPiece(words []uint64, f func([]uint64) error) error {
	for len(words) > 0 {
		n := min(len(words), pieceWords)
		if err := f(words[:n]); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

// inFileOrder calls f with the words' bytes in the file's order.
func inFileOrder(words []uint64, f func([]byte) error) error {
	if bigEndian() {
		return swapped(words, f)
	}
	return f(memory.Bytes(words))
}

// swapped is inFileOrder for machines whose memory is not in the file's order.
func swapped(words []uint64, f func([]byte) error) error {
	var buf [4096]byte
	for len(words) > 0 {
		n := min(len(words), len(buf)/8)
		for i, w := range words[:n] {
			binary.LittleEndian.PutUint64(buf[8*i:], w)
		}
		if err := f(buf[:8*n]); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}

// sum returns the payload's checksum.
func (p *payload) sum() uint64 {
	if len(p.parts) == 1 && p.more == 0 && p.words <= pieceWords && !bigEndian() {
		return xxh3.Hash(memory.Bytes(p.parts[0])) // faster than the streaming form
	}
	var h xxh3.Hasher
	// A hash's Write never fails.
	_ = p.each(func(words []uint64) error {
		return inFileOrder(words, func(b []byte) error { _, err := h.Write(b); return err })
	})
	return h.Sum64()
}

// write writes the payload, and returns the number of bytes written.
func (p *payload) write(w io.Writer) (n int64, err error) {
	err = p.each(func(words []uint64) error {
		return inFileOrder(words, func(b []byte) error {
			m, err := w.Write(b)
			n += int64(m)
			return err
		})
	})
	return n, err
}

// readWords fills words from r and adds what it reads to sum, unless that is nil.
// It returns the number of bytes read.
func readWords(r io.Reader, words []uint64, sum *xxh3.Hasher) (n int64, err error) {
	err = eachPiece(words, func(piece []uint64) error {
		raw := memory.Bytes(piece)
		m, err := io.ReadFull(r, raw)
		n += int64(m)
		if err != nil {
			return err
		}
		if sum != nil {
			_, _ = sum.Write(raw)
		}
		if bigEndian() {
			for i := range piece {
				piece[i] = binary.LittleEndian.Uint64(raw[8*i:])
			}
		}
		return nil
	})
	return n, err
}

// Verify compares the checksum of a payload in bytes with the stored one, sum.
func Verify(payload []byte, sum uint64) error {
	h := Header{PayloadSum: sum}
	if len(payload) <= 8*pieceWords {
		return h.checkSum(xxh3.Hash(payload)) // faster than the streaming form
	}
	var hasher xxh3.Hasher
	for len(payload) > 0 {
		n := min(len(payload), 8*pieceWords)
		_, _ = hasher.Write(payload[:n])
		payload = payload[n:]
	}
	return h.checkSum(hasher.Sum64())
}

// checkSum compares the payload's checksum with the header's.
func (h *Header) checkSum(sum uint64) error {
	if sum != h.PayloadSum {
		return Errorf(ErrChecksum, "payload", HeaderBytes, "its checksum is %016x, the stored one %016x", sum, h.PayloadSum)
	}
	return nil
}

// checkRest checks that no bit is set after a standard filter's last, where the
// kernels would count it.
func (h *Header) checkRest(words []uint64) error {
	if h.Bits == 0 {
		return nil
	}
	for i, w := range words[h.Bits/64:] {
		if i == 0 {
			w &^= 1<<(h.Bits%64) - 1
		}
		if w != 0 {
			return h.restError()
		}
	}
	return nil
}

// checkRestBytes is checkRest for a payload in bytes.
func (h *Header) checkRestBytes(payload []byte) error {
	if h.Bits == 0 {
		return nil
	}
	for i, b := range payload[h.Bits/8:] {
		if i == 0 {
			b &^= 1<<(h.Bits%8) - 1
		}
		if b != 0 {
			return h.restError()
		}
	}
	return nil
}

func (h *Header) restError() error {
	return Errorf(ErrHeader, "bits", offBits, "are %d, but the payload has more", h.Bits)
}
