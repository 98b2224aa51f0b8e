package format

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// container returns the payload of a file that has the samples' files in it.
func container(t testing.TB, inner ...sample) (parts [][]uint64) {
	t.Helper()
	for _, s := range inner {
		p, err := Embed(s.header, s.words)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, p...)
	}
	return parts
}

// An inner file is byte for byte the file that Write writes, and Split finds each.
func TestEmbed(t *testing.T) {
	a := sampleOf(t, Blocked, 3, 0, hash.Hasher{})
	b := sampleOf(t, Bloom, 2, 1024, keyed(t))
	outer := NewHeader(Scalable, 6, hash.Hasher{})
	parts := container(t, a, b)
	file, err := Append(nil, outer, parts...)
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if n, err := Write(&written, outer, parts...); err != nil || n != int64(len(file)) || !bytes.Equal(written.Bytes(), file) {
		t.Errorf("Write: %d bytes, %v", n, err)
	}
	if want := append(a.file(t), b.file(t)...); !bytes.Equal(file[HeaderBytes:], want) {
		t.Error("the inner files are not what Write writes")
	}
	_, words, err := Unmarshal(file, Expect{Kind: Scalable})
	if err != nil {
		t.Fatal(err)
	}
	offset := int64(HeaderBytes)
	for _, s := range []sample{a, b} {
		part, rest, err := Split(words, offset)
		s.check(t, part.Header, part.Words, err, "Split")
		offset += 8 * int64(len(words)-len(rest))
		words = rest
	}
	if len(words) != 0 || offset != int64(len(file)) {
		t.Errorf("%d words are left, offset %d of %d", len(words), offset, len(file))
	}
}

func TestSplitDamage(t *testing.T) {
	s := sampleOf(t, Bloom, 2, 1000, hash.Hasher{})
	good := slices.Concat(container(t, s)...)
	const offset = 1 << 20
	for name, c := range map[string]struct {
		edit func(words []uint64) []uint64
		want error
		at   int64
	}{
		"nothing":         {func(w []uint64) []uint64 { return nil }, ErrTruncated, 0},
		"part of a magic": {func(w []uint64) []uint64 { return w[:1] }, ErrTruncated, 8},
		"half a header":   {func(w []uint64) []uint64 { return w[:8] }, ErrTruncated, 64},
		"a word less":     {func(w []uint64) []uint64 { return w[:len(w)-1] }, ErrTruncated, HeaderBytes},
		"another magic":   {func(w []uint64) []uint64 { w[0]++; return w }, ErrNotFilter, 0},
		"a header's bit":  {func(w []uint64) []uint64 { w[6] ^= 1; return w }, ErrChecksum, 0},
		"a bit too many":  {func(w []uint64) []uint64 { w[16+1000/64] |= 1 << 63; return w }, ErrHeader, offBits},
	} {
		words := c.edit(slices.Clone(good))
		part, rest, err := Split(words, offset)
		wantError(t, err, c.want, name)
		var e *Error
		if errors.As(err, &e); e.Offset != offset+c.at {
			t.Errorf("%s: at %d, want %d", name, e.Offset, offset+c.at)
		}
		if part.Words != nil && c.want != ErrHeader || rest != nil {
			t.Errorf("%s: words in spite of an error", name)
		}
	}
}

func TestEmbedInvalid(t *testing.T) {
	if _, err := Embed(NewHeader(Blocked, 8, hash.Hasher{}), nil); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := Embed(NewHeader(Blocked, 17, hash.Hasher{}), make([]uint64, block.Words)); !errors.Is(err, ErrHeader) {
		t.Error(err)
	}
}

// Nothing that is split panics or overstates its size.
func FuzzSplit(f *testing.F) {
	for _, s := range samples(f, 1, 2) {
		f.Add(s.file(f))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		words := make([]uint64, len(data)/8)
		for i := range words {
			for j := range 8 {
				words[i] |= uint64(data[8*i+j]) << (8 * j)
			}
		}
		part, rest, err := Split(words, 0)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v of type %T", err, err)
			}
			return
		}
		if len(part.Words)+len(rest)+HeaderBytes/8 != len(words) {
			t.Fatalf("%d and %d words of %d", len(part.Words), len(rest), len(words))
		}
	})
}
