package main

import (
	"fmt"
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
		runTool(t, c.in, "dedup").want(t, statusOK, c.want, c.summary)
		runTool(t, "", "dedup", file(t, c.in)).want(t, statusOK, c.want, c.summary)
		runTool(t, c.in, "dedup", "-q").want(t, statusOK, c.want, "")
	}
	a, b := file(t, "x\ny"), file(t, "y\nx\nz")
	runTool(t, "y\nw\n", "dedup", a, b, "-").want(t, statusOK, "x\ny\nz\nw\n", "7 lines read, 4 printed, fewer than")
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
	runTool(t, in.String(), "dedup", "-p", "1e-9", "-n", "20000").want(t, statusOK, want.String(),
		fmt.Sprintf("50000 lines read, %d printed", len(seen)))
}

// What is said to have been lost is about what was, within the filter's room and
// past it.
func TestDedupLoss(t *testing.T) {
	const n = 100_000
	in := lines(n)
	in += in // the doubles hide what was lost
	for _, room := range []int{n, n / 2, n / 4} {
		r := runTool(t, in, "dedup", "-p", "1%", "-n", strconv.Itoa(room))
		lost := float64(n - strings.Count(r.stdout, "\n"))
		_, rest, _ := strings.Cut(r.stderr, "printed, ")
		number, _, _ := strings.Cut(strings.TrimPrefix(rest, "at least "), " ")
		said, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatalf("summary %q", r.stderr)
		}
		if math.Abs(said-lost) > 5*math.Sqrt(lost)+0.03*lost {
			t.Errorf("room for %d of %d lines: %v lost, said %v", room, n, lost, said)
		}
		if warned := strings.Count(r.stderr, "use a higher -n"); warned != min(n/room-1, 1) {
			t.Errorf("room for %d of %d lines: warned %d times: %s", room, n, warned, r.stderr)
		}
		if said := strings.Contains(r.stderr, "it now drops"); said != (room < n) {
			t.Errorf("room for %d of %d lines: summary %s", room, n, r.stderr)
		}
	}
	// Far past its room: most is lost, and the tool does not pretend to know.
	r := runTool(t, in, "dedup", "-p", "1%", "-n", "1000")
	r.want(t, statusOK, r.stdout, "at least")
	if strings.Count(r.stderr, "\n") != 2 {
		t.Errorf("stderr: %s", r.stderr)
	}
	quiet := runTool(t, in, "dedup", "-p", "1%", "-n", "1000", "-q")
	quiet.want(t, statusOK, r.stdout, "use a higher -n")
}

// Memory does not grow: the filter takes nothing after it is made.
func TestDedupAllocations(t *testing.T) {
	d, err := newDeduper(1000, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	var b batch
	text := []byte(lines(batchLines))
	write := func([]byte) error { return nil }
	pass := func() {
		b.cut(text)
		if err := d.sift(&b, write); err != nil {
			t.Fatal(err)
		}
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
