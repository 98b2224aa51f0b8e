package peers

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
	aq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/bitsieve/bitsieve/interop/parquet"
)

// arrowColumns are those of the table that arrow-go's file has, in its order.
var arrowColumns = []string{"bool", "i32", "i64", "i96", "f32", "f64", "text", "raw", "uuid", "maybe", "plain"}

func init() {
	columns["i96"] = func(w *row) []uint64 { return one(parquet.HashInt96(day(w))) }
}

func day(w *row) [12]byte { return int96(w.U32, uint32(w.U64), uint32(w.I64)) }

func arrowSchema(t testing.TB) *schema.GroupNode {
	t.Helper()
	required, optional := aq.Repetitions.Required, aq.Repetitions.Optional
	root, err := schema.NewGroupNode("root", required, schema.FieldList{
		schema.NewBooleanNode("bool", required, -1),
		schema.NewInt32Node("i32", required, -1),
		schema.NewInt64Node("i64", required, -1),
		schema.NewInt96Node("i96", required, -1),
		schema.NewFloat32Node("f32", required, -1),
		schema.NewFloat64Node("f64", required, -1),
		schema.NewByteArrayNode("text", required, -1),
		schema.NewByteArrayNode("raw", required, -1),
		schema.NewFixedLenByteArrayNode("uuid", required, 16, -1),
		schema.NewByteArrayNode("maybe", optional, -1),
		schema.NewInt64Node("plain", required, -1),
	}, -1)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// writeArrow returns a file of arrow-go's with the rows in groups, and filters on all
// columns but the last.
func writeArrow(t testing.TB, groups [][]row, opts ...aq.WriterProperty) []byte {
	t.Helper()
	for _, path := range arrowColumns[:len(arrowColumns)-1] {
		opts = append(opts, aq.WithBloomFilterEnabledFor(path, true))
	}
	var buf bytes.Buffer
	w := file.NewParquetWriter(&buf, arrowSchema(t), file.WithWriterProps(aq.NewWriterProperties(opts...)))
	for _, rows := range groups {
		g := w.AppendRowGroup()
		for range arrowColumns {
			c, err := g.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			if err := writeColumn(c, rows); err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func writeColumn(c file.ColumnChunkWriter, rows []row) (err error) {
	path := c.Descr().Path()
	switch c := c.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = c.WriteBatch(pick(rows, func(w *row) bool { return w.Bool }), nil, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = c.WriteBatch(pick(rows, func(w *row) int32 { return w.I32 }), nil, nil)
	case *file.Int64ColumnChunkWriter:
		get := func(w *row) int64 { return w.I64 }
		if path == "plain" {
			get = func(w *row) int64 { return w.Plain }
		}
		_, err = c.WriteBatch(pick(rows, get), nil, nil)
	case *file.Int96ColumnChunkWriter:
		_, err = c.WriteBatch(pick(rows, func(w *row) aq.Int96 { return day(w) }), nil, nil)
	case *file.Float32ColumnChunkWriter:
		_, err = c.WriteBatch(pick(rows, func(w *row) float32 { return w.F32 }), nil, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = c.WriteBatch(pick(rows, func(w *row) float64 { return w.F64 }), nil, nil)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(pick(rows, func(w *row) aq.FixedLenByteArray { return w.UUID[:] }), nil, nil)
	case *file.ByteArrayColumnChunkWriter:
		var values []aq.ByteArray
		var levels []int16
		switch path {
		case "text":
			values = pick(rows, func(w *row) aq.ByteArray { return aq.ByteArray(w.Text) })
		case "raw":
			values = pick(rows, func(w *row) aq.ByteArray { return w.Raw })
		case "maybe":
			for i := range rows {
				levels = append(levels, 0)
				if s := rows[i].Maybe; s != nil {
					levels[i] = 1
					values = append(values, aq.ByteArray(*s))
				}
			}
		}
		_, err = c.WriteBatch(values, levels, nil)
	}
	return err
}

func pick[T any](rows []row, get func(w *row) T) []T {
	values := make([]T, len(rows))
	for i := range rows {
		values[i] = get(&rows[i])
	}
	return values
}

// TestReadArrow finds every value by the filters of arrow-go's file, and holds the
// filters' bytes against our own of the same values.
func TestReadArrow(t *testing.T) {
	for name, opts := range map[string][]aq.WriterProperty{
		"plain": nil, "adaptive": {aq.WithAdaptiveBloomFilterEnabled(true)}, "0.0001": {aq.WithBloomFilterFPP(0.0001), aq.WithBloomFilterNDV(5000)}} {
		t.Run(name, func(t *testing.T) {
			groups := [][]row{randomRows(3000, 1), randomRows(1, 2), randomRows(777, 3)}
			checkFile(t, writeArrow(t, groups, opts...), groups, len(arrowColumns)-1, "")
		})
	}
}

// TestWriteArrow puts our filters, of other values, into a file in the place of
// arrow-go's: its reader must find those and not the file's own.
func TestWriteArrow(t *testing.T) {
	rows, others := randomRows(2000, 1), randomRows(2000, 9)
	data := writeArrow(t, [][]row{rows}, aq.WithBloomFilterNDV(2000))
	foreign(t, open(t, data), data, others)
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	group, err := r.GetBloomFilterReader().RowGroup(0)
	if err != nil {
		t.Fatal(err)
	}
	for c, path := range arrowColumns {
		filter, err := group.GetColumnBloomFilter(c)
		if err != nil {
			t.Fatal(err)
		}
		if filter == nil {
			if path != "plain" {
				t.Errorf("arrow-go sees no filter of %s", path)
			}
			continue
		}
		passed := 0
		for i := range others {
			if hashes := arrowHashes(filter.Hasher(), path, &others[i]); len(hashes) > 0 && !filter.CheckHash(hashes[0]) {
				t.Fatalf("%s: arrow-go does not find a value of our filter", path)
			}
			if hashes := arrowHashes(filter.Hasher(), path, &rows[i]); len(hashes) > 0 && filter.CheckHash(hashes[0]) {
				passed++
			}
		}
		if path != "bool" && path != "raw" && passed > len(rows)/10 {
			t.Errorf("%s: %d of %d values that are not in our filter pass", path, passed, len(rows))
		}
	}
}

// arrowHashes returns arrow-go's own hashes of what a row has in a column.
func arrowHashes(h metadata.Hasher, path string, w *row) []uint64 {
	switch path {
	case "bool":
		return one(metadata.GetHash(h, w.Bool))
	case "i32":
		return one(metadata.GetHash(h, w.I32))
	case "i64":
		return one(metadata.GetHash(h, w.I64))
	case "i96":
		return one(metadata.GetHash(h, aq.Int96(day(w))))
	case "f32":
		return one(metadata.GetHash(h, w.F32))
	case "f64":
		return one(metadata.GetHash(h, w.F64))
	case "text":
		return one(metadata.GetHash(h, aq.ByteArray(w.Text)))
	case "raw":
		return one(metadata.GetHash(h, aq.ByteArray(w.Raw)))
	case "uuid":
		return one(metadata.GetHash(h, aq.FixedLenByteArray(w.UUID[:])))
	case "maybe":
		if w.Maybe != nil {
			return one(metadata.GetHash(h, aq.ByteArray(*w.Maybe)))
		}
	}
	return nil
}

// TestArrowSizes: NumBytesPowerOfTwo is arrow-go's rule.
func TestArrowSizes(t *testing.T) {
	for _, p := range []float64{1e-9, 1e-4, 0.001, 0.01, 0.05, 0.3, 0.99} {
		for n := uint32(1); n < 1<<22; n += 1 + n/5 {
			theirs := metadata.NewBloomFilterFromNDVAndFPP(n, p, math.MaxInt32, memory.DefaultAllocator)
			ours, err := parquet.NumBytesPowerOfTwo(uint64(n), p)
			if err != nil || int64(ours) != theirs.Size() {
				t.Fatalf("n = %d, p = %v: %d bytes, %v, arrow-go takes %d", n, p, ours, err, theirs.Size())
			}
			theirs.Release()
		}
	}
}

// TestEncrypted: filters of encrypted columns, and encrypted footers, are refused by
// name. In a file with a plain footer the filters of other columns are read.
func TestEncrypted(t *testing.T) {
	rows := randomRows(500, 1)
	key := "0123456789abcdef"
	data := writeArrow(t, [][]row{rows}, aq.WithEncryptionProperties(aq.NewFileEncryptionProperties(key)))
	_, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err == nil || !strings.Contains(err.Error(), "footer is encrypted") {
		t.Errorf("an encrypted footer: %v", err)
	}
	secret := aq.ColumnPathToEncryptionPropsMap{"i64": aq.NewColumnEncryptionProperties("i64", aq.WithKey(key), aq.WithKeyID("k"))}
	data = writeArrow(t, [][]row{rows}, aq.WithEncryptionProperties(
		aq.NewFileEncryptionProperties(key, aq.WithPlaintextFooter(), aq.WithEncryptedColumns(secret))))
	f := open(t, data)
	for c := range f.Columns() {
		path := f.Path(c)[0]
		filter, err := f.ReadFilter(0, c)
		switch {
		case path == "plain":
		case path == "i64":
			if err == nil || !strings.Contains(err.Error(), "encrypted") {
				t.Errorf("an encrypted column: %v", err)
			}
		case err != nil:
			t.Errorf("%s: %v", path, err)
		case filter.TestHashes(hashesOf(rows, path), nil) != len(hashesOf(rows, path)):
			t.Errorf("%s: values are missing", path)
		}
	}
}
