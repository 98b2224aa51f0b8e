package guava

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bitsieve/bitsieve"
)

// sample returns a filter with some keys, and its stream.
func sample(t testing.TB, words uint64, k int, s Strategy) (*Filter, []byte) {
	t.Helper()
	f := sized(t, words, k, s)
	for i := range int32(words) {
		f.AddInt32(i)
	}
	return f, marshal(t, f)
}

// readers are the ways to read a stream. Those of whole streams refuse more bytes.
var readers = map[string]struct {
	read  func(f *Filter, data []byte) error
	whole bool
}{
	"ReadFrom": {func(f *Filter, data []byte) error {
		_, err := f.ReadFrom(struct{ io.Reader }{bytes.NewReader(data)})
		return err
	}, false},
	"ReadFrom, byte by byte": {func(f *Filter, data []byte) error {
		_, err := f.ReadFrom(iotest.OneByteReader(bytes.NewReader(data)))
		return err
	}, false},
	"UnmarshalBinary": {(*Filter).UnmarshalBinary, true},
	"NewView": {func(f *Filter, data []byte) error {
		v, err := NewView(data)
		if err != nil {
			return err
		}
		return f.UnmarshalBinary(marshalView(&v))
	}, true},
}

func marshalView(v *View) []byte {
	data, err := v.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return data
}

func TestRoundTrip(t *testing.T) {
	for _, words := range []uint64{1, 2, 100, firstWords - 1, firstWords, firstWords + 1, 3*firstWords + 5} {
		if testing.Short() && words > firstWords+1 {
			continue
		}
		for _, s := range []Strategy{MITZ32, MITZ64} {
			f, data := sample(t, words, 3, s)
			if len(data) != headerBytes+8*int(words) {
				t.Fatalf("%d words: %d bytes", words, len(data))
			}
			var buf bytes.Buffer
			if n, err := f.WriteTo(&buf); err != nil || n != int64(len(data)) || !bytes.Equal(buf.Bytes(), data) {
				t.Fatalf("%d words: WriteTo: %d bytes of %d, %v", words, n, len(data), err)
			}
			appended, err := f.AppendBinary([]byte("prefix"))
			if err != nil || string(appended) != "prefix"+string(data) {
				t.Fatalf("%d words: AppendBinary: %v", words, err)
			}
			for name, r := range readers {
				if words > 1000 && strings.HasSuffix(name, "byte") {
					continue
				}
				g, _ := sample(t, 2, 2, MITZ64)
				if err := r.read(g, data); err != nil || !g.Equal(f) {
					t.Fatalf("%d words: %s: %v", words, name, err)
				}
				if err := r.read(new(Filter), append(data[:len(data):len(data)], 0)); r.whole != errors.Is(err, bitsieve.ErrTrailingData) {
					t.Errorf("%s with a byte more: %v", name, err)
				}
			}
		}
	}
}

// TestReadFromLeavesTheRest is about two filters in one stream.
func TestReadFromLeavesTheRest(t *testing.T) {
	f, data := sample(t, 100, 3, MITZ64)
	g, more := sample(t, 50, 5, MITZ32)
	r := bytes.NewReader(append(append(data, more...), "rest"...))
	for _, want := range []*Filter{f, g} {
		got := new(Filter)
		if n, err := got.ReadFrom(r); err != nil || !got.Equal(want) || n != int64(headerBytes+want.SizeBytes()) {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}
	if r.Len() != len("rest") {
		t.Errorf("%d bytes are left", r.Len())
	}
}

func TestGob(t *testing.T) {
	f, _ := sample(t, 100, 3, MITZ64)
	var buf bytes.Buffer
	got := new(Filter)
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(got); err != nil || !got.Equal(f) {
		t.Errorf("gob: %v", err)
	}
}

// TestBad reads streams that are no filters.
func TestBad(t *testing.T) {
	_, good := sample(t, 3, 3, MITZ64)
	change := func(at int, b byte) string {
		data := bytes.Clone(good)
		data[at] = b
		return string(data)
	}
	for _, c := range []struct {
		name   string
		data   string
		err    error
		field  string
		offset int64
	}{
		{"nothing", "", bitsieve.ErrTruncated, "header", 0},
		{"half a header", string(good[:5]), bitsieve.ErrTruncated, "header", 5},
		{"no words", string(good[:6]), bitsieve.ErrTruncated, "words", 6},
		{"half of the words", string(good[:20]), bitsieve.ErrTruncated, "words", 20},
		{"a byte too few", string(good[:len(good)-1]), bitsieve.ErrTruncated, "words", int64(len(good)) - 1},
		{"strategy 2", change(0, 2), bitsieve.ErrHeader, "strategy", 0},
		{"strategy -1", change(0, 255), bitsieve.ErrHeader, "strategy", 0},
		{"k = 0", change(1, 0), bitsieve.ErrHeader, "number of hash functions", 1},
		{"W = 0", "\x01\x07\x00\x00\x00\x00", bitsieve.ErrHeader, "number of words", 2},
		{"W = -1", "\x01\x07\xff\xff\xff\xff12345678", bitsieve.ErrHeader, "number of words", 2},
		{"W = -2^31", "\x01\x07\x80\x00\x00\x00", bitsieve.ErrHeader, "number of words", 2},
	} {
		for name, r := range readers {
			f, before := sample(t, 2, 2, MITZ32)
			err := r.read(f, []byte(c.data))
			var fe *bitsieve.FormatError
			if !errors.As(err, &fe) || !errors.Is(err, c.err) || fe.Field != c.field || fe.Offset != c.offset || fe.Detail == "" {
				t.Errorf("%s: %s: %v (%+v)", name, c.name, err, fe)
			}
			if !bytes.Equal(marshal(t, f), before) {
				t.Errorf("%s: %s: the filter has changed", name, c.name)
			}
		}
	}
	errBroken := errors.New("broken")
	for _, at := range []int{0, 3, 6, 20} {
		f, before := sample(t, 2, 2, MITZ32)
		n, err := f.ReadFrom(io.MultiReader(bytes.NewReader(good[:at]), iotest.ErrReader(errBroken)))
		if err != errBroken || n != int64(at) || !bytes.Equal(marshal(t, f), before) {
			t.Errorf("a reader that breaks after %d bytes: %d, %v", at, n, err)
		}
	}
	f, _ := sample(t, 3, 3, MITZ64)
	if n, err := f.WriteTo(new(brokenWriter)); err != errBrokenWriter || n != 4 {
		t.Errorf("a writer that breaks: %d, %v", n, err)
	}
}

var errBrokenWriter = errors.New("broken writer")

type brokenWriter struct{}

func (*brokenWriter) Write(p []byte) (int, error) { return 4, errBrokenWriter }

// TestBoundedMemory reads headers that claim up to 16 GiB.
func TestBoundedMemory(t *testing.T) {
	for name, r := range readers {
		data := append([]byte("\x01\x07\x7f\xff\xff\xff"), make([]byte, 1000)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := r.read(new(Filter), data)
		runtime.ReadMemStats(&after)
		// Where 16 GiB are more than there is, that is the error.
		if !errors.Is(err, bitsieve.ErrTruncated) && !errors.Is(err, bitsieve.ErrMemory) {
			t.Errorf("%s: %v", name, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
			t.Errorf("%s of 1 KiB allocates %d bytes", name, got)
		}
	}
}

// FuzzRead reads arbitrary bytes in every way: the readers agree, and what they accept is
// written again as it was and answers alike as a filter and as a view.
func FuzzRead(f *testing.F) {
	for _, s := range []Strategy{MITZ32, MITZ64} {
		_, data := sample(f, 3, 7, s)
		f.Add(data, "key")
		f.Add(data[:20], "\xff")
		f.Add(append(data, 1), "世")
	}
	for _, data := range []string{"", "\x01", "\x02\x07\x00\x00\x00\x0112345678", "\x01\x00\x00\x00\x00\x0112345678",
		"\x01\xff\x00\x00\x00\x0112345678", "\x01\x07\x00\x00\x00\x00", "\x01\x07\x7f\xff\xff\xff", "\x00\x07\xff\xff\xff\xff12345678"} {
		f.Add([]byte(data), "")
	}
	f.Fuzz(fuzzRead)
}

func fuzzRead(t *testing.T, data []byte, key string) {
	view, err := NewView(data)
	var g, h Filter
	if unmarshalErr := g.UnmarshalBinary(data); (unmarshalErr == nil) != (err == nil) {
		t.Fatalf("NewView: %v, UnmarshalBinary: %v", err, unmarshalErr)
	}
	n, readErr := h.ReadFrom(bytes.NewReader(data))
	if (readErr == nil) != (err == nil || errors.Is(err, bitsieve.ErrTrailingData)) || n > int64(len(data)) {
		t.Fatalf("NewView: %v, ReadFrom: %v, %d bytes", err, readErr, n)
	}
	for _, err := range []error{err, readErr} {
		var fe *bitsieve.FormatError
		if err != nil && !errors.As(err, &fe) && !errors.Is(err, bitsieve.ErrMemory) {
			t.Fatalf("error %v of type %T", err, err)
		}
	}
	if readErr == nil && !bytes.Equal(marshal(t, &h), data[:n]) {
		t.Fatal("written again, it differs")
	}
	if err != nil {
		if g.Bits() != 0 {
			t.Fatal("refused, but kept")
		}
		return
	}
	if !bytes.Equal(marshalView(&view), data) || !g.Equal(&h) || view.Fill() != g.Fill() || view.EstimatedCount() != g.EstimatedCount() || view.FPRate() != g.FPRate() {
		t.Fatal("a view and a filter differ")
	}
	strs := make([]string, 2*tileKeys+3)
	for i := range strs {
		strs[i] = key + string(rune(i))
	}
	var a, b bitsieve.BitSet
	if g.TestStrings(strs, &a) != view.TestStrings(strs, &b) || !a.Equal(&b) {
		t.Fatal("a view and a filter answer differently")
	}
	for i, s := range strs {
		if g.TestString(s) != a.Test(uint(i)) || view.TestString(s) != a.Test(uint(i)) || view.TestUnencodedChars(s) != g.TestUnencodedChars(s) {
			t.Fatalf("%q: a batch and a single test differ", s)
		}
	}
	h.AddStrings(strs)
	for _, s := range strs {
		g.AddString(s)
	}
	if !g.Equal(&h) || h.TestStrings(strs, nil) != len(strs) {
		t.Fatal("a batch and single adding differ")
	}
}
