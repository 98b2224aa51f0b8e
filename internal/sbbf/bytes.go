package sbbf

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/race"
)

// Single keys of any length, hashed by XXH64 with seed 0 on the way, as Parquet hashes
// BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY.

const (
	stripe = 32 // bytes, a quarter for each accumulator
	// maxKey is the longest key in bytes for one call of a kernel, which cannot be
	// preempted: some 40 µs. Longer ones are for Go.
	maxKey = 512 << 10
)

// HashBytes returns XXH64 of b: the specification of the kernels, and what runs where
// there is none.
func HashBytes(b []byte) uint64 {
	le := binary.LittleEndian
	h := uint64(prime5)
	n := uint64(len(b))
	if len(b) >= stripe {
		var v1, v2, v3, v4 uint64 = (prime1 + prime2) & (1<<64 - 1), prime2, 0, 1<<64 - prime1
		for len(b) >= stripe {
			v1 = round(v1, le.Uint64(b[0:8]))
			v2 = round(v2, le.Uint64(b[8:16]))
			v3 = round(v3, le.Uint64(b[16:24]))
			v4 = round(v4, le.Uint64(b[24:32]))
			b = b[stripe:]
		}
		h = bits.RotateLeft64(v1, 1) + bits.RotateLeft64(v2, 7) + bits.RotateLeft64(v3, 12) + bits.RotateLeft64(v4, 18)
		h = (h^round(0, v1))*prime1 + prime4
		h = (h^round(0, v2))*prime1 + prime4
		h = (h^round(0, v3))*prime1 + prime4
		h = (h^round(0, v4))*prime1 + prime4
	}
	h += n
	for ; len(b) >= 8; b = b[8:] {
		h ^= round(0, le.Uint64(b))
		h = bits.RotateLeft64(h, 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		h ^= uint64(le.Uint32(b)) * prime1
		h = bits.RotateLeft64(h, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, x := range b {
		h ^= uint64(x) * prime5
		h = bits.RotateLeft64(h, 11) * prime1
	}
	return avalanche(h)
}

// round takes 8 bytes into an accumulator.
func round(acc, x uint64) uint64 {
	return bits.RotateLeft64(acc+x*prime2, 31) * prime1
}

// AddBytes adds a key of any length.
func (p *Bits) AddBytes(key []byte) {
	if race.Enabled {
		race.Read(key)
		raceWrite(p.Bytes)
	}
	addBytes(p, unsafe.SliceData(key), len(key))
}

// TestBytes is Test for a key of any length.
func (p *Bits) TestBytes(key []byte) bool {
	if race.Enabled {
		race.Read(key)
		raceRead(p.Bytes)
	}
	return testBytes(p, unsafe.SliceData(key), len(key)) == 0
}

// AddString adds the bytes of s.
func (p *Bits) AddString(s string) {
	if race.Enabled {
		raceWrite(p.Bytes)
	}
	addBytes(p, unsafe.StringData(s), len(s))
}

// TestString is TestBytes for the bytes of s.
func (p *Bits) TestString(s string) bool {
	if race.Enabled {
		raceRead(p.Bytes)
	}
	return testBytes(p, unsafe.StringData(s), len(s)) == 0
}

// What the kernels jump to for long keys, too.

func addBytesGeneric(p *Bits, data *byte, n int) {
	addGeneric(p.Bytes, HashBytes(unsafe.Slice(data, n)))
}

func testBytesGeneric(p *Bits, data *byte, n int) (missing uint8) {
	return testHashGeneric(p, HashBytes(unsafe.Slice(data, n)))
}
