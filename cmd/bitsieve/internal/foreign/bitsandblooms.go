package foreign

import (
	"encoding/binary"

	"github.com/bitsieve/bitsieve"
)

// The bytes of github.com/bits-and-blooms/bloom: m, k and the length of the bits as
// big-endian integers of 64 bits, and then the bits.
const bitsAndBloomsHeader = 3 * 8

// isBitsAndBlooms goes by the sizes, which have no magic number before them.
func isBitsAndBlooms(data []byte) bool {
	if len(data) < bitsAndBloomsHeader {
		return false
	}
	m, k := binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:])
	length := binary.BigEndian.Uint64(data[16:])
	words := uint64(len(data)-bitsAndBloomsHeader) / 8
	return m > 0 && k > 0 && k <= 1<<16 && m <= length && length <= 64*words && length > 64*(words-1) &&
		uint64(len(data)) == bitsAndBloomsHeader+8*words
}

func openBitsAndBlooms(data []byte) (filter, error) {
	view, err := bitsieve.ViewBloom(data)
	return bitsAndBlooms{view}, err
}

type bitsAndBlooms struct{ bitsieve.BloomView }

func (f bitsAndBlooms) facts() ([]Fact, error) {
	return bitFacts(f.SizeBytes(), f.Bits(), f.K(), f.EstimatedCount(), f.Fill(), f.FPRate()), nil
}

func (f bitsAndBlooms) lines(c Choice) (Lines, error) {
	return asString(c, "a bits-and-blooms filter", f.BloomView)
}
