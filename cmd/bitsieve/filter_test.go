//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A mapped filter that is cut while it is in use ends the program with a message
// and not with a stack.
func TestFilterCut(t *testing.T) {
	filter := filepath.Join(t.TempDir(), "f")
	runTool(t, lines(100), "build", "-n", "1M", "-o", filter).want(t, statusOK, "", "")
	content := readAll(t, filter)
	// Few lines go one by one, many by the batch kernels.
	for _, n := range []int{1, 5000} {
		cmd := program(t, "query", "-v", filter)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, "first\n"); err != nil {
			t.Fatal(err)
		}
		first := make([]byte, len("first\n"))
		if _, err := io.ReadFull(out, first); err != nil { // the filter is in use
			t.Fatal(err)
		}
		if err := os.Truncate(filter, 4096); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(in, strings.ReplaceAll(lines(n), "line", "other"))
		in.Close()
		rest, _ := io.ReadAll(out)
		status := exitStatus(t, cmd)
		if want := filter + ": the file was cut short"; status != statusTrouble || len(rest) > 0 ||
			!strings.Contains(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%d lines: status %d, stdout %q, stderr %q", n, status, rest, &stderr)
		}
		if err := os.WriteFile(filter, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Another library's filter is probed in place, and a pipe has none.
func TestForeignPipe(t *testing.T) {
	content := readAll(t, bitsAndBloomsFile(t))
	runTool(t, "a", "query", fifo(t, content)).want(t, statusTrouble, "", "from a regular file only")
	runTool(t, "", "convert", "-to", "bitsieve", "-o", "-", fifo(t, content)).want(t, statusTrouble, "", "from a regular file only")
}

// A panic that is no fault of a mapped file is not hidden.
func TestOtherPanics(t *testing.T) {
	for _, mapped := range []string{"", "f"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is gone")
				}
			}()
			tl := &tool{mapped: mapped}
			var err error
			defer tl.catchFaults(&err)()
			var none *lineSet
			none.size++
		}()
	}
}

// fifo makes a named pipe that gives the content once.
func fifo(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	go func() {
		if w, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
			_, _ = io.WriteString(w, content)
			w.Close()
		}
	}()
	return path
}

// A filter may come through a pipe, and is checked there as in a file.
func TestFilterPipe(t *testing.T) {
	filter := filterOf(t, "a\nb\n")
	content := readAll(t, filter)
	runTool(t, "a\nx\n", "query", fifo(t, content)).want(t, statusOK, "a\n", "")
	for _, c := range []struct{ content, want string }{
		{content + "x", "data after the end: end at byte "},
		{content + content, "data after the end"},
		{content[:len(content)-1], "truncated"},
		{content[:100], "truncated"},
		{content[:150] + "\x01\x02" + content[152:], "checksum"},
		{"a\nb\n", "not a bitsieve file"},
	} {
		pipe := fifo(t, c.content)
		r := runTool(t, "a\n", "query", pipe)
		r.want(t, statusTrouble, "", c.want)
		if !strings.Contains(r.stderr, pipe) {
			t.Errorf("stderr %q does not name the pipe", r.stderr)
		}
	}
	key := file(t, strings.Repeat("key!", 8))
	keyed := runTool(t, "a\n", "build", "-key-file", key, "-o", "-").stdout
	runTool(t, "a\n", "query", fifo(t, keyed)).want(t, statusTrouble, "", "none was given")
	runTool(t, "a\n", "query", "-key-file", key, fifo(t, keyed)).want(t, statusOK, "a\n", "")
}

// info says of a pipe what it says of a file, and leaves nothing behind.
func TestInfoPipe(t *testing.T) {
	filter := filterOf(t, lines(1000))
	content := readAll(t, filter)
	key := file(t, strings.Repeat("key!", 8))
	keyed := runTool(t, "a\n", "build", "-key-file", key, "-o", "-").stdout
	t.Setenv("TMPDIR", t.TempDir())
	for _, content := range []string{content, content[:1000], content[:100], content + "x", keyed, "lines\n", ""} {
		path := file(t, content)
		want := runTool(t, "", "info", path)
		pipe := fifo(t, content)
		got := runTool(t, "", "info", pipe)
		got.stdout = strings.ReplaceAll(got.stdout, pipe, path)
		got.stderr = strings.ReplaceAll(got.stderr, pipe, path)
		if got != want {
			t.Errorf("info of a pipe: %+v, of a file: %+v", got, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "bitsieve*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A key that others may read is worth a word.
func TestKeyFileMode(t *testing.T) {
	key := file(t, strings.Repeat("0123456789abcdef", 4)+"\n")
	out := filepath.Join(t.TempDir(), "f")
	for mode, warned := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o700: false, 0o640: true, 0o604: true, 0o644: true, 0o666: true, 0o602: true} {
		if err := os.Chmod(key, mode); err != nil {
			t.Fatal(err)
		}
		r := runTool(t, "a\n", "build", "-key-file", key, "-o", out)
		if warned {
			r.want(t, statusOK, "", "warning: "+key+": other users may read or change the key")
		} else {
			r.want(t, statusOK, "", "")
		}
		if err := os.Chmod(key, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runTool(t, "a\n", "query", "-key-file", fifo(t, readAll(t, key)), out).want(t, statusOK, "a\n", "")
}
