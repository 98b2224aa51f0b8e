package tests

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
)

// FuzzReadSpectral reads arbitrary data, as they are and with both checksums made
// right: what is accepted works and is written as it was read.
func FuzzReadSpectral(f *testing.F) {
	for _, bits := range []int{8, 16, 32} {
		g := mustSpectral(f, 2, 4, bits)
		for i := range uint64(100) {
			g.AddUint64N(i, 3*i)
		}
		f.Add(marshalSpectral(f, g))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzSpectral(t, data)
		if len(data) > format.HeaderBytes {
			le := binary.LittleEndian
			data = bytes.Clone(data)
			copy(data, "\x89BSV\r\n\x1a\n\x01\x00\x00\x00\x04\x00\x00\x00")
			le.PutUint64(data[72:], xxh3.Hash(data[format.HeaderBytes:]))
			le.PutUint64(data[120:], xxh3.Hash(data[:120]))
			fuzzSpectral(t, data)
		}
	})
}

func fuzzSpectral(t *testing.T, data []byte) {
	var f Spectral
	if err := f.UnmarshalBinary(data); err != nil {
		var fe *FormatError
		if !errors.As(err, &fe) && !errors.Is(err, ErrKey) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	again := marshalSpectral(t, &f)
	if !bytes.Equal(again[format.HeaderBytes:], data[format.HeaderBytes:]) {
		t.Fatal("the counters changed on their way")
	}
	if rate, fill := f.FPRate(), f.Fill(); !(rate >= 0 && rate <= 1 && fill >= 0 && fill <= 1) {
		t.Fatalf("rate %v, fill %v", rate, fill)
	}
	f.ErrorBound(0.99)
	before := f.CountUint64(7)
	if after := f.AddCountUint64(7); after < before || !f.TestUint64(7) {
		t.Fatalf("count %d, after an addition %d", before, after)
	}
}

// Every field that only a Spectral's file has is checked.
func TestSpectralHostileHeader(t *testing.T) {
	good := marshalSpectral(t, mustSpectral(t, 3, 4, 16))
	le := binary.LittleEndian
	for name, change := range map[string]func(b []byte){
		"k = 0":               func(b []byte) { le.PutUint32(b[20:], 0) },
		"k = 9":               func(b []byte) { le.PutUint32(b[20:], 9) },
		"no width":            func(b []byte) { le.PutUint64(b[88:], 0) },
		"12 bits":             func(b []byte) { le.PutUint64(b[88:], 12) },
		"64 bits":             func(b []byte) { le.PutUint64(b[88:], 64) },
		"2^32 + 8 bits":       func(b []byte) { le.PutUint64(b[88:], 1<<32+8) },
		"2^64 - 8 bits":       func(b []byte) { le.PutUint64(b[88:], 1<<64-8) },
		"part of a block":     func(b []byte) { le.PutUint64(b[88:], 32) }, // 6 lines, blocks of 4
		"a field without use": func(b []byte) { le.PutUint64(b[104:], 1) },
	} {
		b := bytes.Clone(good)
		change(b)
		le.PutUint64(b[120:], xxh3.Hash(b[:120]))
		f := mustSpectral(t, 1, 4, 8)
		f.AddUint64(1)
		want := f.Clone()
		if err := f.UnmarshalBinary(b); !errors.Is(err, ErrHeader) {
			t.Errorf("%s: error %v", name, err)
		}
		if !f.Equal(want) {
			t.Errorf("%s: the filter changed", name)
		}
	}
}
