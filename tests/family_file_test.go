package tests

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The contract of Filter's files, for all types of the family alike.

// Whatever writes a filter writes the same bytes, and whatever reads them gives it back.
func TestFamilyFiles(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		eachMember(t, func(t *testing.T, m member, opts ...Option) {
			f := filled(t, m, opts...)
			open := optionsOf(f)
			data := marshal(t, f)
			path := filepath.Join(t.TempDir(), "f")
			if err := f.Save(path); err != nil {
				t.Fatal(err)
			}
			var stream, encoded bytes.Buffer
			n, err := f.WriteTo(&stream)
			if err != nil || n != int64(stream.Len()) || !bytes.Equal(stream.Bytes(), data) || !bytes.Equal(readFile(t, path), data) {
				t.Errorf("Save, WriteTo and MarshalBinary differ: %d, %v", n, err)
			}
			if b, err := f.AppendBinary([]byte("before")); err != nil || !bytes.Equal(b, append([]byte("before"), data...)) {
				t.Errorf("AppendBinary: %v", err)
			}
			if err := gob.NewEncoder(&encoded).Encode(f); err != nil {
				t.Error(err)
			}

			made := func() Filter { return m.must(t, 1000, 0.3, opts...) }
			for how, read := range map[string]func() (Filter, error){
				"Open of the type": func() (Filter, error) { return m.open(path, open...) },
				"unchecked":        func() (Filter, error) { return m.open(path, append(open, WithoutChecksum())...) },
				"Open":             func() (Filter, error) { return Open(path, open...) },
				"Read":             func() (Filter, error) { return m.read(bytes.NewReader(append(bytes.Clone(data), "after"...)), open...) },
				"ReadFrom": func() (Filter, error) {
					g := made()
					n, err := g.ReadFrom(bytes.NewReader(append(bytes.Clone(data), "after"...)))
					if n != int64(len(data)) {
						t.Errorf("ReadFrom took %d bytes of %d", n, len(data))
					}
					return g, err
				},
				"UnmarshalBinary": func() (Filter, error) { g := made(); return g, g.UnmarshalBinary(bytes.Clone(data)) },
				"gob": func() (Filter, error) {
					g := made()
					return g, gob.NewDecoder(bytes.NewReader(encoded.Bytes())).Decode(g)
				},
				"the zero value": func() (Filter, error) {
					if opts != nil {
						return m.clone(f), nil // has no key
					}
					g := m.zero()
					return g, g.UnmarshalBinary(data)
				},
			} {
				g, err := read()
				if err != nil {
					t.Errorf("%s: %v", how, err)
					continue
				}
				if !bytes.Equal(marshal(t, g), data) {
					t.Errorf("%s: written again, it differs", how)
				}
				if sameType := fmt.Sprintf("%T", g) == fmt.Sprintf("%T", f); m.isFile || how != "Open" {
					if !m.isFile && !m.equal(f, g) {
						t.Errorf("%s: another filter", how)
					}
				} else if !sameType {
					t.Errorf("%s: a %T", how, g)
				}
				for _, k := range keyKinds {
					if k.testAll(g, span(1, 70), nil) != 69 {
						t.Errorf("%s: some %s are denied", how, k.name)
					}
				}
				// What was read can be added to, and nothing else changes.
				g.AddString("more")
				if !g.TestString("more") || !bytes.Equal(readFile(t, path), data) || !bytes.Equal(marshal(t, f), data) {
					t.Errorf("%s: adding to it", how)
				}
				if err := g.Close(); err != nil {
					t.Errorf("%s: %v", how, err)
				}
			}
		})
	})
}

// InspectFile describes the file of every type as the filter describes itself.
func TestFamilyInspect(t *testing.T) {
	eachMember(t, func(t *testing.T, m member, opts ...Option) {
		f := filled(t, m, opts...)
		path := filepath.Join(t.TempDir(), "f")
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		info, err := InspectFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n, p := f.Capacity()
		exceptions := uint64(0)
		if m.lists {
			exceptions = 40
		}
		if !info.HeaderOK || !info.PayloadOK || info.Kind != m.kind || info.K != f.K() || info.Keyed != f.Keyed() || info.Capacity != n || info.Rate != p ||
			info.Items != f.EstimatedCount() || info.Fill != f.Fill() || info.FPRate != f.FPRate() || info.Exceptions != exceptions ||
			(info.Inner != "") != m.lists || info.Hash == "" || info.Size != int64(format.HeaderBytes+64*info.Blocks) || 64*info.Blocks < f.SizeBytes() {
			t.Errorf("%+v", info)
		}
	})
}

// Another key, none where there is one, and one where there is none: each is an error
// that wraps ErrKey, and leaves the filter that reads as it was.
func TestFamilySecretKeys(t *testing.T) {
	other := WithKey([]byte("another key of thirty-two bytes!"))
	for _, m := range family() {
		for _, c := range []struct {
			name       string
			made, read []Option
		}{
			{"another key", []Option{WithKey(secretKey)}, []Option{other}},
			{"no key", []Option{WithKey(secretKey)}, nil},
			{"a key that is not needed", nil, []Option{other}},
		} {
			f := filled(t, m, c.made...)
			data := marshal(t, f)
			path := filepath.Join(t.TempDir(), "f")
			if err := f.Save(path); err != nil {
				t.Fatal(err)
			}
			var open []OpenOption
			for _, o := range c.read {
				open = append(open, o)
			}
			g := filled(t, m, c.read...)
			before := marshal(t, g)
			_, openErr := m.open(path, open...)
			_, anyErr := Open(path, open...)
			_, readErr := m.read(bytes.NewReader(data), open...)
			_, fromErr := g.ReadFrom(bytes.NewReader(data))
			for how, err := range map[string]error{
				"Open of the type": openErr, "Open": anyErr, "Read": readErr, "ReadFrom": fromErr, "UnmarshalBinary": g.UnmarshalBinary(data),
			} {
				if !errors.Is(err, ErrKey) {
					t.Errorf("%s, %s: %s: %v", m.name, c.name, how, err)
				}
			}
			if !bytes.Equal(marshal(t, g), before) {
				t.Errorf("%s, %s: the filter changed", m.name, c.name)
			}
		}
		// No other type takes the file.
		for _, reader := range family()[:6] {
			if reader.kind == m.kind {
				continue
			}
			if _, err := reader.read(bytes.NewReader(marshal(t, filled(t, m)))); !errors.Is(err, ErrKind) {
				t.Errorf("%s read as %s: %v", m.name, reader.name, err)
			}
		}
	}
}

// Files that end too early, and files of which a bit is lost, are errors of type
// *FormatError wherever they are read, and leave the filter that reads as it was. Where
// the payload is not checked, nothing panics.
func TestFamilyDamage(t *testing.T) {
	eachMember(t, func(t *testing.T, m member, opts ...Option) {
		if testing.Short() && m.lists && opts != nil {
			return
		}
		f := filled(t, m, opts...)
		open := optionsOf(f)
		data := marshal(t, f)
		g := m.must(t, 60, 0.05, opts...)
		g.AddString("kept")
		before := marshal(t, g)
		path := filepath.Join(t.TempDir(), "f")
		refuse := func(what string, bad []byte, onDisk bool) {
			t.Helper()
			_, readErr := m.read(bytes.NewReader(bad), open...)
			errs := map[string]error{"UnmarshalBinary": g.UnmarshalBinary(bad), "Read": readErr}
			if onDisk {
				if err := os.WriteFile(path, bad, 0o600); err != nil {
					t.Fatal(err)
				}
				_, errs["Open of the type"] = m.open(path, open...)
				_, errs["Open"] = Open(path, open...)
				_, errs["InspectFile"] = InspectFile(path)
			}
			for how, err := range errs {
				var fe *FormatError
				if !errors.As(err, &fe) {
					t.Errorf("%s: %s: %v", what, how, err)
				}
			}
		}
		for i := 0; i < len(data); i += 37 {
			refuse(fmt.Sprintf("%d bytes of %d", i, len(data)), data[:i], i%5 == 0)
		}
		for i := 0; i < len(data); i += 41 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << (i % 8)
			refuse(fmt.Sprintf("bit %d of byte %d", i%8, i), bad, i%5 == 0)
			if i%5 > 0 {
				continue
			}
			g, err := m.open(path, append(open, WithoutChecksum())...)
			if err != nil {
				continue
			}
			for _, k := range keyKinds {
				k.testAll(g, span(1, 70), nil)
				k.testAndAddAll(g, span(1, 70), nil)
			}
			g.FPRate()
			if err := g.Close(); err != nil || i < format.HeaderBytes {
				t.Errorf("bit %d of byte %d: opened, %v", i%8, i, err)
			}
		}
		if err := g.UnmarshalBinary(append(bytes.Clone(data), 0)); !errors.Is(err, ErrTrailingData) {
			t.Errorf("a byte follows: %v", err)
		}
		if !bytes.Equal(marshal(t, g), before) {
			t.Error("the filter changed")
		}
	})
}
