package foreign

import (
	"encoding/binary"

	"github.com/bitsieve/bitsieve/interop/guava"
)

// isGuava goes by the sizes: Guava's bytes have no magic number.
func isGuava(data []byte) bool {
	const header = 6
	return len(data) > header && data[0] <= 1 && data[1] > 0 &&
		uint64(binary.BigEndian.Uint32(data[2:]))*8 == uint64(len(data)-header)
}

func openGuava(data []byte) (filter, error) {
	v, err := guava.NewView(data)
	return guavaFilter{&v}, err
}

type guavaFilter struct{ *guava.View }

func (f guavaFilter) facts() ([]Fact, error) {
	return append([]Fact{fact("strategy", "%v, MurmurHash3", f.Strategy())},
		bitFacts(f.SizeBytes(), f.Bits(), f.K(), f.EstimatedCount(), f.Fill(), f.FPRate())...), nil
}

func (f guavaFilter) lines(c Choice) (Lines, error) {
	switch c.Funnel {
	case Chars:
		chars := func(line []byte) (string, bool) { return string(line), true }
		return &converted[string]{parse: chars, test: f.TestUnencodedStrings}, nil
	case Int:
		return &converted[int32]{parse: integer[int32](32), test: f.TestInt32s}, nil
	case Long:
		return &converted[int64]{parse: integer[int64](64), test: f.TestInt64s}, nil
	}
	return f.View, nil
}
