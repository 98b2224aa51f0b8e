package format

import (
	"bytes"
	"io"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// Expect says what a reader takes.
type Expect struct {
	Kind         Kind
	Hash         hash.Hasher // with the filter's key, if it has one
	SkipChecksum bool        // of the payload
	NoHugePages  bool        // for memory that the filter is read into
}

// start completes a header whose payload is parts, and checks it.
func (h *Header) start(parts [][]uint64) (payload, error) {
	if !slices.ContainsFunc(parts, func(words []uint64) bool { return len(words) > 0 }) {
		return payload{}, ErrEmpty
	}
	p := newPayload(h.Bits, parts...)
	h.Blocks = p.blocks()
	if err := h.check(0); err != nil {
		return p, err
	}
	h.PayloadSum = p.sum()
	return p, nil
}

// Write writes a file: the header, of which it sets Blocks and PayloadSum, and
// the words of the parts, one after the other. With h.Bits there is one part, of
// which so many bits count: bits beyond them are not written, and words that are
// missing are written as zeros. It returns the number of bytes written. No words
// at all give ErrEmpty.
func Write(w io.Writer, h Header, parts ...[]uint64) (n int64, err error) {
	p, err := h.start(parts)
	if err != nil {
		return 0, err
	}
	b := h.encode()
	m, err := w.Write(b[:])
	if err != nil {
		return int64(m), err
	}
	n, err = p.write(w)
	return n + int64(m), err
}

// Append appends what Write writes to b. It returns b and an error that wraps
// memory.ErrMemory if there is no room.
func Append(b []byte, h Header, parts ...[]uint64) ([]byte, error) {
	p, err := h.start(parts)
	if err != nil {
		return b, err
	}
	need := HeaderBytes + h.payloadBytes()
	if room := uint64(cap(b) - len(b)); room < need {
		if err := memory.Check(uint64(len(b)) + need); err != nil {
			return b, err
		}
	}
	buf := bytes.NewBuffer(slices.Grow(b, int(need)))
	header := h.encode()
	buf.Write(header[:])
	_, err = p.write(buf) // a buffer's Write never fails
	return buf.Bytes(), err
}

// Read reads a file as Write wrote it. It takes no byte from r past its end, and
// returns how many it took. Of the memory it takes only a first part on the
// header's word; after that memory grows as data arrive. The words returned are
// whole blocks.
func Read(r io.Reader, want Expect) (h Header, words []uint64, n int64, err error) {
	h, n, err = readHeader(r, want.Kind)
	if err != nil {
		return h, nil, n, err
	}
	if err := h.checkKey(want.Hash); err != nil {
		return h, nil, n, err
	}
	words, m, err := h.readPayload(r, want)
	return h, words, n + m, err
}

// Unmarshal is Read for bytes in memory, of which none may follow the file.
func Unmarshal(data []byte, want Expect) (h Header, words []uint64, err error) {
	h, err = parse(data[:min(len(data), HeaderBytes)], want.Kind)
	if err != nil {
		return h, nil, err
	}
	// Before the payload is copied: the claim must be true first.
	if err := h.checkSize(uint64(len(data))); err != nil {
		return h, nil, err
	}
	h, words, _, err = Read(bytes.NewReader(data), want)
	return h, words, err
}

// View is Unmarshal without copying: it returns the payload where it lies in data. Of
// that it checks the size and what follows a standard filter's last bit, but not the
// checksum, which takes Verify.
func View(data []byte, want Expect) (h Header, payload []byte, err error) {
	h, err = parse(data[:min(len(data), HeaderBytes)], want.Kind)
	if err != nil {
		return h, nil, err
	}
	if err := h.checkKey(want.Hash); err != nil {
		return h, nil, err
	}
	if err := h.checkSize(uint64(len(data))); err != nil {
		return h, nil, err
	}
	payload = data[HeaderBytes:]
	return h, payload, h.checkRestBytes(payload)
}

// firstRead is the most memory that a header gets on its word, unless the data
// are known to be there.
const firstRead = 1 << 20

// readPayload reads the payload that h announces into new memory and checks it.
// It returns the number of bytes read.
//
// The memory doubles whenever it is full, so that it is at most twice what has
// arrived, and what has been copied less than what has arrived. Before each
// allocation the system is asked whether it has the memory, and before the first
// whether it has all: a sparse file of 1 TiB holds what its header claims.
func (h *Header) readPayload(r io.Reader, want Expect) (words []uint64, n int64, err error) {
	if err := memory.Check(h.payloadBytes()); err != nil {
		return nil, 0, h.memoryError(err)
	}
	var hasher xxh3.Hasher
	sum := &hasher
	if want.SkipChecksum {
		sum = nil
	}
	total := h.Blocks * block.Words
	first := max(firstRead, Known(r)) / 8
	for have := uint64(0); have < total; have = uint64(len(words)) {
		size := min(total, max(first, 2*have))
		if err := memory.Check(8 * size); err != nil {
			return nil, n, h.memoryError(err)
		}
		grown := memory.Words(size, !want.NoHugePages)
		memory.Copy(grown, words)
		words = grown
		m, err := readWords(r, words[have:], sum)
		n += m
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = h.truncated(uint64(n))
		}
		if err != nil {
			return nil, n, err
		}
	}
	if sum != nil {
		if err := h.checkSum(sum.Sum64()); err != nil {
			return nil, n, err
		}
	}
	if err := h.checkRest(words); err != nil {
		return nil, n, err
	}
	return words, n, nil
}
