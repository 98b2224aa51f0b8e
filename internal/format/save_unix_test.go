//go:build unix

package format

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/bitsieve/bitsieve/internal/hash"
)

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// temporary returns the one temporary file in a folder.
func temporary(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".bitsieve-*.tmp"))
	if err != nil || len(names) != 1 {
		t.Fatalf("temporary files %q, %v, want one", names, err)
	}
	return names[0]
}

func TestSavePermissions(t *testing.T) {
	dir := t.TempDir()
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	path := filepath.Join(dir, "f")
	// save returns the temporary file's mode while it is written.
	save := func() (during fs.FileMode) {
		t.Helper()
		err := Save(path, func(w io.Writer) (int64, error) {
			during = mode(t, temporary(t, dir))
			return text("x")(w)
		})
		if err != nil {
			t.Fatal(err)
		}
		return during
	}
	if during := save(); during != 0o640 || mode(t, path) != 0o640 {
		t.Errorf("a new file under umask 027 has mode %o, at first %o, want 640", mode(t, path), during)
	}
	for _, want := range []fs.FileMode{0o600, 0o444, 0o666, 0o000, 0o777, 0o007} {
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		during := save()
		if got := mode(t, path); got != want {
			t.Errorf("an existing file's mode became %o, was %o", got, want)
		}
		if during&0o077 != 0 {
			t.Errorf("the temporary file for one of mode %o has mode %o at first", want, during)
		}
	}
	if err := os.Chmod(path, 0o755|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	save()
	if got := mode(t, path); got != 0o755 {
		t.Errorf("mode %v, want 755 and no more", got)
	}
}

func TestSaveThroughLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{
		"link":     "chain",
		"chain":    filepath.Join(dir, "a", "target"), // absolute
		"folder":   "a/b",
		"a/b/up":   "../target",      // from where the link is, not where it was found
		"sideways": "folder/../side", // a/side: not ./side
		"loop":     "loop",
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []string{"made", "replaced"} { // dangling links first
		for _, c := range []struct{ name, target string }{
			{"link", "a/target"},
			{"chain", "a/target"},
			{"folder/up", "a/target"},
			{"sideways", "a/side"},
			{"folder/../plain", "a/plain"},
			{"folder/inside", "a/b/inside"},
		} {
			if s == "made" {
				os.Remove(filepath.Join(dir, c.target))
			}
			name := dir + "/" + c.name // filepath.Join would clean it
			mustSave(t, name, s+" through "+c.name)
			wantText(t, filepath.Join(dir, c.target), s+" through "+c.name)
			if to, isLink := links[c.name]; isLink {
				if got, err := os.Readlink(name); err != nil || got != to {
					t.Errorf("%s was replaced: %q, %v", c.name, got, err)
				}
			}
		}
	}
	wantFiles(t, dir, "a", "chain", "folder", "link", "loop", "sideways")
	wantFiles(t, filepath.Join(dir, "a"), "b", "plain", "side", "target")
	if err := Save(filepath.Join(dir, "loop"), text("x")); err == nil {
		t.Error("a loop of links was saved through")
	}
	if err := os.Symlink("none/f", filepath.Join(dir, "nowhere")); err != nil {
		t.Fatal(err)
	}
	if err := Save(filepath.Join(dir, "nowhere"), text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link into a folder that is missing: %v", err)
	}
}

func TestSaveHardLink(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "f"), filepath.Join(dir, "other")
	mustSave(t, path, "before")
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	mustSave(t, path, "after")
	wantText(t, other, "before")
}

func TestSaveOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives files away")
	}
	path := filepath.Join(t.TempDir(), "f")
	mustSave(t, path, "before")
	if err := os.Chown(path, 1234, 5678); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	mustSave(t, path, "after")
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil || st.Uid != 1234 || st.Gid != 5678 || mode(t, path) != 0o640 {
		t.Errorf("owner %d, group %d, mode %v, %v, want 1234, 5678, 640", st.Uid, st.Gid, mode(t, path), err)
	}
}

// A pipe is written to and read from as it is, not replaced, and ends where the
// filter does.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	for _, s := range samples(t, 20) {
		file := s.file(t)
		for _, tail := range []string{"", "x"} {
			open := func(read func() error) error {
				saved := make(chan error, 1)
				go func() { saved <- Save(pipe, text(string(file)+tail)) }()
				err := read()
				if err := <-saved; err != nil && !errors.Is(err, unix.EPIPE) {
					t.Fatal(err)
				}
				return err
			}
			var h Header
			var words []uint64
			var in Inspection
			errOpen := open(func() (err error) { h, words, _, err = Open(pipe, s.want); return err })
			errInspect := open(func() (err error) { in, err = Inspect(pipe); return err })
			if in.Size != int64(len(file)) || !in.HeaderOK {
				t.Errorf("%s: Inspect: %+v", s.name, in)
			}
			if tail == "" {
				s.check(t, h, words, errOpen, "Open of a pipe")
				s.check(t, in.Header, in.Words, errInspect, "Inspect of a pipe")
				continue
			}
			wantError(t, errOpen, ErrTrailingData, "Open")
			wantError(t, errInspect, ErrTrailingData, "Inspect")
			if !strings.Contains(errOpen.Error(), pipe) {
				t.Errorf("%q does not name the pipe", errOpen)
			}
		}
		errCut := func() error {
			go func() { _ = Save(pipe, text(string(file[:HeaderBytes+9]))) }()
			_, err := Inspect(pipe)
			return err
		}()
		wantError(t, errCut, ErrTruncated, "Inspect of a pipe")
		if !strings.Contains(errCut.Error(), "has 9 bytes") {
			t.Errorf("%q does not say how much there is", errCut)
		}
	}
	if mode(t, pipe)&fs.ModeNamedPipe == 0 {
		t.Error("the pipe was replaced")
	}
	wantFiles(t, dir, "pipe")
}

// Saving to standard output that is a file's descriptor writes to it.
func TestSaveDescriptor(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	name := "/dev/fd/" + string(rune('0'+w.Fd()))
	if _, err := os.Stat(name); err != nil || w.Fd() > 9 {
		t.Skip("no /dev/fd")
	}
	if err := Save(name, text("through")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if b, err := io.ReadAll(r); string(b) != "through" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

// What is written through a mapping stays private.
func TestMappingIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	s := sampleOf(t, Blocked, 70, 0, hash.Hasher{})
	file := s.file(t)
	if err := os.WriteFile(path, file, 0o444); err != nil {
		t.Fatal(err)
	}
	_, words, m, err := Open(path, s.want)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	clear(words)
	if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, file) {
		t.Errorf("the file changed, or %v", err)
	}
}
