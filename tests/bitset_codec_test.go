package tests

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/compat"
	"github.com/bitsieve/bitsieve/internal/memory"
)

var (
	_ encoding.BinaryMarshaler   = (*BitSet)(nil)
	_ encoding.BinaryAppender    = (*BitSet)(nil)
	_ encoding.BinaryUnmarshaler = (*BitSet)(nil)
	_ json.Marshaler             = BitSet{}
	_ json.Unmarshaler           = (*BitSet)(nil)
	_ io.WriterTo                = (*BitSet)(nil)
	_ io.ReaderFrom              = (*BitSet)(nil)
	_ fmt.Stringer               = (*BitSet)(nil)
)

// withByteOrder runs f in each byte order.
func withByteOrder(t *testing.T, f func(t *testing.T)) {
	t.Cleanup(func() { compat.SetLittleEndian(false) })
	for _, little := range []bool{false, true} {
		compat.SetLittleEndian(little)
		t.Run(compat.ByteOrder().String(), f)
	}
}

// testSets returns sets of lengths around words and chunks.
func testSets() []*BitSet {
	var sets []*BitSet
	for _, length := range []uint{0, 1, 63, 64, 65, 1000, codecChunk * 8, 3*codecChunk*8 + 1} {
		b := NewBitSet(length)
		for i := uint(0); i < length; i += 1 + i%7 {
			b.Set(i)
		}
		if length > 0 {
			b.Set(length - 1)
		}
		sets = append(sets, b)
	}
	return sets
}

func TestBitSetBinaryForm(t *testing.T) {
	b := NewBitSet(70).Set(0).Set(3).Set(69)
	for little, want := range map[bool]string{
		false: "0000000000000046" + "0000000000000009" + "0000000000000020",
		true:  "4600000000000000" + "0900000000000000" + "2000000000000000",
	} {
		compat.SetLittleEndian(little)
		got, err := b.MarshalBinary()
		if err != nil || hex.EncodeToString(got) != want {
			t.Errorf("%v: %x, %v, want %s", compat.ByteOrder(), got, err, want)
		}
	}
	compat.SetLittleEndian(false)
	if got, _ := b.AppendBinary([]byte("x")); len(got) != 1+b.BinaryStorageSize() || got[0] != 'x' {
		t.Errorf("AppendBinary = %x", got)
	}
}

func TestBitSetRoundTrips(t *testing.T) {
	withByteOrder(t, func(t *testing.T) {
		for _, b := range testSets() {
			var stream bytes.Buffer
			n, err := b.WriteTo(&stream)
			if err != nil || n != int64(stream.Len()) || stream.Len() != b.BinaryStorageSize() {
				t.Fatalf("length %d: WriteTo = %d, %v; %d bytes", b.Len(), n, err, stream.Len())
			}
			form, err := b.MarshalBinary()
			if err != nil || !bytes.Equal(form, stream.Bytes()) {
				t.Fatalf("length %d: MarshalBinary differs from WriteTo, %v", b.Len(), err)
			}
			// Each way to read, into sets that are smaller, as large and larger.
			for _, had := range []uint{0, b.Len(), b.Len() + 1000} {
				fresh := func() *BitSet { return NewBitSet(had).SetAll() }
				c := fresh()
				if err := c.UnmarshalBinary(append(form, "more"...)); err != nil || !c.Equal(b) {
					t.Fatalf("length %d into %d: UnmarshalBinary differs, %v", b.Len(), had, err)
				}
				for name, r := range map[string]io.Reader{
					"whole":    bytes.NewReader(append(form, "more"...)),
					"halves":   iotest.HalfReader(bytes.NewReader(append(form, "more"...))),
					"with EOF": iotest.DataErrReader(bytes.NewReader(form)),
				} {
					c := fresh()
					n, err := c.ReadFrom(r)
					if err != nil || n != int64(len(form)) || !c.Equal(b) {
						t.Fatalf("length %d into %d: ReadFrom %s = %d, %v", b.Len(), had, name, n, err)
					}
				}
			}
			text, err := json.Marshal(map[string]*BitSet{"set": b})
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]*BitSet
			if err := json.Unmarshal(text, &fields); err != nil || !fields["set"].Equal(b) {
				t.Fatalf("length %d: JSON differs, %v", b.Len(), err)
			}
			stream.Reset()
			var c BitSet
			if err := errors.Join(gob.NewEncoder(&stream).Encode(b), gob.NewDecoder(&stream).Decode(&c)); err != nil || !c.Equal(b) {
				t.Fatalf("length %d: gob differs, %v", b.Len(), err)
			}
		}
	})
}

func TestBitSetJSONForm(t *testing.T) {
	b := NewBitSet(10).Set(0).Set(3)
	if got, err := json.Marshal(b); err != nil || string(got) != `"AAAAAAAAAAoAAAAAAAAACQ=="` {
		t.Errorf("JSON of a pointer: %s, %v", got, err)
	}
	if got, err := json.Marshal(*b); err != nil || string(got) != `"AAAAAAAAAAoAAAAAAAAACQ=="` {
		t.Errorf("JSON of a value: %s, %v", got, err)
	}
	var escaped BitSet
	if err := json.Unmarshal([]byte(` "AAAAAAAAAAoAAAAAAAAACQ\u003d\u003d" `), &escaped); err != nil || !escaped.Equal(b) {
		t.Errorf("an escaped form reads as %v, %v", &escaped, err)
	}
	b = NewBitSet(64).SetAll()
	defer compat.SetStdBase64(false)
	for std, want := range map[bool]string{
		false: `"AAAAAAAAAED__________w=="`,
		true:  `"AAAAAAAAAED//////////w=="`,
	} {
		compat.SetStdBase64(std)
		got, err := json.Marshal(b)
		var c BitSet
		if err := errors.Join(err, json.Unmarshal(got, &c)); err != nil || string(got) != want || !c.Equal(b) {
			t.Errorf("%s, want %s, %v", got, want, err)
		}
	}
}

// TestBitSetReadsErrors feeds broken forms to every reader. The set read into
// must come out as it was, or empty.
func TestBitSetReadErrors(t *testing.T) {
	form, _ := NewBitSet(1000).SetAll().MarshalBinary()
	for _, size := range []int{0, 1, 7, 8, 9, 15, 16, len(form) - 1} {
		for _, had := range []uint{0, 77, 5000} {
			b := NewBitSet(had).SetAll()
			if err := b.UnmarshalBinary(form[:size]); err != io.ErrUnexpectedEOF || b.Len() != had || !b.All() {
				t.Errorf("%d bytes into %d: UnmarshalBinary: %v, length %d", size, had, err, b.Len())
			}
			n, err := b.ReadFrom(bytes.NewReader(form[:size]))
			if err != io.ErrUnexpectedEOF || n != int64(size) || !(b.Len() == 0 || b.Len() == had && b.All()) {
				t.Errorf("%d bytes into %d: ReadFrom: %d, %v, length %d", size, had, n, err, b.Len())
			}
			r := io.MultiReader(bytes.NewReader(form[:size]), iotest.ErrReader(errStream))
			if _, err := b.ReadFrom(r); err != errStream {
				t.Errorf("%d bytes into %d: ReadFrom a broken stream: %v", size, had, err)
			}
		}
	}
	b := NewBitSet(5).SetAll()
	for _, text := range []string{`42`, `"*"`, `"AAAA"`, `"AAAAAAAAAAoAAAAAAAAA"`, `{`, ``, "\"AAAAAAAAAAoAAAAAAA\nAACQ==\""} {
		if err := b.UnmarshalJSON([]byte(text)); err == nil || b.Len() != 5 || !b.All() {
			t.Errorf("UnmarshalJSON(%s): %v, length %d", text, err, b.Len())
		}
	}
}

// TestBitSetHostileLength reads headers that promise what does not come.
func TestBitSetHostileLength(t *testing.T) {
	const arrives = 100_000
	for _, length := range []uint64{1 << 37, 1 << 50, math.MaxUint64 - 63, math.MaxUint64 - 62, math.MaxUint64} {
		form := binary.BigEndian.AppendUint64(nil, length)
		form = append(form, make([]byte, arrives)...)
		text := `"` + compat.Base64().EncodeToString(form) + `"`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var b BitSet
		for name, err := range map[string]error{
			"UnmarshalBinary": b.UnmarshalBinary(form),
			"UnmarshalJSON":   b.UnmarshalJSON([]byte(text)),
			"ReadFrom": func() error {
				_, err := b.ReadFrom(bufio.NewReader(bytes.NewReader(form)))
				return err
			}(),
		} {
			if err == nil || b.Len() != 0 {
				t.Errorf("%s of %d bits: %v, length %d", name, length, err, b.Len())
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 20*arrives {
			t.Errorf("a claim of %d bits with %d bytes to show: %d bytes allocated", length, arrives, n)
		}
	}
}

// TestBitSetReadFromOnce reads from readers that say what they hold, with one
// allocation for the words, and from others, whose memory is bounded by what arrives.
func TestBitSetReadFromOnce(t *testing.T) {
	const size = 8 + 1<<20
	form, _ := NewBitSet(8 << 20).SetAll().MarshalBinary()
	path := filepath.Join(t.TempDir(), "set")
	if err := os.WriteFile(path, form, 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fromFile := func(r io.Reader) io.Reader { file.Seek(0, io.SeekStart); return r }
	text := string(form)
	for name, c := range map[string]struct {
		open  func() io.Reader
		bytes uint64 // for the words
	}{
		"bytes.Reader":     {func() io.Reader { return bytes.NewReader(form) }, size},
		"bytes.Buffer":     {func() io.Reader { return bytes.NewBuffer(form) }, size},
		"strings.Reader":   {func() io.Reader { return strings.NewReader(text) }, size},
		"os.File":          {func() io.Reader { return fromFile(file) }, size},
		"io.LimitedReader": {func() io.Reader { return fromFile(io.LimitReader(file, size)) }, size},
		"unknown":          {func() io.Reader { return iotest.DataErrReader(bytes.NewReader(form)) }, 2 * size},
	} {
		var b BitSet
		var before, after runtime.MemStats
		r := c.open()
		runtime.ReadMemStats(&before)
		n, err := b.ReadFrom(r)
		runtime.ReadMemStats(&after)
		if n != size || err != nil || !b.All() {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > c.bytes+32<<10 {
			t.Errorf("%s: %d bytes allocated", name, allocated)
		}
	}
}

// TestBitSetReadFromSparse reads a file that holds what it claims, and more than the
// machine does.
func TestBitSetReadFromSparse(t *testing.T) {
	if memory.Check(1<<40) == nil {
		t.Skip("1 TiB can be had, or this system does not say")
	}
	path := filepath.Join(t.TempDir(), "sparse")
	if err := os.WriteFile(path, binary.BigEndian.AppendUint64(nil, 1<<43), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 8+1<<40); err != nil {
		t.Skip(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	b := NewBitSet(5).SetAll()
	if n, err := b.ReadFrom(file); !errors.Is(err, ErrMemory) && math.MaxUint>>32 != 0 || err == nil || n != 8 || b.Count() != 5 {
		t.Errorf("%d, %v, %d members", n, err, b.Count())
	}
}

func TestBitSetDirtyForm(t *testing.T) {
	form := []byte{7: 10, 15: 0, 8: 0xff, 9: 0xff, 14: 0xff}
	for name, read := range map[string]func(b *BitSet) error{
		"UnmarshalBinary": func(b *BitSet) error { return b.UnmarshalBinary(form) },
		"ReadFrom":        func(b *BitSet) error { _, err := b.ReadFrom(bytes.NewReader(form)); return err },
	} {
		var b BitSet
		if err := read(&b); err != nil || b.Count() != 2 || b.Len() != 10 {
			t.Errorf("%s: %v, %d members in %d bits, want 2 in 10", name, err, b.Count(), b.Len())
		}
	}
}

// shortWriter accepts so many bytes.
type shortWriter struct{ room int }

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.room)
	w.room -= n
	if n < len(p) {
		return n, errStream
	}
	return n, nil
}

func TestBitSetWriteErrors(t *testing.T) {
	for _, b := range testSets() {
		size := b.BinaryStorageSize()
		for _, room := range []int{0, 1, 8, size / 2, size - 1} {
			if n, err := b.WriteTo(&shortWriter{room}); room < size && (err != errStream || n != int64(room)) {
				t.Errorf("length %d: WriteTo into %d bytes = %d, %v", b.Len(), room, n, err)
			}
		}
	}
}

func TestBitSetString(t *testing.T) {
	for want, b := range map[string]*BitSet{
		"{}":       NewBitSet(100),
		"{7}":      new(BitSet).Set(7),
		"{0,1,64}": new(BitSet).Set(0).Set(1).Set(64),
	} {
		if got := b.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	exact := NewBitSet(maxStringItems).SetAll().String()
	if !strings.HasSuffix(exact, ",262143}") {
		t.Errorf("ends in %s", exact[len(exact)-20:])
	}
	more := NewBitSet(maxStringItems + 1).SetAll().String()
	if !strings.HasSuffix(more, ",262143,...}") {
		t.Errorf("ends in %s", more[len(more)-20:])
	}
}

func TestBitSetDumpAsBits(t *testing.T) {
	zeros := strings.Repeat("0", 60)
	for want, b := range map[string]*BitSet{
		".":                               new(BitSet),
		"":                                NewBitSet(0),
		zeros + "0001." + zeros + "1010.": NewBitSet(70).Set(1).Set(3).Set(64),
	} {
		if got := b.DumpAsBits(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
