package tests

import (
	"bytes"
	"encoding/gob"
	"encoding/hex"
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

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

var fileTestKey = []byte("0123456789abcdef0123456789abcdef")

// patternedBlocked returns a filter whose bits do not depend on how keys are placed,
// under a secret key unless that is nil.
func patternedBlocked(t testing.TB, blocks uint64, key []byte) *Blocked {
	t.Helper()
	hasher, err := hash.New(key)
	if err != nil {
		t.Fatal(err)
	}
	h := format.NewHeader(format.Blocked, 6, hasher)
	h.Capacity, h.Rate = 50, 0.01
	return blockedOf(t, h, patternedWords(blocks), keyOptions(key)...)
}

func patternedWords(blocks uint64) []uint64 {
	words := make([]uint64, blocks*block.Words)
	for i := range words {
		words[i] = uint64(i+1) * 0x9e3779b97f4a7c15
	}
	return words
}

// keyOptions returns what opens a filter that was made with key, which may be nil.
func keyOptions(key []byte) []OpenOption {
	if key == nil {
		return nil
	}
	return []OpenOption{WithKey(key)}
}

func marshalBlocked(t testing.TB, f *Blocked) []byte {
	t.Helper()
	b, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wantFormatError checks that err is a complete FormatError of the given sort.
func wantFormatError(t *testing.T, err, sort error, what string) {
	t.Helper()
	var fe *FormatError
	if !errors.As(err, &fe) {
		t.Fatalf("%s: error %v, want a *FormatError", what, err)
	}
	if !errors.Is(err, sort) {
		t.Fatalf("%s: error %q, want %v", what, err, sort)
	}
	if fe.Field == "" || fe.Detail == "" || fe.Offset < 0 {
		t.Fatalf("%s: incomplete error %#v", what, fe)
	}
}

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
	if !bytes.Equal(payload(t, got), payload(t, want)) {
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

func openTemp(t testing.TB, path string, opts ...OpenOption) *Blocked {
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

// The bytes of version 1 never change, on any architecture.
func TestFileGolden(t *testing.T) {
	want, err := hex.DecodeString(strings.ReplaceAll(""+
		"89425356 0d0a1a0a 01000000 01000000 80000000 06000000 01000000 00000000"+
		"00000000 00000000 01000000 00000000 45000000 00000000 32000000 00000000"+
		"7b14ae47 e17a843f 1cd20810 fd7c4f65 00000000 00000000 00000000 00000000"+
		"00000000 00000000 00000000 00000000 00000000 00000000 1b7a4ee4 1f315ef1"+
		"157c4a7f b979379e 2af894fe 72f36e3c 3f74df7d 2c6da6da 54f029fd e5e6dd78"+
		"696c747c 9f601517 7ee8befb 58da4cb5 9364097b 12548453 a8e053fa cbcdbbf1"+
		"", " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	f := patternedBlocked(t, 1, nil)
	if got := marshalBlocked(t, f); !bytes.Equal(got, want) {
		t.Errorf("written:\n%swant:\n%s", hex.Dump(got), hex.Dump(want))
	}
	var g Blocked
	if err := g.UnmarshalBinary(want); err != nil {
		t.Fatal(err)
	}
	if n, p := g.Capacity(); g.K() != 6 || g.Blocks() != 1 || n != 50 || p != 0.01 || g.Keyed() {
		t.Errorf("read k = %d, %d blocks, capacity %d, %v", g.K(), g.Blocks(), n, p)
	}
	if got := marshalBlocked(t, &g); !bytes.Equal(got, want) {
		t.Errorf("read and written again:\n%s", hex.Dump(got))
	}
	// What is read is not only what is written again, but also what is tested.
	var model block.Filter
	model.Init(block.View(patternedWords(1)), 6, hash.Hasher{})
	for i := range uint64(1000) {
		h := hash.Mix(i)
		if got, want := g.TestHash(h), model.TestHash(h); got != want {
			t.Fatalf("TestHash(%#x) = %v, want %v", h, got, want)
		}
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
		key    []byte
	}{
		{"plain", sampleBlocked(t, 1000), nil},
		{"keyed", sampleBlocked(t, 1000, WithKey(fileTestKey)), fileTestKey},
		{"explicit size", explicit, nil},
		{"one block", sampleBlocked(t, 0), nil},
		{"more than is trusted at once", sampleBlocked(t, 3_000_000), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.filter.SizeBytes() > 1<<20 {
				t.Skip("large")
			}
			file, opts := marshalBlocked(t, c.filter), keyOptions(c.key)
			if want := format.HeaderBytes + int(c.filter.SizeBytes()); len(file) != want {
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

			wantSame(t, openTemp(t, path, opts...), c.filter)
			wantSame(t, openTemp(t, path, append(opts, WithoutChecksum())...), c.filter)

			stream := io.MultiReader(iotest.HalfReader(&buf), strings.NewReader("next"))
			f, err := ReadBlocked(stream, opts...)
			if err != nil {
				t.Fatal(err)
			}
			wantSame(t, f, c.filter)
			opened, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			if f, err = ReadBlocked(opened, opts...); err != nil {
				t.Fatal(err)
			}
			wantSame(t, f, c.filter)
			if rest, _ := io.ReadAll(stream); string(rest) != "next" {
				t.Errorf("ReadBlocked left %q, want %q", rest, "next")
			}

			g := patternedBlocked(t, 5, c.key)
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
		opts       []OpenOption
		ok         bool
	}{
		{"right", keyed, []OpenOption{WithKey(fileTestKey)}, true},
		{"missing", keyed, nil, false},
		{"wrong", keyed, []OpenOption{WithKey(otherKey)}, false},
		{"short", keyed, []OpenOption{WithKey(fileTestKey[:16])}, false},
		{"not needed", plain, []OpenOption{WithKey(fileTestKey)}, false},
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
	header[20] ^= 1 // k
	for _, c := range []struct {
		name  string
		data  []byte
		want  error
		field string
	}{
		{"empty", nil, ErrTruncated, "magic"},
		{"cut in the header", good[:50], ErrTruncated, "header"},
		{"cut after the header", good[:format.HeaderBytes], ErrTruncated, "payload"},
		{"cut in the payload", good[:len(good)-1], ErrTruncated, "payload"},
		{"cut by a block", good[:len(good)-block.Bytes], ErrTruncated, "payload"},
		{"longer", append(bytes.Clone(good), 0), ErrTrailingData, "end"},
		{"foreign", []byte("a text\n"), ErrNotFilter, "magic"},
		{"newer", append(bytes.Clone(good[:8]), 2, 0, 0, 0), ErrVersion, "version"},
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
		kerneltest.Go(&wg, func() {
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
		wantNotWritten(t, f, name+", closed")
		if err := f.UnmarshalBinary(readFile(t, path)); err != nil {
			t.Errorf("%s: UnmarshalBinary after Close: %v", name, err)
		}
		wantSame(t, f, sampleBlocked(t, 100))
	}
}

// wantNotWritten checks that a filter without blocks gives a clear error.
func wantNotWritten(t *testing.T, f *Blocked, name string) {
	t.Helper()
	const want = "bitsieve: the filter is closed or was never made"
	if n, err := f.WriteTo(io.Discard); n != 0 || err == nil || err.Error() != want {
		t.Errorf("%s: WriteTo: %d, %v", name, n, err)
	}
	if b, err := f.AppendBinary([]byte("b")); string(b) != "b" || err == nil || err.Error() != want {
		t.Errorf("%s: AppendBinary: %q, %v", name, b, err)
	}
}

func TestZeroFilterFile(t *testing.T) {
	var f Blocked
	wantNotWritten(t, &f, "zero")
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := f.UnmarshalBinary(marshalBlocked(t, sampleBlocked(t, 100))); err != nil {
		t.Fatal(err)
	}
	wantSame(t, &f, sampleBlocked(t, 100))
}

func TestFailedReadKeepsFilter(t *testing.T) {
	file := marshalBlocked(t, sampleBlocked(t, 2000))
	f := openTemp(t, saveTemp(t, sampleBlocked(t, 100)))
	if err := f.UnmarshalBinary(file[:len(file)-1]); err == nil {
		t.Fatal("no error")
	}
	file[format.HeaderBytes] ^= 1
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
	for _, room := range []int{0, 1, format.HeaderBytes - 1, format.HeaderBytes, format.HeaderBytes + 1, format.HeaderBytes + 100} {
		if n, err := f.WriteTo(&failingWriter{room}); n != int64(room) || err != errFull {
			t.Errorf("%d bytes of room: WriteTo returned %d, %v", room, n, err)
		}
	}
}

func TestSaveFailureKeepsFile(t *testing.T) {
	path := saveTemp(t, sampleBlocked(t, 100))
	dir, before := filepath.Dir(path), readFile(t, path)
	if err := new(Blocked).Save(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a filter that was never made: %v", err)
	}
	if !bytes.Equal(readFile(t, path), before) {
		t.Error("the file changed")
	}
	if err := sampleBlocked(t, 10).Save(filepath.Join(dir, "none", "f")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such directory: %v", err)
	}
	if err := sampleBlocked(t, 10).Save(dir); err == nil {
		t.Error("a directory was replaced")
	}
	wantFiles(t, dir, filepath.Base(path))
}

// What is for opening only cannot be given to a constructor, what is for making
// can be given to both.
func TestOptionTypes(t *testing.T) {
	if _, is := WithoutChecksum().(Option); is {
		t.Error("WithoutChecksum is an Option: NewBlocked would ignore it")
	}
	for _, o := range []Option{WithKey(fileTestKey), WithoutHugePages()} {
		var _ OpenOption = o
	}
}

func TestWithoutHugePages(t *testing.T) {
	f := sampleBlocked(t, 100, WithoutHugePages())
	file := marshalBlocked(t, f)
	g, err := ReadBlocked(bytes.NewReader(file), WithoutHugePages())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Blocked{f, f.Clone(), g} {
		wantSame(t, f, sampleBlocked(t, 100))
	}
}
