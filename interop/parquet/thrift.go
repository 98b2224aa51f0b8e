package parquet

import (
	"fmt"
	"io"
	"math"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
)

// Thrift's compact protocol, as far as reading goes: apache/thrift,
// doc/specs/thrift-compact-protocol.md. A struct is a run of fields, each a byte that
// holds its type and how much its number is above that of the field before, and its
// value, up to a byte 0.

// The compact protocol's types.
const (
	kindStop   = 0
	kindTrue   = 1
	kindFalse  = 2
	kindByte   = 3
	kindInt16  = 4
	kindInt32  = 5
	kindInt64  = 6
	kindDouble = 7
	kindBinary = 8
	kindList   = 9
	kindSet    = 10
	kindMap    = 11
	kindStruct = 12
	kindUUID   = 13
)

var kindNames = [...]string{"stop", "bool", "bool", "byte", "i16", "i32", "i64", "double",
	"binary", "list", "set", "map", "struct", "uuid"}

func kindName(kind byte) string {
	if int(kind) < len(kindNames) {
		return kindNames[kind]
	}
	return fmt.Sprintf("unknown (%d)", kind)
}

// maxDepth bounds how deeply a value that nobody asked for may be nested. Parquet's own
// structs have at most six levels.
const maxDepth = 32

// A decoder reads values of the compact protocol. The first thing wrong stays in err,
// and from then on everything is zero and every struct and list at its end: so a
// reader may look at err late.
type decoder struct {
	buf  []byte // what there is
	pos  int    // of the next byte in buf
	base int64  // offset of buf[0] in the file or stream
	what string // what is being read, for errors

	src   io.Reader // gives more, a byte at a time; nil if buf is all
	limit int       // how long buf may get then

	err error
}

// fail notes what is wrong with the value that starts at pos in buf.
func (d *decoder) fail(err error, pos int, detail string, args ...any) {
	if d.err == nil {
		d.err = format.Errorf(err, d.what, d.base+int64(pos), detail, args...)
	}
}

func (d *decoder) truncated() {
	d.fail(bitsieve.ErrTruncated, len(d.buf), "the data end within it")
}

// byte returns the next byte.
func (d *decoder) byte() byte {
	if d.err != nil {
		return 0
	}
	if d.pos == len(d.buf) && !d.more() {
		return 0
	}
	b := d.buf[d.pos]
	d.pos++
	return b
}

// more gets one more byte from the source.
func (d *decoder) more() bool {
	if d.src == nil {
		d.truncated()
		return false
	}
	if len(d.buf) >= d.limit {
		d.fail(bitsieve.ErrHeader, len(d.buf), "is not at its end after %d bytes", d.limit)
		return false
	}
	var one [1]byte
	switch _, err := io.ReadFull(d.src, one[:]); {
	case err == io.EOF:
		d.truncated()
		return false
	case err != nil:
		d.err = err
		return false
	}
	d.buf = append(d.buf, one[0])
	return true
}

// take returns the next n bytes.
func (d *decoder) take(n uint64) []byte {
	for d.src != nil && d.err == nil && uint64(len(d.buf)-d.pos) < n {
		d.more()
	}
	if d.err != nil {
		return nil
	}
	if uint64(len(d.buf)-d.pos) < n {
		d.truncated()
		return nil
	}
	b := d.buf[d.pos : d.pos+int(n)]
	d.pos += int(n)
	return b
}

// varint returns the next unsigned integer: seven bits a byte, the lowest first.
func (d *decoder) varint() (x uint64) {
	start := d.pos
	for shift := 0; shift < 64; shift += 7 {
		b := d.byte()
		if shift == 63 && b > 1 {
			break
		}
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return x
		}
	}
	d.fail(bitsieve.ErrHeader, start, "has an integer of more than 64 bits")
	return 0
}

// zigzag returns the next signed integer.
func (d *decoder) zigzag() int64 {
	x := d.varint()
	return int64(x>>1) ^ -int64(x&1)
}

// A field is one of a struct.
type field struct {
	id    int16
	kind  byte
	start int // of its value, in the decoder's buf
}

// next reads the next field's number and type. It returns false at the struct's end,
// and where something is wrong.
func (d *decoder) next(f *field) bool {
	start := d.pos
	b := d.byte()
	if d.err != nil || b == kindStop {
		return false
	}
	id := int64(f.id) + int64(b>>4)
	if b>>4 == 0 {
		id = d.zigzag()
	}
	if id < math.MinInt16 || id > math.MaxInt16 {
		d.fail(bitsieve.ErrHeader, start, "has a field of number %d", id)
	}
	f.id, f.kind, f.start = int16(id), b&15, d.pos
	return d.err == nil
}

// want checks a field's type.
func (d *decoder) want(f field, kind byte) bool {
	if f.kind != kind {
		d.fail(bitsieve.ErrHeader, f.start, "is of type %s, want %s", kindName(f.kind), kindName(kind))
	}
	return d.err == nil
}

// int32 returns the value of a field of type i32.
func (d *decoder) int32(f field) int32 {
	if !d.want(f, kindInt32) {
		return 0
	}
	x := d.zigzag()
	if x != int64(int32(x)) {
		d.fail(bitsieve.ErrHeader, f.start, "is %d, which is no 32-bit integer", x)
		return 0
	}
	return int32(x)
}

// int64 returns the value of a field of type i64.
func (d *decoder) int64(f field) int64 {
	if !d.want(f, kindInt64) {
		return 0
	}
	return d.zigzag()
}

// binary returns the value of a field of type binary or string.
func (d *decoder) binary(f field) []byte {
	if !d.want(f, kindBinary) {
		return nil
	}
	return d.take(d.varint())
}

// list returns how many elements follow the start of a field of type list. It is at
// most the number of bytes that are left.
func (d *decoder) list(f field, kind byte) int {
	if !d.want(f, kindList) {
		return 0
	}
	n, elem := d.elements()
	if n > 0 && elem != kind {
		d.fail(bitsieve.ErrHeader, f.start, "is a list of %s, want %s", kindName(elem), kindName(kind))
		return 0
	}
	return n
}

// elements reads the start of a list or a set: how many elements, of what type.
func (d *decoder) elements() (n int, kind byte) {
	b := d.byte()
	size := uint64(b >> 4)
	if size == 15 {
		size = d.varint()
	}
	return d.atMost(size), b & 15
}

// atMost returns a number of elements if there can be as many: each takes a byte.
func (d *decoder) atMost(n uint64) int {
	room := len(d.buf) - d.pos
	if d.src != nil {
		room += d.limit - len(d.buf)
	}
	if n > uint64(room) {
		d.fail(bitsieve.ErrTruncated, len(d.buf), "announces %d elements in %d bytes", n, room)
		return 0
	}
	return int(n)
}

// skip reads over the value of a field.
func (d *decoder) skip(f field) { d.skipValue(f.kind, false, 0) }

// skipValue reads over a value. A bool has a byte of its own only as an element.
func (d *decoder) skipValue(kind byte, element bool, depth int) {
	if depth > maxDepth {
		d.fail(bitsieve.ErrHeader, d.pos, "is nested more than %d deep", maxDepth)
		return
	}
	switch kind {
	case kindTrue, kindFalse:
		if element {
			d.byte()
		}
	case kindByte:
		d.byte()
	case kindInt16, kindInt32, kindInt64:
		d.varint()
	case kindDouble:
		d.take(8)
	case kindUUID:
		d.take(16)
	case kindBinary:
		d.take(d.varint())
	case kindList, kindSet:
		n, elem := d.elements()
		for i := 0; i < n && d.err == nil; i++ {
			d.skipValue(elem, true, depth+1)
		}
	case kindMap:
		d.skipMap(depth)
	case kindStruct:
		for f := (field{}); d.next(&f); {
			d.skipValue(f.kind, false, depth+1)
		}
	default:
		d.fail(bitsieve.ErrHeader, d.pos, "has a value of type %s", kindName(kind))
	}
}

func (d *decoder) skipMap(depth int) {
	n := d.atMost(d.varint())
	if n == 0 {
		return // an empty map has no types
	}
	kinds := d.byte()
	for i := 0; i < n && d.err == nil; i++ {
		d.skipValue(kinds>>4, true, depth+1)
		d.skipValue(kinds&15, true, depth+1)
	}
}
