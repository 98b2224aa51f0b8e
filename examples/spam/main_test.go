package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func runSpam(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(args, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// wantLine checks that a line of the output matches a regular expression.
func wantLine(t *testing.T, out, line string) {
	t.Helper()
	if !regexp.MustCompile("(?m)^" + line + "$").MatchString(out) {
		t.Errorf("no line %q in\n%s", line, out)
	}
}

// The output that README.md shows.
func TestMadeUp(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if out := runSpam(t); !strings.Contains(string(readme), "\n"+out) {
		t.Errorf("README.md does not show\n%s", out)
	}
}

func TestLists(t *testing.T) {
	file := func(name, content string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	out := runSpam(t,
		"-list", file("bad", "spam.example\nScam.example\n\nboth.example\n"),
		"-good", file("good", "both.example\nbank.example\n"), "-p", "1e-9",
		file("mails", "Ann <ann@bank.example>\nbob@spam.example\nx@SCAM.example\nx@y@both.example\nz@other.example\n"))
	wantLine(t, out, "white list: 2 domains, 1 of them on the black list too")
	wantLine(t, out, "  on both: both.example")
	wantLine(t, out, "mails +5 +3  3")
	wantLine(t, out, "good domains +2 +1  1")
}

// With a filter that is much too small, nearly all good domains need an exception, and
// get it.
func TestSmall(t *testing.T) {
	out := runSpam(t, "-p", "0.5")
	wantLine(t, out, "good domains +100000 +[45][0-9]{4}  0")
	wantLine(t, out, "black list +20000 +20000  20000")
}

func TestErrors(t *testing.T) {
	for _, args := range [][]string{{"-list", "none"}, {"-good", "none"}, {"none"}, {"-p", "2"}} {
		if err := run(args, new(strings.Builder)); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
