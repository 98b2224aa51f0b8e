package leveldb

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"testing/iotest"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/race"
	"github.com/syndtr/goleveldb/leveldb/filter"
)

func stringsOf(keys [][]byte) (s []string) {
	for _, key := range keys {
		s = append(s, string(key))
	}
	return s
}

// newFilter returns a Filter of keys.
func newFilter(t testing.TB, bitsPerKey int, keys [][]byte) *Filter {
	t.Helper()
	f, err := New(len(keys), bitsPerKey)
	if err != nil {
		t.Fatal(err)
	}
	f.AddBytes(keys)
	return f
}

// TestFilterBytes makes filters in all ways there are and compares them with goleveldb's.
func TestFilterBytes(t *testing.T) {
	for _, bitsPerKey := range []int{0, 1, 10, 14, 50} {
		for _, n := range []int{0, 1, 3, 4, 5, 25, 63, 64, 65, 1000} {
			keys := mixedKeys(n, uint64(n))
			want := write(filter.NewBloomFilter(bitsPerKey), keys)
			f, err := New(n, bitsPerKey)
			if err != nil {
				t.Fatal(err)
			}
			check := func(how string, got []byte) {
				if !bytes.Equal(got, want) {
					t.Fatalf("%s: %d bits per key, %d keys: %x, goleveldb writes %x", how, bitsPerKey, n, got, want)
				}
			}
			for _, key := range keys {
				f.Add(key)
			}
			check("Add", f.Data())
			f.Clear()
			for _, s := range stringsOf(keys) {
				f.AddString(s)
			}
			check("AddString", f.Data())
			f.Clear()
			f.AddStrings(stringsOf(keys))
			check("AddStrings", f.Data())
			check("AddBytes", newFilter(t, bitsPerKey, keys).Data())
			check("AppendFilter", AppendFilter([]byte("before"), bitsPerKey, keys)[6:])
			check("AppendFilter", AppendFilter(bytes.Repeat([]byte{255}, 9000)[:0], bitsPerKey, keys))
		}
	}
}

// TestView compares single tests and batches, of bytes and strings, with goleveldb's Contains.
func TestView(t *testing.T) {
	for _, n := range []int{0, 1, 25, 300} {
		keys := mixedKeys(n, 1)
		data := append([]byte{0}, write(filter.NewBloomFilter(10), keys)...)[1:] // at an odd address
		v, err := NewView(data)
		if err != nil {
			t.Fatal(err)
		}
		if v.K() != 6 || v.SizeBytes() != uint64(len(data)) || v.Bits() != uint64(8*len(data)-8) {
			t.Errorf("K %d, %d bytes, %d bits", v.K(), v.SizeBytes(), v.Bits())
		}
		hits := new(bitsieve.BitSet)
		for _, m := range []int{0, 1, 2, 3, 4, 5, 63, 64, 65, 128, 400} {
			asked := append(keys[:min(n, m/2):n], mixedKeys(m-min(n, m/2), 1<<40)...)
			count := v.TestBytes(asked, hits)
			if count != int(hits.Count()) || hits.Len() != uint(m) || v.TestBytes(asked, nil) != count {
				t.Fatalf("%d keys: %d hits, %d bits of %d set", m, count, hits.Count(), hits.Len())
			}
			byString := bitsieve.FromIndices(1, 999)
			if v.TestStrings(stringsOf(asked), byString) != count || !byString.Equal(hits) {
				t.Fatalf("%d keys: strings are not like bytes", m)
			}
			for i, key := range asked {
				want := filter.NewBloomFilter(10).Contains(data, key)
				if hits.Test(uint(i)) != want || v.Test(key) != want || v.TestString(string(key)) != want {
					t.Fatalf("%x: goleveldb says %v", key, want)
				}
			}
		}
	}
	var zero View
	if zero.Test(nil) || zero.TestBytes([][]byte{nil}, nil) != 0 || zero.Fill() != 0 || zero.FPRate() != 0 || zero.EstimatedCount() != 0 || zero.SizeBytes() != 0 {
		t.Error("the zero View has something")
	}
}

func TestStatistics(t *testing.T) {
	f := newFilter(t, 10, keysOf(10_000, 16, 1))
	if n := f.EstimatedCount(); n < 9500 || n > 10_500 {
		t.Errorf("EstimatedCount %d", n)
	}
	if p := f.FPRate(); p < 0.007 || p > 0.01 {
		t.Errorf("FPRate %v", p)
	}
	hits := f.TestBytes(keysOf(100_000, 16, 2), nil)
	if hits < 600 || hits > 1400 {
		t.Errorf("%d of 100000 hit", hits)
	}
	for _, data := range [][]byte{{255, 5}, {0, 0}} {
		v, err := NewView(data)
		if err != nil || v.EstimatedCount() != math.MaxUint64 || v.FPRate() != 1 {
			t.Errorf("%x: %v, %d, %v", data, err, v.EstimatedCount(), v.FPRate())
		}
	}
}

// TestBadBytes has every kind of error, from all that read.
func TestBadBytes(t *testing.T) {
	for _, c := range []struct {
		data   []byte
		err    error
		field  string
		offset int64
	}{
		{nil, bitsieve.ErrTruncated, "filter", 0},
		{[]byte{6}, bitsieve.ErrTruncated, "filter", 1},
		{[]byte{0, 0, 31}, bitsieve.ErrHeader, "k", 2},
		{[]byte{0, 255}, bitsieve.ErrHeader, "k", 1},
	} {
		f := newFilter(t, 10, keysOf(3, 8, 1))
		before := bytes.Clone(f.Data())
		_, viewErr := NewView(c.data)
		n, readErr := f.ReadFrom(bytes.NewReader(c.data))
		if n != int64(len(c.data)) {
			t.Errorf("%x: read %d bytes", c.data, n)
		}
		for _, err := range []error{viewErr, readErr, f.UnmarshalBinary(c.data)} {
			var fe *bitsieve.FormatError
			if !errors.Is(err, c.err) || !errors.As(err, &fe) || fe.Field != c.field || fe.Offset != c.offset {
				t.Errorf("%x: %v", c.data, err)
			}
		}
		if !bytes.Equal(f.Data(), before) {
			t.Errorf("%x: the filter has changed", c.data)
		}
	}
	f := newFilter(t, 10, keysOf(3, 8, 1))
	broken := errors.New("broken")
	if _, err := f.ReadFrom(iotest.ErrReader(broken)); err != broken {
		t.Errorf("a reader's error: %v", err)
	}
}

// TestHuge has a filter of 2^32 bits, all of them clear: too many for 32-bit numbers.
func TestHuge(t *testing.T) {
	if race.Enabled || math.MaxInt == math.MaxInt32 {
		t.Skip("takes the memory, of which other machines touch none")
	}
	data := make([]byte, maxBytes+1)
	data[maxBytes] = 6
	if !NewBloomFilter(10).Contains(data, []byte("key")) {
		t.Error("2^32 bits: denied")
	}
	if _, err := NewView(data); !errors.Is(err, bitsieve.ErrHeader) {
		t.Errorf("2^32 bits: %v", err)
	}
	data[maxBytes-1] = 6
	if NewBloomFilter(10).Contains(data[:maxBytes], []byte("key")) {
		t.Error("8 bits less: a key")
	}
	if v, err := NewView(data[:maxBytes]); err != nil || v.Test([]byte("key")) {
		t.Errorf("8 bits less: %v", err)
	}
}

func TestCodec(t *testing.T) {
	f := newFilter(t, 10, keysOf(30, 8, 1))
	data, err := f.MarshalBinary()
	if err != nil || !bytes.Equal(data, f.Data()) || &data[0] == &f.Data()[0] {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if n, err := f.WriteTo(&b); err != nil || n != int64(len(data)) || !bytes.Equal(b.Bytes(), data) {
		t.Fatal(n, err)
	}
	var g, h Filter
	if err := g.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ReadFrom(iotest.OneByteReader(&b)); err != nil {
		t.Fatal(err)
	}
	data[0] ^= 1 // g has a copy
	if !bytes.Equal(g.Data(), f.Data()) || !bytes.Equal(h.Data(), f.Data()) {
		t.Error("decoded filters differ")
	}
	var zero Filter
	if _, err := zero.MarshalBinary(); err == nil {
		t.Error("a filter that was never made is written")
	}
	if _, err := zero.WriteTo(&b); err == nil {
		t.Error("a filter that was never made is written")
	}
	for name, add := range map[string]func(){
		"Add": func() { zero.Add(nil) }, "AddStrings": func() { zero.AddStrings(nil) }, "AddBytes": func() { zero.AddBytes(nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s to the zero value does not panic", name)
				}
			}()
			add()
		}()
	}
}

func TestParameters(t *testing.T) {
	for _, c := range [][2]int{{-1, 10}, {10, -1}, {math.MaxInt, 10}, {10, math.MaxInt}, {1 << 30, 4}} {
		if _, err := New(c[0], c[1]); !errors.Is(err, bitsieve.ErrParameter) {
			t.Errorf("%d keys of %d bits: %v", c[0], c[1], err)
		}
	}
}

func TestAllocsOfViews(t *testing.T) {
	keys := keysOf(100, 24, 1)
	texts := stringsOf(keys)
	f := newFilter(t, 10, keys)
	hits := bitsieve.FromIndices(99)
	if n := testing.AllocsPerRun(100, func() {
		v, _ := NewView(f.Data())
		v.Test(keys[0])
		v.TestString(texts[0])
		v.TestBytes(keys, hits)
		v.TestStrings(texts, nil)
		f.Add(keys[0])
		f.AddString(texts[0])
		f.AddBytes(keys)
		f.AddStrings(texts)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
