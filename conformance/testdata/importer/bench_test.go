package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
)

// BenchmarkSmall times operations on sets of a few words.
func BenchmarkSmall(b *testing.B) {
	for _, bits := range []uint{64, 128, 256, 512} {
		x, y, n := bitset.New(bits), bitset.New(bits), uint(0)
		for i := uint(0); i < bits; i += 3 {
			x.Set(i)
			y.Set(i * 7 % bits)
		}
		for _, op := range []struct {
			name string
			run  func()
		}{
			{"InPlaceUnion", func() { x.InPlaceUnion(y) }},
			{"InPlaceIntersection", func() { x.InPlaceIntersection(y) }},
			{"InPlaceDifference", func() { x.InPlaceDifference(y) }},
			{"IntersectionCardinality", func() { n += x.IntersectionCardinality(y) }},
			{"UnionCardinality", func() { n += x.UnionCardinality(y) }},
			{"Count", func() { n += x.Count() }},
			{"Clone", func() { n += x.Clone().Len() }},
		} {
			b.Run(fmt.Sprintf("op=%s/bits=%d", op.name, bits), func(b *testing.B) {
				for b.Loop() {
					op.run()
				}
			})
		}
	}
}

// BenchmarkMembers times loops over 65,536 bits, every third set; Test and Set are
// 1,024 calls.
func BenchmarkMembers(b *testing.B) {
	const bits = 1 << 16
	x, n := bitset.New(bits), uint(0)
	for i := uint(0); i < bits; i += 3 {
		x.Set(i)
	}
	b.Run("op=Test", func(b *testing.B) {
		for b.Loop() {
			for i := range uint(1024) {
				if x.Test(i * 61 % bits) {
					n++
				}
			}
		}
	})
	b.Run("op=Set", func(b *testing.B) {
		for b.Loop() {
			for i := range uint(1024) {
				x.Set(i * 61 % bits)
			}
		}
	})
	b.Run("op=EachSet", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range x.EachSet() {
				n += i
			}
		}
	})
	b.Run("op=NextSet", func(b *testing.B) {
		for b.Loop() {
			for i, ok := x.NextSet(0); ok; i, ok = x.NextSet(i + 1) {
				n += i
			}
		}
	})
}

// BenchmarkReadFrom times reading a filter of a million keys.
func BenchmarkReadFrom(b *testing.B) {
	var form bytes.Buffer
	bloom.NewWithEstimates(1_000_000, 0.01).WriteTo(&form)
	path := filepath.Join(b.TempDir(), "filter")
	if err := os.WriteFile(path, form.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for _, from := range []struct {
		name string
		open func() io.Reader
	}{
		{"bytes.Reader", func() io.Reader { return bytes.NewReader(form.Bytes()) }},
		{"unknown", func() io.Reader { return struct{ io.Reader }{bytes.NewReader(form.Bytes())} }},
		{"bufio.Reader", func() io.Reader { file.Seek(0, io.SeekStart); return bufio.NewReader(file) }},
	} {
		b.Run("from="+from.name, func(b *testing.B) {
			for b.Loop() {
				var f bloom.BloomFilter
				if _, err := f.ReadFrom(from.open()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
