package bitsieve

// The file format: a header of 128 bytes, then the filter's bits. Integers are
// little-endian, offsets and sizes are in bytes.
//
//	offset  size  field
//	     0     8  magic: 89 42 53 56 0d 0a 1a 0a
//	     8     4  version: 1
//	    12     4  kind: 1 = blocked
//	    16     4  header length: 128
//	    20     4  k, the number of bits that a key sets
//	    24     4  hash: 1 = XXH3-64, and hash.Mix for integers
//	                    2 = HighwayHash-64 under a secret key
//	    28     4  flags: 0
//	    32     8  key check: HighwayHash-64 of a fixed text under the key; 0 without
//	    40     8  number of blocks of 64 bytes
//	    48     8  number of keys, as estimated when the file was written
//	    56     8  number of keys that the filter was sized for, 0 if unknown
//	    64     8  false-positive rate that it was sized for, an IEEE 754 double
//	    72     8  payload checksum: XXH3-64 of all bytes from 128 on
//	    80    40  reserved: 0
//	   120     8  header checksum: XXH3-64 of bytes 0 to 119
//	   128        payload: the blocks' words, in order
//
// The file ends with its last block. The payload's offset is a multiple of a
// cache line, so that a file mapped at a page boundary is probed where it lies.
// As in PNG, the magic breaks when a transfer strips the eighth bit, translates
// line ends, or takes the file for text.
//
// A later version keeps the first 12 bytes. Everything a reader does not know
// (a flag, a reserved byte that is not 0) is an error to it: a filter that is
// half understood gives wrong answers.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
)

const (
	fileMagic     = "\x89BSV\r\n\x1a\n"
	formatVersion = 1
	headerSize    = 128

	kindBlocked = 1

	hashXXH3    = 1
	hashHighway = 2

	offVersion      = 8
	offKind         = 12
	offHeaderLength = 16
	offK            = 20
	offHash         = 24
	offFlags        = 28
	offKeyCheck     = 32
	offBlocks       = 40
	offItems        = 48
	offCapacity     = 56
	offRate         = 64
	offPayloadSum   = 72
	offReserved     = 80
	offHeaderSum    = 120
)

// What can be wrong with a file. A FormatError wraps one of them: test for it
// with errors.Is.
var (
	// ErrNotFilter means that the data do not start as a bitsieve file does.
	ErrNotFilter = errors.New("bitsieve: not a bitsieve file")
	// ErrVersion means that the file is of a version of the format that this
	// version of the package does not read.
	ErrVersion = errors.New("bitsieve: unknown format version")
	// ErrKind means that the file holds another kind of filter than the one
	// asked for.
	ErrKind = errors.New("bitsieve: another kind of filter")
	// ErrTruncated means that the data end too early.
	ErrTruncated = errors.New("bitsieve: truncated")
	// ErrTrailingData means that the data go on after the filter's end.
	ErrTrailingData = errors.New("bitsieve: data after the end")
	// ErrChecksum means that the header or the payload was altered.
	ErrChecksum = errors.New("bitsieve: checksum mismatch")
	// ErrHeader means that a header whose checksum is right has a field that is
	// not.
	ErrHeader = errors.New("bitsieve: invalid header")
)

// A FormatError says what is wrong with a filter's file or stream, and where.
type FormatError struct {
	Path   string // the file; "" if the data did not come from a named file
	Field  string // the part of the format at fault, such as "payload"
	Offset int64  // where that part starts, or where the data ended
	Detail string // what was found, and what was expected
	Err    error  // the sort of fault: ErrTruncated, ErrChecksum, …
}

func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString("bitsieve: ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(strings.TrimPrefix(e.Err.Error(), "bitsieve: "))
	fmt.Fprintf(&b, ": %s at byte %d: %s", e.Field, e.Offset, e.Detail)
	return b.String()
}

// Unwrap returns e.Err.
func (e *FormatError) Unwrap() error { return e.Err }

func formatError(err error, field string, offset int64, format string, args ...any) *FormatError {
	return &FormatError{Field: field, Offset: offset, Detail: fmt.Sprintf(format, args...), Err: err}
}

// header is the decoded form of a file's first 128 bytes.
type header struct {
	kind       uint32
	k          uint32
	hash       uint32
	keyCheck   uint64
	blocks     uint64
	items      uint64
	capacity   uint64
	rate       float64
	payloadSum uint64
}

func (h *header) payloadSize() uint64 { return h.blocks * block.Bytes }

// encode returns the header's bytes, checksum included.
func (h *header) encode() (b [headerSize]byte) {
	le := binary.LittleEndian
	copy(b[:], fileMagic)
	le.PutUint32(b[offVersion:], formatVersion)
	le.PutUint32(b[offKind:], h.kind)
	le.PutUint32(b[offHeaderLength:], headerSize)
	le.PutUint32(b[offK:], h.k)
	le.PutUint32(b[offHash:], h.hash)
	le.PutUint64(b[offKeyCheck:], h.keyCheck)
	le.PutUint64(b[offBlocks:], h.blocks)
	le.PutUint64(b[offItems:], h.items)
	le.PutUint64(b[offCapacity:], h.capacity)
	le.PutUint64(b[offRate:], math.Float64bits(h.rate))
	le.PutUint64(b[offPayloadSum:], h.payloadSum)
	le.PutUint64(b[offHeaderSum:], xxh3.Hash(b[:offHeaderSum]))
	return b
}

// parseHeader decodes and checks the start of a file. b is what there is of the
// first 128 bytes. When the magic and the version are known and b is complete,
// h has the fields as they stand in b even if err says that they are wrong.
func parseHeader(b []byte) (h header, err error) {
	if err := checkMagic(b); err != nil {
		return h, err
	}
	le := binary.LittleEndian
	if len(b) >= offKind {
		if v := le.Uint32(b[offVersion:]); v != formatVersion {
			return h, formatError(ErrVersion, "version", offVersion, "is %d, this package reads %d", v, formatVersion)
		}
	}
	if len(b) < headerSize {
		return h, formatError(ErrTruncated, "header", int64(len(b)), "is %d bytes, want %d", len(b), headerSize)
	}
	h = header{
		kind:       le.Uint32(b[offKind:]),
		k:          le.Uint32(b[offK:]),
		hash:       le.Uint32(b[offHash:]),
		keyCheck:   le.Uint64(b[offKeyCheck:]),
		blocks:     le.Uint64(b[offBlocks:]),
		items:      le.Uint64(b[offItems:]),
		capacity:   le.Uint64(b[offCapacity:]),
		rate:       math.Float64frombits(le.Uint64(b[offRate:])),
		payloadSum: le.Uint64(b[offPayloadSum:]),
	}
	stored, computed := le.Uint64(b[offHeaderSum:]), xxh3.Hash(b[:offHeaderSum])
	if stored != computed {
		return h, formatError(ErrChecksum, "header", 0, "its checksum is %016x, the stored one %016x", computed, stored)
	}
	if n := le.Uint32(b[offHeaderLength:]); n != headerSize {
		return h, formatError(ErrHeader, "header length", offHeaderLength, "is %d, want %d", n, headerSize)
	}
	if flags := le.Uint32(b[offFlags:]); flags != 0 {
		return h, formatError(ErrHeader, "flags", offFlags, "are %#x, want 0", flags)
	}
	for i, x := range b[offReserved:offHeaderSum] {
		if x != 0 {
			return h, formatError(ErrHeader, "reserved bytes", offReserved+int64(i), "%#x, want 0", x)
		}
	}
	return h, h.check()
}

// check validates the fields that mean something by themselves.
func (h *header) check() error {
	if h.kind != kindBlocked {
		return formatError(ErrKind, "kind", offKind, "is %d, want %d (blocked)", h.kind, kindBlocked)
	}
	if h.k < block.MinK || h.k > block.MaxK {
		return formatError(ErrHeader, "k", offK, "is %d, want %d to %d", h.k, block.MinK, block.MaxK)
	}
	if h.hash != hashXXH3 && h.hash != hashHighway {
		return formatError(ErrHeader, "hash", offHash, "is %d, want %d or %d", h.hash, hashXXH3, hashHighway)
	}
	if h.hash == hashXXH3 && h.keyCheck != 0 {
		return formatError(ErrHeader, "key check", offKeyCheck, "is %#x for a hash without a key", h.keyCheck)
	}
	if h.blocks == 0 || h.blocks > math.MaxInt64/block.Bytes-headerSize {
		return formatError(ErrHeader, "block count", offBlocks, "is %d", h.blocks)
	}
	if err := checkBlocked(h.blocks, int(h.k)); err != nil {
		return formatError(err, "block count", offBlocks, "is too large for this machine")
	}
	if !(h.rate >= 0 && h.rate < 1) { // false for NaN
		return formatError(ErrHeader, "design rate", offRate, "is %v, want 0 <= p < 1", h.rate)
	}
	return nil
}

// checkKey returns an error that wraps ErrKey unless the filter was hashed as
// hash does. A filter without a key is not accepted for one with: whoever gives
// a key relies on it.
func (h *header) checkKey(hasher hash.Hasher) error {
	switch {
	case h.hash == hashXXH3 && hasher.Keyed():
		return fmt.Errorf("%w: the filter was made without a key", ErrKey)
	case h.hash == hashHighway && !hasher.Keyed():
		return fmt.Errorf("%w: the filter was made with a secret key, none was given", ErrKey)
	case h.keyCheck != hasher.Check():
		return fmt.Errorf("%w: the filter was made with a different key", ErrKey)
	}
	return nil
}

// checkSize compares the size that the header claims with that of all the data.
func (h *header) checkSize(size uint64) error {
	want := headerSize + h.payloadSize()
	if size < want {
		return truncatedPayload(size-headerSize, h)
	}
	if size > want {
		return formatError(ErrTrailingData, "end", int64(want), "%d bytes follow", size-want)
	}
	return nil
}

func truncatedPayload(got uint64, h *header) error {
	return formatError(ErrTruncated, "payload", headerSize, "has %d bytes, want %d (%d blocks)",
		got, h.payloadSize(), h.blocks)
}

// checkPayload compares the payload with the header's checksum.
func (h *header) checkPayload(blocks []block.Block) error {
	if sum := payloadSum(blocks); sum != h.payloadSum {
		return formatError(ErrChecksum, "payload", headerSize, "its checksum is %016x, the stored one %016x", sum, h.payloadSum)
	}
	return nil
}

// checkMagic looks at as much of the magic as b has.
func checkMagic(b []byte) error {
	n := min(len(b), len(fileMagic))
	if string(b[:n]) == fileMagic[:n] {
		if n < len(fileMagic) {
			return formatError(ErrTruncated, "magic", int64(n), "the data are %d bytes", n)
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
			return formatError(ErrNotFilter, "magic", 0, "% x: a transfer in text mode damaged the file", b[:n])
		}
	}
	return formatError(ErrNotFilter, "magic", 0, "% x, want % x", b[:n], fileMagic)
}
