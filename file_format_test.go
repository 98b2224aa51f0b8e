package bitsieve

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/bitsieve/bitsieve/internal/block"
)

var fileTestKey = []byte("0123456789abcdef0123456789abcdef")

// patternedBlocked returns a filter whose bits do not depend on how keys are placed.
func patternedBlocked(t testing.TB, blocks uint64, opts ...Option) *Blocked {
	t.Helper()
	f, err := NewBlockedWithSize(blocks, 6, opts...)
	if err != nil {
		t.Fatal(err)
	}
	words := block.Flatten(f.filter.Blocks)
	for i := range words {
		words[i] = uint64(i+1) * 0x9e3779b97f4a7c15
	}
	f.n, f.p = 50, 0.01
	return f
}

func marshalBlocked(t testing.TB, f *Blocked) []byte {
	t.Helper()
	b, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func unmarshalBlocked(data []byte) error {
	return new(Blocked).UnmarshalBinary(data)
}

// resum makes the checksum of an altered header right again.
func resum(file []byte) {
	binary.LittleEndian.PutUint64(file[offHeaderSum:], xxh3.Hash(file[:offHeaderSum]))
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
	f := patternedBlocked(t, 1)
	if got := marshalBlocked(t, f); !bytes.Equal(got, want) {
		t.Errorf("written:\n%swant:\n%s", hex.Dump(got), hex.Dump(want))
	}
	var g Blocked
	if err := g.UnmarshalBinary(want); err != nil {
		t.Fatal(err)
	}
	if g.filter.K != f.filter.K || g.n != f.n || g.p != f.p || len(g.filter.Blocks) != 1 || g.filter.Blocks[0] != f.filter.Blocks[0] {
		t.Errorf("read %+v, want %+v", g, *f)
	}
}

// A filter with a key, by what of its file depends on the key.
func TestFileGoldenKeyed(t *testing.T) {
	file := marshalBlocked(t, patternedBlocked(t, 1, WithKey(fileTestKey)))
	if hash := binary.LittleEndian.Uint32(file[offHash:]); hash != hashHighway {
		t.Errorf("hash %d, want %d", hash, hashHighway)
	}
	const want = 0x3ead9931e45b0575
	if check := binary.LittleEndian.Uint64(file[offKeyCheck:]); check != want {
		t.Errorf("key check %#x, want %#x", check, uint64(want))
	}
	if bytes.Contains(file, fileTestKey[:8]) {
		t.Error("the file has a part of the key")
	}
}

func TestFileHeaderDamage(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithKey(fileTestKey)}} {
		f := patternedBlocked(t, 2, opts...)
		good := marshalBlocked(t, f)
		for i := range headerSize {
			for flip := 1; flip < 256; flip++ {
				bad := bytes.Clone(good)
				bad[i] ^= byte(flip)
				want := ErrChecksum
				switch {
				case i < len(fileMagic):
					want = ErrNotFilter
				case i < offKind:
					want = ErrVersion
				}
				g := emptyLike(f)
				if err := g.UnmarshalBinary(bad); !errors.Is(err, want) {
					t.Fatalf("byte %d flipped by %#x: error %v, want %v", i, flip, err, want)
				}
				if g.filter.Blocks != nil {
					t.Fatalf("byte %d flipped by %#x: contents set in spite of the error", i, flip)
				}
			}
		}
	}
}

func TestFilePayloadDamage(t *testing.T) {
	good := marshalBlocked(t, patternedBlocked(t, 2))
	for i := headerSize * 8; i < len(good)*8; i++ {
		bad := bytes.Clone(good)
		bad[i/8] ^= 1 << (i % 8)
		wantFormatError(t, unmarshalBlocked(bad), ErrChecksum, "payload bit")
	}
}

// Fields that are wrong although the header's checksum is right: the work of
// another program, or of an attacker.
func TestFileForgedHeader(t *testing.T) {
	le := binary.LittleEndian
	put32 := func(off int, v uint32) func([]byte) { return func(b []byte) { le.PutUint32(b[off:], v) } }
	put64 := func(off int, v uint64) func([]byte) { return func(b []byte) { le.PutUint64(b[off:], v) } }
	rate := func(p float64) func([]byte) { return put64(offRate, math.Float64bits(p)) }
	for _, c := range []struct {
		name string
		edit func([]byte)
		want error
	}{
		{"version 0", put32(offVersion, 0), ErrVersion},
		{"version 2", put32(offVersion, 2), ErrVersion},
		{"kind 0", put32(offKind, 0), ErrKind},
		{"kind 2", put32(offKind, 2), ErrKind},
		{"header length 120", put32(offHeaderLength, 120), ErrHeader},
		{"header length 2^32-1", put32(offHeaderLength, math.MaxUint32), ErrHeader},
		{"k 0", put32(offK, 0), ErrHeader},
		{"k 17", put32(offK, 17), ErrHeader},
		{"k 2^32-1", put32(offK, math.MaxUint32), ErrHeader},
		{"hash 0", put32(offHash, 0), ErrHeader},
		{"hash 3", put32(offHash, 3), ErrHeader},
		{"flags", put32(offFlags, 1<<31), ErrHeader},
		{"key check without a key", put64(offKeyCheck, 1), ErrHeader},
		{"key without a check", put32(offHash, hashHighway), ErrKey},
		{"no blocks", put64(offBlocks, 0), ErrHeader},
		{"one block", put64(offBlocks, 1), ErrTrailingData},
		{"three blocks", put64(offBlocks, 3), ErrTruncated},
		{"too many blocks", put64(offBlocks, maxBlocks+1), ErrParameter},
		{"2^58 + 2 blocks", put64(offBlocks, 1<<58+2), ErrHeader}, // × 64 = 128 mod 2^64
		{"2^64 - 1 blocks", put64(offBlocks, math.MaxUint64), ErrHeader},
		{"rate 1", rate(1), ErrHeader},
		{"rate below 0", rate(-1e-300), ErrHeader},
		{"rate NaN", rate(math.NaN()), ErrHeader},
		{"rate infinite", rate(math.Inf(1)), ErrHeader},
		{"first reserved byte", put64(offReserved, 1), ErrHeader},
		{"last reserved byte", put64(offHeaderSum-8, 1<<63), ErrHeader},
		{"payload checksum", put64(offPayloadSum, 0), ErrChecksum},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := marshalBlocked(t, patternedBlocked(t, 2))
			c.edit(bad)
			resum(bad)
			err := unmarshalBlocked(bad)
			if c.want == ErrKey {
				if !errors.Is(err, ErrKey) {
					t.Fatalf("error %v, want %v", err, ErrKey)
				}
				return
			}
			wantFormatError(t, err, c.want, c.name)
		})
	}
}

func TestFileTruncated(t *testing.T) {
	good := marshalBlocked(t, patternedBlocked(t, 3))
	for n := range good {
		wantFormatError(t, unmarshalBlocked(good[:n]), ErrTruncated, "UnmarshalBinary")
		m, err := new(Blocked).ReadFrom(bytes.NewReader(good[:n]))
		wantFormatError(t, err, ErrTruncated, "ReadFrom")
		if m != int64(n) {
			t.Fatalf("ReadFrom of %d bytes returned %d", n, m)
		}
	}
}

func TestFileTrailingData(t *testing.T) {
	good := marshalBlocked(t, patternedBlocked(t, 3))
	for _, tail := range []string{"\x00", "\n", strings.Repeat("x", block.Bytes)} {
		wantFormatError(t, unmarshalBlocked(append(bytes.Clone(good), tail...)), ErrTrailingData, "tail")
	}
}

func TestFileForeign(t *testing.T) {
	rest := string(marshalBlocked(t, patternedBlocked(t, 1))[len(fileMagic):])
	for _, c := range []struct{ name, data, detail string }{
		{"text", "example.com\nexample.org\n", "want 89 42 53 56 0d 0a 1a 0a"},
		{"short text", "ab", "61 62, want"},
		{"PNG", "\x89PNG\r\n\x1a\n" + rest, "89 50 4e 47"},
		{"zeros", strings.Repeat("\x00", 512), "00 00"},
		{"magic later", "\n" + fileMagic + rest, "0a 89"},
		{"CR LF to LF", "\x89BSV\n\x1a\n" + rest, "text mode"},
		{"LF to CR LF", "\x89BSV\r\r\n\x1a\r\n" + rest, "text mode"},
		{"7 bits", "\x09BSV\r\n\x1a\n" + rest, "text mode"},
		{"UTF-8", "\ufffdBSV\r\n\x1a\n" + rest, "text mode"},
		{"Latin-1", "\u0089BSV\r\n\x1a\n" + rest, "text mode"},
	} {
		err := unmarshalBlocked([]byte(c.data))
		wantFormatError(t, err, ErrNotFilter, c.name)
		if !strings.Contains(err.Error(), c.detail) {
			t.Errorf("%s: %q does not say %q", c.name, err, c.detail)
		}
	}
}

// A newer version may differ in anything but its first 12 bytes.
func TestFileNewerVersion(t *testing.T) {
	newer := append([]byte(fileMagic), 2, 0, 0, 0)
	for _, tail := range []string{"", "short", strings.Repeat("x", 1000)} {
		err := unmarshalBlocked(append(newer, tail...))
		wantFormatError(t, err, ErrVersion, "newer")
		if !strings.Contains(err.Error(), "is 2, this package reads 1") {
			t.Errorf("error %q does not name the versions", err)
		}
	}
}

// A header may claim what it likes: memory is taken for what arrives.
func TestFileHostileSize(t *testing.T) {
	h := header{kind: kindBlocked, k: 8, hash: hashXXH3, blocks: min(1<<28, maxBlocks)}
	claim := h.encode()
	data := append(claim[:], make([]byte, 3<<20)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, r := range []io.Reader{bytes.NewReader(data), io.MultiReader(bytes.NewReader(data))} {
		_, err := new(Blocked).ReadFrom(r)
		wantFormatError(t, err, ErrTruncated, "ReadFrom")
	}
	wantFormatError(t, unmarshalBlocked(data), ErrTruncated, "UnmarshalBinary")
	runtime.ReadMemStats(&after)
	const limit = 32 << 20
	if n := after.TotalAlloc - before.TotalAlloc; n > limit {
		t.Errorf("%d bytes allocated for %d bytes of data, limit %d", n, len(data), limit)
	}
}

func TestFormatErrorText(t *testing.T) {
	err := &FormatError{Path: "a/b.bsv", Field: "payload", Offset: 128, Detail: "has 3 bytes, want 64", Err: ErrTruncated}
	const want = "bitsieve: a/b.bsv: truncated: payload at byte 128: has 3 bytes, want 64"
	if got := err.Error(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSwappedPayload(t *testing.T) {
	for _, n := range []uint64{1, swapBlocks - 1, swapBlocks, 2*swapBlocks + 3} {
		f := patternedBlocked(t, n)
		var got []byte
		if err := eachSwapped(f.filter.Blocks, func(b []byte) error { got = append(got, b...); return nil }); err != nil {
			t.Fatal(err)
		}
		var want []byte
		for _, w := range block.Flatten(f.filter.Blocks) {
			want = binary.LittleEndian.AppendUint64(want, w)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d blocks: wrong bytes", n)
		}
		if sum := xxh3.Hash(want); sum != payloadSum(f.filter.Blocks) {
			t.Errorf("%d blocks: checksum %x, want %x", n, payloadSum(f.filter.Blocks), sum)
		}
	}
}

// FuzzUnmarshalBlocked checks that no input panics or is taken for what it is
// not, neither as it stands nor, to get past the checksums, with both made right.
func FuzzUnmarshalBlocked(f *testing.F) {
	good := marshalBlocked(f, patternedBlocked(f, 2))
	f.Add(good)
	f.Add(good[:headerSize])
	f.Add(marshalBlocked(f, patternedBlocked(f, 1, WithKey(fileTestKey))))
	f.Add([]byte(fileMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzUnmarshal(t, data)
		if len(data) >= headerSize {
			forged := bytes.Clone(data)
			copy(forged, fileMagic)
			binary.LittleEndian.PutUint64(forged[offPayloadSum:], xxh3.Hash(forged[headerSize:]))
			resum(forged)
			fuzzUnmarshal(t, forged)
		}
	})
}

func fuzzUnmarshal(t *testing.T, data []byte) {
	var f Blocked
	err := f.UnmarshalBinary(data)
	n, streamErr := new(Blocked).ReadFrom(bytes.NewReader(data))
	if n > int64(len(data)) {
		t.Fatalf("ReadFrom: %d of %d bytes", n, len(data))
	}
	if err == nil != (streamErr == nil) && !errors.Is(err, ErrTrailingData) {
		t.Fatalf("UnmarshalBinary: %v, ReadFrom: %v", err, streamErr)
	}
	if err != nil {
		var fe *FormatError
		if !errors.As(err, &fe) && !errors.Is(err, ErrKey) {
			t.Fatalf("error %v of type %T", err, err)
		}
		return
	}
	f.TestString("any")
	f.AddUint64(1)
	f.TestHashes([]uint64{0, math.MaxUint64}, nil)
	var g Blocked
	if err := g.UnmarshalBinary(marshalBlocked(t, &f)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(marshalBlocked(t, &f), marshalBlocked(t, &g)) {
		t.Fatal("written again, the filter differs")
	}
}

// emptyLike returns a filter to decode into that hashes as f does.
func emptyLike(f *Blocked) *Blocked {
	g := new(Blocked)
	g.filter.Hash = f.filter.Hash
	return g
}
