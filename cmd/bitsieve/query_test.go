package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// filterOf builds a filter in which false positives do not happen to the tests.
func filterOf(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "filter")
	runTool(t, content, "build", "-p", "1e-9", "-o", path).want(t, statusOK, "", "")
	return path
}

func TestQuery(t *testing.T) {
	filter := filterOf(t, "a\nb\nspam.example\n")
	for _, c := range []struct{ in, hits, misses string }{
		{"", "", ""},
		{"a\n", "a\n", ""},
		{"a", "a\n", ""},
		{"a\r\n", "a\r\n", ""},
		{"a\r", "a\r\n", ""},
		{"x", "", "x\n"},
		{"a\nx\nb\n", "a\nb\n", "x\n"},
		{"a\na\n\nx\n\nb", "a\na\nb\n", "\nx\n\n"},
		{" a\na \nA\n", "", " a\na \nA\n"},
		{"x\ny\nspam.example\nspam.example\nz", "spam.example\nspam.example\n", "x\ny\nz\n"},
		{"a\x00\na\n", "a\n", "a\x00\n"},
	} {
		status := func(out string) int {
			if out == "" {
				return statusNone
			}
			return statusOK
		}
		count := func(out string) string { return fmt.Sprintln(strings.Count(out, "\n")) }
		in := file(t, c.in)
		for _, via := range []struct {
			stdin string
			args  []string
		}{{c.in, nil}, {c.in, []string{"-"}}, {"", []string{in}}} {
			query := func(flags ...string) result {
				return runTool(t, via.stdin, append(append(append([]string{"query"}, flags...), filter), via.args...)...)
			}
			query().want(t, status(c.hits), c.hits, "")
			query("-v").want(t, status(c.misses), c.misses, "")
			query("-c").want(t, status(c.hits), count(c.hits), "")
			query("-v", "-c").want(t, status(c.misses), count(c.misses), "")
			query("-q").want(t, status(c.hits), "", "")
			query("-qv").want(t, status(c.misses), "", "")
		}
	}
}

// Many lines, in every pattern of hits and misses that batches can have.
func TestQueryLarge(t *testing.T) {
	var listed, in, hits, misses strings.Builder
	for i := range 20_000 {
		line := fmt.Sprintf("line %d%s\n", i, strings.Repeat("x", i%97))
		member := i%3 == 0 || i%1000 < 130 || i > 15_000 && i < 18_000
		if i > 18_000 {
			member = false
		}
		if member {
			listed.WriteString(line)
			hits.WriteString(line)
		} else {
			misses.WriteString(line)
		}
		in.WriteString(line)
	}
	filter := filterOf(t, listed.String())
	runTool(t, in.String(), "query", filter).want(t, statusOK, hits.String(), "")
	runTool(t, in.String(), "query", "-v", filter).want(t, statusOK, misses.String(), "")
	list, input := file(t, listed.String()), file(t, in.String())
	runTool(t, "", "screen", "-p", "1e-9", list, input).want(t, statusOK, hits.String(), "")
	runTool(t, in.String(), "screen", "-p", "1e-9", "-v", list).want(t, statusOK, misses.String(), "")
}

func TestQueryLongLine(t *testing.T) {
	long := strings.Repeat("0123456789", 500_000)
	filter := filterOf(t, long+"1\n")
	runTool(t, "x\n"+long+"\n"+long+"1\r\ny", "query", filter).want(t, statusOK, long+"1\r\n", "")
}

// The last line of an input is not joined to the first of the next, and one that
// is missing does not keep the others from being read.
func TestQueryInputs(t *testing.T) {
	filter := filterOf(t, "a\nb\nab\n")
	first, second := file(t, "x\na"), file(t, "b\ny")
	runTool(t, "a\n", "query", filter, first, "-", second).want(t, statusOK, "a\na\nb\n", "")
	none := filepath.Join(t.TempDir(), "none")
	runTool(t, "", "query", filter, first, none, second).want(t, statusTrouble, "a\nb\n", none+": no such file")
	runTool(t, "", "query", "-c", filter, none, second).want(t, statusTrouble, second+":1\n", none)
	runTool(t, "", "query", "-c", filter, none).want(t, statusTrouble, "", none)
	runTool(t, "a\n\na\n", "query", "-c", filter, first, "-", second).want(t, statusOK, first+":1\n(standard input):2\n"+second+":1\n", "")
	runTool(t, "", "query", "-vc", filter, second, second).want(t, statusOK, second+":1\n"+second+":1\n", "")
	runTool(t, "", "query", "-cq", filter, second, second).want(t, statusOK, "", "")
	runTool(t, "", "query", "-q", filter, first, none).want(t, statusOK, "", "")
}

// A line is answered before the next one comes.
func TestPrompt(t *testing.T) {
	filter := filterOf(t, "a\nb\n")
	for _, args := range [][]string{{"query", filter}, {"dedup", "-q"}} {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan int, 1)
		go func() {
			done <- run(append([]string{"bitsieve"}, args...), inR, outW, io.Discard)
			outW.Close()
		}()
		answers := make(chan string)
		go func() {
			for s := bufio.NewScanner(outR); s.Scan(); {
				answers <- s.Text()
			}
			close(answers)
		}()
		for _, line := range []string{"a", "b"} {
			if _, err := io.WriteString(inW, line+"\npart"); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-answers:
				if !strings.HasSuffix(got, line) {
					t.Errorf("%s: answer %q to %q", args[0], got, line)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("%s: no answer to %q", args[0], line)
			}
			if _, err := io.WriteString(inW, "\n"); err != nil {
				t.Fatal(err)
			}
			if args[0] == "dedup" && line == "a" {
				<-answers // "part"
			}
		}
		inW.Close()
		for range answers {
		}
		if status := <-done; status != statusOK {
			t.Errorf("%s: status %d", args[0], status)
		}
	}
}

// The main job: no listed line is missed, and not many more others pass than
// were asked for.
func TestScreening(t *testing.T) {
	const n, p = 20_000, 0.01
	var listed, others strings.Builder
	for i := range n {
		fmt.Fprintf(&listed, "mail%d.spam.example\n", i)
		fmt.Fprintf(&others, "mail%d.ham.example\n", i)
	}
	filter := filepath.Join(t.TempDir(), "f")
	list := file(t, listed.String())
	runTool(t, "", "build", "-o", filter, "-p", fmt.Sprint(p), list).want(t, statusOK, "", "")
	runTool(t, "", "query", filter, list).want(t, statusOK, listed.String(), "")
	r := runTool(t, others.String(), "query", filter)
	// 5 standard deviations of a binomial distribution.
	if wrong := strings.Count(r.stdout, "\n"); wrong > n*p+5*14 {
		t.Errorf("%d of %d lines that are not listed pass, asked for %v", wrong, n, p)
	}
}
