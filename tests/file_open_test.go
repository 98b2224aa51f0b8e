package tests

import (
	"os"
	"path/filepath"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// Open gives a filter of the kind that was saved.
func TestOpen(t *testing.T) {
	for _, f := range []Filter{
		mustBlocked(t, 100, 8),
		mustBlocked(t, 100, 8, WithKey(secretKey)),
		mustBloom(t, 1000, 7),
	} {
		f.AddString("a")
		path := filepath.Join(t.TempDir(), "f")
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		var opts []OpenOption
		if f.Keyed() {
			opts = append(opts, WithKey(secretKey))
		}
		g, err := Open(path, opts...)
		if err != nil {
			t.Fatal(err)
		}
		switch g := g.(type) {
		case *Blocked:
			if want, ok := f.(*Blocked); !ok || !g.Equal(want) {
				t.Errorf("%T was saved, another %T opened", f, g)
			}
		case *Bloom:
			if want, ok := f.(*Bloom); !ok || !g.Equal(want) {
				t.Errorf("%T was saved, another %T opened", f, g)
			}
		default:
			t.Errorf("%T was saved, %T opened", f, g)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What is no filter is refused, as is what is damaged, by name.
func TestOpenOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	file, err := format.Append(nil, format.NewHeader(format.Shard, 8, hash.Hasher{}), make([]uint64, 8))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"a shard", file, ErrKind},
		{"cut short", file[:150], ErrTruncated},
		{"empty", nil, ErrTruncated},
	} {
		if err := os.WriteFile(path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		wantFormatError(t, err, c.want, c.name)
		if f != nil {
			t.Errorf("%s: a filter in spite of the error", c.name)
		}
	}
	if _, err := Open(path, WithKey(secretKey[:5])); err == nil {
		t.Error("a short key is accepted")
	}
}
