package bitsieve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// saveFile replaces the file at path by what write writes, as Save documents.
func saveFile(path string, write func(io.Writer) (int64, error)) error {
	if err := replaceFile(path, write); err != nil {
		return fmt.Errorf("bitsieve: cannot save %s: %w", path, err)
	}
	return nil
}

func replaceFile(path string, write func(io.Writer) (int64, error)) error {
	perm := fs.FileMode(0)
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return overwrite(path, write)
	default:
		perm = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	dir := filepath.Dir(path)
	tmp, err := createTemp(dir)
	if err != nil {
		return err
	}
	if err := errors.Join(fillTemp(tmp, perm, write), tmp.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return syncDir(dir)
}

func overwrite(path string, write func(io.Writer) (int64, error)) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = write(file)
	return errors.Join(err, file.Close())
}

// fillTemp writes the new file and brings it to disk. perm is 0 for a file that
// replaces none.
func fillTemp(tmp *os.File, perm fs.FileMode, write func(io.Writer) (int64, error)) error {
	if _, err := write(tmp); err != nil {
		return err
	}
	if perm != 0 {
		if err := tmp.Chmod(perm); err != nil {
			return err
		}
	}
	return tmp.Sync()
}

// createTemp creates a new file in dir. Unlike os.CreateTemp it leaves the
// permissions to the umask.
func createTemp(dir string) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(dir, ".bitsieve-"+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}
