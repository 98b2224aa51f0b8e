package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestDedup(t *testing.T) {
	for _, c := range []struct{ in, want, summary string }{
		{"", "", "0 lines read, 0 printed"},
		{"a", "a\n", "1 line read, 1 printed"},
		{"a\na\n", "a\n", "2 lines read, 1 printed"},
		{"b\na\nb\r\nc\na\n", "b\na\nc\n", "5 lines read, 3 printed"},
		{"a\r\na\n\n\r\n\nb", "a\r\n\nb\n", "6 lines read, 3 printed"},
	} {
		runTool(t, c.in, "dedup", "-n", "100").want(t, statusOK, c.want, "")
		runTool(t, c.in, "dedup", "-summary").want(t, statusOK, c.want, c.summary)
		runTool(t, c.in, "dedup", "-summary", "-untrusted").want(t, statusOK, c.want, c.summary)
		runTool(t, "", "dedup", "-summary", file(t, c.in)).want(t, statusOK, c.want, c.summary)
		runTool(t, c.in, "dedup", "-q", "-summary").want(t, statusOK, c.want, "")
	}
	a, b := file(t, "x\ny"), file(t, "y\nx\nz")
	runTool(t, "y\nw\n", "dedup", "-summary", a, b, "-").want(t, statusOK, "x\ny\nz\nw\n", "7 lines read, 4 printed, fewer than")
}

func TestDedupLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	var in, want strings.Builder
	for range 50_000 {
		i := rng.IntN(20_000)
		fmt.Fprintf(&in, "line %d\n", i)
		if !seen[i] {
			seen[i] = true
			fmt.Fprintf(&want, "line %d\n", i)
		}
	}
	runTool(t, in.String(), "dedup", "-summary", "-p", "1e-9", "-n", "20000").want(t, statusOK, want.String(),
		fmt.Sprintf("50000 lines read, %d printed", len(seen)))
}

// What is said to have been lost is about what was.
func TestDedupLoss(t *testing.T) {
	const n = 100_000
	in := lines(n)
	in += in // the doubles hide what was lost
	r := runTool(t, in, "dedup", "-summary", "-p", "1%", "-n", strconv.Itoa(n))
	lost := float64(n - strings.Count(r.stdout, "\n"))
	_, rest, _ := strings.Cut(r.stderr, "printed, ")
	number, _, _ := strings.Cut(rest, " ")
	said, err := strconv.ParseFloat(number, 64)
	if err != nil || r.status != statusOK {
		t.Fatalf("status %d, summary %q", r.status, r.stderr)
	}
	if math.Abs(said-lost) > 5*math.Sqrt(lost)+0.03*lost {
		t.Errorf("%v lost, said %v", lost, said)
	}
}

// Where there are more different lines than room, dedup stops at the first one
// too many: no line is lost with exit status 0.
func TestDedupFull(t *testing.T) {
	for _, room := range []int{1, 2, 63, 64, 1000, batchLines, batchLines + 1, 5000} {
		n := strconv.Itoa(room)
		fits := lines(room)
		runTool(t, fits+fits, "dedup", "-p", "1e-9", "-n", n).want(t, statusOK, fits, "")
		// The doubles before the line too many are no reason to stop.
		in := fits + fits + lines(room+1) + fits
		want := fmt.Sprintf("standard input has more different lines than there is room for: stopped after %d lines read and %d printed", 3*room, room)
		r := runTool(t, in, "dedup", "-p", "1e-9", "-n", n)
		r.want(t, statusTrouble, fits, want)
		if !strings.Contains(r.stderr, "give -n") || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("stderr: %s", r.stderr)
		}
		quiet := runTool(t, "", "dedup", "-q", "-p", "1e-9", "-n", n, file(t, in))
		quiet.want(t, statusTrouble, fits, "more different lines")
	}
	// Far too many lines do not make the filter take all for doubles.
	r := runTool(t, lines(100_000), "dedup", "-n", "10")
	r.want(t, statusTrouble, lines(10), "10 printed")
}

// Without -n there is room for every line of a regular file, standard input from
// its offset on included.
func TestDedupRoom(t *testing.T) {
	tl := &tool{stdin: strings.NewReader(""), stderr: io.Discard, ctx: context.Background()}
	room := func(args ...string) uint64 {
		t.Helper()
		ins, err := tl.inputs(args)
		if err != nil {
			t.Fatal(err)
		}
		n, err := tl.dedupRoom(ins, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	a, b := file(t, lines(10_000)), file(t, "x")
	for _, c := range []struct {
		got       uint64
		low, high uint64
	}{
		{room(a), 10_000, 20_000},
		{room(a, b, a), 20_001, 30_000},
		{room(b), 1, 2000},
		{room("-"), dedupLines, dedupLines},
		{room(a, "-"), dedupLines, dedupLines},
		{room(file(t, gzipped(lines(100)))), dedupLines, dedupLines},
	} {
		if c.got < c.low || c.got > c.high {
			t.Errorf("room for %d lines, want %d to %d", c.got, c.low, c.high)
		}
	}
	t.Setenv(memoryEnv, "1MiB")
	if n := room("-"); n < 50_000 || n > 150_000 {
		t.Errorf("room for %d lines in half a MiB", n)
	}
	in, err := os.Open(a)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.Seek(7, io.SeekStart); err != nil { // behind "line 0"
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := run([]string{"bitsieve", "dedup"}, in, &stdout, &stderr); status != statusOK || stdout.String() != lines(10_000)[7:] {
		t.Errorf("status %d, %d bytes printed; stderr: %s", status, stdout.Len(), &stderr)
	}
}

// No two runs hash alike: a line that is dropped wrongly once is not always.
func TestRunHash(t *testing.T) {
	for _, untrusted := range []bool{false, true} {
		var hashes []uint64
		for range 3 {
			h, err := runHash(untrusted)
			if err != nil {
				t.Fatal(err)
			}
			one := h.appendTo(nil, [][]byte{[]byte("12345678")})
			two := h.appendTo(nil, [][]byte{[]byte("12345678"), []byte("12345679")})
			if one[0] != two[0] || two[0] == two[1] || h.filter != nil != untrusted {
				t.Errorf("untrusted %v: hashes %x, %x", untrusted, one, two)
			}
			hashes = append(hashes, one...)
		}
		if hashes[0] == hashes[1] || hashes[1] == hashes[2] {
			t.Errorf("untrusted %v: runs hash alike: %x", untrusted, hashes)
		}
	}
}

// Memory does not grow: the filter takes nothing after it is made.
func TestDedupAllocations(t *testing.T) {
	d, err := newDeduper(1000, 0.01, false)
	if err != nil {
		t.Fatal(err)
	}
	c := chunk{text: []byte(lines(batchLines - 100))}
	out := newLineWriter(io.Discard)
	pass := func() {
		d.hash.prepare(&c)
		if d.sift(&c, out) {
			t.Fatal("full")
		}
		d.printed, d.counted = 0, 0
	}
	pass()
	// One is the race detector's.
	if n := testing.AllocsPerRun(10, func() { d.filter.Clear(); pass() }); n > 1 {
		t.Errorf("%v allocations per batch", n)
	}
}

func TestExpected(t *testing.T) {
	for x, want := range map[float64]string{
		0: "fewer than 0.000001", 1e-7: "fewer than 0.000001", 0.00123: "0.0012", 1.26: "1.3", 42: "42", 1234.6: "1235",
	} {
		if got := expected(x); got != want {
			t.Errorf("expected(%v) = %q, want %q", x, got, want)
		}
	}
}
