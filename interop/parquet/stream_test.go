package parquet_test

import (
	"bytes"
	"encoding"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/bitsieve/bitsieve"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

var (
	_ io.WriterTo                = (*Filter)(nil)
	_ io.ReaderFrom              = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
)

func TestRoundTrip(t *testing.T) {
	for _, size := range []int{32, 64, 1 << 10, 1<<20 + 32, 3 << 20} {
		f := filled(t, size, size/16, 1)
		want := append(AppendHeader(nil, size), f.Bitset()...)
		if data := marshal(t, f); !bytes.Equal(data, want) {
			t.Fatalf("%d: MarshalBinary", size)
		}
		if data, err := f.AppendBinary([]byte("ab")); err != nil || !bytes.Equal(data[2:], want) || string(data[:2]) != "ab" {
			t.Fatalf("%d: AppendBinary: %v", size, err)
		}
		var buf bytes.Buffer
		if n, err := f.WriteTo(&buf); n != int64(len(want)) || err != nil || !bytes.Equal(buf.Bytes(), want) {
			t.Fatalf("%d: WriteTo: %d, %v", size, n, err)
		}
		g := new(Filter)
		if err := g.UnmarshalBinary(want); err != nil || !g.Equal(f) {
			t.Fatalf("%d: UnmarshalBinary: %v", size, err)
		}
		for name, r := range map[string]io.Reader{"known": bytes.NewReader(want), "buffer": &buf, "unknown": io.MultiReader(bytes.NewReader(want))} {
			g := filled(t, 96, 1, 2)
			if n, err := g.ReadFrom(r); n != int64(len(want)) || err != nil || !g.Equal(f) {
				t.Fatalf("%d, %s: ReadFrom: %d, %v", size, name, n, err)
			}
		}
		v, err := NewView(want)
		if err != nil || !bytes.Equal(v.Bitset(), f.Bitset()) || v.Blocks() != uint64(size/32) || v.SizeBytes() != uint64(size) || v.K() != 8 {
			t.Fatalf("%d: NewView: %v", size, err)
		}
	}
}

func TestTruncated(t *testing.T) {
	f := filled(t, 256, 20, 1)
	data := marshal(t, f)
	for n := range data {
		short := data[:n]
		_, err := NewView(short)
		field := "bitset"
		if n < 16 {
			field = ""
		}
		var fe *bitsieve.FormatError
		if !errors.As(err, &fe) || !errors.Is(err, bitsieve.ErrTruncated) || fe.Offset != int64(n) || field != "" && fe.Field != field {
			t.Fatalf("%d bytes: %v", n, err)
		}
		g := filled(t, 64, 3, 1)
		before := g.Clone()
		got, err := g.ReadFrom(bytes.NewReader(short))
		if !errors.As(err, &fe) || !errors.Is(err, bitsieve.ErrTruncated) || fe.Offset != int64(n) || got != int64(n) || !g.Equal(before) {
			t.Fatalf("%d bytes: %d, %v", n, got, err)
		}
	}
	_, err := NewView(append(data, 0))
	wantFormatError(t, err, bitsieve.ErrTrailingData, "bitset", int64(len(data)), "1 bytes")
}

// TestClaims: memory follows what arrives, not what the header says.
func TestClaims(t *testing.T) {
	data := append(AppendHeader(nil, 1<<30), make([]byte, 5000)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 3 {
		n, err := new(Filter).ReadFrom(io.MultiReader(bytes.NewReader(data)))
		if !errors.Is(err, bitsieve.ErrTruncated) && !errors.Is(err, bitsieve.ErrMemory) || n > int64(len(data)) {
			t.Fatalf("%d, %v", n, err)
		}
		if err := new(Filter).UnmarshalBinary(data); !errors.Is(err, bitsieve.ErrTruncated) {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("%d bytes allocated for %d", took, len(data))
	}
}

// TestIOErrors: those of the reader and the writer come through as they are.
func TestIOErrors(t *testing.T) {
	broken := errors.New("broken")
	f := filled(t, 2<<20, 100, 1)
	data := marshal(t, f)
	for _, n := range []int{0, 10, 16, 17, 100, len(data) - 1} {
		g := filled(t, 64, 3, 1)
		before := g.Clone()
		got, err := g.ReadFrom(io.MultiReader(bytes.NewReader(data[:n]), errReader{broken}))
		if !errors.Is(err, broken) || got != int64(n) || !g.Equal(before) {
			t.Errorf("reading %d bytes: %d, %v", n, got, err)
		}
		w := &limitWriter{n, broken}
		if got, err := f.WriteTo(w); !errors.Is(err, broken) || got != int64(n) {
			t.Errorf("writing %d bytes: %d, %v", n, got, err)
		}
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

type limitWriter struct {
	left int
	err  error
}

func (w *limitWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, w.err
	}
	w.left -= len(p)
	return len(p), nil
}
