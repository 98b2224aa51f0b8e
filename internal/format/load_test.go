package format

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int{0, 1, 4095, 4096, 100_000} {
		want := bytes.Repeat([]byte{0xa5}, size)
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		data, m, err := Load(path)
		if err != nil || !bytes.Equal(data, want) {
			t.Fatalf("%d bytes: %d bytes read, %v", size, len(data), err)
		}
		if size > 0 {
			data[0] = 0 // private to the process
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, want) {
			t.Errorf("%d bytes: the file was changed", size)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing")} {
		if _, _, err := Load(path); err == nil {
			t.Errorf("Load(%s) succeeded", path)
		}
	}
}
