package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// A Header is the decoded form of a file's first 128 bytes.
type Header struct {
	Kind     Kind
	K        uint32
	Hash     HashID
	KeyCheck uint64
	Items    uint64    // keys in the filter, as estimated
	Capacity uint64    // keys that it was sized for, 0 if unknown
	Rate     float64   // false-positive rate that it was sized for, 0 if unknown
	Bits     uint64    // that keys are spread over, for Bloom; else 0
	Extra    [4]uint64 // by kind

	Blocks     uint64 // of 64 bytes; Write sets it
	PayloadSum uint64 // Write sets it
}

// NewHeader returns the header of a filter of the given kind that sets k bits for
// a key and hashes as h does. Other fields are to be filled in.
func NewHeader(kind Kind, k int, h hash.Hasher) Header {
	r := kind.rule()
	header := Header{Kind: kind, K: uint32(k), KeyCheck: h.Check()}
	for _, id := range r.hashes {
		if id.Keyed() == h.Keyed() {
			header.Hash = id
			break
		}
	}
	return header
}

// payloadBytes is the size that the header claims.
func (h *Header) payloadBytes() uint64 { return h.Blocks * block.Bytes }

// encode returns the header's bytes, checksum included.
func (h *Header) encode() (b [HeaderBytes]byte) {
	le := binary.LittleEndian
	copy(b[:], magic)
	le.PutUint32(b[offVersion:], version)
	le.PutUint32(b[offKind:], uint32(h.Kind))
	le.PutUint32(b[offHeaderLength:], HeaderBytes)
	le.PutUint32(b[offK:], h.K)
	le.PutUint32(b[offHash:], uint32(h.Hash))
	le.PutUint64(b[offKeyCheck:], h.KeyCheck)
	le.PutUint64(b[offBlocks:], h.Blocks)
	le.PutUint64(b[offItems:], h.Items)
	le.PutUint64(b[offCapacity:], h.Capacity)
	le.PutUint64(b[offRate:], math.Float64bits(h.Rate))
	le.PutUint64(b[offPayloadSum:], h.PayloadSum)
	le.PutUint64(b[offBits:], h.Bits)
	for i, x := range h.Extra {
		le.PutUint64(b[offExtra+8*i:], x)
	}
	le.PutUint64(b[offHeaderSum:], xxh3.Hash(b[:offHeaderSum]))
	return b
}

// readHeader reads and checks a header, as parse does. It returns the number of
// bytes read.
func readHeader(r io.Reader, want Kind) (h Header, n int64, err error) {
	var b [HeaderBytes]byte
	m, err := io.ReadFull(r, b[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return h, int64(m), err
	}
	h, err = parse(b[:m], want)
	return h, int64(m), err
}

// parse decodes and checks the start of a file. b is what there is of the first
// 128 bytes. want is the kind of filter asked for, 0 for any. When the magic and
// the version are known and b is complete, h has the fields as they stand in b
// even if err says that they are wrong.
func parse(b []byte, want Kind) (h Header, err error) {
	if err := checkMagic(b); err != nil {
		return h, err
	}
	le := binary.LittleEndian
	if len(b) >= offKind {
		if v := le.Uint32(b[offVersion:]); v != version {
			return h, Errorf(ErrVersion, "version", offVersion, "is %d, this package reads %d", v, version)
		}
	}
	if len(b) < HeaderBytes {
		return h, Errorf(ErrTruncated, "header", int64(len(b)), "is %d bytes, want %d", len(b), HeaderBytes)
	}
	h = Header{
		Kind:       Kind(le.Uint32(b[offKind:])),
		K:          le.Uint32(b[offK:]),
		Hash:       HashID(le.Uint32(b[offHash:])),
		KeyCheck:   le.Uint64(b[offKeyCheck:]),
		Blocks:     le.Uint64(b[offBlocks:]),
		Items:      le.Uint64(b[offItems:]),
		Capacity:   le.Uint64(b[offCapacity:]),
		Rate:       math.Float64frombits(le.Uint64(b[offRate:])),
		PayloadSum: le.Uint64(b[offPayloadSum:]),
		Bits:       le.Uint64(b[offBits:]),
	}
	for i := range h.Extra {
		h.Extra[i] = le.Uint64(b[offExtra+8*i:])
	}
	stored, computed := le.Uint64(b[offHeaderSum:]), xxh3.Hash(b[:offHeaderSum])
	if stored != computed {
		return h, Errorf(ErrChecksum, "header", 0, "its checksum is %016x, the stored one %016x", computed, stored)
	}
	if n := le.Uint32(b[offHeaderLength:]); n != HeaderBytes {
		return h, Errorf(ErrHeader, "header length", offHeaderLength, "is %d, want %d", n, HeaderBytes)
	}
	if flags := le.Uint32(b[offFlags:]); flags != 0 {
		return h, Errorf(ErrHeader, "flags", offFlags, "are %#x, want 0", flags)
	}
	return h, h.check(want)
}

// check validates the fields that mean something by themselves.
func (h *Header) check(want Kind) error {
	r := h.Kind.rule()
	if want != 0 && h.Kind != want {
		return Errorf(ErrKind, "kind", offKind, "is %d (%v), want %d (%v)", uint32(h.Kind), h.Kind, uint32(want), want)
	}
	if r == nil {
		return Errorf(ErrKind, "kind", offKind, "is %d, which this package does not know", uint32(h.Kind))
	}
	if h.K < r.minK || h.K > r.maxK {
		return Errorf(ErrHeader, "k", offK, "is %d, want %d to %d", h.K, r.minK, r.maxK)
	}
	if !slices.Contains(r.hashes, h.Hash) {
		return Errorf(ErrHeader, "hash", offHash, "is %d (%v), want one of %v", uint32(h.Hash), h.Hash, r.hashes)
	}
	if !h.Hash.Keyed() && h.KeyCheck != 0 {
		return Errorf(ErrHeader, "key check", offKeyCheck, "is %#x for a hash without a key", h.KeyCheck)
	}
	if h.Blocks == 0 || h.Blocks > math.MaxInt64/block.Bytes-HeaderBytes {
		return Errorf(ErrHeader, "block count", offBlocks, "is %d", h.Blocks)
	}
	if h.payloadBytes() > memory.MaxBytes {
		return h.memoryError(memory.Check(h.payloadBytes()))
	}
	if !(h.Rate >= 0 && h.Rate < 1) { // false for NaN
		return Errorf(ErrHeader, "design rate", offRate, "is %v, want 0 <= p < 1", h.Rate)
	}
	for i, x := range h.Extra[r.extra:] {
		if x != 0 {
			return Errorf(ErrHeader, "reserved integer", offExtra+8*int64(r.extra+i), "is %#x, want 0", x)
		}
	}
	if !r.bits && h.Bits != 0 {
		return Errorf(ErrHeader, "bits", offBits, "are %d, want 0 for kind %v", h.Bits, h.Kind)
	}
	if r.bits && blocksFor(h.Bits) != h.Blocks {
		return Errorf(ErrHeader, "bits", offBits, "are %d in %d blocks, want %d to %d",
			h.Bits, h.Blocks, (h.Blocks-1)*blockBits+1, h.Blocks*blockBits)
	}
	return nil
}

const blockBits = 8 * block.Bytes

// blocksFor returns the number of blocks that hold the given number of bits.
func blocksFor(bits uint64) uint64 {
	n := bits / blockBits
	if bits%blockBits != 0 {
		n++
	}
	return n
}

// memoryError says that err keeps the payload from being held.
func (h *Header) memoryError(err error) error {
	return Errorf(err, "block count", offBlocks, "is %d", h.Blocks)
}

// checkKey returns an error that wraps hash.ErrKey unless the filter was hashed
// as hasher does. A filter without a key is not accepted for one with: whoever
// gives a key relies on it.
func (h *Header) checkKey(hasher hash.Hasher) error {
	switch {
	case !h.Hash.Keyed() && hasher.Keyed():
		return fmt.Errorf("%w: the filter was made without a key", hash.ErrKey)
	case h.Hash.Keyed() && !hasher.Keyed():
		return fmt.Errorf("%w: the filter was made with a secret key, none was given", hash.ErrKey)
	case h.KeyCheck != hasher.Check():
		return fmt.Errorf("%w: the filter was made with a different key", hash.ErrKey)
	}
	return nil
}

// CheckUnkeyed returns an error that wraps hash.ErrKey if there is a secret key, for
// data of others that have none.
func CheckUnkeyed(hasher hash.Hasher) error { return new(Header).checkKey(hasher) }

// IsFile reports whether data begin as a file does.
func IsFile(data []byte) bool { return len(data) >= len(magic) && string(data[:len(magic)]) == magic }

// checkSize compares the size that the header claims with that of all the data,
// which have a whole header.
func (h *Header) checkSize(size uint64) error {
	want := HeaderBytes + h.payloadBytes()
	if size < want {
		return h.truncated(size - min(size, HeaderBytes))
	}
	if size > want {
		return Errorf(ErrTrailingData, "end", int64(want), "%d bytes follow", size-want)
	}
	return nil
}

// truncated says that only so many bytes of the payload are there.
func (h *Header) truncated(got uint64) error {
	return Errorf(ErrTruncated, "payload", HeaderBytes, "has %d bytes, want %d (%d blocks)",
		got, h.payloadBytes(), h.Blocks)
}

// checkMagic looks at as much of the magic as b has.
func checkMagic(b []byte) error {
	n := min(len(b), len(magic))
	if string(b[:n]) == magic[:n] {
		if n < len(magic) {
			return Errorf(ErrTruncated, "magic", int64(n), "the data are %d bytes", n)
		}
		return nil
	}
	for _, mangled := range []string{
		"\x89BSV\n\x1a\n",             // CR LF to LF
		"\x89BSV\r\n\x1a\r\n",         // LF to CR LF where there was no CR
		"\x89BSV\r\r\n\x1a\r\n",       // LF to CR LF
		"\x09BSV\r\n\x1a\n",           // eighth bit stripped
		"\xef\xbf\xbdBSV\r\n\x1a\n",   // taken for UTF-8
		"\xc2\x89BSV\r\n\x1a\n",       // Latin-1 to UTF-8
		"\xef\xbb\xbf\x89BSV\r\n\x1a", // byte order mark put in front
	} {
		if bytes.HasPrefix(b, []byte(mangled)) {
			return Errorf(ErrNotFilter, "magic", 0, "% x: a transfer in text mode damaged the file", b[:n])
		}
	}
	return Errorf(ErrNotFilter, "magic", 0, "% x, want % x", b[:n], magic)
}
