package bloom

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/bitsieve/bitsieve"
)

// bloomForms are the ways to write a filter and to read it back.
var bloomForms = map[string]struct {
	write func(f *BloomFilter) ([]byte, error)
	read  func(f *BloomFilter, data []byte) error
}{
	"MarshalBinary": {(*BloomFilter).MarshalBinary, (*BloomFilter).UnmarshalBinary},
	"AppendBinary": {
		func(f *BloomFilter) ([]byte, error) {
			data, err := f.AppendBinary([]byte("prefix"))
			return bytes.TrimPrefix(data, []byte("prefix")), err
		},
		(*BloomFilter).UnmarshalBinary,
	},
	"WriteTo": {
		func(f *BloomFilter) ([]byte, error) {
			var b bytes.Buffer
			n, err := f.WriteTo(&b)
			if n != int64(b.Len()) {
				return nil, errors.New("WriteTo returns a wrong count")
			}
			return b.Bytes(), err
		},
		func(f *BloomFilter, data []byte) error {
			r := bytes.NewReader(append(bytes.Clone(data), "rest"...))
			n, err := f.ReadFrom(iotest.HalfReader(r))
			if err == nil && (n != int64(len(data)) || r.Len() != 4) {
				return errors.New("ReadFrom reads too much or returns a wrong count")
			}
			return err
		},
	},
	"GobEncode": {(*BloomFilter).GobEncode, (*BloomFilter).GobDecode},
	"MarshalJSON": {
		func(f *BloomFilter) ([]byte, error) { return f.MarshalJSON() },
		(*BloomFilter).UnmarshalJSON,
	},
	"gob": {
		func(f *BloomFilter) ([]byte, error) {
			var b bytes.Buffer
			err := gob.NewEncoder(&b).Encode(f)
			return b.Bytes(), err
		},
		func(f *BloomFilter, data []byte) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(f) },
	},
	"json pointer": {
		func(f *BloomFilter) ([]byte, error) { return json.Marshal(f) },
		func(f *BloomFilter, data []byte) error { return json.Unmarshal(data, f) },
	},
	"json value": {
		func(f *BloomFilter) ([]byte, error) { return json.Marshal(*f) },
		func(f *BloomFilter, data []byte) error { return json.Unmarshal(data, f) },
	},
}

func TestBloomRoundTrip(t *testing.T) {
	keys := someKeys(50)
	short := FromWithM(nil, 1, 2) // what New(0, 2) of the drop-in is
	long := FromWithM(make([]uint64, 20), 1000, 5)
	for _, f := range []*BloomFilter{New(1, 1), New(64, 3), New(1000, 4),
		New(1<<20+1, 9), short, long, FromWithM(make([]uint64, 2), 128, 0)} {
		for _, filled := range []bool{false, true} {
			if filled {
				f.AddBytes(keys)
			}
			for name, form := range bloomForms {
				data, err := form.write(f)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				g := New(77, 7).AddString("gone")
				if err := form.read(g, data); err != nil {
					t.Errorf("%s, m = %d: %v", name, f.Cap(), err)
				} else if !g.Equal(f) || g.TestBytes(keys, nil) != f.TestBytes(keys, nil) {
					t.Errorf("%s, m = %d: a different filter comes back", name, f.Cap())
				}
			}
		}
	}
}

func TestBloomJSONForm(t *testing.T) {
	f := New(10, 2)
	f.BitSet().Set(0).Set(3)
	data, err := json.Marshal(f)
	const want = `{"m":10,"k":2,"b":"AAAAAAAAAAoAAAAAAAAACQ=="}`
	if string(data) != want || err != nil {
		t.Errorf("%s, %v, want %s", data, err, want)
	}
}

// TestBloomDecodeErrors checks what every reader says of bad data, and that it
// leaves the filter alone.
func TestBloomDecodeErrors(t *testing.T) {
	good, _ := New(1000, 4).AddString("Love").MarshalBinary()
	header := func(m, k, length uint64, words int) []byte {
		b := binary.BigEndian.AppendUint64(nil, m)
		b = binary.BigEndian.AppendUint64(b, k)
		b = binary.BigEndian.AppendUint64(b, length)
		return append(b, make([]byte, 8*words)...)
	}
	binaries := []struct {
		name string
		data []byte
		want error
	}{
		{"m = 0", header(0, 1, 64, 1), bitsieve.ErrHeader},
		{"m past the bitset", header(65, 1, 64, 1), bitsieve.ErrHeader},
		{"m past an empty bitset", header(2, 1, 0, 0), bitsieve.ErrHeader},
		{"m huge", header(math.MaxUint64, 1, 64, 1), bitsieve.ErrHeader},
		{"k too large", header(64, maxK+1, 64, 1), bitsieve.ErrHeader},
		{"k huge", header(64, math.MaxUint64, 64, 1), bitsieve.ErrHeader},
		{"length huge", header(64, 1, 1<<31, 1), io.ErrUnexpectedEOF},
	}
	for _, n := range []int{1, 8, 15, 16, 17, 23, 24, 25, len(good) - 1} {
		binaries = append(binaries, struct {
			name string
			data []byte
			want error
		}{"truncated", good[:n], io.ErrUnexpectedEOF})
	}
	f := New(500, 3).AddString("stays")
	before := f.Copy()
	for _, c := range binaries {
		for form, read := range map[string]func(data []byte) error{
			"UnmarshalBinary": f.UnmarshalBinary,
			"GobDecode":       f.GobDecode,
			"ReadFrom": func(data []byte) error {
				_, err := f.ReadFrom(bytes.NewReader(data))
				return err
			},
		} {
			err := read(c.data)
			if !errors.Is(err, c.want) {
				t.Errorf("%s, %s (%d bytes): %v, want %v", form, c.name, len(c.data), err, c.want)
			}
			var typed *bitsieve.FormatError
			if c.want == bitsieve.ErrHeader && !errors.As(err, &typed) {
				t.Errorf("%s, %s: %T, want a FormatError", form, c.name, err)
			}
		}
	}
	if n, err := f.ReadFrom(bytes.NewReader(nil)); n != 0 || err != io.EOF {
		t.Errorf("at the end of a stream: %d, %v, want io.EOF", n, err)
	}
	if n, err := f.ReadFrom(bytes.NewReader(good[:30])); n != 30 || err != io.ErrUnexpectedEOF {
		t.Errorf("a stream of 30 bytes: %d, %v", n, err)
	}
	for _, s := range []string{``, `{}`, `[]`, `7`, `{"m":0,"k":1,"b":"AAAAAAAAAAoAAAAAAAAACQ=="}`,
		`{"m":11,"k":1,"b":"AAAAAAAAAAoAAAAAAAAACQ=="}`, `{"m":10,"k":70000,"b":"AAAAAAAAAAoAAAAAAAAACQ=="}`,
		`{"m":-1,"k":1,"b":"AAAAAAAAAAoAAAAAAAAACQ=="}`, `{"m":10,"k":1,"b":null}`, `{"m":10,"k":1}`,
		`{"m":10,"k":1,"b":"AAAA"}`, `{"m":10,"k":1,"b":"!"}`, `{"m":10,"k":1,"b":"AAAAAAAAAAoAAAAAAAAACQ=="`} {
		if err := json.Unmarshal([]byte(s), f); err == nil {
			t.Errorf("JSON %s: no error", s)
		}
	}
	if err := json.Unmarshal([]byte("null"), f); err != nil {
		t.Errorf("JSON null: %v", err)
	}
	if !f.Equal(before) {
		t.Error("a failed reader changed the filter")
	}
}

// TestBloomHostileHeader reads a stream that claims an exabyte.
func TestBloomHostileHeader(t *testing.T) {
	data := binary.BigEndian.AppendUint64(nil, 1<<62)
	data = binary.BigEndian.AppendUint64(data, 4)
	data = binary.BigEndian.AppendUint64(data, 1<<62)
	data = append(data, make([]byte, 4096)...)
	var f BloomFilter
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := f.ReadFrom(bytes.NewReader(data))
	runtime.ReadMemStats(&after)
	if err == nil || after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%v after allocating %d bytes", err, after.TotalAlloc-before.TotalAlloc)
	}
}

func TestBloomWriteErrors(t *testing.T) {
	f := New(1000, 4)
	for _, room := range []int64{0, 7, 16, 20, 100} {
		n, err := f.WriteTo(&limitedWriter{room})
		if n != room || err == nil {
			t.Errorf("a writer with room for %d: %d, %v", room, n, err)
		}
	}
}

type limitedWriter struct{ room int64 }

func (w *limitedWriter) Write(p []byte) (int, error) {
	n := min(int64(len(p)), w.room)
	w.room -= n
	if n < int64(len(p)) {
		return int(n), errors.New("full")
	}
	return int(n), nil
}

// FuzzBloomDecode reads arbitrary bytes. What is read must work, and come back as
// it was written.
func FuzzBloomDecode(f *testing.F) {
	good, _ := New(130, 4).AddString("Love").MarshalBinary()
	f.Add(good)
	f.Add(good[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		b, c := new(BloomFilter), new(BloomFilter)
		err := b.UnmarshalBinary(data)
		n, readErr := c.ReadFrom(bytes.NewReader(data))
		if (err == nil) != (readErr == nil) || n > int64(len(data)) {
			t.Fatalf("UnmarshalBinary: %v; ReadFrom: %d bytes, %v", err, n, readErr)
		}
		if err != nil {
			return
		}
		if !b.Equal(c) {
			t.Fatal("the two readers differ")
		}
		out, _ := b.MarshalBinary()
		if int64(len(out)) != n || !bytes.Equal(out[:24], data[:24]) {
			t.Fatalf("%d bytes written, %d read", len(out), n)
		}
		size := b.core.SizeBytes()
		b.Test(data)
		b.Add(data)
		if !b.Test(data) || b.core.SizeBytes() > size+8 {
			t.Fatal("an added key is missing, or adding allocated")
		}
	})
}

func someKeys(n int) [][]byte {
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "key %d", i)
	}
	return keys
}

func TestApproximatedSize(t *testing.T) {
	f := NewWithEstimates(10_000, 0.01)
	if f.ApproximatedSize() != 0 {
		t.Error("an empty filter has keys")
	}
	f.AddBytes(someKeys(10_000))
	if got := float64(f.ApproximatedSize()); math.Abs(got-10_000) > 200 {
		t.Errorf("%v keys, want about 10,000", got)
	}
	f.BitSet().SetAll()
	if f.ApproximatedSize() != math.MaxUint32 {
		t.Error("a full filter has a finite number of keys")
	}
}

// FuzzBloomJSON reads arbitrary JSON: what is refused changes nothing, what is read
// comes back.
func FuzzBloomJSON(f *testing.F) {
	f.Add([]byte(`{"m":10,"k":2,"b":"AAAAAAAAAAoAAAAAAAAACQ=="}`))
	f.Add([]byte(`{"m":18446744073709551615,"k":2,"b":"AAAAAAAAAAoAAAAAAAAACQ=="}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := New(64, 2).AddString("stays")
		before := b.Copy()
		if err := json.Unmarshal(data, b); err != nil {
			if !b.Equal(before) {
				t.Fatalf("%q: a failed reader changed the filter", data)
			}
			return
		}
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		var c BloomFilter
		if err := json.Unmarshal(text, &c); err != nil || !c.Equal(b) {
			t.Fatalf("%s comes back as another filter, %v", text, err)
		}
	})
}
