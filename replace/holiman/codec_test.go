package v2

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/bitsieve/bitsieve"
)

const golden = "00000000000000007630320a030000000000000003000000000000006400000000000000010000000000000005000000" +
	"00000080efcdab896745230102800000040002802002204000000000940cd2f72836173859d08b5f6b01db6c09d693e0" +
	"ffb0a324d4c167248bc182300b842ef15d9944eb4c16f885314354ff"

// TestGolden holds the binary form to bytes that v2.0.3 of the peer wrote:
// NewWithKeys(100, []uint64{1, 1<<63 + 5, 0x0123456789abcdef}), AddHash of 0, 1 and
// 0xdeadbeef.
func TestGolden(t *testing.T) {
	f, err := NewWithKeys(100, []uint64{1, 1<<63 + 5, 0x0123456789abcdef})
	if err != nil {
		t.Fatal(err)
	}
	f.AddHashes([]uint64{0, 1, 0xdeadbeef})
	got, _ := f.MarshalBinary()
	want, err := hex.DecodeString(golden)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("binary form %x, want %s", got, golden)
	}
}

// readers are what takes bytes from outside.
var readers = map[string]func(f *Filter, data []byte) error{
	"UnmarshalBinary": (*Filter).UnmarshalBinary,
	"stream": func(f *Filter, data []byte) error {
		_, err := f.UnmarshalFromReader(iotest.HalfReader(bytes.NewReader(data)))
		return err
	},
	"ReadFrom": func(f *Filter, data []byte) error { _, err := f.ReadFrom(bytes.NewReader(data)); return err },
	"JSON":     (*Filter).UnmarshalJSON,
}

func TestUnmarshalFromReader(t *testing.T) {
	for _, m := range []uint64{2, 64, 65, 100_000, 20 << 20} {
		f, _ := filled(t, m, 5, 100)
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]io.Reader{
			"buffer":   bytes.NewReader(append(bytes.Clone(data), "rest"...)),
			"halves":   iotest.HalfReader(bytes.NewReader(data)),
			"data+EOF": iotest.DataErrReader(bytes.NewReader(data)),
		} {
			var g Filter
			n, err := g.UnmarshalFromReader(r)
			if err != nil || n != int64(len(data)) {
				t.Fatalf("m = %d, %s: %d bytes of %d, %v", m, name, n, len(data), err)
			}
			if again, _ := g.MarshalBinary(); !bytes.Equal(again, data) {
				t.Errorf("m = %d, %s: another filter", m, name)
			}
			g.AddHash(7)
			if !g.ContainsHash(7) {
				t.Errorf("m = %d, %s: cannot be added to", m, name)
			}
		}
	}
}

// TestTruncated cuts the binary form everywhere.
func TestTruncated(t *testing.T) {
	f, _ := filled(t, 1000, 3, 100)
	data, _ := f.MarshalBinary()
	for n := range data {
		err := f.UnmarshalBinary(data[:n])
		var fe *bitsieve.FormatError
		switch {
		case n == 0:
			if err != io.EOF {
				t.Errorf("nothing: %v", err)
			}
		case !errors.Is(err, bitsieve.ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &fe) || fe.Offset != int64(n):
			t.Errorf("%d bytes of %d: %v", n, len(data), err)
		}
	}
	if again, _ := f.MarshalBinary(); !bytes.Equal(again, data) {
		t.Error("an error changed the filter")
	}
}

// TestCorrupt flips each bit.
func TestCorrupt(t *testing.T) {
	f, _ := filled(t, 300, 3, 100)
	data, _ := f.MarshalBinary()
	for i := range 8 * len(data) {
		data[i/8] ^= 1 << (i % 8)
		err := f.UnmarshalBinary(data)
		data[i/8] ^= 1 << (i % 8)
		var fe *bitsieve.FormatError
		if !errors.As(err, &fe) {
			t.Fatalf("bit %d flipped: %v", i, err)
		}
	}
	if again, _ := f.MarshalBinary(); !bytes.Equal(again, data) {
		t.Error("an error changed the filter")
	}
}

// header returns the start of a binary form that claims k keys and m bits.
func header(k, m uint64) []byte {
	data := append([]byte(magic), make([]byte, 24)...)
	binary.LittleEndian.PutUint64(data[len(magic):], k)
	binary.LittleEndian.PutUint64(data[len(magic)+16:], m)
	return data
}

// sealed returns data with its SHA-384.
func sealed(data []byte) []byte {
	sum := sha512.Sum384(data)
	return append(data, sum[:]...)
}

// TestMagic changes each byte of the magic, the version's included, under a sum that is right.
func TestMagic(t *testing.T) {
	f, _ := filled(t, 300, 3, 100)
	data, _ := f.MarshalBinary()
	data = data[:len(data)-sha512.Size384]
	for i := range magic {
		data[i] ^= 1
		var fe *bitsieve.FormatError
		if err := f.UnmarshalBinary(sealed(data[:len(data):len(data)])); !errors.As(err, &fe) || fe.Field != "magic" {
			t.Errorf("byte %d changed: %v", i, err)
		}
		data[i] ^= 1
	}
}

// TestKeys has keys that are not distinct, and keys that change after the call.
func TestKeys(t *testing.T) {
	if _, err := NewWithKeys(100, []uint64{1, 2, 3, 2}); !errors.Is(err, bitsieve.ErrParameter) {
		t.Errorf("a key twice: %v", err)
	}
	keys := []uint64{1, 2, 3}
	f, err := NewWithKeys(100, keys)
	if err != nil {
		t.Fatal(err)
	}
	f.AddHash(5)
	if keys[0] = 99; !f.ContainsHash(5) {
		t.Error("the keys are the caller's")
	}
}

func TestHostileHeaders(t *testing.T) {
	for _, c := range []struct {
		k, m uint64
		want error
	}{
		{0, 100, bitsieve.ErrHeader}, {1, 0, bitsieve.ErrHeader}, {1, 1, bitsieve.ErrHeader},
		{maxK + 1, 100, bitsieve.ErrHeader}, {1 << 63, 100, bitsieve.ErrHeader},
		{maxK, 100, bitsieve.ErrTruncated}, {1, 1 << 40, bitsieve.ErrTruncated},
		{1, 1<<64 - 1, bitsieve.ErrTruncated}, {1, 1 << 63, bitsieve.ErrTruncated},
	} {
		data := append(header(c.k, c.m), make([]byte, 1000)...)
		for name, read := range map[string]func(f *Filter, data []byte) error{"UnmarshalBinary": readers["UnmarshalBinary"], "stream": readers["stream"]} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read(new(Filter), data)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, c.want) && !(errors.Is(err, bitsieve.ErrHeader) && runtime.GOARCH == "386") {
				t.Errorf("k = %d, m = %d, %s: %v, want %v", c.k, c.m, name, err, c.want)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 300_000 {
				t.Errorf("k = %d, m = %d, %s: %d bytes allocated for %d", c.k, c.m, name, got, len(data))
			}
		}
	}
}

func TestJSON(t *testing.T) {
	f, _ := filled(t, 130, 2, 10)
	data, _ := f.MarshalJSON()
	for _, c := range []string{
		`{}`, `[]`, `null`, `{"version":"v01\n"}`,
		`{"version":"v02\n","bits":[1],"keys":[1],"m":65,"n":0}`,
		`{"version":"v02\n","bits":[1,2],"keys":[1],"m":64,"n":0}`,
		`{"version":"v02\n","bits":[1],"keys":[],"m":64,"n":0}`,
		`{"version":"v02\n","bits":[],"keys":[1],"m":0,"n":0}`,
		`{"version":"v02\n","bits":[1],"keys":[1],"m":18446744073709551615,"n":0}`,
		`{"version":"v02\n","bits":[-1],"keys":[1],"m":64,"n":0}`,
	} {
		if f.UnmarshalJSON([]byte(c)) == nil {
			t.Errorf("%s is no error", c)
		}
	}
	if again, _ := f.MarshalJSON(); !bytes.Equal(again, data) {
		t.Error("an error changed the filter")
	}
	var zero Filter
	data, _ = zero.MarshalJSON()
	if err := f.UnmarshalJSON(data); err != nil || f.M() != 0 {
		t.Errorf("%s: %v", data, err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	f, hashes := filled(t, 10_000, 4, 100)
	name := filepath.Join(dir, "filter.bf.gz")
	n, err := f.WriteFile(name)
	if err != nil {
		t.Fatal(err)
	}
	g, n2, err := ReadFile(name)
	if err != nil || n != n2 || g.ContainsHashes(hashes, nil) != len(hashes) {
		t.Errorf("%d bytes written, %d read, %v", n, n2, err)
	}
	if _, err := f.WriteFile(filepath.Join(dir, "no", "folder")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, _, err := ReadFile(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data { // the last bytes are the end of the gzip stream, which nobody reads
		g, _, err := ReadFrom(bytes.NewReader(data[:i]))
		if err == nil != (g != nil) || err == nil && (i < len(data)-16 || !g.IsCompatible(f)) {
			t.Fatalf("%d bytes of %d are a filter", i, len(data))
		}
	}
}

// failing accepts n bytes.
type failing struct{ n int }

func (w *failing) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestWriteErrors has every write fail once: none may be lost.
func TestWriteErrors(t *testing.T) {
	f, _ := filled(t, 300_000, 4, 10_000)
	var whole bytes.Buffer
	if _, err := f.WriteTo(&whole); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < whole.Len(); n += 1 + n/2 {
		if _, err := f.WriteTo(&failing{n}); err == nil {
			t.Errorf("WriteTo hides an error after %d bytes", n)
		}
		if _, _, err := f.MarshallToWriter(&failing{n}); err == nil {
			t.Errorf("MarshallToWriter hides an error after %d bytes", n)
		}
	}
	if _, err := f.WriteTo(&failing{whole.Len() - 1}); err == nil {
		t.Error("WriteTo hides an error of the last byte")
	}
}

func FuzzRead(f *testing.F) {
	for _, m := range []uint64{2, 65, 1000} {
		g, _ := filled(f, m, 3, 10)
		data, _ := g.MarshalBinary()
		f.Add(data)
		f.Add(data[:len(data)/2])
		data, _ = g.MarshalJSON()
		f.Add(data)
		var b bytes.Buffer
		g.WriteTo(&b)
		f.Add(b.Bytes())
	}
	for _, c := range [][2]uint64{{1, 1 << 40}, {1 << 40, 64}, {0, 0}, {1, 1<<64 - 1}} {
		f.Add(sealed(append(header(c[0], c[1]), make([]byte, 64)...)))
	}
	f.Add(sealed(append(header(2, 64), make([]byte, 24)...))) // the same key twice
	f.Add([]byte(`{"version":"v02\n","bits":[1],"keys":[1],"m":65,"n":0}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, read := range readers {
			g, _ := filled(t, 70, 2, 5)
			before, _ := g.MarshalBinary()
			if err := read(g, data); err != nil {
				if after, _ := g.MarshalBinary(); !bytes.Equal(before, after) {
					t.Fatalf("%s: an error changed the filter: %v", name, err)
				}
				continue
			}
			hits := g.ContainsHash(1)
			written, _ := g.MarshalBinary()
			if name == "UnmarshalBinary" && !bytes.HasPrefix(data, written) {
				t.Fatal("the filter is written as other bytes")
			}
			if g.M() == 0 {
				continue // JSON has the zero value, which the binary form refuses
			}
			var again Filter
			if err := again.UnmarshalBinary(written); err != nil {
				t.Fatalf("%s: what is written cannot be read: %v", name, err)
			}
			if again.ContainsHash(1) != hits || again.ContainsHashes([]uint64{1}, nil) == 1 != hits {
				t.Fatalf("%s: other answers after reading again", name)
			}
			g.AddHash(1)
			if !g.ContainsHash(1) {
				t.Fatalf("%s: a hash is missing", name)
			}
		}
	})
}
