package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No command writes to a file that it reads: every way to name one twice is
// refused before anything is written.
func TestSameFile(t *testing.T) {
	const content, digits = "1\n2\n", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n"
	for _, c := range []struct {
		args   string // L is the list, S a link to it, K the key file, F a filter
		stdin  string // the file that is standard input
		stdout string // the file that is standard output, opened for appending
		want   string // "" if it is allowed
	}{
		{"build -o L L", "", "", "is both a list and the file to write"},
		{"build -o S L", "", "", "is both a list and the file to write"},
		{"build -o L S", "", "", "is both a list and the file to write"},
		{"build -o L", "L", "", "standard input is both a list and the file to write"},
		{"build -o S -", "L", "", "standard input is both a list and the file to write"},
		{"build -o L other -", "L", "", "standard input is both"},
		{"build -o - L", "", "L", "is both a list and standard output"},
		{"build -o -", "L", "L", "standard input is both a list and standard output"},
		{"build -o K -key-file K L", "", "", "is both the key file and the file to write"},
		{"build -o - -key-file K L", "", "K", "is both the key file and standard output"},
		{"query F L", "", "L", "is both an input and standard output"},
		{"query -v F S", "", "L", "is both an input and standard output"},
		{"query -v F", "L", "L", "standard input is both an input and standard output"},
		{"query -c F L", "", "L", "is both an input and standard output"},
		{"query -v F L", "", "F", "is both the filter and standard output"},
		{"query -q F L", "", "L", ""},
		{"screen L other", "", "L", "is both the list and standard output"},
		{"screen other L", "", "L", "is both an input and standard output"},
		{"dedup other L", "", "L", "is both an input and standard output"},
		{"dedup", "L", "L", "standard input is both an input and standard output"},
		{"sort L", "", "L", "is both an input and standard output"},
		{"info F", "", "F", "is both the filter and standard output"},
		{"dedup L", "", "other", ""},
		{"dedup other", "L", "L", ""}, // standard input is not read
		{"dedup /dev/null", "", "/dev/null", ""},
	} {
		dir := t.TempDir()
		path := func(name string) string {
			if filepath.IsAbs(name) {
				return name
			}
			return filepath.Join(dir, name)
		}
		files := map[string]string{"L": content, "K": digits, "other": "3\n"}
		for name, text := range files {
			if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink("L", path("S")); err != nil {
			t.Skip(err)
		}
		runTool(t, content, "build", "-o", path("F")).want(t, statusOK, "", "")
		files["F"] = readAll(t, path("F"))

		args := strings.Fields("bitsieve " + c.args)
		for i, a := range args {
			if _, ok := files[a]; ok || a == "S" {
				args[i] = path(a)
			}
		}
		var stdout, stderr bytes.Buffer
		status := 0
		in, err := os.Open(path("other"))
		if c.stdin != "" {
			in, err = os.Open(path(c.stdin))
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.stdout == "" {
			status = run(args, in, &stdout, &stderr)
		} else {
			out, err := os.OpenFile(path(c.stdout), os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			status = run(args, in, out, &stderr)
			out.Close()
		}
		in.Close()
		if c.want == "" {
			if status != statusOK || stderr.Len() > 0 {
				t.Errorf("%s <%s >>%s: status %d, stderr %q", c.args, c.stdin, c.stdout, status, &stderr)
			}
			continue
		}
		if status != statusTrouble || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%s <%s >>%s: status %d, stderr %q, want %q", c.args, c.stdin, c.stdout, status, &stderr, c.want)
		}
		for name, text := range files {
			if readAll(t, path(name)) != text {
				t.Errorf("%s <%s >>%s: %s was written to", c.args, c.stdin, c.stdout, name)
			}
		}
	}
}
