package format

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

// Save replaces the file at path by what write writes, in one step: there is the
// old file or the whole new one at every moment, and after a crash too. The data
// are on disk when it returns.
//
// After an error everything is as it was, with one exception: an error that
// wraps ErrNotDurable comes after the new file has taken its place.
//
// The new file is a temporary one in the same folder, .bitsieve-*.tmp, until it
// is complete. Where path is a symbolic link, the file that it points to is
// replaced or, if there is none, created. Anything but a regular file, such as a
// pipe, is written to directly.
//
// A new file gets the permissions that os.Create gives. A file that replaces
// another has its permissions, and its owner and group where the process may
// give them; where it may not give the group, the group that the file then has
// gets no permission that everybody lacks. Until it is complete, it is for the
// process's user alone. Set-user-ID, set-group-ID and sticky bits are dropped, as
// are access control lists and extended attributes. Other hard links keep the old
// file.
func Save(path string, write func(io.Writer) (int64, error)) error {
	return save(path, write, syncFolder)
}

// save is Save with a function that makes a rename in a folder survive a crash.
func save(path string, write func(io.Writer) (int64, error), sync func(*os.File) error) error {
	err := replace(path, write, sync)
	if err == nil || errors.Is(err, ErrNotDurable) {
		return err
	}
	return fmt.Errorf("bitsieve: cannot save %s: %w", path, err)
}

func replace(path string, write func(io.Writer) (int64, error), sync func(*os.File) error) (err error) {
	target, old, err := resolve(path)
	if err != nil {
		return err
	}
	if old != nil && !old.Mode().IsRegular() {
		return overwrite(target, write)
	}
	// Not filepath.Dir, which takes "link/.." for ".".
	name, _ := filepath.Split(target)
	// Before anything is written, for it may fail.
	folder, err := openFolder(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	tmp, err := createTemp(name, old != nil)
	if err != nil {
		return err
	}
	placed := false
	defer func() { // after a panic too
		if !placed {
			tmp.Close()
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if err := fill(tmp, old, write); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), target); err != nil {
		return err
	}
	placed = true
	if err := sync(folder); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrNotDurable, path, err)
	}
	return nil
}

// resolve follows symbolic links. It returns the name of the file to replace or
// create, and what lies there, nil if nothing does.
func resolve(path string) (target string, old fs.FileInfo, err error) {
	const maxLinks = 100
	for range maxLinks {
		old, err = os.Stat(path)
		if err == nil && old.Mode().IsRegular() {
			path, err = filepath.EvalSymlinks(path)
			return path, old, err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return path, old, err
		}
		link, err := os.Readlink(path)
		if err != nil {
			// Nothing has that name. If its folder is missing too, creating
			// the temporary file says so.
			return path, nil, nil
		}
		if !filepath.IsAbs(link) {
			folder, _ := filepath.Split(path)
			link = folder + link
		}
		path = link
	}
	return "", nil, &fs.PathError{Op: "save", Path: path, Err: errors.New("too many symbolic links")}
}

func overwrite(path string, write func(io.Writer) (int64, error)) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = write(file)
	return errors.Join(err, file.Close())
}

// fill writes the new file and brings it to disk. old is the file that it will
// replace, nil for none.
func fill(tmp *os.File, old fs.FileInfo, write func(io.Writer) (int64, error)) error {
	if _, err := write(tmp); err != nil {
		return err
	}
	if old != nil {
		if err := likeOld(tmp, old); err != nil {
			return err
		}
	}
	return tmp.Sync()
}

// likeOld gives the new file the owner and the permissions of the old one.
func likeOld(tmp *os.File, old fs.FileInfo) error {
	perm := old.Mode().Perm()
	if !keepGroup(tmp, old) {
		perm &= ^fs.FileMode(0o070) | perm&0o007<<3
	}
	info, err := tmp.Stat()
	if err != nil {
		return err
	}
	if info.Mode().Perm() == perm {
		return nil // not all file systems can change it
	}
	return tmp.Chmod(perm)
}

// createTemp creates a new file in a folder, whose name is empty or ends with a
// separator. It is for this user only if it is secret; otherwise, unlike with
// os.CreateTemp, the umask decides.
func createTemp(folder string, secret bool) (*os.File, error) {
	perm := fs.FileMode(0o666)
	if secret {
		perm = 0o600
	}
	for try := 0; ; try++ {
		name := folder + ".bitsieve-" + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err == nil || !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}
