package rocksdb

import (
	"encoding/binary"
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
)

// The trailer, and what the bytes of a filter must be.

const (
	trailerBytes = 5

	// The first byte of a trailer. From 1 to 127 it is the k of the older filter.
	markerAll    = 0x00
	markerBloom  = 0xff
	markerRibbon = 0xfe
)

// maxBytes is the size of the largest filter.
const maxBytes = maxLines*lineBytes + trailerBytes

// parse returns the table that the bytes of a filter hold, without copying them.
func parse(data []byte) (table, error) {
	n := int64(len(data))
	if n == 0 {
		return table{}, nil
	}
	if n < trailerBytes {
		return table{}, format.Errorf(bitsieve.ErrTruncated, "trailer", 0, "%d bytes, want at least %d", n, trailerBytes)
	}
	at := n - trailerBytes
	trailer := data[at:]
	switch marker := trailer[0]; {
	case marker == markerBloom:
	case marker == markerAll && at > 0:
		return table{all: true}, nil
	case marker == markerAll:
		return table{}, format.Errorf(bitsieve.ErrTruncated, "lines", 0, "nothing before the trailer")
	case marker == markerRibbon:
		return table{}, format.Errorf(bitsieve.ErrKind, "trailer", at, "is that of a Ribbon filter; want a Bloom filter of format_version 5")
	case marker < 128:
		return table{}, format.Errorf(bitsieve.ErrKind, "trailer", at,
			"is that of the Bloom filter of before format_version 5, with a 32-bit hash, %d probes and %d lines",
			marker, binary.LittleEndian.Uint32(trailer[1:]))
	default:
		return table{}, format.Errorf(bitsieve.ErrKind, "trailer", at, "marker %#02x is of no filter known", marker)
	}
	if trailer[1] != 0 {
		return table{}, format.Errorf(bitsieve.ErrKind, "sub-implementation", at+1, "is %d, which is reserved", trailer[1])
	}
	if shift := trailer[2] >> 5; shift != 0 {
		return table{}, format.Errorf(bitsieve.ErrKind, "block and probes", at+2, "lines of %d bytes, which are reserved", lineBytes<<shift)
	}
	k := int(trailer[2] & 31)
	if k < 1 || k > maxK {
		return table{}, format.Errorf(bitsieve.ErrHeader, "block and probes", at+2, "%d probes, want 1 to %d", k, maxK)
	}
	if trailer[3] != 0 || trailer[4] != 0 {
		return table{}, format.Errorf(bitsieve.ErrHeader, "reserved bytes", at+3, "are %#02x %#02x, want zeros", trailer[3], trailer[4])
	}
	if at%lineBytes != 0 {
		return table{}, format.Errorf(bitsieve.ErrTruncated, "lines", 0, "%d bytes before the trailer, want a multiple of %d", at, lineBytes)
	}
	if at/lineBytes > maxLines {
		return table{}, format.Errorf(bitsieve.ErrHeader, "lines", 0, "%d lines, at most %d are possible", at/lineBytes, maxLines)
	}
	if at == 0 {
		return table{}, nil
	}
	return table{bits: data[:at:at], k: k}, nil
}

// appendTrailer appends what follows the lines of t.
func (t *table) appendTrailer(b []byte) []byte {
	switch {
	case len(t.bits) > 0:
		return append(b, markerBloom, 0, byte(t.k), 0, 0)
	case t.all:
		return append(b, 0, markerAll, 0, 0, 0, 0)
	}
	return b
}

// size returns the number of bytes of a filter.
func (t *table) size() int {
	switch {
	case len(t.bits) > 0:
		return len(t.bits) + trailerBytes
	case t.all:
		return trailerBytes + 1
	}
	return 0
}

// millibits returns bits per key in thousandths, as RocksDB makes them out of what
// NewBloomFilterPolicy is given. The nudge is its own.
func millibits(bitsPerKey float64) (int, error) {
	if !(bitsPerKey >= 0.5) {
		return 0, fmt.Errorf("%w: %v bits per key, want 0.5 or more", bitsieve.ErrParameter, bitsPerKey)
	}
	return int(min(max(bitsPerKey, 1), 100)*1000 + 0.500001), nil
}

// linesFor returns how many lines RocksDB takes for n keys.
func linesFor(n uint64, millibits int) (uint64, error) {
	if n <= maxLines*lineBits { // one bit per key is the least
		bytes := (n*uint64(millibits) + 7999) / 8000
		if lines := (bytes + lineBytes - 1) / lineBytes; lines <= maxLines {
			return max(lines, 1), nil
		}
	}
	return 0, fmt.Errorf("%w: %d keys take more than %d lines", bitsieve.ErrParameter, n, maxLines)
}

// probesFor returns the k that RocksDB takes, which it found by trial to be the best
// within a line (FastLocalBloomImpl::ChooseNumProbes).
func probesFor(millibits int) int {
	for k, most := range [...]int{2080, 3580, 5100, 6640, 8300, 10070, 11720, 14001, 16050, 18300, 22001, 25501} {
		if millibits <= most {
			return k + 1
		}
	}
	return min((millibits-1)/2000-1, 24)
}
