package tests

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
)

func marshalCounting(t testing.TB, f *Counting) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Counting filters are written and read back in every way.
func TestCountingFile(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}, {WithoutHugePages()}} {
		var open []OpenOption
		for _, o := range opts {
			open = append(open, o)
		}
		for _, n := range []uint64{1, 100, 20_000} {
			f, err := NewCounting(n, 0.01, opts...)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				f.AddUint64(i % 1000)
			}
			same := func(how string, g *Counting, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				gn, gp := g.Capacity()
				if !g.Equal(f) || gn != n || gp != 0.01 || g.Keyed() != f.Keyed() {
					t.Fatalf("%s: another filter comes back", how)
				}
				if c := g.CountUint64(0); c != f.CountUint64(0) || c == 0 {
					t.Fatalf("%s: a key is counted %d times", how, c)
				}
			}
			path := filepath.Join(t.TempDir(), "f.bsv")
			if err := f.Save(path); err != nil {
				t.Fatal(err)
			}
			opened, err := OpenCounting(path, open...)
			same("OpenCounting", opened, err)
			opened.AddUint64(1 << 40) // to the mapping, not to the file
			opened.RemoveUint64(0)
			if err := opened.Close(); err != nil {
				t.Fatal(err)
			}
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			any, err := Open(path, open...)
			same("Open", any.(*Counting), err)
			g, err := ReadCounting(bytes.NewReader(file), open...)
			same("ReadCounting", g, err)
			g = mustCounting(t, 7, 3, opts...)
			same("UnmarshalBinary", g, g.UnmarshalBinary(file))
			g = mustCounting(t, 7, 3, opts...)
			_, err = g.ReadFrom(bytes.NewReader(file))
			same("ReadFrom", g, err)
			if !bytes.Equal(marshalCounting(t, f), file) {
				t.Error("MarshalBinary and Save differ")
			}
			var stream bytes.Buffer
			if err := gob.NewEncoder(&stream).Encode(f); err != nil {
				t.Fatal(err)
			}
			g = mustCounting(t, 7, 3, opts...)
			same("gob", g, gob.NewDecoder(&stream).Decode(g))
			info, err := InspectFile(path)
			if err != nil || info.Kind != "counting" || info.Blocks != 2*f.Blocks() || info.K != f.K() || info.Keyed != f.Keyed() ||
				info.Capacity != n || info.FPRate != f.FPRate() || info.Fill != f.Fill() || info.Items != f.EstimatedCount() {
				t.Errorf("InspectFile: %+v, %v", info, err)
			}
		}
	}
}

func TestCountingFileErrors(t *testing.T) {
	f := mustCounting(t, 3, 5, WithKey(secretKey))
	f.AddString("x")
	data := marshalCounting(t, f)
	wrong := bytes.Clone(secretKey)
	wrong[3]++
	for what, opts := range map[string][]OpenOption{"no key": nil, "another key": {WithKey(wrong)}} {
		if _, err := ReadCounting(bytes.NewReader(data), opts...); !errors.Is(err, ErrKey) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := ReadBlocked(bytes.NewReader(data), WithKey(secretKey)); !errors.Is(err, ErrKind) {
		t.Errorf("as a Blocked: %v", err)
	}
	for i := range 8 * len(data) {
		if testing.Short() && i%7 != 0 {
			continue
		}
		bad := bytes.Clone(data)
		bad[i/8] ^= 1 << (i % 8)
		g := mustCounting(t, 2, 2, WithKey(secretKey))
		g.AddString("stays")
		if err := g.UnmarshalBinary(bad); err == nil || !g.TestString("stays") || g.Blocks() != 2 {
			t.Fatalf("bit %d flipped: %v", i, err)
		}
		if err := g.UnmarshalBinary(data[:i/8]); err == nil {
			t.Fatal("a truncated filter is accepted")
		}
	}
	// Half a block at the end.
	odd, err := format.Append(nil, format.NewHeader(format.Counting, 4, hash.Hasher{}), make([]uint64, 24))
	if err != nil {
		t.Fatal(err)
	}
	g := mustCounting(t, 2, 2)
	g.AddString("stays")
	var fe *FormatError
	if err := g.UnmarshalBinary(odd); !errors.Is(err, ErrHeader) || !errors.As(err, &fe) || fe.Field != "block count" || !g.TestString("stays") {
		t.Errorf("half a block: %v", err)
	}
	path := filepath.Join(t.TempDir(), "odd")
	if err := os.WriteFile(path, odd, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCounting(path); !errors.Is(err, ErrHeader) {
		t.Errorf("half a block: %v", err)
	}
	if info, err := InspectFile(path); !errors.Is(err, ErrHeader) || info.PayloadOK {
		t.Errorf("half a block: %+v, %v", info, err)
	}
	var zero Counting
	if _, err := zero.WriteTo(new(bytes.Buffer)); err == nil {
		t.Error("a filter without counters is written")
	}
}

// FuzzReadCounting reads arbitrary bytes, as they are and with both checksums made
// right: what is accepted works, and is written as it was read.
func FuzzReadCounting(f *testing.F) {
	g := mustCounting(f, 2, 5)
	g.AddString("x")
	f.Add(marshalCounting(f, g))
	f.Add(marshalCounting(f, mustCounting(f, 1, 12)))
	f.Add(marshalCounting(f, mustCounting(f, 1, 16))[:200])
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzReadCounting(t, data)
		if len(data) > format.HeaderBytes {
			le := binary.LittleEndian
			data = bytes.Clone(data)
			copy(data, "\x89BSV\r\n\x1a\n\x01\x00\x00\x00\x03\x00\x00\x00")
			le.PutUint64(data[72:], xxh3.Hash(data[format.HeaderBytes:]))
			le.PutUint64(data[120:], xxh3.Hash(data[:120]))
			fuzzReadCounting(t, data)
		}
	})
}

func fuzzReadCounting(t *testing.T, data []byte) {
	f := mustCounting(t, 3, 7)
	f.AddString("stays")
	if err := f.UnmarshalBinary(data); err != nil {
		var fe *FormatError
		if !errors.As(err, &fe) && !errors.Is(err, ErrKey) || !f.TestString("stays") {
			t.Fatalf("error %v of type %T", err, err)
		}
		return
	}
	again := marshalCounting(t, f)
	if !bytes.Equal(again[format.HeaderBytes:], data[format.HeaderBytes:]) || len(again) != len(data) {
		t.Fatal("written again, the payload differs")
	}
	if x := f.FPRate(); !(x >= 0 && x <= 1) {
		t.Fatalf("rate %v", x)
	}
	hashes := []uint64{0, 1, math.MaxUint64, 1 << 63, 12345}
	f.RemoveHashes(hashes, nil)
	f.AddHashes(hashes)
	if f.TestHashes(hashes, nil) != len(hashes) {
		t.Fatal("a key is denied")
	}
	f.EstimatedCount()
	f.Saturated()
}
