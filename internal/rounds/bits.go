package rounds

import (
	"encoding/binary"
	"math/bits"
)

// Bits are those of a standard filter in bytes, as they lie in a file, at any
// address: whole words of 64 bits in the file's byte order.
//
// Counted through the bytes, from the lowest bit of each on, bit i is number i^Flip:
// in words whose high byte comes first, the bytes of each are turned round, and with
// them bits 3 to 5 of a bit's number.
type Bits struct {
	Bytes []byte
	Flip  uint64 // BigEndian or LittleEndian
}

// The byte orders of the words.
const (
	LittleEndian = 0
	BigEndian    = 56
)

// At returns bit i, as a number.
func (s Bits) At(i uint64) uint64 {
	i ^= s.Flip
	return uint64(s.Bytes[i/8]>>(i%8)) & 1
}

// Word returns word i.
func (s Bits) Word(i int) uint64 {
	w := binary.LittleEndian.Uint64(s.Bytes[8*i:])
	if s.Flip != LittleEndian {
		w = bits.ReverseBytes64(w)
	}
	return w
}
