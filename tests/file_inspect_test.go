package tests

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
)

func TestInspectFile(t *testing.T) {
	f := sampleBlocked(t, 1000, WithKey(fileTestKey))
	path := saveTemp(t, f)
	info, err := InspectFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := FileInfo{
		Size:      int64(format.HeaderBytes + f.SizeBytes()),
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
		{"cut", file[:format.HeaderBytes+64], ErrTruncated, func(i FileInfo) FileInfo {
			i.Size = format.HeaderBytes + 64
			i.PayloadOK, i.Fill, i.FPRate = false, 0, 0
			return i
		}},
		{"header", append(append(bytes.Clone(file[:12]), 77), file[13:]...), ErrChecksum, func(i FileInfo) FileInfo {
			i.Kind = "unknown (77)"
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

// A standard filter's file is described too, and not opened as a blocked one.
func TestInspectBloomFile(t *testing.T) {
	const m, k = 1000, 3
	f := mustBloom(t, m, k)
	f.AddBytes(bloomKeys(5, 100))
	h := format.NewHeader(format.Bloom, k, hash.Hasher{})
	h.Bits, h.Items, h.Capacity, h.Rate = m, 100, 120, 0.05
	path := filepath.Join(t.TempDir(), "bloom.bsv")
	err := format.Save(path, func(w io.Writer) (int64, error) { return format.Write(w, h, f.BitSet().Words()) })
	if err != nil {
		t.Fatal(err)
	}
	info, err := InspectFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := FileInfo{
		Size:      format.HeaderBytes + 128,
		Kind:      "bloom",
		Blocks:    2,
		Bits:      m,
		K:         k,
		Hash:      "MurmurHash3-128",
		Items:     100,
		Capacity:  120,
		Rate:      0.05,
		Fill:      f.Fill(),
		FPRate:    f.FPRate(),
		HeaderOK:  true,
		PayloadOK: true,
	}
	if info != want {
		t.Errorf("%+v\nwant %+v", info, want)
	}
	_, err = OpenBlocked(path)
	wantFormatError(t, err, ErrKind, "OpenBlocked")
}
