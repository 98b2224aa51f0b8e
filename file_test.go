package bitsieve

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// sampleBlocked returns a filter with the keys 0 to n−1 in it.
func sampleBlocked(t testing.TB, n uint64, opts ...Option) *Blocked {
	t.Helper()
	f, err := NewBlocked(n, 0.01, opts...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		f.AddUint64(i)
	}
	return f
}

// wantSame checks that two filters answer the same.
func wantSame(t *testing.T, got, want *Blocked) {
	t.Helper()
	if got.K() != want.K() || got.Blocks() != want.Blocks() {
		t.Fatalf("k = %d, %d blocks, want %d, %d", got.K(), got.Blocks(), want.K(), want.Blocks())
	}
	gn, gp := got.Capacity()
	wn, wp := want.Capacity()
	if gn != wn || gp != wp {
		t.Fatalf("capacity %d, %v, want %d, %v", gn, gp, wn, wp)
	}
	for i := range uint64(3000) {
		if g, w := got.TestUint64(i), want.TestUint64(i); g != w {
			t.Fatalf("TestUint64(%d) = %v, want %v", i, g, w)
		}
		s := fmt.Sprint(i)
		if g, w := got.TestString(s), want.TestString(s); g != w {
			t.Fatalf("TestString(%q) = %v, want %v", s, g, w)
		}
	}
	if !slices.Equal(got.filter.Blocks, want.filter.Blocks) {
		t.Fatal("the bits differ")
	}
}

func saveTemp(t testing.TB, f *Blocked) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "filter.bsv")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func openTemp(t testing.TB, path string, opts ...Option) *Blocked {
	t.Helper()
	f, err := OpenBlocked(path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wantFiles checks what a directory holds.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the directory holds %q, want %q", got, want)
	}
}

func TestFileRoundTrip(t *testing.T) {
	explicit, err := NewBlockedWithSize(7, 16)
	if err != nil {
		t.Fatal(err)
	}
	explicit.AddString("17")
	for _, c := range []struct {
		name   string
		filter *Blocked
		opts   []Option
	}{
		{"plain", sampleBlocked(t, 1000), nil},
		{"keyed", sampleBlocked(t, 1000, WithKey(fileTestKey)), []Option{WithKey(fileTestKey)}},
		{"explicit size", explicit, nil},
		{"one block", sampleBlocked(t, 0), nil},
		{"more than is trusted at once", sampleBlocked(t, 3_000_000), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.filter.SizeBytes() > firstRead {
				t.Skip("large")
			}
			file := marshalBlocked(t, c.filter)
			if want := headerSize + int(c.filter.SizeBytes()); len(file) != want {
				t.Errorf("%d bytes, want %d", len(file), want)
			}
			path := saveTemp(t, c.filter)
			if !bytes.Equal(readFile(t, path), file) {
				t.Error("Save and MarshalBinary differ")
			}
			var buf bytes.Buffer
			if n, err := c.filter.WriteTo(&buf); n != int64(len(file)) || err != nil {
				t.Errorf("WriteTo: %d, %v", n, err)
			}
			if !bytes.Equal(buf.Bytes(), file) {
				t.Error("WriteTo and MarshalBinary differ")
			}
			if b, err := c.filter.AppendBinary([]byte("before")); string(b) != "before"+string(file) || err != nil {
				t.Errorf("AppendBinary: %d bytes, %v", len(b), err)
			}

			wantSame(t, openTemp(t, path, c.opts...), c.filter)
			wantSame(t, openTemp(t, path, append(c.opts, WithoutChecksum())...), c.filter)

			stream := io.MultiReader(iotest.HalfReader(&buf), strings.NewReader("next"))
			f, err := ReadBlocked(stream, c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			wantSame(t, f, c.filter)
			opened, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			if f, err = ReadBlocked(opened, c.opts...); err != nil {
				t.Fatal(err)
			}
			wantSame(t, f, c.filter)
			if rest, _ := io.ReadAll(stream); string(rest) != "next" {
				t.Errorf("ReadBlocked left %q, want %q", rest, "next")
			}

			g := patternedBlocked(t, 5, c.opts...)
			if err := g.UnmarshalBinary(file); err != nil {
				t.Fatal(err)
			}
			wantSame(t, g, c.filter)
		})
	}
}

func TestFileGob(t *testing.T) {
	type message struct{ Filter *Blocked }
	var buf bytes.Buffer
	in := message{sampleBlocked(t, 100)}
	if err := gob.NewEncoder(&buf).Encode(in); err != nil {
		t.Fatal(err)
	}
	var out message
	if err := gob.NewDecoder(&buf).Decode(&out); err != nil {
		t.Fatal(err)
	}
	wantSame(t, out.Filter, in.Filter)
}

func TestFileKeys(t *testing.T) {
	otherKey := bytes.Repeat([]byte{1}, KeySize)
	keyed := saveTemp(t, sampleBlocked(t, 10, WithKey(fileTestKey)))
	plain := saveTemp(t, sampleBlocked(t, 10))
	for _, c := range []struct {
		name, path string
		opts       []Option
		ok         bool
	}{
		{"right", keyed, []Option{WithKey(fileTestKey)}, true},
		{"missing", keyed, nil, false},
		{"wrong", keyed, []Option{WithKey(otherKey)}, false},
		{"short", keyed, []Option{WithKey(fileTestKey[:16])}, false},
		{"not needed", plain, []Option{WithKey(fileTestKey)}, false},
		{"none", plain, nil, true},
	} {
		check := func(via string, err error) {
			t.Helper()
			if c.ok && err != nil || !c.ok && !errors.Is(err, ErrKey) {
				t.Errorf("%s key: %s: error %v", c.name, via, err)
			}
		}
		f, err := OpenBlocked(c.path, c.opts...)
		check("OpenBlocked", err)
		if err == nil {
			f.Close()
		} else if c.name != "short" && !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s key: %q does not name the file", c.name, err)
		}
		_, err = ReadBlocked(bytes.NewReader(readFile(t, c.path)), c.opts...)
		check("ReadBlocked", err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	good := marshalBlocked(t, sampleBlocked(t, 1000))
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	header := bytes.Clone(good)
	header[offK] ^= 1
	for _, c := range []struct {
		name  string
		data  []byte
		want  error
		field string
	}{
		{"empty", nil, ErrTruncated, "magic"},
		{"cut in the header", good[:50], ErrTruncated, "header"},
		{"cut after the header", good[:headerSize], ErrTruncated, "payload"},
		{"cut in the payload", good[:len(good)-1], ErrTruncated, "payload"},
		{"cut by a block", good[:len(good)-block.Bytes], ErrTruncated, "payload"},
		{"longer", append(bytes.Clone(good), 0), ErrTrailingData, "end"},
		{"foreign", []byte("a text\n"), ErrNotFilter, "magic"},
		{"newer", append([]byte(fileMagic), 2, 0, 0, 0), ErrVersion, "version"},
		{"payload damaged", flipped, ErrChecksum, "payload"},
		{"header damaged", header, ErrChecksum, "header"},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := OpenBlocked(path)
		wantFormatError(t, err, c.want, c.name)
		var fe *FormatError
		if errors.As(err, &fe); fe.Path != path || fe.Field != c.field {
			t.Errorf("%s: path %q, field %q, want %q, %q", c.name, fe.Path, fe.Field, path, c.field)
		}
		if !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %q does not name the file", c.name, err)
		}
	}
	if _, err := OpenBlocked(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := OpenBlocked(dir); err == nil {
		t.Error("a directory was opened")
	}
	f, err := OpenBlocked(filepath.Join(dir, "payload damaged"), WithoutChecksum())
	if err != nil {
		t.Fatalf("WithoutChecksum: %v", err)
	}
	f.Close()
	if _, err := OpenBlocked(filepath.Join(dir, "header damaged"), WithoutChecksum()); !errors.Is(err, ErrChecksum) {
		t.Errorf("WithoutChecksum on a damaged header: %v", err)
	}
}

// Changes to an opened filter reach neither the file nor other openers.
func TestOpenIsPrivate(t *testing.T) {
	path := saveTemp(t, sampleBlocked(t, 1000))
	before := readFile(t, path)
	f, g := openTemp(t, path), openTemp(t, path)
	for i := range uint64(1000) {
		f.AddUint64(1_000_000 + i)
	}
	for i := range uint64(1000) {
		if !f.TestUint64(1_000_000 + i) {
			t.Fatalf("%d was added but is absent", 1_000_000+i)
		}
	}
	wantSame(t, g, sampleBlocked(t, 1000))
	if !bytes.Equal(readFile(t, path), before) {
		t.Fatal("the file changed")
	}
	// Over the file that it is mapped from.
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	wantSame(t, openTemp(t, path), f)
	wantSame(t, g, sampleBlocked(t, 1000))
}

func TestOpenConcurrentReaders(t *testing.T) {
	f := openTemp(t, saveTemp(t, sampleBlocked(t, 5000)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range uint64(5000) {
				if !f.TestUint64(i) {
					t.Errorf("%d is absent", i)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestClose(t *testing.T) { kerneltest.EachLevel(t, testClose) }

func testClose(t *testing.T) {
	path := saveTemp(t, sampleBlocked(t, 100))
	opened, err := OpenBlocked(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*Blocked{"opened": opened, "made": sampleBlocked(t, 100)} {
		for range 2 {
			if err := f.Close(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for use, call := range map[string]func(){
			"TestString":     func() { f.TestString("x") },
			"TestUint64":     func() { f.TestUint64(1) },
			"AddString":      func() { f.AddString("x") },
			"TestAndAddHash": func() { f.TestAndAddHash(1) },
			"TestHashes":     func() { f.TestHashes(make([]uint64, 100), nil) },
			"AddUint64s":     func() { f.AddUint64s(make([]uint64, 100)) },
			"TestBytes":      func() { f.TestBytes(make([][]byte, 3), new(BitSet)) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s after Close did not panic", name, use)
					}
				}()
				call()
			}()
		}
		if err := f.Save(path); err == nil {
			t.Errorf("%s: Save after Close gave no error", name)
		}
		if _, err := f.WriteTo(io.Discard); err == nil {
			t.Errorf("%s: WriteTo after Close gave no error", name)
		}
		if err := f.UnmarshalBinary(readFile(t, path)); err != nil {
			t.Errorf("%s: UnmarshalBinary after Close: %v", name, err)
		}
		wantSame(t, f, sampleBlocked(t, 100))
	}
}

func TestFailedReadKeepsFilter(t *testing.T) {
	file := marshalBlocked(t, sampleBlocked(t, 2000))
	f := openTemp(t, saveTemp(t, sampleBlocked(t, 100)))
	if err := f.UnmarshalBinary(file[:len(file)-1]); err == nil {
		t.Fatal("no error")
	}
	file[headerSize] ^= 1
	if _, err := f.ReadFrom(bytes.NewReader(file)); err == nil {
		t.Fatal("no error")
	}
	broken := errors.New("broken")
	if _, err := f.ReadFrom(io.MultiReader(bytes.NewReader(file[:500]), iotest.ErrReader(broken))); err != broken {
		t.Fatalf("error %v, want %v", err, broken)
	}
	wantSame(t, f, sampleBlocked(t, 100))
}

// failingWriter takes some bytes and then fails.
type failingWriter struct{ room int }

var errFull = errors.New("no room")

func (w *failingWriter) Write(b []byte) (int, error) {
	if len(b) <= w.room {
		w.room -= len(b)
		return len(b), nil
	}
	n := w.room
	w.room = 0
	return n, errFull
}

func TestWriteToFailure(t *testing.T) {
	f := sampleBlocked(t, 1000)
	for _, room := range []int{0, 1, headerSize - 1, headerSize, headerSize + 1, headerSize + 100} {
		if n, err := f.WriteTo(&failingWriter{room}); n != int64(room) || err != errFull {
			t.Errorf("%d bytes of room: WriteTo returned %d, %v", room, n, err)
		}
	}
}

func TestSaveFailureKeepsFile(t *testing.T) {
	path := saveTemp(t, sampleBlocked(t, 100))
	dir, before := filepath.Dir(path), readFile(t, path)
	err := saveFile(path, func(w io.Writer) (int64, error) {
		n, _ := w.Write([]byte("half a filter"))
		return int64(n), errFull
	})
	if !errors.Is(err, errFull) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if !bytes.Equal(readFile(t, path), before) {
		t.Error("the file changed")
	}
	wantFiles(t, dir, filepath.Base(path))

	if err := sampleBlocked(t, 10).Save(filepath.Join(dir, "none", "f")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such directory: %v", err)
	}
	if err := sampleBlocked(t, 10).Save(dir); err == nil {
		t.Error("a directory was replaced")
	}
	if err := sampleBlocked(t, 10).Save(filepath.Join(path, "f")); err == nil {
		t.Error("a file served as a directory")
	}
	wantFiles(t, dir, filepath.Base(path))
}

// The rename fails after the new file is complete.
func TestSaveRenameFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	err := saveFile(path, func(w io.Writer) (int64, error) {
		return 0, os.Mkdir(path, 0o777)
	})
	if err == nil {
		t.Error("a directory was replaced")
	}
	wantFiles(t, dir, "f")
}

func TestInspectFile(t *testing.T) {
	f := sampleBlocked(t, 1000, WithKey(fileTestKey))
	path := saveTemp(t, f)
	info, err := InspectFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := FileInfo{
		Size:      int64(headerSize + f.SizeBytes()),
		Kind:      "blocked",
		Blocks:    f.Blocks(),
		K:         f.K(),
		Hash:      "HighwayHash-64",
		Keyed:     true,
		Items:     f.EstimatedCount(),
		Capacity:  1000,
		Rate:      0.01,
		Fill:      f.Fill(),
		FPRate:    f.FPRate(),
		HeaderOK:  true,
		PayloadOK: true,
	}
	if info != want {
		t.Errorf("%+v\nwant %+v", info, want)
	}

	file := readFile(t, path)
	for _, c := range []struct {
		name string
		data []byte
		err  error
		want func(FileInfo) FileInfo
	}{
		{"payload", append(bytes.Clone(file[:len(file)-1]), ^file[len(file)-1]), ErrChecksum, func(i FileInfo) FileInfo {
			i.PayloadOK, i.Fill, i.FPRate = false, 0, 0
			return i
		}},
		{"cut", file[:headerSize+64], ErrTruncated, func(i FileInfo) FileInfo {
			i.Size = headerSize + 64
			i.PayloadOK, i.Fill, i.FPRate = false, 0, 0
			return i
		}},
		{"header", append([]byte(fileMagic+"\x01\x00\x00\x00\x02"), file[offKind+1:]...), ErrChecksum, func(i FileInfo) FileInfo {
			i.Kind = "unknown (2)"
			i.HeaderOK, i.PayloadOK, i.Fill, i.FPRate = false, false, 0, 0
			return i
		}},
		{"foreign", []byte("#!/bin/sh\n"), ErrNotFilter, func(FileInfo) FileInfo {
			return FileInfo{Size: 10}
		}},
	} {
		if err := os.WriteFile(path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := InspectFile(path)
		wantFormatError(t, err, c.err, c.name)
		if got != c.want(want) {
			t.Errorf("%s: %+v\nwant %+v", c.name, got, c.want(want))
		}
	}
	if _, err := InspectFile(filepath.Join(path, "none")); err == nil {
		t.Error("no file: no error")
	}
}
