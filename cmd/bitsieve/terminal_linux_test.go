package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onTerminal runs the tool with standard error on a terminal of that many
// columns, and returns the status and what the terminal was sent.
func onTerminal(t *testing.T, columns int, stdin io.Reader, args ...string) (status int, screen string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}); err != nil {
		t.Skip(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	sent := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, master) // ends with an error when the slave is closed
		sent <- b.String()
	}()
	status = run(append([]string{"bitsieve"}, args...), stdin, io.Discard, slave)
	slave.Close()
	screen = <-sent
	master.Close()
	return status, screen
}

// dedup says what it has done where somebody is there to read it, unless it has
// done nothing.
func TestDedupTerminal(t *testing.T) {
	for _, c := range []struct {
		in   string
		args []string
		want string
	}{
		{"a\na\n", nil, "2 lines read, 1 printed"},
		{"a\na\n", []string{"-q"}, ""},
		{"", nil, ""},
		{"", []string{"-summary"}, "0 lines read"},
	} {
		status, screen := onTerminal(t, 80, strings.NewReader(c.in), append([]string{"dedup", "-n", "100"}, c.args...)...)
		if status != statusOK || !strings.Contains(screen, c.want) || c.want == "" && screen != "" {
			t.Errorf("%q of %q: status %d, %q", c.args, c.in, status, screen)
		}
	}
}

// Progress is shown while sort reads and while it prints, on one line of a narrow
// terminal.
func TestSortProgress(t *testing.T) {
	defer func(d time.Duration) { progressDelay = d }(progressDelay)
	progressDelay = 0
	var in strings.Builder
	for i := range 200_000 {
		fmt.Fprintln(&in, uint32(i)*20_000)
	}
	for _, width := range []int{20, 40, 56, 100} {
		status, screen := onTerminal(t, width, strings.NewReader(in.String()), "sort")
		if status != statusOK || !strings.Contains(screen, "reading") || !strings.Contains(screen, "printing") {
			t.Errorf("%d columns: status %d, %q", width, status, clip(screen))
		}
		if got := columns(screen); got >= width || strings.Contains(screen, "\n") {
			t.Errorf("%d columns of %d: %q", got, width, clip(screen))
		}
	}
}
