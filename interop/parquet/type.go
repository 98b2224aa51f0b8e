package parquet

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/bitsieve/bitsieve"
)

// A Type is a column's physical type.
type Type int32

// The physical types, by their numbers in parquet.thrift.
const (
	Boolean Type = iota
	Int32
	Int64
	Int96
	Float
	Double
	ByteArray
	FixedLenByteArray
)

var typeNames = [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}

// String returns the type's name in parquet.thrift.
func (t Type) String() string {
	if t.valid() {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", int32(t))
}

func (t Type) valid() bool { return t >= 0 && int(t) < len(typeNames) }

// HashText returns the hash of a value of the type that is written as text: numbers
// in decimal, unsigned ones too, BOOLEAN as true or false, INT96 as 24 hexadecimal
// digits in a file's order of bytes, and the byte arrays as they are. Text that is no
// such value is an error that wraps bitsieve.ErrParameter.
func (t Type) HashText(text string) (uint64, error) {
	switch t {
	case Boolean:
		if x, err := strconv.ParseBool(text); err == nil {
			return HashBoolean(x), nil
		}
	case Int32:
		if x, ok := parseInt(text, 32); ok {
			return HashInt32(int32(x)), nil
		}
	case Int64:
		if x, ok := parseInt(text, 64); ok {
			return HashInt64(x), nil
		}
	case Int96:
		var x [12]byte
		if n, err := hex.Decode(x[:], []byte(text[:min(len(text), 24)])); err == nil && n == 12 && len(text) == 24 {
			return HashInt96(x), nil
		}
	case Float:
		if x, err := strconv.ParseFloat(text, 32); err == nil {
			return HashFloat(float32(x)), nil
		}
	case Double:
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			return HashDouble(x), nil
		}
	case ByteArray, FixedLenByteArray:
		return HashString(text), nil
	}
	return 0, fmt.Errorf("%w: %q is no value of type %v", bitsieve.ErrParameter, text, t)
}

// parseInt parses an integer of so many bits, signed or unsigned, which is stored as
// the signed one of the same bits.
func parseInt(text string, size int) (int64, bool) {
	if x, err := strconv.ParseInt(text, 10, size); err == nil {
		return x, true
	}
	x, err := strconv.ParseUint(text, 10, size)
	return int64(x), err == nil
}
