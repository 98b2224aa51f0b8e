//go:build unix

package tests

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/zeebo/xxh3"
	"golang.org/x/sys/unix"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
)

func fileMode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestSavePermissions(t *testing.T) {
	dir := t.TempDir()
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	path := filepath.Join(dir, "f")
	for range 2 {
		if err := sampleBlocked(t, 10).Save(path); err != nil {
			t.Fatal(err)
		}
		if got := fileMode(t, path); got != 0o640 {
			t.Errorf("a new file under umask 027 has mode %o, want 640", got)
		}
	}
	for _, want := range []fs.FileMode{0o600, 0o444, 0o666, 0o000} {
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		if err := sampleBlocked(t, 10).Save(path); err != nil {
			t.Fatal(err)
		}
		if got := fileMode(t, path); got != want {
			t.Errorf("an existing file's mode became %o, was %o", got, want)
		}
	}
}

func TestSaveThroughLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	for _, n := range []uint64{10, 1000} { // to nothing, then to a file
		if err := sampleBlocked(t, n).Save(link); err != nil {
			t.Fatal(err)
		}
		if fileMode(t, link)&fs.ModeSymlink == 0 {
			t.Error("the link was replaced")
		}
		wantSame(t, openTemp(t, target), sampleBlocked(t, n))
		wantFiles(t, dir, "link", "target")
	}
}

// A pipe is written to and read from as it is, not replaced.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	saved := make(chan error, 1)
	go func() { saved <- sampleBlocked(t, 1000).Save(pipe) }()
	f := openTemp(t, pipe)
	if err := <-saved; err != nil {
		t.Fatal(err)
	}
	wantSame(t, f, sampleBlocked(t, 1000))
	if fileMode(t, pipe)&fs.ModeNamedPipe == 0 {
		t.Error("the pipe was replaced")
	}
	wantFiles(t, dir, "pipe")
}

// A filter larger than memory opens: nothing is reserved for it.
func TestOpenHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("a sparse file of 64 GiB")
	}
	const blocks = 1 << 30
	if blocks > maxBlocks || binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		t.Skip("too large for this machine")
	}
	header := marshalBlocked(t, mustBlocked(t, 1, 8))[:format.HeaderBytes]
	binary.LittleEndian.PutUint64(header[40:], blocks)
	binary.LittleEndian.PutUint64(header[120:], xxh3.Hash(header[:120]))
	path := filepath.Join(t.TempDir(), "huge")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(header); err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(format.HeaderBytes + blocks*block.Bytes); err != nil {
		t.Skip(err)
	}
	f := openTemp(t, path, WithoutChecksum())
	for i := range uint64(100) {
		if f.TestUint64(i) {
			t.Fatalf("%d is present", i)
		}
		f.AddUint64(i)
		if !f.TestUint64(i) {
			t.Fatalf("%d is absent", i)
		}
	}
}
