package parquet_test

import (
	"encoding/binary"
	"testing"

	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// A thrift writes structs of the compact protocol, each field with its number in full.
type thrift []byte

func (b thrift) field(id int64, kind byte) thrift {
	return binary.AppendVarint(append(b, kind), id)
}

func (b thrift) i32(id int64, x int64) thrift { return binary.AppendVarint(b.field(id, 5), x) }
func (b thrift) i64(id int64, x int64) thrift { return binary.AppendVarint(b.field(id, 6), x) }

func (b thrift) text(id int64, s string) thrift {
	return append(binary.AppendUvarint(b.field(id, 8), uint64(len(s))), s...)
}

func (b thrift) texts(id int64, list ...string) thrift {
	b = append(b.field(id, 9), 0xf8)
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	return b
}

func (b thrift) structs(id int64, list ...thrift) thrift {
	b = append(b.field(id, 9), 0xfc)
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = append(append(b, s...), 0)
	}
	return b
}

func (b thrift) sub(id int64, s thrift) thrift { return append(append(b.field(id, 12), s...), 0) }

// The structs of parquet.thrift, with the fields that matter.

func group(name string, children int64) thrift { return thrift{}.text(4, name).i32(5, children) }

func leaf(name string, typ Type) thrift { return thrift{}.i32(1, int64(typ)).text(4, name) }

func metaData(typ Type, offset, length int64, path ...string) thrift {
	b := thrift{}.i32(1, int64(typ)).texts(3, path...).i64(5, 10)
	if offset != 0 {
		b = b.i64(14, offset)
	}
	if length != 0 {
		b = b.i32(15, length)
	}
	return b
}

func chunk(meta thrift) thrift { return thrift{}.i64(2, 4).sub(3, meta) }

func rowGroup(rows int64, chunks ...thrift) thrift {
	return thrift{}.structs(1, chunks...).i64(3, rows)
}

func metadata(schema, groups []thrift) thrift {
	return thrift{}.i32(1, 2).structs(2, schema...).i64(3, 99).structs(4, groups...).text(6, "a test")
}

// parquetFile returns a file of the given contents between the magic and the footer.
func parquetFile(contents []byte, footer thrift) []byte {
	data := append([]byte("PAR1"), contents...)
	data = append(append(data, footer...), 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(footer)+1))
	return append(data, "PAR1"...)
}

// smallFile returns a file with columns a.x, a.y and b in two row groups. The filters
// of a.x and b in the first have values 1 and "one"; the second has none.
func smallFile(t testing.TB) []byte {
	x, b := newFilter(t, 64), newFilter(t, 1024)
	x.AddInt64(1)
	b.AddString("one")
	contents := marshal(t, x)
	atB := int64(4 + len(contents))
	contents = append(contents, marshal(t, b)...)
	return parquetFile(contents, smallFooter(4, atB, 1024+16))
}

func smallFooter(atX, atB, lengthB int64) thrift {
	schema := []thrift{group("root", 2), group("a", 2), leaf("x", Int64), leaf("y", Boolean), leaf("b", ByteArray)}
	return metadata(schema, []thrift{
		rowGroup(70, chunk(metaData(Int64, atX, 0, "a", "x")), chunk(metaData(Boolean, 0, 0, "a", "y")), chunk(metaData(ByteArray, atB, lengthB, "b"))),
		rowGroup(29, chunk(metaData(Int64, 0, 0, "a", "x")), chunk(thrift{}), chunk(metaData(ByteArray, 0, 0, "b"))),
	})
}

// exampleFile has a column user.name in two row groups, of one name each.
var exampleFile = func() []byte {
	var contents []byte
	var groups []thrift
	for _, name := range []string{"Grace", "Ada"} {
		f, err := New(10, 0.01)
		if err != nil {
			panic(err)
		}
		f.AddString(name)
		start := len(contents)
		if contents, err = f.AppendBinary(contents); err != nil {
			panic(err)
		}
		at, length := int64(4+start), int64(len(contents)-start)
		groups = append(groups, rowGroup(1, chunk(metaData(ByteArray, at, length, "user", "name"))))
	}
	schema := []thrift{group("root", 1), group("user", 1), leaf("name", ByteArray)}
	return parquetFile(contents, metadata(schema, groups))
}()
