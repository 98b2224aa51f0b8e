package tests

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	. "github.com/bitsieve/bitsieve"
)

var bloomFileKey = []byte("0123456789abcdef0123456789abcdef")

// TestBloomFile writes standard filters and reads them back in every way.
func TestBloomFile(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithKey(bloomFileKey)}, {WithoutHugePages()}} {
		var open []OpenOption
		for _, o := range opts {
			open = append(open, o)
		}
		for _, n := range []uint64{1, 100, 5000, 100_000} {
			f, err := NewBloom(n, 0.01, opts...)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				f.AddString(fmt.Sprint(i))
			}
			same := func(how string, g *Bloom, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				gn, gp := g.Capacity()
				if !g.Equal(f) || gn != n || gp != 0.01 || g.Keyed() != f.Keyed() || g.Bits() != f.Bits() {
					t.Fatalf("%s: another filter comes back", how)
				}
				for i := range n {
					if !g.TestString(fmt.Sprint(i)) {
						t.Fatalf("%s: key %d is missing", how, i)
					}
				}
			}
			path := filepath.Join(t.TempDir(), "f.bsv")
			if err := f.Save(path); err != nil {
				t.Fatal(err)
			}
			opened, err := OpenBloom(path, open...)
			same("OpenBloom", opened, err)
			opened.AddString("private") // to the mapping, not to the file
			if err := errors.Join(opened.Close(), opened.Close()); err != nil {
				t.Fatal(err)
			}
			for name, use := range map[string]func(){
				"Test": func() { opened.TestString("1") }, "Add": func() { opened.AddString("1") },
				"batch": func() { opened.TestStrings([]string{"1"}, nil) }, "Fill": func() { opened.Fill() },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s of a closed filter does not panic", name)
						}
					}()
					use()
				}()
			}
			if _, err := opened.WriteTo(new(bytes.Buffer)); err == nil {
				t.Error("a closed filter is written")
			}
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			g, err := ReadBloom(bytes.NewReader(file), open...)
			same("ReadBloom", g, err)
			g, err = NewBloomWithSize(77, 3, opts...)
			if err != nil {
				t.Fatal(err)
			}
			same("UnmarshalBinary", g, g.UnmarshalBinary(file))
			data, err := f.MarshalBinary()
			if err != nil || !bytes.Equal(data, file) {
				t.Errorf("MarshalBinary and Save differ, %v", err)
			}
			var stream bytes.Buffer
			if err := gob.NewEncoder(&stream).Encode(f); err != nil {
				t.Fatal(err)
			}
			g, _ = NewBloomWithSize(1, 1, opts...)
			same("gob", g, gob.NewDecoder(&stream).Decode(g))
			info, err := InspectFile(path)
			if err != nil || info.Kind != "bloom" || info.Bits != f.Bits() || info.K != f.K() || info.Keyed != f.Keyed() ||
				info.Capacity != n || info.FPRate != f.FPRate() {
				t.Errorf("InspectFile: %+v, %v", info, err)
			}
		}
	}
}

func TestBloomFileErrors(t *testing.T) {
	f, _ := NewBloom(100, 0.01, WithKey(bloomFileKey))
	f.AddString("x")
	path := filepath.Join(t.TempDir(), "f.bsv")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(bloomFileKey)
	other[3]++
	for what, opts := range map[string][]OpenOption{"no key": nil, "another key": {WithKey(other)}} {
		if _, err := OpenBloom(path, opts...); !errors.Is(err, ErrKey) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := OpenBlocked(path, WithKey(bloomFileKey)); !errors.Is(err, ErrKind) {
		t.Errorf("as a Blocked: %v", err)
	}
	good, _ := os.ReadFile(path)
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		bad := bytes.Clone(good)
		bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
		g, _ := NewBloomWithSize(64, 2, WithKey(bloomFileKey))
		g.AddString("stays")
		if err := g.UnmarshalBinary(bad); err == nil || !g.TestString("stays") || g.Bits() != 64 {
			t.Fatalf("a flipped bit: %v", err)
		}
		if err := g.UnmarshalBinary(good[:r.IntN(len(good))]); err == nil {
			t.Fatal("a truncated filter is accepted")
		}
	}
	var zero Bloom
	if _, err := zero.WriteTo(new(bytes.Buffer)); err == nil {
		t.Error("a filter without bits is written")
	}
}
