package tests

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
)

// FuzzOpenBlocked opens arbitrary files, as they are and with both checksums made
// right: every way to read them says the same, and what is accepted works.
func FuzzOpenBlocked(f *testing.F) {
	f.Add(marshalBlocked(f, patternedBlocked(f, 2, nil)))
	f.Add(marshalBlocked(f, patternedBlocked(f, 1, fileTestKey)))
	f.Add(marshalBlocked(f, patternedBlocked(f, 1, nil))[:format.HeaderBytes])
	path := filepath.Join(f.TempDir(), "f")
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzOpen(t, path, data)
		if len(data) > format.HeaderBytes {
			le := binary.LittleEndian
			data = bytes.Clone(data)
			copy(data, "\x89BSV\r\n\x1a\n\x01\x00\x00\x00")
			le.PutUint64(data[72:], xxh3.Hash(data[format.HeaderBytes:]))
			le.PutUint64(data[120:], xxh3.Hash(data[:120]))
			fuzzOpen(t, path, data)
		}
	})
}

func fuzzOpen(t *testing.T, path string, data []byte) {
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	info, inspectErr := InspectFile(path)
	if info.Size != int64(len(data)) || info.PayloadOK != (inspectErr == nil) || info.PayloadOK && !info.HeaderOK {
		t.Fatalf("InspectFile: %+v, %v", info, inspectErr)
	}
	if info.PayloadOK && !(info.Fill >= 0 && info.Fill <= 1 && info.FPRate >= 0 && info.FPRate <= 1) {
		t.Fatalf("InspectFile: %+v", info)
	}
	opened := 0
	for _, key := range [][]OpenOption{nil, {WithKey(fileTestKey)}} {
		f, err := OpenBlocked(path, key...)
		g, skipErr := OpenBlocked(path, append(key, WithoutChecksum())...)
		if skipErr != nil && err == nil {
			t.Fatalf("refused only without a checksum: %v", skipErr)
		}
		if err != nil && skipErr == nil && !errors.Is(err, ErrChecksum) {
			t.Fatalf("accepted without a checksum in spite of %v", err)
		}
		_, readErr := ReadBlocked(bytes.NewReader(data), key...)
		if err == nil != (readErr == nil) && !errors.Is(err, ErrTrailingData) {
			t.Fatalf("OpenBlocked: %v, ReadBlocked: %v", err, readErr)
		}
		if err != nil {
			var fe *FormatError
			if !errors.As(err, &fe) && !errors.Is(err, ErrKey) || !strings.Contains(err.Error(), path) {
				t.Fatalf("error %v of type %T", err, err)
			}
		}
		if err == nil {
			opened++
			if inspectErr != nil || info.Kind != "blocked" || info.Keyed != (key != nil) ||
				info.Blocks != f.Blocks() || info.K != f.K() {
				t.Fatalf("InspectFile: %+v, %v", info, inspectErr)
			}
			if !bytes.Equal(marshalBlocked(t, f)[format.HeaderBytes:], data[format.HeaderBytes:]) {
				t.Fatal("written again, the payload differs")
			}
			f.TestHashes([]uint64{0, math.MaxUint64}, nil)
			f.AddString("any")
			if !f.TestString("any") {
				t.Fatal("an added key is missing")
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if skipErr == nil {
			g.AddUint64(1)
			if !g.TestUint64(1) {
				t.Fatal("an added key is missing")
			}
			if err := g.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if opened > 1 {
		t.Fatal("opened with a key and without")
	}
}
