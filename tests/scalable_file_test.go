package tests

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// storedScalable returns a filter of four stages and its file.
func storedScalable(t testing.TB, opts ...Option) (*Scalable, []byte) {
	t.Helper()
	f := mustScalable(t, 20, 0.01, opts...)
	for i := uint64(0); len(f.Stages()) < 4; i++ {
		f.AddUint64(i)
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return f, data
}

// seal makes both checksums of a file right.
func seal(data []byte) []byte {
	le := binary.LittleEndian
	le.PutUint64(data[72:], xxh3.Hash(data[format.HeaderBytes:]))
	le.PutUint64(data[120:], xxh3.Hash(data[:120]))
	return data
}

func TestScalableFile(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		var openOpts []OpenOption
		for _, o := range opts {
			openOpts = append(openOpts, o)
		}
		f, data := storedScalable(t, opts...)
		path := filepath.Join(t.TempDir(), "f")
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		info, err := InspectFile(path)
		if err != nil || info.Kind != "scalable" || info.Capacity != 20 || info.Rate != 0.01 || info.K != f.K() ||
			info.FPRate != f.FPRate() || info.Fill != f.Fill() || info.Keyed != f.Keyed() {
			t.Errorf("InspectFile: %+v, %v", info, err)
		}
		g, err := OpenScalable(path, openOpts...)
		if err != nil {
			t.Fatal(err)
		}
		any, err := Open(path, openOpts...)
		if err != nil {
			t.Fatal(err)
		}
		h := any.(*Scalable)
		var z Scalable
		if opts != nil {
			z = Scalable{}
			if err := z.UnmarshalBinary(data); !errors.Is(err, ErrKey) {
				t.Errorf("without the key: %v", err)
			}
		} else if err := z.UnmarshalBinary(data); err != nil || !z.Equal(f) {
			t.Errorf("UnmarshalBinary: %v", err)
		}
		if !g.Equal(f) || !h.Equal(f) {
			t.Error("the filter read differs")
		}
		// What is added to a mapped filter stays private, in its stages and in new ones,
		// and goes on as in the filter that was saved.
		for i := range uint64(1000) {
			if f.TestAndAddUint64(i<<20) != g.TestAndAddUint64(i<<20) {
				t.Fatalf("key %d: the answers differ", i)
			}
		}
		if !g.Equal(f) || g.Equal(h) || len(g.Stages()) < 6 {
			t.Error("the filters differ after adding")
		}
		checkStages(t, g)
		if now, _ := os.ReadFile(path); !bytes.Equal(now, data) {
			t.Error("the file changed")
		}
		for _, x := range []*Scalable{g, h} {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := g.MarshalBinary(); err == nil {
			t.Error("a closed filter can be written")
		}
	}
	if _, err := new(Scalable).MarshalBinary(); err == nil {
		t.Error("an empty filter can be written")
	}
}

// A file may have the most stages that there can be. What keys are added then makes no
// more of them, and what is written can be read.
func TestScalableMostStages(t *testing.T) {
	const most = 256
	h := format.NewHeader(format.Scalable, 16, hash.Hasher{})
	h.Rate, h.Extra = 0.5, [4]uint64{most, 1}
	in := format.NewHeader(format.Blocked, 16, hash.Hasher{})
	in.Items, in.Capacity, in.Rate = 1, 1, 1e-12
	var parts [][]uint64
	for range most {
		stage, err := format.Embed(in, make([]uint64, 8))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, stage...)
	}
	data, err := format.Append(nil, h, parts...)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadScalable(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for x := range uint64(100) {
		f.AddUint64(x)
	}
	if len(f.Stages()) != most || !errors.Is(f.Err(), ErrFull) || !errors.Is(f.Err(), ErrParameter) {
		t.Errorf("%d stages, %v", len(f.Stages()), f.Err())
	}
	if _, err := f.NextStage(); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
	f.ExpectedFPRate(1 << 20)
	g, err := ReadScalable(bytes.NewReader(marshal(t, f)))
	if err != nil || !g.Equal(f) {
		t.Error(err)
	}
}

// Files that are sound on the outside, with checksums that are right, and wrong inside.
func TestScalableHostile(t *testing.T) {
	le := binary.LittleEndian
	keyed, keyedData := storedScalable(t, WithKey(secretKey))
	_, good := storedScalable(t)
	first := int(keyed.Stages()[0].SizeBytes)
	second := format.HeaderBytes + format.HeaderBytes + first // where the second stage starts
	put := func(at int, x uint64) func(b []byte) []byte {
		return func(b []byte) []byte { le.PutUint64(b[at:], x); return b }
	}
	inner := func(at int, x uint64) func(b []byte) []byte {
		return func(b []byte) []byte {
			le.PutUint64(b[second+at:], x)
			le.PutUint64(b[second+120:], xxh3.Hash(b[second:second+120]))
			return b
		}
	}
	for name, damage := range map[string]func(b []byte) []byte{
		"no stages":               put(88, 0),
		"a stage fewer":           put(88, 3),
		"a stage more":            put(88, 5),
		"too many stages":         put(88, 257),
		"absurdly many stages":    put(88, math.MaxUint64),
		"keys of the newest":      put(96, 10_000),
		"third integer":           put(104, 1),
		"fourth integer":          put(112, 1),
		"rate 0":                  put(64, 0),
		"rate too low for stages": put(64, math.Float64bits(0.001)),
		"k of the newest":         func(b []byte) []byte { b[20] ^= 1; return b },
		"stage's capacity 0":      inner(56, 0),
		"stage's capacity absurd": inner(56, math.MaxUint64),
		"stage's keys absurd":     inner(48, math.MaxUint64),
		"stage's rate 0":          inner(64, 0),
		"stage's rate too high":   inner(64, math.Float64bits(0.5)),
		"stage's rate NaN":        inner(64, math.Float64bits(math.NaN())),
		"stage's blocks":          inner(40, 1<<40),
		"stage's blocks to zero":  inner(40, 0),
		"stage's kind":            inner(8, 1|2<<32),
		"stage's magic":           func(b []byte) []byte { b[second]++; return b },
		"stage's checksum":        func(b []byte) []byte { b[second+120]++; return b },
		"stage of another hash": func(b []byte) []byte {
			copy(b[second:second+format.HeaderBytes], keyedData[second:])
			return b
		},
		"stage of another key": func(b []byte) []byte {
			copy(b, keyedData)
			return inner(32, 12345)(b)
		},
		"bytes behind the last": func(b []byte) []byte {
			b = append(b, make([]byte, 64)...)
			return put(40, le.Uint64(b[40:])+1)(b)
		},
	} {
		data := seal(damage(bytes.Clone(good)))
		f, _ := storedScalable(t)
		var opts []OpenOption
		if name == "stage of another key" {
			f, _ = storedScalable(t, WithKey(secretKey))
			opts = append(opts, WithKey(secretKey))
		}
		before := f.Clone()
		err := f.UnmarshalBinary(data)
		var fe *FormatError
		if !errors.As(err, &fe) {
			t.Errorf("%s: %v", name, err)
		}
		if !f.Equal(before) {
			t.Errorf("%s: the filter changed", name)
		}
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenScalable(path, opts...); !errors.As(err, &fe) || fe.Path != path {
			t.Errorf("%s: OpenScalable: %v", name, err)
		}
		if info, err := InspectFile(path); err == nil || info.PayloadOK {
			t.Errorf("%s: InspectFile: %+v, %v", name, info, err)
		}
	}
}

// FuzzOpenScalable reads arbitrary data, as they are and with all checksums made right:
// what is accepted works, and is the same when it is written and read again.
func FuzzOpenScalable(f *testing.F) {
	_, data := storedScalable(f)
	f.Add(data, uint16(0), byte(0))
	_, data = storedScalable(f, WithKey(secretKey))
	f.Add(data, uint16(300), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, change byte) {
		fuzzScalable(t, data)
		if len(data) <= format.HeaderBytes {
			return
		}
		data = bytes.Clone(data)
		data[int(at)%len(data)] ^= change
		copy(data, "\x89BSV\r\n\x1a\n\x01\x00\x00\x00\x05")
		// The headers inside lie on blocks' boundaries.
		for i := format.HeaderBytes; i+format.HeaderBytes <= len(data); i += 64 {
			if string(data[i:i+4]) == "\x89BSV" {
				binary.LittleEndian.PutUint64(data[i+120:], xxh3.Hash(data[i:i+120]))
			}
		}
		fuzzScalable(t, seal(data))
	})
}

func fuzzScalable(t *testing.T, data []byte) {
	for _, opts := range [][]OpenOption{nil, {WithKey(secretKey)}} {
		f, err := ReadScalable(bytes.NewReader(data), opts...)
		if err != nil {
			var fe *FormatError
			if !errors.As(err, &fe) && !errors.Is(err, ErrKey) {
				t.Fatalf("error %v of type %T", err, err)
			}
			continue
		}
		again, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		// Not the same bytes: nobody checks the sums of the payloads inside.
		if g, err := ReadScalable(bytes.NewReader(again), opts...); err != nil || !g.Equal(f) {
			t.Fatalf("written and read again: %v", err)
		}
		if r := f.FPRate(); !(r >= 0 && r <= 1) {
			t.Fatalf("rate %v", r)
		}
		f.Added()
		f.Room()
		f.EstimatedCount()
		f.ExpectedFPRate(1000)
		f.TestHashes([]uint64{0, math.MaxUint64}, nil)
		keys := make([]uint64, 3000)
		for i := range keys {
			keys[i] = uint64(i)
		}
		// A file may claim that it has room for more than there is memory for.
		if next, err := f.NextStage(); err == nil && next.SizeBytes > 1<<24 && f.Room() < 3000 {
			return
		}
		f.AddUint64s(keys)
		if f.TestUint64s(keys, nil) != len(keys) {
			t.Fatal("an added key is missing")
		}
		f.Clear()
	}
}
