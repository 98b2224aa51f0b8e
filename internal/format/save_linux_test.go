package format

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// asUser runs f as a user that is not root, as far as files are concerned.
func asUser(t *testing.T, uid, gid int, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root becomes somebody else")
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if unix.Setfsgid(gid) != nil || unix.Setfsuid(uid) != nil {
			return
		}
		if have, _ := unix.SetfsuidRetUid(-1); have != uid {
			return
		}
		f()
	}()
	<-done
}

// userFolder returns a folder for that user.
func userFolder(t *testing.T, uid, gid int) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bitsieve") // t.TempDir's parents are private
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Skip(err)
	}
	return dir
}

// Who may not give files away keeps what they can, and opens nothing to more
// people.
func TestSaveOtherOwner(t *testing.T) {
	const uid, gid = 4321, 8765
	for _, c := range []struct{ perm, want fs.FileMode }{
		{0o640, 0o600}, {0o644, 0o644}, {0o664, 0o644}, {0o604, 0o604}, {0o000, 0o000},
	} {
		dir := userFolder(t, uid, gid)
		path := filepath.Join(dir, "f")
		mustSave(t, path, "before")
		if err := errors.Join(os.Chown(path, 1234, 5678), os.Chmod(path, c.perm)); err != nil {
			t.Fatal(err)
		}
		asUser(t, uid, gid, func() {
			if err := Save(path, text("after")); err != nil {
				t.Error(err)
			}
		})
		var st unix.Stat_t
		if err := unix.Stat(path, &st); err != nil || st.Uid != uid || st.Gid != gid || mode(t, path) != c.want {
			t.Errorf("mode %o: owner %d, group %d, mode %o, %v, want %d, %d, %o",
				c.perm, st.Uid, st.Gid, mode(t, path), err, uid, gid, c.want)
		}
		wantText(t, path, "after")
	}
}

// A folder that could not be synced, or written to, is known before the rename.
func TestSaveUnreadableFolder(t *testing.T) {
	const uid, gid = 4321, 8765
	for _, perm := range []fs.FileMode{0o300, 0o500} {
		dir := userFolder(t, uid, gid)
		path := filepath.Join(dir, "f")
		mustSave(t, path, "before")
		if err := os.Chmod(dir, perm); err != nil {
			t.Fatal(err)
		}
		asUser(t, uid, gid, func() {
			err := Save(path, text("after"))
			if !errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrNotDurable) {
				t.Errorf("folder of mode %o: %v", perm, err)
			}
		})
		wantText(t, path, "before")
		wantFiles(t, dir, "f")
	}
}
