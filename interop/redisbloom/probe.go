package redisbloom

import (
	"encoding/binary"
	"runtime"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// A probe is what is looked at: the bits of a link.
type probe struct {
	bytes []byte         // the bits as a dump has them, with gaps if gap is set
	words []uint64       // the same as words, if the machine can read them so
	gap   uint64         // bytes after each chunk that are no bits
	div   rounds.Divisor // by the number of bits
	k     uint64
}

const chunkShift = 24 // log2 of the size of a chunk of a dump: 16 MiB

// wordsOf returns bytes as words, nil if they cannot be read so: where the machine is
// big-endian, or does not read words at any address and these lie at the wrong one. What
// is past the last whole word is left out.
func wordsOf(b []byte) []uint64 {
	if len(b) < 8 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil
	}
	if uintptr(unsafe.Pointer(&b[0]))%8 != 0 {
		switch runtime.GOARCH {
		case "amd64", "arm64", "386", "ppc64le":
		default:
			return nil
		}
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), len(b)/8)
}

func (l *linkInfo) probe(b []byte, gap uint64) probe {
	p := probe{bytes: b, gap: gap, div: rounds.NewDivisor(l.modulus()), k: uint64(l.k)}
	if gap == 0 && len(b)%8 == 0 {
		p.words = wordsOf(b)
	}
	return p
}

// at returns where bit i lies.
func (p *probe) at(i uint64) (at uint64, mask byte) {
	at = i >> 3
	return at + at>>chunkShift*p.gap, 1 << (i & 7)
}

// test reports whether all bits of a key are set. It stops at the first that is not.
func (p *probe) test(h pair) bool {
	x := h.a
	if p.words != nil {
		for range p.k {
			if rounds.BitAt(p.words, p.div.Mod(x)) == 0 {
				return false
			}
			x += h.b
		}
		return true
	}
	for range p.k {
		if at, mask := p.at(p.div.Mod(x)); p.bytes[at]&mask == 0 {
			return false
		}
		x += h.b
	}
	return true
}

// add sets the bits of a key.
func (p *probe) add(h pair) {
	x := h.a
	for range p.k {
		at, mask := p.at(p.div.Mod(x))
		p.bytes[at] |= mask
		x += h.b
	}
}

// setBits returns how many bits are set.
func (p *probe) setBits(size uint64) (n uint64) {
	for at := uint64(0); at < size; {
		chunk := min(size-at, 1<<chunkShift)
		from := at + at>>chunkShift*p.gap
		n += uint64(popcount.Bytes(p.bytes[from : from+chunk]))
		at += chunk
	}
	return n
}
