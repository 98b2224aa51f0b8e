package format

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// text returns a function that writes s.
func text(s string) func(io.Writer) (int64, error) {
	return func(w io.Writer) (int64, error) {
		n, err := io.WriteString(w, s)
		return int64(n), err
	}
}

func mustSave(t *testing.T, path, s string) {
	t.Helper()
	if err := Save(path, text(s)); err != nil {
		t.Fatal(err)
	}
	wantText(t, path, s)
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || string(b) != want {
		t.Fatalf("%s holds %q, %v, want %q", path, b, err, want)
	}
}

// wantFiles checks what a folder holds.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the folder holds %q, want %q", got, want)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, s := range []string{"new", "longer", ""} {
		mustSave(t, path, s)
		wantFiles(t, dir, "f")
	}
	t.Chdir(dir)
	mustSave(t, "f", "no folder in the name")
	mustSave(t, "g", "nor here")
	wantFiles(t, ".", "f", "g")
}

// Whatever fails before the rename, the file is as it was and nothing is left.
func TestSaveFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	mustSave(t, path, "before")
	half := func(w io.Writer) (int64, error) {
		n, _ := io.WriteString(w, "half")
		return int64(n), errFull
	}
	for _, name := range []string{"f", "new"} {
		err := Save(filepath.Join(dir, name), half)
		if !errors.Is(err, errFull) || !strings.Contains(err.Error(), "cannot save "+filepath.Join(dir, name)) {
			t.Errorf("error %v", err)
		}
		wantText(t, path, "before")
		wantFiles(t, dir, "f")
	}

	if err := Save(filepath.Join(dir, "none", "f"), text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such folder: %v", err)
	}
	if err := Save(filepath.Join(dir, "new")+string(filepath.Separator), text("x")); err == nil {
		t.Error("a file was made for the name of a folder")
	}
	if err := Save(dir, text("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if err := Save(filepath.Join(path, "f"), text("x")); err == nil {
		t.Error("a file served as a folder")
	}
	wantText(t, path, "before")
	wantFiles(t, dir, "f")
}

func TestSavePanic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	mustSave(t, path, "before")
	func() {
		defer func() {
			if recover() != "torn" {
				t.Error("the panic is lost")
			}
		}()
		_ = Save(path, func(io.Writer) (int64, error) { panic("torn") })
	}()
	wantText(t, path, "before")
	wantFiles(t, dir, "f")
}

// The rename fails after the new file is complete.
func TestSaveRenameFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	err := Save(path, func(w io.Writer) (int64, error) {
		return 0, os.Mkdir(path, 0o777)
	})
	if err == nil || errors.Is(err, ErrNotDurable) {
		t.Errorf("a folder was replaced: %v", err)
	}
	wantFiles(t, dir, "f")
}

// After the rename, the new file is in place and the error says so.
func TestSaveSyncFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	mustSave(t, path, "before")
	broken := errors.New("input/output error")
	err := save(path, text("after"), func(*os.File) error { return broken })
	if !errors.Is(err, ErrNotDurable) || !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	if want := "bitsieve: saved, but may not survive a crash: " + path + ": input/output error"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	wantText(t, path, "after")
	wantFiles(t, dir, "f")
}
