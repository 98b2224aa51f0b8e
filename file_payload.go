package bitsieve

// The payload: little-endian words, which on a little-endian machine is what
// memory holds.

import (
	"encoding/binary"
	"io"
	"os"
	"unsafe"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
)

// swapBlocks is how many blocks a big-endian machine converts at a time.
const swapBlocks = 512

func bigEndian() bool {
	return binary.NativeEndian.Uint16([]byte{0, 1}) == 1
}

// rawBytes views blocks as bytes, in the machine's order.
func rawBytes(blocks []block.Block) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(blocks))), len(blocks)*block.Bytes)
}

// viewBlocks is the opposite of rawBytes. raw is aligned to 8 bytes.
func viewBlocks(raw []byte) []block.Block {
	return unsafe.Slice((*block.Block)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/block.Bytes)
}

// eachPiece calls f with the payload's bytes in file order, piece by piece.
func eachPiece(blocks []block.Block, f func([]byte) error) error {
	if bigEndian() {
		return eachSwapped(blocks, f)
	}
	return f(rawBytes(blocks))
}

// eachSwapped is eachPiece for machines whose memory is not in file order.
func eachSwapped(blocks []block.Block, f func([]byte) error) error {
	buf := make([]byte, min(len(blocks), swapBlocks)*block.Bytes)
	for len(blocks) > 0 {
		n := min(len(blocks), swapBlocks)
		for i, w := range block.Flatten(blocks[:n]) {
			binary.LittleEndian.PutUint64(buf[8*i:], w)
		}
		if err := f(buf[:n*block.Bytes]); err != nil {
			return err
		}
		blocks = blocks[n:]
	}
	return nil
}

func payloadSum(blocks []block.Block) uint64 {
	if !bigEndian() {
		return xxh3.Hash(rawBytes(blocks)) // faster than the streaming form
	}
	h := xxh3.New()
	// A hash's Write never fails.
	_ = eachPiece(blocks, func(b []byte) error { _, err := h.Write(b); return err })
	return h.Sum64()
}

func writePayload(w io.Writer, blocks []block.Block) (n int64, err error) {
	err = eachPiece(blocks, func(b []byte) error {
		m, err := w.Write(b)
		n += int64(m)
		return err
	})
	return n, err
}

// readPayload fills blocks from r, and returns the number of bytes read.
func readPayload(r io.Reader, blocks []block.Block) (int64, error) {
	raw := rawBytes(blocks)
	n, err := io.ReadFull(r, raw)
	if bigEndian() {
		words := block.Flatten(blocks)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(raw[8*i:])
		}
	}
	return int64(n), err
}

const (
	// firstRead is the most memory that a stream's header gets on trust, unless
	// the stream is known to be longer.
	firstRead = 1 << 20
	// readGrowth is by how much the memory then exceeds what has arrived. A
	// larger factor copies less but trusts more.
	readGrowth = 4
)

// remaining returns how many bytes r is known to have, 0 if it does not tell.
func remaining(r io.Reader) uint64 {
	switch r := r.(type) {
	case interface{ Len() int }: // of bytes and strings
		return uint64(max(r.Len(), 0))
	case *os.File:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		at, err := r.Seek(0, io.SeekCurrent)
		if err != nil {
			return 0
		}
		return uint64(max(info.Size()-at, 0))
	}
	return 0
}

// readPayloadGrowing reads the payload that h announces into new memory, which
// grows as the data arrive. It returns the number of bytes read.
func readPayloadGrowing(r io.Reader, h *header) (blocks []block.Block, n int64, err error) {
	trusted := max(firstRead, remaining(r)) / block.Bytes
	for have := uint64(0); have < h.blocks; have = uint64(len(blocks)) {
		grown := block.New(min(h.blocks, max(trusted, have*readGrowth)), true)
		copy(grown, blocks)
		blocks = grown
		m, err := readPayload(r, blocks[have:])
		n += m
		if err != nil {
			return nil, n, payloadError(err, uint64(n), h)
		}
	}
	return blocks, n, nil
}

// payloadError turns the end of the data after got bytes of payload into a
// FormatError, and leaves other errors alone.
func payloadError(err error, got uint64, h *header) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return truncatedPayload(got, h)
	}
	return err
}
