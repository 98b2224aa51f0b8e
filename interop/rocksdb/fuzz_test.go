package rocksdb

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// Every reader, on any bytes: none panics, all agree on whether it is a filter, and answer
// alike; what was read is written as it was, unless it has no lines.
func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 5))
	f.Add(make([]byte, 6))
	f.Add([]byte{0xff, 0, 6, 0, 0})
	for _, bitsPerKey := range []float64{1, 10, 16, 40, 100} {
		data := marshal(f, build(f, bitsPerKey, keysFrom(0, 20)))
		f.Add(data)
		f.Add(data[1:])
		for i := 1; i <= trailerBytes; i++ {
			for _, b := range []byte{0, 1, 30, 31, 32, 0xfe, 0xff} {
				damaged := slices.Clone(data)
				damaged[len(data)-i] = b
				f.Add(damaged)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := slices.Clone(data)
		v, err := NewView(data)
		var g, h Filter
		errBytes := g.UnmarshalBinary(data)
		n, errRead := h.ReadFrom(bytes.NewReader(data))
		if (err == nil) != (errBytes == nil) || (err == nil) != (errRead == nil) || n != int64(len(data)) {
			t.Fatalf("%v, %v, %v, %d of %d bytes", err, errBytes, errRead, n, len(data))
		}
		if err != nil {
			var format *bitsieve.FormatError
			if !errors.As(err, &format) || format.Offset < 0 || format.Offset > int64(len(data)) {
				t.Fatalf("%d bytes: %v", len(data), err)
			}
			if g.Bits() != 0 || h.Bits() != 0 {
				t.Fatal("a receiver changed")
			}
			return
		}
		out := marshal(t, &g)
		if !bytes.Equal(out, marshal(t, &h)) || v.Bits() > 0 && !bytes.Equal(out, data) {
			t.Fatal("other bytes were written")
		}
		again, err := NewView(out)
		if err != nil || again.Bits() != v.Bits() || again.K() != v.K() || again.TestString("x") != v.TestString("x") {
			t.Fatalf("written and read again: %v", err)
		}
		keys := append(keysFrom(0, 70), "", string(data[:min(len(data), 30)]))
		checkBatch(t, v, keys)
		v.EstimatedCount()
		if rate := v.FPRate(); !(rate >= 0 && rate <= 1) {
			t.Fatalf("rate %v", rate)
		}
		if g.Bits() > 0 {
			g.AddStrings(keys)
			for _, key := range keys {
				if !g.TestString(key) {
					t.Fatalf("%q was added and is not there", key)
				}
			}
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the bytes changed")
		}
	})
}
