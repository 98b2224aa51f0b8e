package redisbloom

import (
	"encoding/binary"
	"math"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// The header of a dump.

const (
	chainBytes = 20
	linkBytes  = 53
)

// chainInfo is what a header says of a chain.
type chainInfo struct {
	size    uint64 // keys
	links   uint32
	options uint32
	growth  uint32
}

func (c *chainInfo) wide() bool { return c.options&optForce64 != 0 }

func parseChain(b []byte) chainInfo {
	le := binary.LittleEndian
	return chainInfo{le.Uint64(b), le.Uint32(b[8:]), le.Uint32(b[12:]), le.Uint32(b[16:])}
}

func (c *chainInfo) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, c.size)
	b = le.AppendUint32(b, c.links)
	b = le.AppendUint32(b, c.options)
	return le.AppendUint32(b, c.growth)
}

func parseLink(b []byte) linkInfo {
	b = b[:linkBytes]
	le := binary.LittleEndian
	return linkInfo{
		bytes:   le.Uint64(b),
		bits:    le.Uint64(b[8:]),
		size:    le.Uint64(b[16:]),
		rate:    math.Float64frombits(le.Uint64(b[24:])),
		perKey:  math.Float64frombits(le.Uint64(b[32:])),
		k:       le.Uint32(b[40:]),
		entries: le.Uint64(b[44:]),
		log2:    b[52],
	}
}

func (l *linkInfo) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, l.bytes)
	b = le.AppendUint64(b, l.bits)
	b = le.AppendUint64(b, l.size)
	b = le.AppendUint64(b, math.Float64bits(l.rate))
	b = le.AppendUint64(b, math.Float64bits(l.perKey))
	b = le.AppendUint32(b, l.k)
	b = le.AppendUint64(b, l.entries)
	return append(b, l.log2)
}

// linkAt returns link i of a header, whose length is right.
func linkAt(header []byte, i int) linkInfo { return parseLink(header[chainBytes+linkBytes*i:]) }

// checkHeader checks all that RedisBloom's loader does, and that k is one that a rate
// can have: a probe takes that long. Errors are *bitsieve.FormatErrors that wrap
// ErrTruncated, ErrTrailingData or ErrHeader; sizes beyond what any machine addresses wrap
// ErrMemory. at is where the header lies. It returns the number of bytes of all links.
func checkHeader(header []byte, at int64) (total uint64, err error) {
	if len(header) < chainBytes {
		return 0, format.Errorf(bitsieve.ErrTruncated, "header", at+int64(len(header)), "%d bytes, want at least %d", len(header), chainBytes+linkBytes)
	}
	c := parseChain(header)
	want := chainBytes + linkBytes*uint64(c.links)
	switch {
	case c.links == 0:
		return 0, format.Errorf(bitsieve.ErrHeader, "links", at+8, "none")
	case uint64(len(header)) < want:
		return 0, format.Errorf(bitsieve.ErrTruncated, "header", at+int64(len(header)), "%d bytes, want %d for %d links", len(header), want, c.links)
	case uint64(len(header)) > want:
		return 0, format.Errorf(bitsieve.ErrTrailingData, "header", at+int64(want), "%d bytes, want %d for %d links", len(header), want, c.links)
	case c.options&^optKnown != 0:
		return 0, format.Errorf(bitsieve.ErrHeader, "options", at+12, "%#x, of which %#x is known", c.options, optKnown)
	}
	size := uint64(0)
	for i := range int(c.links) {
		l := linkAt(header, i)
		if err := l.check(at + chainBytes + linkBytes*int64(i)); err != nil {
			return 0, err
		}
		total += l.bytes // at most 2^46 each, so that 2^32 of them could wrap
		if total > memory.MaxBytes {
			return 0, format.Errorf(bitsieve.ErrMemory, "bytes", at+chainBytes+linkBytes*int64(i), "links of more than %d bytes", uint64(memory.MaxBytes))
		}
		if size+l.size < size {
			return 0, format.Errorf(bitsieve.ErrHeader, "keys", at, "the links' sum is over 2^64")
		}
		size += l.size
	}
	if size != c.size {
		return 0, format.Errorf(bitsieve.ErrHeader, "keys", at, "%d, but the links have %d", c.size, size)
	}
	return total, nil
}

// check checks one link, which lies at a byte of the dump.
func (l *linkInfo) check(at int64) error {
	switch {
	case l.bytes > memory.MaxBytes:
		return format.Errorf(bitsieve.ErrMemory, "bytes", at, "%d, this machine addresses at most %d", l.bytes, uint64(memory.MaxBytes))
	case l.bits == 0:
		return format.Errorf(bitsieve.ErrHeader, "bits", at+8, "none")
	case l.bits != 8*l.bytes:
		return format.Errorf(bitsieve.ErrHeader, "bits", at+8, "%d in %d bytes", l.bits, l.bytes)
	case !(l.rate > 0 && l.rate < 1):
		return format.Errorf(bitsieve.ErrHeader, "rate", at+24, "is %v, want it between 0 and 1", l.rate)
	case float64(l.k) != hashes(l.perKey):
		return format.Errorf(bitsieve.ErrHeader, "k", at+40, "is %d, but %v bits per key make %v", l.k, l.perKey, hashes(l.perKey))
	case l.k < 1 || l.k > maxK:
		return format.Errorf(bitsieve.ErrHeader, "k", at+40, "is %d, want 1 to %d", l.k, maxK)
	case l.log2 > 63 || l.log2 > 0 && l.bits < 1<<l.log2:
		return format.Errorf(bitsieve.ErrHeader, "log2 of bits", at+52, "is %d, for %d bits", l.log2, l.bits)
	}
	return nil
}
