package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTop(t *testing.T) {
	for _, c := range []struct{ in, want, summary string }{
		{"", "", "0 lines read"},
		{"a", "      1 a\n", "1 line read, all different ones are listed; no count is too high, for 99.9 %"},
		{"b\na\nb\r\nc\n", "      2 b\n      1 a\n      1 c\n", "4 lines read, every one that occurs more than 1 time is listed"},
		{"b\nc\na\na\nc\nd\n\n", "      2 a\n      2 c\n      1 \n", "7 lines read, every one that occurs more than 1 time is listed"},
		{"d\nc\nb\na\n", "      1 a\n      1 b\n      1 c\n", "4 lines read, every one that occurs more than 1 time"},
		{"\n\r\n\n", "      3 \n", "3 lines read"},
	} {
		runTool(t, c.in, "top", "-n", "3").want(t, statusOK, c.want, "")
		runTool(t, c.in, "top", "-n", "3", "-summary").want(t, statusOK, c.want, c.summary)
		runTool(t, c.in, "top", "-n=3", "-q", "-summary", "-size", "1MiB").want(t, statusOK, c.want, "")
		runTool(t, c.in, "top", "-untrusted", "-n", "3", "-summary").want(t, statusOK, c.want, c.summary)
		runTool(t, "", "top", "-n", "3", file(t, c.in)).want(t, statusOK, c.want, "")
	}
	a, b := file(t, "x\ny"), file(t, gzipped("y\nx\nz\nx"))
	runTool(t, "y\n", "top", "-n", "2", a, b, "-").want(t, statusOK, "      3 x\n      3 y\n", "")
	if got := runTool(t, lines(100), "top").stdout; strings.Count(got, "\n") != topLines {
		t.Errorf("by default: %q", got)
	}
}

// zipfLines returns n lines by Zipf's law, and what sort | uniq -c has of them, in
// the order of top.
func zipfLines(n int, seed uint64) (text string, counts []ranked) {
	r := rand.New(rand.NewPCG(seed, 2))
	z := rand.NewZipf(r, 1.1, 1, 1<<20)
	exact := map[string]uint64{}
	var b strings.Builder
	for range n {
		line := fmt.Sprintf("item %d of many", z.Uint64())
		exact[line]++
		b.WriteString(line + "\n")
	}
	for line, n := range exact {
		counts = append(counts, ranked{count: n, line: []byte(line)})
	}
	slices.SortFunc(counts, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.count, a.count), bytes.Compare(a.line, b.line))
	})
	return b.String(), counts
}

func rendered(list []ranked) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%7d %s\n", e.count, e.line)
	}
	return b.String()
}

// With memory enough, the list is that of sort and uniq, whatever its length.
func TestTopLikeSort(t *testing.T) {
	text, exact := zipfLines(100_000, 1)
	for _, n := range []int{1, 2, 10, 100, 5000, len(exact), maxTopLines} {
		want := rendered(exact[:min(n, len(exact))])
		runTool(t, text, "top", "-n", strconv.Itoa(n), "-size", "32MiB").want(t, statusOK, want, "")
	}
}

// With too little memory no count is too low, all lines that the summary says are
// listed are, and the bound on errors holds.
func TestTopSmall(t *testing.T) {
	text, exact := zipfLines(200_000, 3)
	counts := map[string]uint64{}
	for _, e := range exact {
		counts[string(e.line)] = e.count
	}
	for _, size := range []string{"256B", "4KiB", "16KiB", "64KiB", "256KiB"} {
		r := runTool(t, text, "top", "-n", "100", "-size", size, "-summary")
		if r.status != statusOK || strings.Count(r.stdout, "\n") != 100 {
			t.Fatalf("%s: status %d, %q", size, r.status, r.stdout)
		}
		listed := map[string]bool{}
		last, high := uint64(math.MaxUint64), 0
		var said uint64
		if _, after, ok := strings.Cut(r.stderr, "by more than "); ok {
			fmt.Sscan(after, &said)
		}
		for line := range strings.Lines(r.stdout) {
			number, key, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, err := strconv.ParseUint(number, 10, 64)
			if err != nil || n > last || n < counts[key] {
				t.Errorf("%s: %q after %d, occurs %d times", size, line, last, counts[key])
			}
			if n > counts[key]+said {
				high++
			}
			last = n
			listed[key] = true
		}
		if !strings.Contains(r.stderr, "occurs more than "+plural(last, "time")) {
			t.Errorf("%s: last count %d, %s", size, last, r.stderr)
		}
		for _, e := range exact {
			if e.count > last && !listed[string(e.line)] {
				t.Errorf("%s: %s occurs %d times and is not listed, the last count is %d", size, e.line, e.count, last)
			}
		}
		if most := len(exact)/1000 + 5; high > most {
			t.Errorf("%s: %d lines are beyond the bound of %d: %s", size, high, said, r.stderr)
		}
		if bad := strings.Contains(r.stderr, "a larger -size"); bad != (said >= last) {
			t.Errorf("%s: last count %d: %s", size, last, r.stderr)
		}
	}
}

// Memory does not grow: once the list is full, lines cost nothing more.
func TestTopAllocations(t *testing.T) {
	r, err := newRanking(50, 1<<20, false)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := zipfLines(20_000, 4)
	c := chunk{text: []byte(text)}
	r.hash.prepare(&c)
	r.count(&c)
	if n := testing.AllocsPerRun(10, func() { r.count(&c) }); n > 1 {
		t.Errorf("%v allocations per 20,000 lines", n)
	}
	if len(r.best) != 50 || len(r.ranked) != 50 {
		t.Errorf("%d entries and %d hashes are kept", len(r.best), len(r.ranked))
	}
	// A long line's memory is given back when the line gives way.
	if got := cap(reuse(make([]byte, 1<<20), 10)); got > 1<<10 {
		t.Errorf("a buffer of %d bytes is kept for 10", got)
	}
}

func TestTopOptions(t *testing.T) {
	in := file(t, "a\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-n", "0"}, "at least 1"},
		{[]string{"-n", "x"}, "a number of lines"},
		{[]string{"-n", "1000001"}, "-n is at most 1000000"},
		{[]string{"-size", "0"}, "is not a size"},
		{[]string{"-size", "64M"}, "is not a size"},
		{[]string{"-size", "1000000GiB"}, "of memory, and there are"},
		{[]string{"-p", "1"}, "-p"},
		{[]string{in, "/nowhere"}, "/nowhere: no such file"},
	} {
		r := runTool(t, "", append([]string{"top"}, c.args...)...)
		r.want(t, statusTrouble, "", c.want)
		if strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%q: stderr %q", c.args, r.stderr)
		}
	}
	t.Setenv(memoryEnv, "1MiB")
	runTool(t, "", "top", in).want(t, statusTrouble, "", "counting takes 64.0 MiB of memory, and there are 1.00 MiB: a lower -size")
	runTool(t, "", "top", "-size", "512KiB", in).want(t, statusOK, "      1 a\n", "")
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var stderr bytes.Buffer
	if status := run([]string{"bitsieve", "top", path}, strings.NewReader(""), out, &stderr); status != statusTrouble {
		t.Errorf("output to the input: status %d, stderr %q", status, &stderr)
	}
}

// After a signal the lines so far are printed.
func TestTopInterrupted(t *testing.T) {
	for _, wait := range []time.Duration{200 * time.Millisecond, 2 * time.Second, 10 * time.Second} {
		cmd := program(t, "top", "-q")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, "b\na\nb\nb par"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		status := exitStatus(t, cmd)
		if status == 130 && stdout.String() == "      2 b\n      1 a\n" &&
			strings.HasPrefix(stderr.String(), "bitsieve top: interrupted: 3 lines read, all different ones are listed") {
			return
		}
		if wait > 2*time.Second {
			t.Errorf("exit status %d, stdout %q, stderr %q", status, &stdout, &stderr)
		}
	}
}

// The counts are those of the tools that people use, where these are installed.
func TestTopUniq(t *testing.T) {
	text, _ := zipfLines(20_000, 5)
	cmd := exec.Command("sh", "-c", `LC_ALL=C sort "$0" | uniq -c | LC_ALL=C sort -k1,1nr -k2 | head -n 40`, file(t, text))
	want, err := cmd.Output()
	if err != nil || len(want) == 0 {
		t.Skip("no sort, uniq and head: ", err)
	}
	runTool(t, text, "top", "-n", "40").want(t, statusOK, string(want), "")
}
