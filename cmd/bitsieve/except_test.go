package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
)

// goodAndBad returns a list, other lines that are good, and still others.
func goodAndBad(n int) (bad, good, others string) {
	var b, g, o strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "mail%d.spam.example\n", i)
		fmt.Fprintf(&g, "mail%d.good.example\n", i)
		fmt.Fprintf(&o, "mail%d.other.example\n", i)
	}
	return b.String(), g.String(), o.String()
}

// No good line passes, every bad one does, and of the others not more than before.
func TestExcept(t *testing.T) {
	const n = 5000
	bad, good, others := goodAndBad(n)
	list, exceptions := file(t, bad), file(t, good)
	dir := t.TempDir()
	plain, except := filepath.Join(dir, "plain"), filepath.Join(dir, "except")
	key := file(t, strings.Repeat("key!", 8))
	for _, opts := range [][]string{nil, {"-key-file", key}} {
		with := func(args ...string) []string { return append(args, opts...) }
		runTool(t, "", with("build", "-p", "0.05", "-o", plain, list)...).want(t, statusOK, "", "")
		runTool(t, "", with("build", "-p", "0.05", "-o", except, "-except", exceptions, list)...).want(t, statusOK, "", "")
		wrong := runTool(t, good, with("query", plain)...)
		if c := strings.Count(wrong.stdout, "\n"); c < n/50 || c > n/10 {
			t.Fatalf("%d good lines pass without exceptions", c)
		}
		runTool(t, good, with("query", except)...).want(t, statusNone, "", "")
		runTool(t, good, with("query", "-v", except)...).want(t, statusOK, good, "")
		runTool(t, "", with("query", except, list)...).want(t, statusOK, bad, "")
		before, after := runTool(t, others, with("query", plain)...), runTool(t, others, with("query", except)...)
		if opts == nil && before != after {
			t.Error("other lines are answered in another way")
		}
		// Every way in gives the same file.
		want := readAll(t, except)
		for _, c := range []struct {
			stdin string
			args  []string
		}{
			{bad, []string{"-except", exceptions}},
			{good, []string{"-except", "-", list}},
			{bad, []string{"-n", fmt.Sprint(n), "-except", exceptions}},
			{"", []string{"-except", file(t, "\r\n\n"+strings.ReplaceAll(good, "\n", "\r\n")), list}},
		} {
			runTool(t, c.stdin, with(append([]string{"build", "-p", "0.05", "-o", filepath.Join(dir, "other")}, c.args...)...)...).want(t, statusOK, "", "")
			if readAll(t, filepath.Join(dir, "other")) != want {
				t.Errorf("%q: another file", c.args)
			}
		}
		runTool(t, bad, with("build", "-p", "0.05", "-except", exceptions, "-o", "-")...).want(t, statusOK, want, "")
		var open []bitsieve.OpenOption
		if opts != nil {
			open = append(open, bitsieve.WithKey([]byte(strings.Repeat("key!", 8))))
		}
		w, err := bitsieve.OpenWhitelist(except, open...)
		if err != nil {
			t.Fatal(err)
		}
		if kept := w.ExceptionCount(); kept != strings.Count(wrong.stdout, "\n") {
			t.Errorf("%d exceptions are kept, %d good lines passed", kept, strings.Count(wrong.stdout, "\n"))
		}
		info := runTool(t, "", "info", except)
		info.want(t, statusOK, info.stdout, "")
		for _, s := range []string{"whitelist over blocked\n", fmt.Sprintf("exceptions:           %d\n", w.ExceptionCount()), "header and payload are right"} {
			if !strings.Contains(info.stdout, s) {
				t.Errorf("info does not say %q:\n%s", s, info.stdout)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	runTool(t, "a\n", "query", except).want(t, statusTrouble, "", "none was given")
	runTool(t, good, "query", "-key-file", key, fifo(t, readAll(t, except))).want(t, statusNone, "", "")
	// A line on both lists: the black list wins.
	r := runTool(t, "a\nb\nc\nd\ne\n", "build", "-o", except, "-except", file(t, "x\ne\nd\nb\na\ny\n"))
	r.want(t, statusOK, "", `4 lines of the exceptions also listed, and no exception: "a", "b", "d", …`)
	runTool(t, "a\nb\nc\nd\ne\n", "query", except).want(t, statusOK, "a\nb\nc\nd\ne\n", "")
	runTool(t, "x\ny\n", "query", except).want(t, statusNone, "", "")
	runTool(t, "a\n", "build", "-o", except, "-except", file(t, "a\n")).want(t, statusOK, "", `1 line of the exceptions also listed, and no exception: "a"`+"\n")
	// No exceptions at all.
	runTool(t, "a\n", "build", "-o", except, "-except", file(t, "")).want(t, statusOK, "", "")
	runTool(t, "a\nb\n", "query", except).want(t, statusOK, "a\n", "")
	// What is not there, or is read and written.
	runTool(t, "a\n", "build", "-o", except, "-except", filepath.Join(dir, "none")).want(t, statusTrouble, "", "none: no such file")
	runTool(t, "a\n", "build", "-o", exceptions, "-except", exceptions).want(t, statusTrouble, "", "both the list of exceptions and the file")
	runTool(t, "a\n", "build", "-o", except, "-except", "-").want(t, statusTrouble, "", "cannot be both the list and its exceptions")
	runTool(t, "a\n", "screen", "-except", "-", "-").want(t, statusTrouble, "", "cannot be both the list and its exceptions")
	runTool(t, "", "query", except+"x").want(t, statusTrouble, "", "no such file")
}

func TestScreenExcept(t *testing.T) {
	const n = 5000
	bad, good, others := goodAndBad(n)
	list, exceptions := file(t, bad), file(t, good+"mail7.spam.example\n")
	for _, flags := range [][]string{nil, {"-exact"}, {"-untrusted"}} {
		screen := func(in string, args ...string) result {
			return runTool(t, in, append(append([]string{"screen", "-p", "0.05", "-except", exceptions}, flags...), args...)...)
		}
		const warning = `1 line of the exceptions also listed, and no exception: "mail7.spam.example"`
		screen(good, list).want(t, statusNone, "", warning)
		screen(bad+good, list).want(t, statusOK, bad, warning)
		screen(bad+good, "-v", list).want(t, statusOK, good, warning)
		screen(good+bad, "-c", list).want(t, statusOK, fmt.Sprintln(n), warning)
		passed := strings.Count(screen(others, list).stdout, "\n")
		if flags == nil && (passed < n/50 || passed > n/10) || len(flags) > 0 && flags[0] == "-exact" && passed > 0 {
			t.Errorf("%v: %d of %d other lines pass", flags, passed, n)
		}
	}
}

// Filters of other kinds are opened too.
func TestQueryKinds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	f, err := bitsieve.NewBloom(100, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	f.AddStrings([]string{"a", "b"})
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	runTool(t, "a\nb\nc\n", "query", path).want(t, statusOK, "a\nb\n", "")
	w := bitsieve.NewWhitelist(f)
	w.ExceptString("b")
	if err := w.Save(path); err != nil {
		t.Fatal(err)
	}
	runTool(t, "a\nb\nc\n", "query", path).want(t, statusOK, "a\n", "")
	if info := runTool(t, "", "info", path); !strings.Contains(info.stdout, "whitelist over bloom\n") {
		t.Errorf("info: %+v", info)
	}
}
