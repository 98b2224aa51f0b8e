package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
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

// Without -n the filter grows as long as there is memory. Then dedup stops at the
// first new line, and not at the doubles before it.
func TestDedupGrows(t *testing.T) {
	n := 3_500_000 // three stages
	if testing.Short() {
		n = 200_000
	}
	in := lines(n)
	r := runTool(t, in+in, "dedup", "-summary", "-p", "1e-9")
	if r.status != statusOK || r.stdout != in || !strings.Contains(r.stderr, fmt.Sprintf("%d lines read, %d printed, 0.", 2*n, n)) && n > 1e6 {
		t.Errorf("status %d, %d bytes printed; stderr: %s", r.status, len(r.stdout), r.stderr)
	}

	t.Setenv(memoryEnv, "1MiB")
	in = lines(200_000)
	r = runTool(t, in, "dedup", "-p", "1e-6")
	printed := strings.Count(r.stdout, "\n")
	if printed < 80_000 || printed > 190_000 || r.stdout != lines(printed) {
		t.Errorf("%d lines printed in 1 MiB", printed)
	}
	r.want(t, statusTrouble, r.stdout, fmt.Sprintf("stopped after %d lines read and %d printed", printed, printed))
	if !strings.Contains(r.stderr, "with -n or a higher -p") || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("stderr: %s", r.stderr)
	}
	fits := lines(printed)
	runTool(t, fits+fits, "dedup", "-p", "1e-6").want(t, statusOK, fits, "")
	r = runTool(t, fits+fits+in, "dedup", "-p", "1e-6")
	r.want(t, statusTrouble, fits, fmt.Sprintf("stopped after %d lines read and %d printed", 3*printed, printed))
	r = runTool(t, "", "dedup", "-p", "1e-6", file(t, fits+"x\n"+fits))
	r.want(t, statusTrouble, fits, "more different lines")
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
	for _, n := range []uint64{1000, 0} {
		testDedupAllocations(t, n)
	}
}

func testDedupAllocations(t *testing.T, n uint64) {
	d, err := newDeduper(n, 1000, 0.01, false)
	if err != nil {
		t.Fatal(err)
	}
	c := chunk{text: []byte(lines(900))}
	out := newLineWriter(io.Discard)
	pass := func() {
		d.hash.prepare(&c)
		if err := d.sift(&c, out); err != nil {
			t.Fatal(err)
		}
		d.printed, d.counted = 0, 0
	}
	clear := func() { d.growing.Clear() }
	if n > 0 {
		clear = func() { d.fixed.Clear() }
	}
	pass()
	// One is the race detector's.
	if n := testing.AllocsPerRun(10, func() { clear(); pass() }); n > 1 {
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
