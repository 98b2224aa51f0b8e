package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
)

func marshalIPv4(t testing.TB, s *IPv4Set) []byte {
	t.Helper()
	data, err := s.MarshalBinary()
	must(t, err)
	return data
}

// sampleIPv4 has empty, full and other pages and directories.
func sampleIPv4(t testing.TB) *IPv4Set {
	s := ipv4SetOf(t, "10.0.0.0/8", "192.168.0.0/16", "192.0.2.0/24", "255.255.255.255/32", "64.0.0.0/10")
	r := rand.New(rand.NewPCG(1, 4))
	for range 500 {
		s.AddUint32(r.Uint32()>>8 | 3<<24)
	}
	must(t, s.RemovePrefix(prefix("10.3.0.0/17")))
	return s
}

// The bytes of a file never change, and are the same on every architecture.
func TestIPv4SetGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		set  *IPv4Set
		size int
		want string
	}{
		{"empty", new(IPv4Set), 256, "6d94f9b9a481558c"},
		{"everything", ipv4SetOf(t, "0.0.0.0/0"), 262400, "69f4529b41c73836"},
		{"one", ipv4SetOf(t, "192.0.2.1/32"), 1024, "14f31e548759822c"},
		{"sample", sampleIPv4(t), 247552, "28f1fc72a1c6f4ec"},
	} {
		data := marshalIPv4(t, c.set)
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:8]); got != c.want || len(data) != c.size {
			t.Errorf("%s: %d bytes, digest %s, want %d, %s", c.name, len(data), got, c.size, c.want)
		}
	}
}

// Every way to write a set gives the same bytes, and every way to read them the set.
// Equal sets have equal bytes, however they came about.
func TestIPv4SetFile(t *testing.T) {
	for _, s := range []*IPv4Set{new(IPv4Set), ipv4SetOf(t, "0.0.0.0/0"), sampleIPv4(t)} {
		data := marshalIPv4(t, s)
		var buf bytes.Buffer
		if n, err := s.WriteTo(&buf); err != nil || n != int64(len(data)) || !bytes.Equal(buf.Bytes(), data) {
			t.Fatalf("WriteTo: %d, %v", n, err)
		}
		if b, err := s.AppendBinary([]byte("x")); err != nil || string(b) != "x"+string(data) {
			t.Fatalf("AppendBinary: %v", err)
		}
		path := filepath.Join(t.TempDir(), "f")
		must(t, s.Save(path))
		if !bytes.Equal(readFile(t, path), data) {
			t.Fatal("Save wrote other bytes")
		}

		opened, err := OpenIPv4Set(path)
		must(t, err)
		quick, err := OpenIPv4Set(path, WithoutChecksum())
		must(t, err)
		read, err := ReadIPv4Set(io.MultiReader(&buf, strings.NewReader("more")))
		must(t, err)
		into := ipv4SetOf(t, "1.0.0.0/8")
		if n, err := into.ReadFrom(bytes.NewReader(data)); err != nil || n != int64(len(data)) {
			t.Fatalf("ReadFrom: %d, %v", n, err)
		}
		var unmarshalled IPv4Set
		must(t, unmarshalled.UnmarshalBinary(data))
		for i, g := range []*IPv4Set{opened, quick, read, into, &unmarshalled} {
			if !g.Equal(s) || g.Count() != s.Count() {
				t.Fatalf("%d: %d addresses, want %d", i, g.Count(), s.Count())
			}
			before := s.Contains(addr("203.0.113.9"))
			if added, err := g.Add(addr("203.0.113.9")); err != nil || added == before {
				t.Fatalf("%d: Add = %v, %v", i, added, err)
			}
			g.AddUint32(1<<32 - 2) // in a page of the file, if it has that
			if removed, err := g.Remove(addr("203.0.113.9")); !removed || err != nil {
				t.Fatalf("%d: Remove = %v, %v", i, removed, err)
			}
			want := s.Clone()
			want.Remove(addr("203.0.113.9"))
			want.AddUint32(1<<32 - 2)
			if !g.Equal(want) || !bytes.Equal(marshalIPv4(t, g), marshalIPv4(t, want)) {
				t.Fatalf("%d: after changes, %d addresses, want %d", i, g.Count(), want.Count())
			}
		}
		if !bytes.Equal(readFile(t, path), data) {
			t.Fatal("changes reached the file")
		}
		for range 2 {
			must(t, opened.Close())
		}
		if opened.Count() != 0 || !opened.AddUint32(1) {
			t.Error("Close left something, or a set that cannot be used")
		}
		must(t, quick.UnmarshalBinary(data)) // lets go of the mapping
		must(t, os.Remove(path))
		if !quick.Equal(s) {
			t.Error("a set that was mapped, read anew, differs")
		}
	}
}

// A mapping is released by Close, and by reading another set into the value.
func TestIPv4SetUnmap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapped-set")
	must(t, sampleIPv4(t).Save(path))
	mapped := func() bool {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip("no /proc/self/maps")
		}
		return bytes.Contains(maps, []byte(path))
	}
	for name, release := range map[string]func(s *IPv4Set) error{
		"Close":           (*IPv4Set).Close,
		"UnmarshalBinary": func(s *IPv4Set) error { return s.UnmarshalBinary(marshalIPv4(t, new(IPv4Set))) },
	} {
		s, err := OpenIPv4Set(path)
		must(t, err)
		before := mapped()
		must(t, release(s))
		if s.Count() != 0 || mapped() {
			t.Errorf("%s: %d addresses; mapped before: %v, afterwards: %v", name, s.Count(), before, mapped())
		}
	}
}

// A writer that fails has taken what WriteTo says.
func TestIPv4SetWriteError(t *testing.T) {
	s := ipv4SetOf(t, "9.0.0.0/24")
	for x := uint32(0); x < 1<<24; x += 1 << 12 {
		s.AddUint32(x)
	}
	for _, room := range []int{0, 100, 128, 1000, 256 << 10, 300_000, 1 << 20} {
		w := &narrow{room: room}
		if n, err := s.WriteTo(w); err != errNarrow || n != int64(w.taken) {
			t.Errorf("room for %d: %d bytes, %v; taken %d", room, n, err, w.taken)
		}
	}
}

var errNarrow = errors.New("no room")

// narrow takes so many bytes.
type narrow struct{ room, taken int }

func (w *narrow) Write(b []byte) (int, error) {
	n := min(len(b), w.room-w.taken)
	w.taken += n
	if n < len(b) {
		return n, errNarrow
	}
	return n, nil
}

// ipv4File returns a file with the given payload and counts, checksums right.
func ipv4File(t testing.TB, words []uint64, dirs, pages uint64) []byte {
	t.Helper()
	h := format.NewHeader(format.IPv4, 0, hash.Hasher{})
	h.Extra[0], h.Extra[1] = dirs, pages
	data, err := format.Append(nil, h, words)
	must(t, err)
	return data
}

// Directories that do not match are refused, and what was there before stays.
func TestIPv4SetHostile(t *testing.T) {
	const top, marks, page = 16, 32, 64
	words := func(n int, set map[int]uint64) []uint64 {
		p := make([]uint64, n)
		for i, w := range set {
			p[i] = w
		}
		return p
	}
	good := words(top+marks+page, map[int]uint64{0: 1, top: 2, top + marks: 5})
	for _, c := range []struct {
		name        string
		words       []uint64
		dirs, pages uint64
		want        error
	}{
		{"good", good, 1, 1, nil},
		{"an empty page that follows", words(top+marks+page, map[int]uint64{0: 1, top: 2}), 1, 1, nil},
		{"too many directories in the header", good, 2, 1, ErrHeader},
		{"too few", good, 0, 1, ErrHeader},
		{"too many pages in the header", good, 1, 2, ErrHeader},
		{"too few", good, 1, 0, ErrHeader},
		{"numbers that overflow", good, 1 << 63, 1<<63 + 1, ErrHeader},
		{"numbers whose sizes overflow", good, 1, 1<<58 + 1, ErrHeader},
		{"directories that are not there", words(top, map[int]uint64{0: 1}), 0, 0, ErrHeader},
		{"nor counted", words(top, map[int]uint64{0: 1}), 1, 0, ErrHeader},
		{"no directory for the pages", words(top+marks+page, map[int]uint64{top: 2}), 1, 1, ErrHeader},
		{"two", words(top+marks+page, map[int]uint64{0: 3, top: 2}), 1, 1, ErrHeader},
		{"pages that are not there", words(top+marks+page, map[int]uint64{0: 1, top: 6}), 1, 1, ErrHeader},
		{"pages that nobody has", words(top+marks+page, map[int]uint64{0: 1, top + 16: 6}), 1, 1, ErrHeader},
		{"full pages that follow", words(top+marks+page, map[int]uint64{0: 1, top: 2, top + 16: 2}), 1, 1, ErrHeader},
		{"a directory without pages", words(top+marks, map[int]uint64{0: 1}), 1, 0, ErrHeader},
		{"half a page", good[:top+marks+page/2], 1, 1, ErrHeader},
		{"half a top", good[:top/2], 0, 0, ErrHeader},
		{"a block too many", append(slices.Clone(good), words(8, nil)...), 1, 1, ErrHeader},
	} {
		data := ipv4File(t, c.words, c.dirs, c.pages)
		path := filepath.Join(t.TempDir(), "f")
		must(t, os.WriteFile(path, data, 0o666))
		s := ipv4SetOf(t, "192.0.2.0/24")
		err := s.UnmarshalBinary(data)
		opened, openErr := OpenIPv4Set(path)
		_, inspectErr := InspectFile(path)
		var fe *FormatError
		if c.want == nil {
			if err != nil || openErr != nil || inspectErr != nil || !s.Equal(opened) {
				t.Errorf("%s: %v, %v, %v", c.name, err, openErr, inspectErr)
			}
			must(t, opened.Close())
			continue
		}
		if !errors.Is(err, c.want) || !errors.As(err, &fe) || !errors.Is(openErr, c.want) || !strings.Contains(openErr.Error(), path) ||
			!errors.Is(inspectErr, c.want) {
			t.Errorf("%s: %v, %v, %v", c.name, err, openErr, inspectErr)
		}
		if s.Count() != 256 || !s.Contains(addr("192.0.2.7")) {
			t.Errorf("%s: the set was changed", c.name)
		}
	}

	path := filepath.Join(t.TempDir(), "f")
	must(t, sampleIPv4(t).Save(path))
	if _, err := OpenIPv4Set(path, WithKey(secretKey)); !errors.Is(err, ErrKey) {
		t.Errorf("with a key: %v", err)
	}
	if _, err := OpenBlocked(path); !errors.Is(err, ErrKind) {
		t.Errorf("as a filter: %v", err)
	}
	if _, err := Open(path); !errors.Is(err, ErrKind) {
		t.Errorf("as any filter: %v", err)
	}
	must(t, mustBlocked(t, 10, 8).Save(path))
	if _, err := OpenIPv4Set(path); !errors.Is(err, ErrKind) {
		t.Errorf("a filter as a set: %v", err)
	}
}

func TestIPv4SetInspect(t *testing.T) {
	s := sampleIPv4(t)
	path := filepath.Join(t.TempDir(), "f")
	must(t, s.Save(path))
	info, err := InspectFile(path)
	if err != nil || info.Kind != "ipv4" || info.Items != s.Count() || info.K != 0 || info.Keyed || !info.HeaderOK || !info.PayloadOK {
		t.Errorf("%+v, %v", info, err)
	}
}

// FuzzIPv4Set reads arbitrary files, as they are and with both checksums made right:
// what is accepted works, and comes out of a file again.
func FuzzIPv4Set(f *testing.F) {
	f.Add(marshalIPv4(f, new(IPv4Set)))
	f.Add(marshalIPv4(f, ipv4SetOf(f, "192.0.2.0/24", "64.0.0.0/10", "10.0.0.0/19")))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzIPv4Set(t, data)
		if len(data) > format.HeaderBytes {
			le := binary.LittleEndian
			data = bytes.Clone(data)
			copy(data, "\x89BSV\r\n\x1a\n\x01\x00\x00\x00\x09\x00\x00\x00")
			le.PutUint64(data[40:], uint64(len(data)-format.HeaderBytes)/64)
			le.PutUint64(data[72:], xxh3.Hash(data[format.HeaderBytes:]))
			le.PutUint64(data[120:], xxh3.Hash(data[:120]))
			fuzzIPv4Set(t, data)
		}
	})
}

func fuzzIPv4Set(t *testing.T, data []byte) {
	s := new(IPv4Set)
	if err := s.UnmarshalBinary(data); err != nil {
		var fe *FormatError
		if !errors.As(err, &fe) && !errors.Is(err, ErrKey) {
			t.Fatalf("%v of type %T", err, err)
		}
		return
	}
	n, inRanges := s.Count(), uint64(0)
	for first, last := range s.Ranges() {
		inRanges += uint64(uint32Of(last)-uint32Of(first)) + 1
		if inRanges == 0 || !s.ContainsRange(first, last) {
			t.Fatalf("%v to %v", first, last)
		}
	}
	again := new(IPv4Set)
	must(t, again.UnmarshalBinary(marshalIPv4(t, s)))
	if inRanges != n || !again.Equal(s) || again.Count() != n {
		t.Fatalf("%d addresses, %d in ranges, %d after a file", n, inRanges, again.Count())
	}
	s.AddUint32(0)
	s.RemoveUint32(1)
	s.Difference(again)
	if s.Contains(addr("0.0.0.0")) == again.Contains(addr("0.0.0.0")) || s.Count() > 1 {
		t.Fatalf("%d addresses are left", s.Count())
	}
}
