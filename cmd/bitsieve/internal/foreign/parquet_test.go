package foreign

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// users is what usersParquet of the command's tests says.
const users = "../../testdata/users.parquet"

// openBytes opens a file of some content.
func openBytes(t *testing.T, data []byte) *File {
	t.Helper()
	path := t.TempDir() + "/file"
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func usersBytes(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(users)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Two columns may be called the same, a group's and one with a dot in its name.
func TestAmbiguousColumn(t *testing.T) {
	f := openBytes(t, usersBytes(t))
	p := f.filter.(parquetFile)
	if _, err := p.choose("name"); err != nil {
		t.Fatal(err)
	}
	data := bytes.ReplaceAll(usersBytes(t), []byte("free"), []byte("name"))
	p = openBytes(t, data).filter.(parquetFile)
	if _, err := p.choose("name"); err == nil || !strings.Contains(err.Error(), "2 columns") {
		t.Errorf("a name of two columns: %v", err)
	}
}

// A damaged filter is said to be so, and is trouble.
func TestDamagedFilter(t *testing.T) {
	data := usersBytes(t)
	at := openBytes(t, data).filter.(parquetFile).Chunk(1, 0).FilterOffset
	data[at] = 0xff
	f := openBytes(t, data)
	facts, err := f.Facts()
	if damage := (*bitsieve.FormatError)(nil); !errors.As(err, &damage) {
		t.Errorf("a damaged filter: %v", err)
	}
	if len(facts) < 3 {
		t.Errorf("only %d facts", len(facts))
	}
}

// The filters of a file take no more than the file, whatever its footer says.
func TestFiltersOverlap(t *testing.T) {
	a := room(64)
	if err := a.take(64); err != nil {
		t.Error(err)
	}
	if err := a.take(1); err == nil {
		t.Error("more than there is")
	}
}

func TestUUID(t *testing.T) {
	raw, _ := hex.DecodeString("00112233445566778899aabbccddeeff")
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{string(raw), true},
		{"00112233-4455-6677-8899-aabbccddeeff", true},
		{"00112233-4455-6677-8899-AABBCCDDEEFF", true},
		{"00112233445566778899aabbccddeeff", true},
		{"00112233-4455-6677-8899-aabbccddeef", false},
		{"0011223-34455-6677-8899-aabbccddeeff", false},
		{"g0112233-4455-6677-8899-aabbccddeeff", false},
		{"00112233445566778899aabbccddee", false},
	} {
		got, ok := fixedBytes(c.text, 16)
		if ok != c.ok || ok && got != string(raw) {
			t.Errorf("%q: %x, %v", c.text, got, ok)
		}
	}
	if got, ok := fixedBytes("6162", 4); !ok || got != "6162" {
		t.Errorf("%q", got) // as long as a value
	}
	if got, ok := fixedBytes("61626364", 4); !ok || got != "abcd" {
		t.Errorf("%q", got)
	}
}
