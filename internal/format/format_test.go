package format

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

func keyed(t testing.TB) hash.Hasher {
	t.Helper()
	h, err := hash.New(testKey)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// pattern returns words of which none is like another.
func pattern(n uint64) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = uint64(i+1) * 0x9e3779b97f4a7c15
	}
	return words
}

// A sample is a filter's file to be.
type sample struct {
	name   string
	header Header
	words  []uint64
	want   Expect
}

func sampleOf(t testing.TB, kind Kind, blocks, bits uint64, h hash.Hasher) sample {
	t.Helper()
	k := 6
	if kind == IPv4 {
		k = 0
	}
	header := NewHeader(kind, k, h)
	for i := range kind.rule().extra {
		header.Extra[i] = uint64(i) + 1<<40
	}
	header.Items, header.Capacity, header.Rate, header.Bits = 69, 50, 0.01, bits
	return sample{
		fmt.Sprintf("%v, %d blocks, %d bits, keyed %v", kind, blocks, bits, h.Keyed()),
		header, pattern(blocks * block.Words), Expect{Kind: kind, Hash: h},
	}
}

// samples returns one of each kind and hash, of some sizes.
func samples(t testing.TB, sizes ...uint64) (all []sample) {
	for _, n := range sizes {
		for _, h := range []hash.Hasher{{}, keyed(t)} {
			for _, r := range kindRules {
				switch {
				case r.bits:
					all = append(all, sampleOf(t, r.kind, n, n*blockBits-77, h))
				case r.hashes[0] != NoHash || !h.Keyed():
					all = append(all, sampleOf(t, r.kind, n, 0, h))
				}
			}
		}
	}
	return all
}

// file returns the bytes that Write writes.
func (s *sample) file(t testing.TB) []byte {
	t.Helper()
	b, err := Append(nil, s.header, s.words)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// stored returns the words that the file holds.
func (s *sample) stored() []uint64 {
	words := slices.Clone(s.words)
	if m := s.header.Bits; m > 0 {
		for i := m; i < uint64(len(words))*64; i++ {
			words[i/64] &^= 1 << (i % 64)
		}
	}
	return words
}

// check compares what was read with the sample.
func (s *sample) check(t *testing.T, h Header, words []uint64, err error, how string) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %s: %v", s.name, how, err)
	}
	want := s.header
	want.Blocks, want.PayloadSum = uint64(len(s.words)/block.Words), h.PayloadSum
	if h != want {
		t.Errorf("%s: %s: header %+v\nwant %+v", s.name, how, h, want)
	}
	if !slices.Equal(words, s.stored()) {
		t.Errorf("%s: %s: the words differ", s.name, how)
	}
}

// resum makes the checksum of an altered header right again.
func resum(file []byte) {
	binary.LittleEndian.PutUint64(file[offHeaderSum:], xxh3.Hash(file[:offHeaderSum]))
}

// wantError checks that err is a complete Error of the given sort.
func wantError(t *testing.T, err, sort error, what string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: error %v, want an *Error", what, err)
	}
	if !errors.Is(err, sort) {
		t.Fatalf("%s: error %q, want %v", what, err, sort)
	}
	if e.Field == "" || e.Detail == "" || e.Offset < 0 {
		t.Fatalf("%s: incomplete error %#v", what, e)
	}
}

// The bytes of version 1 never change, on any architecture.
var golden = []struct {
	kind Kind
	bits uint64
	hex  string
}{
	{Blocked, 0, "" +
		"89425356 0d0a1a0a 01000000 01000000 80000000 06000000 01000000 00000000" +
		"00000000 00000000 01000000 00000000 45000000 00000000 32000000 00000000" +
		"7b14ae47 e17a843f 1cd20810 fd7c4f65 00000000 00000000 00000000 00000000" +
		"00000000 00000000 00000000 00000000 00000000 00000000 1b7a4ee4 1f315ef1" +
		"157c4a7f b979379e 2af894fe 72f36e3c 3f74df7d 2c6da6da 54f029fd e5e6dd78" +
		"696c747c 9f601517 7ee8befb 58da4cb5 9364097b 12548453 a8e053fa cbcdbbf1"},
	{Bloom, 335, "" +
		"89425356 0d0a1a0a 01000000 02000000 80000000 06000000 03000000 00000000" +
		"00000000 00000000 01000000 00000000 45000000 00000000 32000000 00000000" +
		"7b14ae47 e17a843f 2208e5c5 aed144a3 4f010000 00000000 00000000 00000000" +
		"00000000 00000000 00000000 00000000 00000000 00000000 8f316c0a ca5e3089" +
		"157c4a7f b979379e 2af894fe 72f36e3c 3f74df7d 2c6da6da 54f029fd e5e6dd78" +
		"696c747c 9f601517 7e680000 00000000 00000000 00000000 00000000 00000000"},
}

func TestGolden(t *testing.T) {
	for _, g := range golden {
		want, err := hex.DecodeString(strings.ReplaceAll(g.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		s := sampleOf(t, g.kind, 1, g.bits, hash.Hasher{})
		if got := s.file(t); !bytes.Equal(got, want) {
			t.Errorf("%v: written:\n%swant:\n%s", g.kind, hex.Dump(got), hex.Dump(want))
		}
		h, words, err := Unmarshal(want, s.want)
		s.check(t, h, words, err, "golden bytes")
	}
}

// What of a file depends on the key, and that the key is not in it.
func TestGoldenKeyed(t *testing.T) {
	const want = 0x3ead9931e45b0575
	for kind, id := range map[Kind]HashID{Blocked: Highway, Bloom: HighwayWide} {
		bits := map[Kind]uint64{Bloom: 500}[kind]
		s := sampleOf(t, kind, 1, bits, keyed(t))
		file := s.file(t)
		if got := HashID(binary.LittleEndian.Uint32(file[offHash:])); got != id {
			t.Errorf("%v: hash %d, want %d", kind, got, id)
		}
		if check := binary.LittleEndian.Uint64(file[offKeyCheck:]); check != want {
			t.Errorf("%v: key check %#x, want %#x", kind, check, uint64(want))
		}
		if bytes.Contains(file, testKey[:8]) {
			t.Errorf("%v: the file has a part of the key", kind)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		got  fmt.Stringer
		want string
	}{
		{Blocked, "blocked"}, {Bloom, "bloom"}, {Whitelist, "whitelist"}, {Kind(10), "unknown (10)"},
		{XXH3, "XXH3-64"}, {Highway, "HighwayHash-64"}, {Murmur, "MurmurHash3-128"},
		{HighwayWide, "HighwayHash-256"}, {NoHash, "none"}, {HashID(5), "unknown (5)"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestHeaderDamage(t *testing.T) {
	for _, s := range samples(t, 2) {
		good := s.file(t)
		for i := range HeaderBytes {
			for flip := 1; flip < 256; flip++ {
				bad := bytes.Clone(good)
				bad[i] ^= byte(flip)
				want := ErrChecksum
				switch {
				case i < len(magic):
					want = ErrNotFilter
				case i < offKind:
					want = ErrVersion
				}
				if _, words, err := Unmarshal(bad, s.want); !errors.Is(err, want) || words != nil {
					t.Fatalf("%s: byte %d flipped by %#x: error %v, want %v", s.name, i, flip, err, want)
				}
			}
		}
	}
}

func TestPayloadDamage(t *testing.T) {
	for _, s := range samples(t, 2) {
		good := s.file(t)
		for i := HeaderBytes * 8; i < len(good)*8; i++ {
			bad := bytes.Clone(good)
			bad[i/8] ^= 1 << (i % 8)
			_, _, err := Unmarshal(bad, s.want)
			wantError(t, err, ErrChecksum, "payload bit")
		}
	}
}

// Fields that are wrong although the header's checksum is right: the work of
// another program, or of an attacker.
func TestForgedHeader(t *testing.T) {
	le := binary.LittleEndian
	put32 := func(off int, v uint32) func([]byte) { return func(b []byte) { le.PutUint32(b[off:], v) } }
	put64 := func(off int, v uint64) func([]byte) { return func(b []byte) { le.PutUint64(b[off:], v) } }
	rate := func(p float64) func([]byte) { return put64(offRate, math.Float64bits(p)) }
	type forgery struct {
		name string
		edit func([]byte)
		want error
	}
	common := []forgery{
		{"version 0", put32(offVersion, 0), ErrVersion},
		{"version 2", put32(offVersion, 2), ErrVersion},
		{"kind 0", put32(offKind, 0), ErrKind},
		{"kind 10", put32(offKind, 10), ErrKind},
		{"header length 120", put32(offHeaderLength, 120), ErrHeader},
		{"header length 2^32-1", put32(offHeaderLength, math.MaxUint32), ErrHeader},
		{"k 0", put32(offK, 0), ErrHeader},
		{"k 2^32-1", put32(offK, math.MaxUint32), ErrHeader},
		{"hash 0", put32(offHash, 0), ErrHeader},
		{"hash 5", put32(offHash, 5), ErrHeader},
		{"flags", put32(offFlags, 1<<31), ErrHeader},
		{"key check without a key", put64(offKeyCheck, 1), ErrHeader},
		{"no blocks", put64(offBlocks, 0), ErrHeader},
		{"2^58 + 2 blocks", put64(offBlocks, 1<<58+2), ErrHeader}, // × 64 = 128 mod 2^64
		{"2^64 - 1 blocks", put64(offBlocks, math.MaxUint64), ErrHeader},
		{"too many blocks", put64(offBlocks, memory.MaxBytes/block.Bytes+1), memory.ErrMemory},
		{"rate 1", rate(1), ErrHeader},
		{"rate below 0", rate(-1e-300), ErrHeader},
		{"rate NaN", rate(math.NaN()), ErrHeader},
		{"rate infinite", rate(math.Inf(1)), ErrHeader},
		{"an integer without a meaning", put64(offExtra+16, 1), ErrHeader},
		{"last reserved integer", put64(offHeaderSum-8, 1<<63), ErrHeader},
		{"payload checksum", put64(offPayloadSum, 0), ErrChecksum},
	}
	for _, c := range []struct {
		sample
		own []forgery
	}{
		{sampleOf(t, Blocked, 2, 0, hash.Hasher{}), []forgery{
			{"kind 2", put32(offKind, 2), ErrKind},
			{"k 17", put32(offK, 17), ErrHeader},
			{"hash 3", put32(offHash, 3), ErrHeader},
			{"key without a check", put32(offHash, uint32(Highway)), hash.ErrKey},
			{"one block", put64(offBlocks, 1), ErrTrailingData},
			{"three blocks", put64(offBlocks, 3), ErrTruncated},
			{"bits", put64(offBits, 1024), ErrHeader},
			{"first reserved integer", put64(offExtra, 1), ErrHeader},
		}},
		{sampleOf(t, Spectral, 2, 0, hash.Hasher{}), []forgery{{"k 9", put32(offK, 9), ErrHeader}}},
		{sampleOf(t, Scalable, 2, 0, hash.Hasher{}), nil},
		{sampleOf(t, Sharded, 2, 0, hash.Hasher{}), []forgery{{"second integer", put64(offExtra+8, 1), ErrHeader}}},
		{sampleOf(t, Bloom, 2, 1000, hash.Hasher{}), []forgery{
			{"kind 1", put32(offKind, 1), ErrKind},
			{"k 65537", put32(offK, MaxBloomK+1), ErrHeader},
			{"hash 1", put32(offHash, 1), ErrHeader},
			{"key without a check", put32(offHash, uint32(HighwayWide)), hash.ErrKey},
			{"one block", put64(offBlocks, 1), ErrHeader},
			{"three blocks", put64(offBlocks, 3), ErrHeader},
			{"three blocks and their bits", func(b []byte) {
				put64(offBlocks, 3)(b)
				put64(offBits, 1025)(b)
			}, ErrTruncated},
			{"no bits", put64(offBits, 0), ErrHeader},
			{"bits for one block", put64(offBits, 512), ErrHeader},
			{"bits for three blocks", put64(offBits, 1025), ErrHeader},
			{"2^64 - 1 bits", put64(offBits, math.MaxUint64), ErrHeader},
			{"fewer bits than are set", put64(offBits, 900), ErrHeader},
		}},
	} {
		for _, f := range append(slices.Clone(common), c.own...) {
			t.Run(c.name+"/"+f.name, func(t *testing.T) {
				bad := c.file(t)
				f.edit(bad)
				resum(bad)
				_, words, err := Unmarshal(bad, c.want)
				if words != nil {
					t.Error("words in spite of an error")
				}
				if f.want == hash.ErrKey {
					if !errors.Is(err, f.want) {
						t.Fatalf("error %v, want %v", err, f.want)
					}
					return
				}
				wantError(t, err, f.want, f.name)
			})
		}
	}
}

// A filter of another kind says which it is.
func TestKinds(t *testing.T) {
	blocked, bloom := sampleOf(t, Blocked, 1, 0, hash.Hasher{}), sampleOf(t, Bloom, 1, 512, hash.Hasher{})
	for _, c := range []struct {
		s    sample
		want Kind
		text string
	}{
		{bloom, Blocked, "is 2 (bloom), want 1 (blocked)"},
		{blocked, Bloom, "is 1 (blocked), want 2 (bloom)"},
	} {
		_, _, err := Unmarshal(c.s.file(t), Expect{Kind: c.want})
		wantError(t, err, ErrKind, c.text)
		if !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q does not say %q", err, c.text)
		}
	}
}

func TestKeys(t *testing.T) {
	other, _ := hash.New(bytes.Repeat([]byte{1}, hash.KeySize))
	for _, s := range samples(t, 1) {
		for _, h := range []hash.Hasher{{}, keyed(t), other} {
			_, _, err := Unmarshal(s.file(t), Expect{Kind: s.want.Kind, Hash: h})
			if right := h.Equal(s.want.Hash); right && err != nil || !right && !errors.Is(err, hash.ErrKey) {
				t.Errorf("%s: right key %v: %v", s.name, right, err)
			}
		}
	}
}

func TestTruncated(t *testing.T) {
	for _, s := range samples(t, 3) {
		good := s.file(t)
		for n := range good {
			_, _, err := Unmarshal(good[:n], s.want)
			wantError(t, err, ErrTruncated, "Unmarshal")
			_, _, m, err := Read(bytes.NewReader(good[:n]), s.want)
			wantError(t, err, ErrTruncated, "Read")
			if m != int64(n) {
				t.Fatalf("Read of %d bytes returned %d", n, m)
			}
		}
	}
}

func TestTrailingData(t *testing.T) {
	for _, s := range samples(t, 3) {
		for _, tail := range []string{"\x00", "\n", strings.Repeat("x", block.Bytes)} {
			_, _, err := Unmarshal(append(s.file(t), tail...), s.want)
			wantError(t, err, ErrTrailingData, "tail")
		}
	}
}

func TestForeign(t *testing.T) {
	s := sampleOf(t, Blocked, 1, 0, hash.Hasher{})
	rest := string(s.file(t)[len(magic):])
	for _, c := range []struct{ name, data, detail string }{
		{"text", "example.com\nexample.org\n", "want 89 42 53 56 0d 0a 1a 0a"},
		{"short text", "ab", "61 62, want"},
		{"PNG", "\x89PNG\r\n\x1a\n" + rest, "89 50 4e 47"},
		{"zeros", strings.Repeat("\x00", 512), "00 00"},
		{"magic later", "\n" + magic + rest, "0a 89"},
		{"CR LF to LF", "\x89BSV\n\x1a\n" + rest, "text mode"},
		{"LF to CR LF", "\x89BSV\r\r\n\x1a\r\n" + rest, "text mode"},
		{"7 bits", "\x09BSV\r\n\x1a\n" + rest, "text mode"},
		{"UTF-8", "\ufffdBSV\r\n\x1a\n" + rest, "text mode"},
		{"Latin-1", "\u0089BSV\r\n\x1a\n" + rest, "text mode"},
	} {
		_, _, err := Unmarshal([]byte(c.data), s.want)
		wantError(t, err, ErrNotFilter, c.name)
		if !strings.Contains(err.Error(), c.detail) {
			t.Errorf("%s: %q does not say %q", c.name, err, c.detail)
		}
	}
}

// A newer version may differ in anything but its first 12 bytes.
func TestNewerVersion(t *testing.T) {
	newer := append([]byte(magic), 2, 0, 0, 0)
	for _, tail := range []string{"", "short", strings.Repeat("x", 1000)} {
		_, _, err := Unmarshal(append(newer, tail...), Expect{Kind: Blocked})
		wantError(t, err, ErrVersion, "newer")
		if !strings.Contains(err.Error(), "is 2, this package reads 1") {
			t.Errorf("error %q does not name the versions", err)
		}
	}
}

func TestErrorText(t *testing.T) {
	err := &Error{Path: "a/b.bsv", Field: "payload", Offset: 128, Detail: "has 3 bytes, want 64", Err: ErrTruncated}
	const want = "bitsieve: a/b.bsv: truncated: payload at byte 128: has 3 bytes, want 64"
	if got := err.Error(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Bits after a standard filter's last are found however it is read, though its
// checksums are right.
func TestBitsAfterLast(t *testing.T) {
	s := sampleOf(t, Bloom, 2, 1000, hash.Hasher{})
	bad := s.file(t)
	binary.LittleEndian.PutUint64(bad[offBits:], 900)
	resum(bad)
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, bad, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, skip := range []bool{false, true} {
		want := Expect{Kind: Bloom, SkipChecksum: skip}
		_, _, _, err := Open(path, want)
		wantError(t, err, ErrHeader, "Open")
		_, _, _, err = Read(bytes.NewReader(bad), want)
		wantError(t, err, ErrHeader, "Read")
	}
	_, err := Inspect(path)
	wantError(t, err, ErrHeader, "Inspect")
}

// What cannot be read is not written.
func TestWriteInvalid(t *testing.T) {
	var none hash.Hasher
	for name, c := range map[string]struct {
		h     Header
		words uint64
		want  error
	}{
		"no words":         {NewHeader(Blocked, 8, none), 0, ErrEmpty},
		"k 0":              {NewHeader(Blocked, 0, none), 8, ErrHeader},
		"k 17":             {NewHeader(Blocked, 17, none), 8, ErrHeader},
		"bloom, no bits":   {NewHeader(Bloom, 8, none), 8, ErrHeader},
		"bloom, k 0":       {NewHeader(Bloom, 0, none), 8, ErrHeader},
		"bloom, k 65537":   {NewHeader(Bloom, MaxBloomK+1, none), 8, ErrHeader},
		"bloom, k below 0": {NewHeader(Bloom, -1, none), 8, ErrHeader},
	} {
		var buf bytes.Buffer
		n, err := Write(&buf, c.h, pattern(c.words))
		if !errors.Is(err, c.want) || n != 0 || buf.Len() != 0 {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
		if b, err := Append([]byte("b"), c.h, pattern(c.words)); !errors.Is(err, c.want) || string(b) != "b" {
			t.Errorf("%s: Append: %q, %v", name, b, err)
		}
	}
}

// FuzzUnmarshal checks that no input panics or is taken for what it is not,
// neither as it stands nor, to get past the checksums, with both made right.
func FuzzUnmarshal(f *testing.F) {
	for _, s := range samples(f, 1, 2) {
		f.Add(s.file(f))
	}
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzUnmarshal(t, data)
		if len(data) >= HeaderBytes {
			forged := bytes.Clone(data)
			copy(forged, magic)
			binary.LittleEndian.PutUint64(forged[offPayloadSum:], xxh3.Hash(forged[HeaderBytes:]))
			resum(forged)
			fuzzUnmarshal(t, forged)
		}
	})
}

func fuzzUnmarshal(t *testing.T, data []byte) {
	accepted := 0
	for _, r := range kindRules {
		kind := r.kind
		for _, h := range []hash.Hasher{{}, keyed(t)} {
			for _, skip := range []bool{false, true} {
				want := Expect{Kind: kind, Hash: h, SkipChecksum: skip}
				header, words, err := Unmarshal(data, want)
				_, streamed, n, streamErr := Read(io.MultiReader(bytes.NewReader(data)), want)
				if n > int64(len(data)) {
					t.Fatalf("Read: %d of %d bytes", n, len(data))
				}
				if err == nil != (streamErr == nil) && !errors.Is(err, ErrTrailingData) {
					t.Fatalf("Unmarshal: %v, Read: %v", err, streamErr)
				}
				if err != nil {
					var e *Error
					if !errors.As(err, &e) && !errors.Is(err, hash.ErrKey) {
						t.Fatalf("error %v of type %T", err, err)
					}
					continue
				}
				if !slices.Equal(words, streamed) {
					t.Fatal("Unmarshal and Read differ")
				}
				if !skip {
					accepted++
					again, err := Append(nil, header, words)
					if err != nil || !bytes.Equal(again, data) {
						t.Fatalf("written again, the file differs: %v", err)
					}
				}
			}
		}
	}
	if accepted > 1 {
		t.Fatal("taken for filters of different kinds")
	}
}

// How many of the integers from offset 88 on each kind uses, as the package comment
// says: all others are refused.
func TestIntegersByKind(t *testing.T) {
	used := map[Kind]int{Spectral: 2, Scalable: 2, Sharded: 1, Shard: 3, Whitelist: 3, IPv4: 2}
	for _, s := range samples(t, 2) {
		for i := range s.header.Extra {
			h := s.header
			h.Blocks, h.Extra[i] = 2, 1
			b := h.encode()
			_, err := parse(b[:], h.Kind)
			if refused := errors.Is(err, ErrHeader); refused != (i >= used[h.Kind]) {
				t.Errorf("%s: integer %d: %v", s.name, i, err)
			}
		}
	}
}
