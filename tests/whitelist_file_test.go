package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// sampleWhitelist returns one with exceptions of both kinds, keys and a conflict.
func sampleWhitelist(t testing.TB, f Filter) *Whitelist {
	t.Helper()
	w := NewWhitelist(f)
	ints, texts, raw := goldenKeys(1500)
	w.ExceptStrings(texts[:300])
	w.ExceptBytes(raw[:301])
	w.ExceptUint64s(ints[1000:1400])
	w.AddStrings(texts[290:])
	w.AddBytes(raw[400:])
	w.AddUint64s(ints[1399:])
	return w
}

// sampleFilters are what sampleWhitelist wraps: of each kind, with and without a key,
// and of sizes that are no whole blocks.
func sampleFilters(t testing.TB) map[string]Filter {
	filters := map[string]Filter{}
	for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
		name := fmt.Sprintf(" keyed=%v", opts != nil)
		filters["blocked"+name] = mustFilter(t)(NewBlockedWithSize(97, 8, opts...))
		filters["sized blocked"+name] = mustFilter(t)(NewBlocked(3000, 0.01, opts...))
		filters["bloom"+name] = mustFilter(t)(NewBloomWithSize(30_011, 7, opts...))
		filters["bloom of whole blocks"+name] = mustFilter(t)(NewBloomWithSize(512*60, 7, opts...))
	}
	for _, c := range whitelisted[4:] {
		filters[c.name] = c.make(t, 3000, 0.01)
		filters[c.name+" keyed=true"] = c.make(t, 700, 0.2, WithKey(secretKey))
	}
	// Words that are too many, have bits past the last, or are too few.
	words := make([]uint64, 600)
	words[578], words[599] = 1<<63, 1<<63
	filters["bloom over words"], _ = NewBloomFromWords(words, 37_000, 5)
	filters["bloom over few words"], _ = NewBloomFromWords(make([]uint64, 500, 500), 37_000, 5)
	return filters
}

func optionsOf(f Filter) []OpenOption {
	if f.Keyed() {
		return []OpenOption{WithKey(secretKey)}
	}
	return nil
}

// wantSameList checks that two white lists answer alike.
func wantSameList(t *testing.T, got, want *Whitelist) {
	t.Helper()
	ints, texts, raw := goldenKeys(1500)
	for i := range ints {
		if got.TestUint64(ints[i]) != want.TestUint64(ints[i]) || got.TestString(texts[i]) != want.TestString(texts[i]) || got.Test(raw[i]) != want.Test(raw[i]) {
			t.Fatalf("key %d differs", i)
		}
	}
	if got.ExceptionCount() != want.ExceptionCount() || got.ConflictCount() != 0 || want.ConflictCount() == 0 {
		t.Fatalf("%d exceptions and %d conflicts, want %d and 0", got.ExceptionCount(), got.ConflictCount(), want.ExceptionCount())
	}
	gn, gp := got.Capacity()
	wn, wp := want.Capacity()
	if gn != wn || gp != wp || got.K() != want.K() || got.EstimatedCount() != want.EstimatedCount() {
		t.Fatal("what the header says differs")
	}
}

func marshal(t testing.TB, f interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every way to write and to read gives the same.
func TestWhitelistFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for name, f := range sampleFilters(t) {
		t.Run(name, func(t *testing.T) {
			w := sampleWhitelist(t, f)
			opts := optionsOf(f)
			data := marshal(t, w)
			if err := w.Save(path); err != nil {
				t.Fatal(err)
			}
			saved, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(saved, data) || len(data)%64 != 0 {
				t.Fatalf("Save and MarshalBinary differ: %v", err)
			}
			opened, err := OpenWhitelist(path, opts...)
			if err != nil {
				t.Fatal(err)
			}
			wantSameList(t, opened, w)
			any, err := Open(path, opts...)
			if err != nil {
				t.Fatal(err)
			}
			wantSameList(t, any.(*Whitelist), w)
			read, err := ReadWhitelist(bytes.NewReader(append(bytes.Clone(data), 1, 2, 3)), opts...)
			if err != nil {
				t.Fatal(err)
			}
			wantSameList(t, read, w)
			if !bytes.Equal(marshal(t, opened), data) || !bytes.Equal(marshal(t, read), data) {
				t.Error("written again, it differs")
			}
			info, err := InspectFile(path)
			if err != nil || !info.PayloadOK || info.Kind != "whitelist" || info.Exceptions != uint64(w.ExceptionCount()) ||
				info.Inner == "" || info.Keyed != w.Keyed() || info.Fill != opened.Fill() || info.FPRate != opened.FPRate() {
				t.Errorf("InspectFile: %+v, %v", info, err)
			}
			// What is opened can be changed, and the file does not.
			opened.ExceptString("one more")
			opened.AddString("something")
			opened.AddStrings([]string{"one more"})
			if !opened.TestString("something") || !opened.TestString("one more") || opened.ConflictCount() != 1 {
				t.Error("what was opened cannot be changed")
			}
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
			if err := any.Close(); err != nil {
				t.Error(err)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(after, data) {
				t.Error("the file has changed")
			}
			// ReadFrom and UnmarshalBinary replace whatever was there.
			into := NewWhitelist(mustFilter(t)(NewBlockedWithSize(1, 1, keyOf(f)...)))
			into.ExceptString("old")
			if n, err := into.ReadFrom(bytes.NewReader(data)); err != nil || n != int64(len(data)) {
				t.Fatal(n, err)
			}
			wantSameList(t, into, w)
			if !f.Keyed() {
				var zero Whitelist
				if err := zero.UnmarshalBinary(data); err != nil {
					t.Fatal(err)
				}
				wantSameList(t, &zero, w)
				var buf bytes.Buffer
				if err := gob.NewEncoder(&buf).Encode(w); err != nil {
					t.Fatal(err)
				}
				var decoded Whitelist
				if err := gob.NewDecoder(&buf).Decode(&decoded); err != nil {
					t.Fatal(err)
				}
				wantSameList(t, &decoded, w)
				return
			}
			_, err = OpenWhitelist(path)
			if !errors.Is(err, ErrKey) {
				t.Errorf("without the key: %v", err)
			}
			_, err = OpenWhitelist(path, WithKey(fileTestKey))
			if !errors.Is(err, ErrKey) {
				t.Errorf("with another key: %v", err)
			}
		})
	}
}

func keyOf(f Filter) []Option {
	if f.Keyed() {
		return []Option{WithKey(secretKey)}
	}
	return nil
}

// A list without exceptions, and one without byte strings or without integers.
func TestWhitelistFileEmpty(t *testing.T) {
	for _, except := range []func(w *Whitelist){
		func(w *Whitelist) {},
		func(w *Whitelist) { w.ExceptUint64(0) },
		func(w *Whitelist) { w.ExceptString("") },
		func(w *Whitelist) { w.ExceptUint64s([]uint64{1, 2, 3, 4, 5, 6, 7, 8}) },
	} {
		w := NewWhitelist(mustFilter(t)(NewBlockedWithSize(1, 8)))
		except(w)
		w.AddString("a")
		got, err := ReadWhitelist(bytes.NewReader(marshal(t, w)))
		if err != nil || !got.Equal(w) || !got.TestString("a") {
			t.Errorf("%d exceptions: %v", w.ExceptionCount(), err)
		}
	}
	// A filter that lacks words.
	f, err := NewBloomFromWords([]uint64{1<<63 | 1}, 3000, 2)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWhitelist(f)
	w.ExceptString("a")
	got, err := ReadWhitelist(bytes.NewReader(marshal(t, w)))
	if err != nil || got.Fill() != w.Fill() || got.Fill() == 0 || got.ExceptionCount() != 1 {
		t.Errorf("a filter that lacks words: %v", err)
	}
}

// The file is the same on every machine, at every level.
func TestWhitelistGolden(t *testing.T) {
	golden := map[string]string{}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for name, f := range sampleFilters(t) {
			sum := sha256.Sum256(marshal(t, sampleWhitelist(t, f)))
			golden[name] = hex.EncodeToString(sum[:8])
			if golden[name] != goldenWhitelist[name] {
				t.Errorf("%s: digest %s, want %s", name, golden[name], goldenWhitelist[name])
			}
		}
	})
	if t.Failed() {
		t.Logf("%#v", golden)
	}
}

// goldenWhitelist holds the digests of TestWhitelistGolden.
var goldenWhitelist = map[string]string{
	"atomic":                            "a8b6ae04729e1ea0",
	"atomic keyed=true":                 "4511db6d60dc33a7",
	"blocked keyed=false":               "0fd93984e7d67adb",
	"blocked keyed=true":                "27e9551dbed959e8",
	"bloom keyed=false":                 "d7fe6b0dff41aebb",
	"bloom keyed=true":                  "f3c97eaef9181efc",
	"bloom of whole blocks keyed=false": "1844635e7dbca967",
	"bloom of whole blocks keyed=true":  "8844c8f976205fc7",
	"bloom over few words":              "21c7801e1a554002",
	"bloom over words":                  "21c7801e1a554002",
	"counting":                          "8551dfc9977c2a88",
	"counting keyed=true":               "f2966784b6c52a29",
	"scalable":                          "0a34eaa976626652",
	"scalable keyed=true":               "2646282dda583c70",
	"sharded":                           "5989b166d46f675b",
	"sharded keyed=true":                "6bdeb9a429008e7e",
	"spectral":                          "73262b2e5cb1eae7",
	"spectral keyed=true":               "47179cf83b9e420b",
	"sized blocked keyed=false":         "a8b6ae04729e1ea0",
	"sized blocked keyed=true":          "c1c861fe14fdb932",
}

// An AtomicBlocked's bytes are not its integers, and it lies in a file as a Blocked: it
// comes back as one, but for a Whitelist over an AtomicBlocked.
func TestWhitelistAtomicFile(t *testing.T) {
	atomic := mustFilter(t)(NewAtomicBlocked(1000, 0.01))
	w := NewWhitelist(atomic)
	five := le(5)
	w.Add(five[:])
	w.ExceptUint64(5)
	if !w.Test(five[:]) || w.TestUint64(5) {
		t.Error("the exception of an integer denies its bytes")
	}
	data := marshal(t, w)
	if !bytes.Equal(data, marshal(t, func() *Whitelist {
		w := NewWhitelist(atomic.(*AtomicBlocked).Blocked())
		w.ExceptUint64(5)
		return w
	}())) {
		t.Error("the file is not that over a Blocked")
	}
	read, err := ReadWhitelist(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := read.Filter().(*Blocked); !ok || !read.Test(five[:]) || read.TestUint64(5) {
		t.Errorf("read as a %T", read.Filter())
	}
	if err := w.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.Filter().(*AtomicBlocked); !ok || !w.Test(five[:]) || w.TestUint64(5) || w.ExceptionCount() != 1 {
		t.Errorf("decoded as a %T", w.Filter())
	}
}

// What files cannot hold.
func TestWhitelistUnsupported(t *testing.T) {
	inner := NewWhitelist(mustFilter(t)(NewBlockedWithSize(1, 1)))
	for _, f := range []Filter{inner, whitelisted[3].make(t, 10, 0.1)} {
		w := NewWhitelist(f)
		_, err := w.MarshalBinary()
		path := filepath.Join(t.TempDir(), "f")
		if saveErr := w.Save(path); !errors.Is(err, errors.ErrUnsupported) || !errors.Is(saveErr, errors.ErrUnsupported) {
			t.Errorf("%T: %v, %v", f, err, saveErr)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%T: there is a file", f)
		}
	}
}

// Damage, with both checksums made right: each is a complete FormatError.
func TestWhitelistDamage(t *testing.T) {
	w := NewWhitelist(mustFilter(t)(NewBlockedWithSize(2, 8)))
	w.ExceptUint64s([]uint64{3, 5})
	w.ExceptStrings([]string{"a", "bc"})
	good := marshal(t, w)
	const (
		header = format.HeaderBytes
		inner  = header
		list   = inner + header + 2*64
	)
	if len(good) != list+64 {
		t.Fatalf("%d bytes", len(good))
	}
	bloom := NewWhitelist(mustFilter(t)(NewBloomWithSize(512, 3)))
	bloom.ExceptString("1234567") // with its length, as long as an integer
	le := binary.LittleEndian
	for name, c := range map[string]struct {
		data []byte
		edit func(b []byte)
		want error
		at   int64
	}{
		"no inner file":          {good, func(b []byte) { clear(b[inner : inner+8]) }, ErrNotFilter, inner},
		"inner header":           {good, func(b []byte) { b[inner+56]++ }, ErrChecksum, inner},
		"another k inside":       {good, func(b []byte) { b[inner+20]++; rightHeader(b[inner:]) }, ErrHeader, inner},
		"another key inside":     {good, func(b []byte) { le.PutUint32(b[inner+24:], 2); rightHeader(b[inner:]) }, ErrHeader, inner},
		"another capacity":       {good, func(b []byte) { b[56]++ }, ErrHeader, inner},
		"a shard inside":         {good, func(b []byte) { b[inner+12] = 7; rightHeader(b[inner:]) }, ErrKind, inner},
		"a whitelist inside":     {good, func(b []byte) { b[inner+12] = 8; rightHeader(b[inner:]) }, ErrKind, inner},
		"an unknown kind inside": {good, func(b []byte) { b[inner+12] = 99; rightHeader(b[inner:]) }, ErrKind, inner + 12},
		"a larger filter inside": {good, func(b []byte) { b[inner+40] = 4; rightHeader(b[inner:]) }, ErrTruncated, inner + header},
		"one key more":           {good, func(b []byte) { b[88]++ }, ErrHeader, list + 16 + 5},
		"one integer more":       {good, func(b []byte) { b[96]++ }, ErrHeader, 0},
		"one byte more":          {good, func(b []byte) { b[104]++ }, ErrHeader, 0},
		"2^64-1 keys":            {good, func(b []byte) { le.PutUint64(b[88:], 1<<64-1) }, ErrHeader, list},
		"2^64-1 integers":        {good, func(b []byte) { le.PutUint64(b[96:], 1<<64-1) }, ErrHeader, list},
		"2^64-1 bytes":           {good, func(b []byte) { le.PutUint64(b[104:], 1<<64-1) }, ErrHeader, list},
		"a fourth integer":       {good, func(b []byte) { b[112] = 1 }, ErrHeader, 0},
		"integers out of order":  {good, func(b []byte) { b[list] = 6 }, ErrHeader, list + 8},
		"a length too large":     {good, func(b []byte) { b[list+16+2] = 9 }, ErrHeader, list + 16 + 2},
		"keys out of order":      {good, func(b []byte) { b[list+16+1] = 'c' }, ErrHeader, list + 16 + 2},
		"bytes after the last":   {good, func(b []byte) { b[list+40] = 1 }, ErrHeader, list + 40},
		"integers of a bloom": {marshal(t, bloom), func(b []byte) {
			le.PutUint64(b[96:], 1)
			le.PutUint64(b[104:], 0)
		}, ErrHeader, 0},
		"a block too many": {append(bytes.Clone(good), make([]byte, 64)...), func(b []byte) { b[40]++ }, ErrTrailingData, list + 24},
	} {
		b := bytes.Clone(c.data)
		c.edit(b)
		rightSums(b)
		var into Whitelist
		err := into.UnmarshalBinary(b)
		wantFormatError(t, err, c.want, name)
		var fe *FormatError
		if errors.As(err, &fe); c.at != 0 && fe.Offset != c.at {
			t.Errorf("%s: %v, want at byte %d", name, err, c.at)
		}
		// What was there stays.
		before := NewWhitelist(mustFilter(t)(NewBlockedWithSize(1, 8)))
		before.ExceptString("old")
		if err := before.UnmarshalBinary(b); err == nil || before.ExceptionCount() != 1 || before.TestString("old") {
			t.Errorf("%s: what was there is gone", name)
		}
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		for what, open := range map[string]func() error{
			"OpenWhitelist": func() error { _, err := OpenWhitelist(path); return err },
			"Open":          func() error { _, err := Open(path); return err },
			"InspectFile":   func() error { _, err := InspectFile(path); return err },
		} {
			wantFormatError(t, open(), c.want, name+", "+what)
		}
	}
	for n := range len(good) {
		if err := new(Whitelist).UnmarshalBinary(good[:n]); err == nil {
			t.Errorf("%d bytes are enough", n)
		}
	}
	if _, err := OpenBlocked(saveList(t, w)); !errors.Is(err, ErrKind) {
		t.Errorf("OpenBlocked: %v", err)
	}
}

func saveList(t *testing.T, w *Whitelist) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	if err := w.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// rightHeader makes a header's checksum right, rightSums both of a file.
func rightHeader(b []byte) { binary.LittleEndian.PutUint64(b[120:], xxh3.Hash(b[:120])) }

func rightSums(b []byte) {
	binary.LittleEndian.PutUint64(b[72:], xxh3.Hash(b[format.HeaderBytes:]))
	rightHeader(b)
}

// FuzzReadWhitelist reads arbitrary files whose checksums are right, inner ones too:
// nothing panics, and what is accepted works and is written as it was.
func FuzzReadWhitelist(f *testing.F) {
	for _, inner := range sampleFilters(f) {
		if inner.SizeBytes() < 8000 && !inner.Keyed() {
			f.Add(marshal(f, sampleWhitelist(f, inner)))
		}
	}
	small := NewWhitelist(mustFilter(f)(NewBlockedWithSize(1, 8)))
	small.ExceptStrings([]string{"", "a", "b"})
	small.ExceptUint64(7)
	f.Add(marshal(f, small))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 2*format.HeaderBytes {
			data = bytes.Clone(data)
			const magic = "\x89BSV\r\n\x1a\n\x01\x00\x00\x00"
			copy(data, magic)
			copy(data[format.HeaderBytes:], magic)
			rightHeader(data[format.HeaderBytes:])
			rightSums(data)
		}
		w, err := ReadWhitelist(bytes.NewReader(data))
		if err != nil {
			var fe *FormatError
			if !errors.As(err, &fe) && !errors.Is(err, ErrKey) {
				t.Fatalf("error %v of type %T", err, err)
			}
			return
		}
		keys, ints := w.Exceptions()
		if len(keys)+len(ints) != w.ExceptionCount() || w.TestBytes(keys, nil)+w.TestUint64s(ints, nil) != 0 {
			t.Fatal("an exception passes")
		}
		// The number of keys in the headers is an estimate, and may be anything; so may the
		// checksums of a Scalable's stages, which the outer one makes superfluous.
		again := marshal(t, w)
		if _, ok := w.Filter().(*Scalable); ok {
			back, err := ReadWhitelist(bytes.NewReader(again))
			if err != nil || !back.Equal(w) {
				t.Fatalf("written and read again, it differs: %v", err)
			}
		} else if len(again) > len(data) || !slices.Equal(again[2*format.HeaderBytes:], data[2*format.HeaderBytes:len(again)]) {
			t.Fatal("written again, it differs")
		}
		if w.K() > 100 {
			return // adding takes long
		}
		w.AddBytes(keys)
		w.AddUint64s(ints)
		w.AddString("any")
		if w.ConflictCount() != len(keys)+len(ints) && !slices.ContainsFunc(keys, func(k []byte) bool { return string(k) == "any" }) ||
			w.TestBytes(keys, nil) != len(keys) || w.TestUint64s(ints, nil) != len(ints) || !w.TestString("any") {
			t.Fatal("an added key is denied")
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
