package redisbloom

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// Every reader, on any bytes: a file for NewView, UnmarshalBinary and ReadFrom, and its
// pairs for Loader and NewViewOf. None panics; what one takes the others take, and answer
// alike; what was read is written as it was, or, in chunks of other sizes, to the same.
func FuzzRead(f *testing.F) {
	var seeds [][]byte
	for _, c := range []struct {
		n    uint64
		keys int
		opts []Option
	}{{10, 0, nil}, {10, 100, nil}, {1, 1, []Option{WithoutScaling()}}, {3, 40, []Option{WithExpansion(1)}}} {
		seeds = append(seeds, marshal(f, made(f, c.n, 0.01, c.keys, c.opts...)))
	}
	seeds = append(seeds, marshal(f, older(f, 0, 5, 20)), marshal(f, oddBytes(f)))
	for _, header := range badHeaders(f) {
		seeds = append(seeds, append(appendPair(nil, 1, len(header)), header...))
	}
	for _, s := range seeds {
		f.Add(s)
		f.Add(s[:len(s)-1])
		f.Add(append(slices.Clone(s), 0))
		if len(s) > 100 {
			for _, at := range []int{0, 8, 16, 24, 28, 36, 44, 60, 76, 88, 89, 97} {
				damaged := slices.Clone(s)
				damaged[at] ^= 0x11
				f.Add(damaged)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var g, h Filter
		err := g.UnmarshalBinary(data)
		n, errRead := h.ReadFrom(bytes.NewReader(data))
		v, errView := NewView(data)
		if err != nil {
			var format *bitsieve.FormatError
			if !errors.As(err, &format) {
				t.Fatalf("not a FormatError: %v", err)
			}
			if format.Offset < 0 || format.Offset > int64(len(data)) {
				t.Fatalf("offset %d of %d bytes: %v", format.Offset, len(data), err)
			}
			if g.Links() != 0 {
				t.Fatal("the receiver changed")
			}
			if errView == nil {
				t.Fatalf("NewView takes what UnmarshalBinary does not: %v", err)
			}
			if errRead == nil && !errors.Is(err, bitsieve.ErrTrailingData) {
				t.Fatalf("ReadFrom takes what UnmarshalBinary does not: %v", err)
			}
			return
		}
		if errRead != nil || n != int64(len(data)) {
			t.Fatalf("ReadFrom: %d of %d bytes, %v", n, len(data), errRead)
		}
		out := marshal(t, &g)
		if !bytes.Equal(out, marshal(t, &h)) {
			t.Fatal("ReadFrom and UnmarshalBinary differ")
		}
		if errView != nil {
			// Chunks of other sizes.
			if bytes.Equal(out, data) {
				t.Fatalf("NewView: %v", errView)
			}
			v = view(t, out)
		} else if !bytes.Equal(out, data) {
			t.Fatal("other bytes were written")
		}
		var l Loader
		var header, rest []byte
		for at, chunk := range g.Chunks() {
			if err := l.Load(at, chunk); err != nil {
				t.Fatal(err)
			}
			if at == 1 {
				header = chunk
			} else {
				rest = append(rest, chunk...)
			}
		}
		loaded, err := l.Filter()
		if err != nil || !bytes.Equal(marshal(t, loaded), out) {
			t.Fatalf("Loader: %v", err)
		}
		apart, err := NewViewOf(header, rest)
		if err != nil {
			t.Fatal(err)
		}
		keys := append(numbers(0, 20), "", string(data[:min(len(data), 30)]))
		var a, b, c bitsieve.BitSet
		g.TestStrings(keys, &a)
		v.TestStrings(keys, &b)
		apart.TestStrings(keys, &c)
		for i, key := range keys {
			has := g.TestString(key)
			if v.TestString(key) != has || apart.TestString(key) != has || a.Test(uint(i)) != has || b.Test(uint(i)) != has || c.Test(uint(i)) != has {
				t.Fatalf("%q: not all answers are %v", key, has)
			}
		}
		v.Info()
		for _, key := range keys {
			if err := g.AddString(key); err == nil && !g.TestString(key) {
				t.Fatalf("%q was added and is not there", key)
			} else if err != nil && !errors.Is(err, bitsieve.ErrFull) {
				t.Fatal(err)
			}
		}
	})
}
