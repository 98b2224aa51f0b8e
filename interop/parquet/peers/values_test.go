package peers

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/interop/parquet"
)

// A row has a value of each physical type, and some of the columns that are stored
// as one of them.
type row struct {
	Bool   bool     `parquet:"bool"`
	I32    int32    `parquet:"i32"`
	I64    int64    `parquet:"i64"`
	F32    float32  `parquet:"f32"`
	F64    float64  `parquet:"f64"`
	Text   string   `parquet:"text"`
	Raw    []byte   `parquet:"raw"`
	UUID   [16]byte `parquet:"uuid,uuid"`
	U32    uint32   `parquet:"u32"`
	U64    uint64   `parquet:"u64"`
	Maybe  *string  `parquet:"maybe,optional"`
	Inner  inner    `parquet:"inner"`
	Plain  int64    `parquet:"plain"` // has no filter
	Common string   `parquet:"common,dict"`
}

type inner struct {
	List []int64 `parquet:"list,list"`
	Deep struct {
		X float64 `parquet:"x"`
	} `parquet:"deep"`
}

func randomRows(n int, seed uint64) []row {
	r := rand.New(rand.NewPCG(seed, 5))
	rows := make([]row, n)
	for i := range rows {
		x := r.Uint64()
		w := &rows[i]
		w.Bool = true // in every row, so that the filter lacks false
		w.I32, w.I64, w.U32, w.U64 = int32(x), int64(x), uint32(x>>3), x*3
		w.F32, w.F64 = float32(x), math.Float64frombits(x&^(0x7ff<<52)|0x3ff<<52)
		w.Text = fmt.Sprintf("text %x", x)
		w.Raw = binary.BigEndian.AppendUint64(make([]byte, 0, 8), x)[:x%9]
		binary.LittleEndian.PutUint64(w.UUID[:], x)
		binary.LittleEndian.PutUint64(w.UUID[8:], ^x)
		if x%3 > 0 {
			s := w.Text[5:]
			w.Maybe = &s
		}
		for j := range x % 4 {
			w.Inner.List = append(w.Inner.List, int64(x>>j))
		}
		w.Inner.Deep.X = float64(x)
		w.Common = fmt.Sprint("common ", x%100)
		w.Plain = int64(i)
	}
	return rows
}

// columns says which hashes a row has in each column with a filter.
var columns = map[string]func(w *row) []uint64{
	"bool":  func(w *row) []uint64 { return one(parquet.HashBoolean(w.Bool)) },
	"i32":   func(w *row) []uint64 { return one(parquet.HashInt32(w.I32)) },
	"i64":   func(w *row) []uint64 { return one(parquet.HashInt64(w.I64)) },
	"f32":   func(w *row) []uint64 { return one(parquet.HashFloat(w.F32)) },
	"f64":   func(w *row) []uint64 { return one(parquet.HashDouble(w.F64)) },
	"text":  func(w *row) []uint64 { return one(parquet.HashString(w.Text)) },
	"raw":   func(w *row) []uint64 { return one(parquet.HashBytes(w.Raw)) },
	"uuid":  func(w *row) []uint64 { return one(parquet.HashBytes(w.UUID[:])) },
	"u32":   func(w *row) []uint64 { return one(parquet.HashInt32(int32(w.U32))) },
	"u64":   func(w *row) []uint64 { return one(parquet.HashInt64(int64(w.U64))) },
	"maybe": func(w *row) []uint64 { return hashOrNil(w.Maybe) },
	"inner.list.list.element": func(w *row) (hashes []uint64) {
		for _, x := range w.Inner.List {
			hashes = append(hashes, parquet.HashInt64(x))
		}
		return hashes
	},
	"inner.deep.x": func(w *row) []uint64 { return one(parquet.HashDouble(w.Inner.Deep.X)) },
	"common":       func(w *row) []uint64 { return one(parquet.HashString(w.Common)) },
}

func one(h uint64) []uint64 { return []uint64{h} }

func hashOrNil(s *string) []uint64 {
	if s == nil {
		return nil
	}
	return one(parquet.HashString(*s))
}

func hashesOf(rows []row, column string) (hashes []uint64) {
	for i := range rows {
		hashes = append(hashes, columns[column](&rows[i])...)
	}
	return hashes
}

// filterOf returns our filter of so many bytes with the hashes.
func filterOf(t testing.TB, numBytes int, hashes []uint64) *parquet.Filter {
	t.Helper()
	f, err := parquet.NewWithSize(numBytes)
	if err != nil {
		t.Fatal(err)
	}
	f.AddHashes(hashes)
	return f
}

func marshal(t testing.TB, f *parquet.Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// int96 returns the bytes of an INT96 of three words.
func int96(a, b, c uint32) (x [12]byte) {
	binary.LittleEndian.PutUint32(x[0:], a)
	binary.LittleEndian.PutUint32(x[4:], b)
	binary.LittleEndian.PutUint32(x[8:], c)
	return x
}
