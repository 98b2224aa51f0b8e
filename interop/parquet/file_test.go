package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

func open(data []byte) (*File, error) { return Open(bytes.NewReader(data), int64(len(data))) }

func mustOpen(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOpen(t *testing.T) {
	f := mustOpen(t, smallFile(t))
	if f.Rows() != 99 || f.RowGroups() != 2 || f.RowsIn(0) != 70 || f.RowsIn(1) != 29 || f.CreatedBy() != "a test" {
		t.Errorf("%d rows, %d row groups, by %q", f.Rows(), f.RowGroups(), f.CreatedBy())
	}
	var got []string
	for i, c := range f.Columns() {
		path := strings.Join(f.Path(i), ".")
		if found, ok := f.Find(path); found != i || !ok {
			t.Errorf("Find(%q) = %d, %v", path, found, ok)
		}
		got = append(got, fmt.Sprint(path, " ", c.Type))
	}
	if s := strings.Join(got, ", "); s != "a.x INT64, a.y BOOLEAN, b BYTE_ARRAY" {
		t.Errorf("columns %s", s)
	}
	for _, path := range []string{"", "a", "x", "a.", ".b", "a.x.", "aa.x", "a.b", "root.b", "bb"} {
		if i, ok := f.Find(path); ok {
			t.Errorf("Find(%q) = %d", path, i)
		}
	}
	want := [2][3]Chunk{{{4, 0, 10, false, false}, {Values: 10}, {84, 1040, 10, false, false}}, {{Values: 10}, {}, {Values: 10}}}
	for g := range want {
		for c := range want[g] {
			if f.Chunk(g, c) != want[g][c] {
				t.Errorf("chunk %d, %d: %+v, want %+v", g, c, f.Chunk(g, c), want[g][c])
			}
		}
	}
	x, err := f.ReadFilter(0, 0)
	if err != nil || x.SizeBytes() != 64 || !x.TestInt64(1) || x.TestInt64(2) {
		t.Errorf("a.x: %v", err)
	}
	b, err := f.ReadFilter(0, 2)
	if err != nil || b.SizeBytes() != 1024 || !b.TestString("one") || b.TestString("two") {
		t.Errorf("b: %v", err)
	}
	b.AddString("two") // the filter's memory is its own
	if b, err = f.ReadFilter(0, 2); err != nil || b.TestString("two") {
		t.Errorf("b again: %v", err)
	}
	for _, at := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, 2}} {
		if _, err := f.ReadFilter(at[0], at[1]); !errors.Is(err, ErrNoFilter) {
			t.Errorf("%v: %v", at, err)
		}
	}
	mustPanic(t, "row group 2", func() { f.Chunk(2, 0) })
	mustPanic(t, "column 3", func() { f.Chunk(0, 3) })
	mustPanic(t, "column -1", func() { f.Chunk(1, -1) })
}

// TestReads counts the reads: one for a footer up to 32 KiB, two for a longer one,
// and one for a filter whose length the file says, else two.
func TestReads(t *testing.T) {
	data := smallFile(t)
	r := &countingReader{r: bytes.NewReader(data)}
	f, err := Open(r, int64(len(data)))
	if err != nil || r.n != 1 {
		t.Fatalf("%d reads, %v", r.n, err)
	}
	for column, want := range map[int]int{0: 2, 2: 1} {
		r.n = 0
		if _, err := f.ReadFilter(0, column); err != nil || r.n != want {
			t.Errorf("column %d: %d reads, %v", column, r.n, err)
		}
	}
	long := parquetFile(nil, smallFooter(0, 0, 0).text(70, strings.Repeat("x", 40<<10)))
	r = &countingReader{r: bytes.NewReader(long)}
	if _, err := Open(r, int64(len(long))); err != nil || r.n != 2 {
		t.Fatalf("a long footer: %d reads, %v", r.n, err)
	}
}

type countingReader struct {
	r io.ReaderAt
	n int
}

func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	c.n++
	return c.r.ReadAt(p, off)
}

// TestTruncatedFile: no start of a file is one, but for one whose tail happens to be.
func TestTruncatedFile(t *testing.T) {
	data := smallFile(t)
	for n := range data {
		var fe *bitsieve.FormatError
		if _, err := open(data[:n]); !errors.As(err, &fe) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if _, err := Open(bytes.NewReader(data[:n]), int64(len(data))); !errors.As(err, &fe) || !errors.Is(err, bitsieve.ErrTruncated) {
			t.Fatalf("%d bytes, said to be all: %v", n, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Open(brokenReader{broken}, 1000); !errors.Is(err, broken) {
		t.Errorf("a reader's error: %v", err)
	}
}

type brokenReader struct{ err error }

func (r brokenReader) ReadAt([]byte, int64) (int, error) { return 0, r.err }

// nested returns a schema of a root, so many groups, each in the one before it, and a column.
func nested(groups int) []thrift {
	schema := []thrift{group("root", 1)}
	for range groups {
		schema = append(schema, group("g", 1))
	}
	return append(schema, leaf("a", Int32))
}

// TestGoodFooters has what is just allowed: the deepest schema, and a signature behind the footer.
func TestGoodFooters(t *testing.T) {
	signed := append(metadata(nested(0), nil).sub(8, nil), make([]byte, 28)...)
	for name, footer := range map[string]thrift{"deepest": metadata(nested(127), nil), "signed": signed} {
		if f, err := open(parquetFile(nil, footer)); err != nil || len(f.Columns()) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadFooters(t *testing.T) {
	small := []thrift{group("root", 1), leaf("a", Int32)}
	deep := []thrift{group("root", 1)}
	for range 200 {
		deep = append(deep, group("g", 1))
	}
	smallWide := []thrift{group("root", 100)}
	for range 100 {
		smallWide = append(smallWide, leaf("", Int32))
	}
	wide := thrift{}
	for range 50 {
		wide = append(wide, 0x1c)
	}
	for _, c := range []struct {
		name   string
		footer thrift
		err    error
		field  string
		detail string
	}{
		{"nothing", thrift{}, bitsieve.ErrHeader, "schema", "missing"},
		{"no schema", thrift{}.structs(4), bitsieve.ErrHeader, "schema", "missing"},
		{"empty schema", metadata(nil, nil), bitsieve.ErrHeader, "schema", "empty"},
		{"two schemas", metadata(small, nil).structs(2, small...), bitsieve.ErrHeader, "schema", "twice"},
		{"schema is a string", thrift{}.text(2, "a"), bitsieve.ErrHeader, "schema", "type binary, want list"},
		{"schema of strings", thrift{}.texts(2, "a"), bitsieve.ErrHeader, "schema", "list of binary"},
		{"a child too few", metadata([]thrift{group("root", 2), leaf("a", Int32)}, nil), bitsieve.ErrHeader, "schema", "lacks 1 children of element 0"},
		{"a child too many", metadata([]thrift{group("root", 1), leaf("a", Int32), leaf("b", Int32)}, nil), bitsieve.ErrHeader, "schema", "outside"},
		{"negative children", metadata([]thrift{group("root", -1)}, nil), bitsieve.ErrHeader, "schema: num_children", "is -1"},
		{"type 8", metadata([]thrift{group("root", 1), leaf("a", 8)}, nil), bitsieve.ErrHeader, "schema: type", "is 8"},
		{"too deep", metadata(deep, nil), bitsieve.ErrHeader, "schema", "nested more than"},
		{"unknown value too deep", append(thrift{}.field(99, 12), wide...), bitsieve.ErrHeader, "footer", "nested more than"},
		{"columns too many", metadata(small, []thrift{rowGroup(1, chunk(nil), chunk(nil))}), bitsieve.ErrHeader, "columns", "are 2"},
		{"columns too few", metadata(small, []thrift{rowGroup(1)}), bitsieve.ErrHeader, "row group", "has 0 columns"},
		{"columns twice", metadata(small, []thrift{rowGroup(1, chunk(nil)).structs(1, chunk(nil))}), bitsieve.ErrHeader, "columns", "are 1"},
		{"another type", metadata(small, []thrift{rowGroup(1, chunk(metaData(Int64, 0, 0, "a")))}), bitsieve.ErrHeader, "meta_data: type", "is INT64, the schema says INT32"},
		{"another path", metadata(small, []thrift{rowGroup(1, chunk(metaData(Int32, 0, 0, "b")))}), bitsieve.ErrHeader, "path_in_schema", `has "b", the schema "a"`},
		{"a longer path", metadata(small, []thrift{rowGroup(1, chunk(metaData(Int32, 0, 0, "a", "a")))}), bitsieve.ErrHeader, "path_in_schema", "has 2 names"},
		{"groups without room", metadata(smallWide, make([]thrift, 50)), bitsieve.ErrTruncated, "row_groups", "are 50, of 100 columns"},
		{"an offset of -1", metadata(small, []thrift{rowGroup(1, chunk(metaData(Int32, -1, 0, "a")))}), bitsieve.ErrHeader, "bloom_filter_offset", "is -1"},
		{"signature cut", append(metadata(small, nil).sub(8, nil), make([]byte, 27)...), bitsieve.ErrTrailingData, "footer", "followed by 27 bytes, want 28"},
		{"a level too deep", metadata(nested(128), nil), bitsieve.ErrHeader, "schema", "nested more than 128"},
		{"negative offset", metadata(small, []thrift{rowGroup(1, chunk(metaData(Int32, -4, 0, "a")))}), bitsieve.ErrHeader, "bloom_filter_offset", "is -4"},
		{"negative length", metadata(small, []thrift{rowGroup(1, chunk(metaData(Int32, 4, -1, "a")))}), bitsieve.ErrHeader, "bloom_filter_length", "is -1"},
		{"data behind", append(metadata(small, nil), 0, 1), bitsieve.ErrTrailingData, "footer", "followed by 2 bytes"},
		{"an endless list", append(thrift{}.field(2, 9), 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f), bitsieve.ErrTruncated, "schema", "announces"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := open(parquetFile(nil, c.footer))
			wantFormatError(t, err, c.err, c.field, -1, c.detail)
		})
	}
}

func TestBadTrailers(t *testing.T) {
	good := smallFile(t)
	n := len(good)
	for _, c := range []struct {
		name   string
		change func(data []byte) []byte
		err    error
		field  string
		offset int64
		detail string
	}{
		{"encrypted", func(b []byte) []byte { copy(b[n-4:], "PARE"); return b }, bitsieve.ErrHeader, "magic", int64(n - 4), "encrypted"},
		{"another magic", func(b []byte) []byte { b[n-1] = '2'; return b }, bitsieve.ErrHeader, "magic", int64(n - 4), `"PAR2", want "PAR1"`},
		{"longer than the file", func(b []byte) []byte { b[n-5] = 0xff; return b }, bitsieve.ErrTruncated, "footer length", int64(n - 8), "in a file of"},
		{"too long by one", func(b []byte) []byte { return append([]byte("xxx"), b[n-8-len(smallFooter(4, 84, 1040))-1:]...) }, bitsieve.ErrTruncated, "footer length", -1, "in a file of"},
		{"empty", func([]byte) []byte { return nil }, bitsieve.ErrTruncated, "file", 0, "at least 12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := open(c.change(bytes.Clone(good)))
			wantFormatError(t, err, c.err, c.field, c.offset, c.detail)
		})
	}
	_, err := Open(bytes.NewReader(nil), -5)
	wantFormatError(t, err, bitsieve.ErrTruncated, "file", 0, "at least 12")
}

// TestBadFilters: what ReadFilter refuses, and where it says that it is.
func TestBadFilters(t *testing.T) {
	filter := marshal(t, filled(t, 64, 3, 1))
	gzip := bytes.Replace(filter, []byte("\x1c\x1c\x00\x00\x00"), []byte("\x1c\x2c\x00\x00\x00"), 1)
	contents := append(append(bytes.Clone(filter), gzip...), filter[:20]...)
	end := int64(4 + len(contents))
	schema := []thrift{group("root", 1), leaf("a", Int32)}
	for _, c := range []struct {
		name   string
		chunk  thrift
		err    error
		field  string
		offset int64
		detail string
	}{
		{"good", chunk(metaData(Int32, 4, 80, "a")), nil, "", 0, ""},
		{"good, length unknown", chunk(metaData(Int32, 4, 0, "a")), nil, "", 0, ""},
		{"in the magic", chunk(metaData(Int32, 3, 80, "a")), bitsieve.ErrHeader, "bloom_filter_offset", 3, "is 3"},
		{"behind the data", chunk(metaData(Int32, end+1, 0, "a")), bitsieve.ErrHeader, "bloom_filter_offset", end + 1, "data up to"},
		{"at the end", chunk(metaData(Int32, end, 0, "a")), bitsieve.ErrTruncated, "header", end, "end"},
		{"too long", chunk(metaData(Int32, 4, end, "a")), bitsieve.ErrHeader, "bloom_filter_length", 4, "data up to"},
		{"too short", chunk(metaData(Int32, 4, 79, "a")), bitsieve.ErrTruncated, "bitset", 83, "is 63 bytes"},
		{"a byte too long", chunk(metaData(Int32, 4, 81, "a")), bitsieve.ErrTrailingData, "bitset", 84, "followed by 1"},
		{"length 1", chunk(metaData(Int32, 4, 1, "a")), bitsieve.ErrTruncated, "numBytes", 5, "end"},
		{"no header there", chunk(metaData(Int32, 20, 80, "a")), bitsieve.ErrHeader, "", -1, ""},
		{"compressed", chunk(metaData(Int32, 84, 80, "a")), bitsieve.ErrHeader, "compression", 84 + 13, "GZIP"},
		{"cut short", chunk(metaData(Int32, 164, 20, "a")), bitsieve.ErrTruncated, "bitset", 184, "is 4 bytes"},
		{"cut short, length unknown", chunk(metaData(Int32, 164, 0, "a")), bitsieve.ErrTruncated, "bitset", 184, "is 4 bytes"},
		{"encrypted", chunk(metaData(Int32, 4, 80, "a")).sub(8, thrift{}), bitsieve.ErrHeader, "filter", 4, "encrypted"},
		{"encrypted metadata", chunk(metaData(Int32, 4, 80, "a")).text(9, "x"), bitsieve.ErrHeader, "filter", 4, "encrypted"},
		{"elsewhere", chunk(metaData(Int32, 4, 80, "a")).text(1, "b.parquet"), bitsieve.ErrHeader, "filter", 4, "another file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustOpen(t, parquetFile(contents, metadata(schema, []thrift{rowGroup(1, c.chunk)})))
			g, err := f.ReadFilter(0, 0)
			if c.err == nil {
				if err != nil || !bytes.Equal(marshal(t, g), filter) {
					t.Fatal(err)
				}
				return
			}
			if c.field == "" {
				var fe *bitsieve.FormatError
				if !errors.As(err, &fe) {
					t.Fatal(err)
				}
				return
			}
			wantFormatError(t, err, c.err, c.field, c.offset, c.detail)
			if !strings.Contains(err.Error(), "row group 0, column 0") {
				t.Errorf("%v does not say where", err)
			}
		})
	}
}

// TestFooterMemory: what a footer costs is in proportion to its length, whatever it
// says.
func TestFooterMemory(t *testing.T) {
	schema := []thrift{group("root", 1000)}
	for range 1000 {
		schema = append(schema, leaf("", Int32))
	}
	chunks := make([]thrift, 1000)
	var groups []thrift
	for range 100 {
		groups = append(groups, rowGroup(0, chunks...))
	}
	for name, footer := range map[string]thrift{
		"many chunks":  metadata(schema, groups),
		"many nodes":   metadata(append([]thrift{group("root", 200_000)}, make([]thrift, 200_000)...), nil),
		"many groups":  metadata([]thrift{group("root", 0)}, make([]thrift, 300_000)),
		"a long name":  metadata([]thrift{group(strings.Repeat("n", 1<<20), 1), leaf("a", Int32)}, nil),
		"long unknown": metadata(schema, nil).text(50, strings.Repeat("n", 1<<20)),
	} {
		data := parquetFile(nil, footer)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := open(data)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		took := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(data))
		t.Logf("%s: %d bytes, %.1f allocated for each", name, len(data), took)
		if took > 50 {
			t.Errorf("%s: %.1f bytes allocated for each of %d", name, took, len(data))
		}
	}
}
