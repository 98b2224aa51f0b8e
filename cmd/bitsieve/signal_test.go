//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal while a filter is being written leaves neither a part of it nor its
// temporary file, and the old file as it was.
func TestSignalWhileSaving(t *testing.T) {
	if testing.Short() {
		t.Skip("writes hundreds of megabytes")
	}
	list := file(t, lines(1000))
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			// By whoever started the tests, as nohup does: then the command ignores it
			// too, which is another test's subject.
			t.Logf("%v is ignored here", sig)
			continue
		}
		dir := t.TempDir()
		target := filepath.Join(dir, "f")
		if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		// Of somebody else, and not to be removed.
		other := filepath.Join(dir, ".bitsieve-other.tmp")
		if err := os.WriteFile(other, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := program(t, "build", "-o", link, "-n", "400M", "-p", "0.01", list)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		temps := func() (names []string) {
			names, _ = filepath.Glob(filepath.Join(dir, saveTemps))
			return names
		}
		for deadline := time.Now().Add(20 * time.Second); len(temps()) < 2 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if len(temps()) < 2 {
			t.Fatal("no temporary file")
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if got, want := exitStatus(t, cmd), 128+int(sig); got != want {
			t.Errorf("%v: exit status %d, want %d", sig, got, want)
		}
		if got := temps(); len(got) != 1 || got[0] != other {
			t.Errorf("%v left %v", sig, got)
		}
		if got := readAll(t, target); got != "old" {
			t.Errorf("%v: the file has %d bytes, want the old one", sig, len(got))
		}
		if !strings.Contains(stderr.String(), "bitsieve build: interrupted") {
			t.Errorf("%v: stderr %q", sig, &stderr)
		}
	}
}

// A signal while input is being waited for ends a command with what it has done.
func TestSignalWhileReading(t *testing.T) {
	filter := filterOf(t, "a\n")
	set := setOf(t, "0.0.0.0/0")
	target := filepath.Join(t.TempDir(), "g")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"dedup"}, "bitsieve dedup: interrupted: 3 lines read, 2 printed, fewer than"},
		{[]string{"query", filter}, "bitsieve query: interrupted: 3 lines read, 2 selected"},
		{[]string{"query", "-c", filter}, "bitsieve query: interrupted: 3 lines read, 2 selected"},
		{[]string{"screen", "-", set}, "bitsieve screen: interrupted: nothing is printed"},
		{[]string{"build", "-o", target}, "bitsieve build: interrupted: " + target + " is not written"},
		{[]string{"build", "-n", "10", "-o", target}, "bitsieve build: interrupted: " + target + " is not written"},
		{[]string{"bench"}, "bitsieve bench: interrupted\n"},
		{[]string{"sort"}, "bitsieve sort: interrupted: 3 lines read, nothing is printed"},
		{[]string{"ipset", "build", "-o", target}, "bitsieve ipset build: interrupted: " + target + " is not written"},
		{[]string{"ipset", "prefixes"}, "bitsieve ipset prefixes: interrupted: nothing is printed"},
		{[]string{"ipset", "query", set}, "bitsieve ipset query: interrupted: 3 lines read, 0 selected"},
		{[]string{"visitors"}, "bitsieve visitors: interrupted: 3 lines read, nothing is printed"},
	} {
		// Most say nothing of how far they are: a slow machine gets another chance.
		for _, wait := range []time.Duration{200 * time.Millisecond, 2 * time.Second, 10 * time.Second} {
			status, stderr, took := interrupt(t, wait, c.args)
			if status == 130 && took < grace && strings.Contains(stderr, c.want) && strings.Count(stderr, "\n") == 1 {
				break
			}
			if wait > 2*time.Second {
				t.Errorf("%q: exit status %d after %v, stderr %q, want %q", c.args, status, took, stderr, c.want)
			}
		}
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("a filter was written")
	}
}

// interrupt sends SIGINT to the tool when it has read three lines and a part of a
// fourth, and returns how it ends.
func interrupt(t *testing.T, wait time.Duration, args []string) (status int, stderr string, took time.Duration) {
	t.Helper()
	cmd := program(t, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text := "a\nb\na\na par"
	if args[0] == "sort" {
		text = "1\n2\n1\n3"
	}
	if args[0] == "ipset" && args[1] != "query" {
		text = "1.1.1.1\n2.2.2.2\n3.3.3.3\n4"
	}
	if _, err := io.WriteString(in, text); err != nil {
		t.Fatal(err)
	}
	time.Sleep(wait)
	start := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	status = exitStatus(t, cmd)
	return status, complaints.String(), time.Since(start)
}

// A signal ends the program even if nobody takes what it prints.
func TestSignalWhileWriting(t *testing.T) {
	cmd := program(t, "dedup", file(t, lines(100_000)))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // for the pipe to be full
	start := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := exitStatus(t, cmd); got != 143 || time.Since(start) < grace/2 {
		t.Errorf("exit status %d after %v", got, time.Since(start))
	}
}

// Who started the program with a signal ignored, as nohup does, meant it.
func TestSignalIgnored(t *testing.T) {
	script := exec.Command("sh", "-c", `trap "" INT; exec "$0" dedup`, os.Args[0])
	script.Env = append(os.Environ(), asTool+"=1")
	in, err := script.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := script.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := script.Start(); err != nil {
		t.Skip(err)
	}
	r := bufio.NewReader(out)
	for _, line := range []string{"a\n", "b\n"} {
		if _, err := io.WriteString(in, line); err != nil {
			t.Fatal(err)
		}
		if got, err := r.ReadString('\n'); got != line {
			t.Errorf("%q, %v", got, err)
		}
		if err := script.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	in.Close()
	if got := exitStatus(t, script); got != statusOK {
		t.Errorf("exit status %d", got)
	}
}
