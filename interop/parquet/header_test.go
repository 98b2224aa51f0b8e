package parquet_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bitsieve/bitsieve"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const unions = "1c1c0000 1c1c0000 1c1c0000"

func TestHeaderBytes(t *testing.T) {
	for _, c := range []struct {
		numBytes int
		header   string
	}{
		{32, "1540" + unions + "00"},
		{1024, "158010" + unions + "00"},
		{1 << 20, "1580808001" + unions + "00"},
		{MaxCommonBytes, "158080808001" + unions + "00"},
		{MaxBytes, "15c0ffffff0f" + unions + "00"},
	} {
		want := unhex(t, c.header)
		if got := AppendHeader([]byte("x"), c.numBytes); !bytes.Equal(got, append([]byte("x"), want...)) {
			t.Errorf("%d: % x, want % x", c.numBytes, got[1:], want)
		}
		numBytes, headerLen, err := DecodeHeader(append(want, 0xff, 0xff))
		if numBytes != c.numBytes || headerLen != len(want) || err != nil {
			t.Errorf("%d: decoded as %d, of %d bytes: %v", c.numBytes, numBytes, headerLen, err)
		}
	}
}

// goodHeaders announce 32 bytes, in ways that the protocol allows.
var goodHeaders = map[string]string{
	"usual":                  "1540" + unions + "00",
	"numbers in full":        "0502 40 0c04 1c0000 0c06 1c0000 0c08 1c0000 00",
	"other order":            "0c081c0000 0c041c0000 0c061c0000 050240 00",
	"redundant varint":       "15c080808000" + unions + "00",
	"field 0 before":         "0400 02 1540" + unions + "00",
	"unknown fields":         "1540" + unions + "11 12 1301 1402 1602 17 0000000000000000 18 03616263 00",
	"unknown negative field": "1540" + unions + "050102 00",
	"unknown containers":     "1540" + unions + "19 35020406 1a 21 0102 1b 00 1b 01 58 02 0161 1c 1502 1c00 00 1d 000102030405060708090a0b0c0d0e0f 00",
	"members in the members": "1540 1c1c15020000 1c1c0000 1c1c18000000 00",
	"long binary":            "1540" + unions + "18 8001" + strings.Repeat("61", 128) + "00",
}

func TestHeaderTolerance(t *testing.T) {
	bitset := randomBytes(32, 1)
	for name, header := range goodHeaders {
		data := unhex(t, header)
		numBytes, headerLen, err := DecodeHeader(data)
		if numBytes != 32 || headerLen != len(data) || err != nil {
			t.Errorf("%s: %d, %d, %v", name, numBytes, headerLen, err)
			continue
		}
		// From a stream, nothing behind the filter is read.
		data = append(data, bitset...)
		for kind, wrap := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "errors": iotest.DataErrReader} {
			src := bytes.NewReader(append(bytes.Clone(data), "more"...))
			f := new(Filter)
			n, err := f.ReadFrom(wrap(src))
			if n != int64(len(data)) || err != nil || !bytes.Equal(f.Bitset(), bitset) || kind != "errors" && src.Len() != 4 {
				t.Errorf("%s, %s: %d of %d, %v, %d left", name, kind, n, len(data), err, src.Len())
			}
		}
	}
}

var badHeaders = []struct {
	name, header string
	err          error
	field        string
	offset       int64
	detail       string
}{
	{"empty", "", bitsieve.ErrTruncated, "header", 0, "end"},
	{"only a number's start", "1580", bitsieve.ErrTruncated, "numBytes", 2, "end"},
	{"no numBytes", "2c1c0000 1c1c0000 1c1c0000 00", bitsieve.ErrHeader, "numBytes", 0, "missing"},
	{"no algorithm", "1540 2c1c0000 1c1c0000 00", bitsieve.ErrHeader, "algorithm", 0, "missing"},
	{"no hash", "1540 1c1c0000 2c1c0000 00", bitsieve.ErrHeader, "hash", 0, "missing"},
	{"no compression", "1540 1c1c0000 1c1c0000 00", bitsieve.ErrHeader, "compression", 0, "missing"},
	{"nothing", "00", bitsieve.ErrHeader, "numBytes", 0, "missing"},
	{"cut short", "1540 1c1c0000 1c1c0000 1c1c0000", bitsieve.ErrTruncated, "header", 14, "end"},
	{"0 bytes", "1500" + unions + "00", bitsieve.ErrHeader, "numBytes", 1, "is 0"},
	{"-32 bytes", "153f" + unions + "00", bitsieve.ErrHeader, "numBytes", 1, "is -32"},
	{"33 bytes", "1542" + unions + "00", bitsieve.ErrHeader, "numBytes", 1, "is 33"},
	{"2^31 bytes", "158080808010" + unions + "00", bitsieve.ErrHeader, "numBytes", 1, "no 32-bit"},
	{"i64", "1640" + unions + "00", bitsieve.ErrHeader, "numBytes", 1, "is of type i64, want i32"},
	{"twice", "1540 0502 40" + unions + "00", bitsieve.ErrHeader, "numBytes", 4, "twice"},
	{"algorithm 2", "1540 1c2c0000 1c1c0000 1c1c0000 00", bitsieve.ErrHeader, "algorithm", 4, "member 2"},
	{"algorithm none", "1540 1c00 1c1c0000 1c1c0000 00", bitsieve.ErrHeader, "algorithm", 3, "no member"},
	{"algorithm two", "1540 1c1c001c0000 1c1c0000 1c1c0000 00", bitsieve.ErrHeader, "algorithm", 6, "two members"},
	{"algorithm no struct", "1540 1502 1c1c0000 1c1c0000 00", bitsieve.ErrHeader, "algorithm", 3, "type i32"},
	{"algorithm's member", "1540 1c1500 00 1c1c0000 1c1c0000 00", bitsieve.ErrHeader, "algorithm", 4, "type i32"},
	{"hash 3", "1540 1c1c0000 1c3c0000 1c1c0000 00", bitsieve.ErrHeader, "hash", 8, "member 3"},
	{"gzip", "1540 1c1c0000 1c1c0000 1c2c0000 00", bitsieve.ErrHeader, "compression", 12, "GZIP"},
	{"compression 3", "1540 1c1c0000 1c1c0000 1c3c0000 00", bitsieve.ErrHeader, "compression", 12, "member 3"},
	{"type 15", "1540" + unions + "1f 00", bitsieve.ErrHeader, "header", 15, "unknown (15)"},
	{"field 40000", "1540" + unions + "05 80f104 00", bitsieve.ErrHeader, "header", 14, "number 40000"},
	{"varint of 65 bits", "1540" + unions + "16 ffffffffffffffffff02 00", bitsieve.ErrHeader, "header", 15, "64 bits"},
	{"nested", "1540" + unions + strings.Repeat("1c", 40) + strings.Repeat("00", 41), bitsieve.ErrHeader, "header", -1, "deep"},
	{"nested lists", "1540" + unions + "19" + strings.Repeat("19", 40), bitsieve.ErrHeader, "header", -1, "deep"},
	{"a binary of 2^63 bytes", "1540" + unions + "18 ffffffffffffffffff00", bitsieve.ErrTruncated, "header", -1, "end"},
	{"a list of 2^60", "1540" + unions + "19 f5 ffffffffffffffff0f", bitsieve.ErrTruncated, "header", -1, "announces"},
	{"a map of 2^60", "1540" + unions + "1b ffffffffffffffff0f", bitsieve.ErrTruncated, "header", -1, "announces"},
}

func TestHeaderStrictness(t *testing.T) {
	for _, c := range badHeaders {
		t.Run(c.name, func(t *testing.T) {
			data := unhex(t, c.header)
			_, _, err := DecodeHeader(data)
			wantFormatError(t, err, c.err, c.field, c.offset, c.detail)
			_, err = NewView(data)
			wantFormatError(t, err, c.err, c.field, c.offset, c.detail)
			// A stream ends where these do, but for what it may claim to go on with.
			f := filled(t, 64, 3, 1)
			before := f.Clone()
			n, err := f.ReadFrom(bytes.NewReader(data))
			var fe *bitsieve.FormatError
			if !errors.As(err, &fe) || n > int64(len(data)) || !f.Equal(before) {
				t.Errorf("ReadFrom: %d, %v", n, err)
			}
			if err := f.UnmarshalBinary(data); !errors.As(err, &fe) || !f.Equal(before) {
				t.Errorf("UnmarshalBinary: %v", err)
			}
		})
	}
}

// TestHeaderLimit: a stream that goes on with fields which nobody knows is given up.
func TestHeaderLimit(t *testing.T) {
	start := unhex(t, "1540"+unions)
	src := io.MultiReader(bytes.NewReader(start), endless{0x13})
	n, err := new(Filter).ReadFrom(src)
	wantFormatError(t, err, bitsieve.ErrHeader, "header", 4096, "not at its end")
	if n != 4096 {
		t.Errorf("%d bytes read", n)
	}
}

type endless struct{ b byte }

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.b
	}
	return len(p), nil
}

func randomBytes(n int, seed uint64) []byte {
	var b []byte
	for _, h := range randomHashes(n/8, seed) {
		for range 8 {
			b = append(b, byte(h))
			h >>= 8
		}
	}
	return b
}
