package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
)

func readAll(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The same list gives the same file by every way in.
func TestBuildWays(t *testing.T) {
	content := lines(10_000)
	list := file(t, content)
	at := strings.Index(content, "line 5000\n")
	first, second := content[:at], content[at:]
	// A last line without LF is not joined to the next list's first.
	half1, half2 := file(t, strings.TrimSuffix(first, "\n")), file(t, strings.TrimSuffix(second, "\n"))
	dir := t.TempDir()
	want := filepath.Join(dir, "want")
	runTool(t, "", "build", "-o", want, list).want(t, statusOK, "", "")
	f, err := bitsieve.OpenBlocked(want)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, p := f.Capacity(); n != 10_000 || p != defaultRate {
		t.Errorf("made for %d keys at %v", n, p)
	}
	for i, c := range []struct {
		stdin string
		args  []string
	}{
		{content, nil},
		{content, []string{"-"}},
		{"", []string{"-n", "10000", list}},
		{"", []string{"-n", "1e4", "-p", "0.1%", list}},
		{content, []string{"-n", "10000"}},
		{"", []string{half1, half2}},
		{"", []string{"-n", "10000", half1, half2}},
		{strings.ReplaceAll(content, "\n", "\r\n"), nil},
		{"\n\n" + strings.ReplaceAll(content, "\n", "\n\n"), nil},
		{second, []string{half1, "-"}},
		{first, []string{"-", half2}},
		{"", []string{"--", list}},
	} {
		got := filepath.Join(dir, fmt.Sprint(i))
		runTool(t, c.stdin, append([]string{"build", "-o", got}, c.args...)...).want(t, statusOK, "", "")
		if readAll(t, got) != readAll(t, want) {
			t.Errorf("%q: another file", c.args)
		}
	}
	runTool(t, content, "build", "-o", "-").want(t, statusOK, readAll(t, want), "")
}

func TestBuildEmpty(t *testing.T) {
	filter := filepath.Join(t.TempDir(), "f")
	for _, content := range []string{"", "\n\r\n\n"} {
		runTool(t, "", "build", "-o", filter, file(t, content)).want(t, statusOK, "", "")
		runTool(t, "\na\n", "query", filter).want(t, statusNone, "", "")
		runTool(t, content, "build", "-o", filter).want(t, statusOK, "", "")
		runTool(t, "\na\n", "query", "-v", filter).want(t, statusOK, "\na\n", "")
	}
}

func TestBuildOutgrown(t *testing.T) {
	filter := filepath.Join(t.TempDir(), "f")
	r := runTool(t, lines(1000), "build", "-n", "100", "-o", filter)
	r.want(t, statusOK, "", "1000 lines, more than the 100")
	// Doubles take no room.
	r = runTool(t, strings.Repeat(lines(100), 10), "build", "-n", "100", "-o", filter)
	r.want(t, statusOK, "", "")
}

func TestBuildKeepsList(t *testing.T) {
	list := file(t, "a\n")
	runTool(t, "", "build", "-o", list, list).want(t, statusTrouble, "", "both a list and the file")
	if readAll(t, list) != "a\n" {
		t.Error("the list is gone")
	}
	runTool(t, "", "build", "-o", filepath.Join(list, "f"), list).want(t, statusTrouble, "", "cannot save")
}

func TestKeyFile(t *testing.T) {
	raw := "0123456789abcdef:123456789abcdef"
	digits := hex.EncodeToString([]byte(raw))
	list := file(t, "a\n")
	dir := t.TempDir()
	want := filepath.Join(dir, "want")
	runTool(t, "", "build", "-key-file", file(t, raw), "-o", want, list).want(t, statusOK, "", "")
	for _, content := range []string{digits, digits + "\n", digits + "\r\n", strings.ToUpper(digits)} {
		key := file(t, content)
		got := filepath.Join(dir, "got")
		runTool(t, "a\n", "build", "-key-file", key, "-o", got).want(t, statusOK, "", "")
		if readAll(t, got) != readAll(t, want) {
			t.Errorf("key %q: another filter", content)
		}
		runTool(t, "a\n", "query", "-key-file", key, want).want(t, statusOK, "a\n", "")
	}
	for content, message := range map[string]string{
		"":                                 "has 0 bytes",
		raw[1:]:                            "has 31 bytes",
		raw + "\n":                         "has 32 characters and the end of a line",
		raw[1:] + "\n":                     "has 31 characters and the end of a line",
		raw[2:] + "\r\n":                   "has 30 characters and the end of a line",
		digits[1:]:                         "has 63 bytes",
		digits[1:] + "\n":                  "has 63 characters and the end of a line",
		digits + "0":                       "has 65 bytes",
		digits + "\n\n":                    "has 66 bytes",
		digits + "\n\n\n":                  "has more than 66 bytes",
		"x" + digits[1:]:                   "not all hexadecimal",
		digits[:32]:                        "has 32 hexadecimal digits, which is half a key",
		strings.Repeat("\x00", 32):         "has the same byte 32 times",
		strings.Repeat("x", 32):            "has the same byte 32 times",
		strings.Repeat("00", 32):           "has the same byte 32 times",
		strings.Repeat("ab", 32) + "\r\n":  "has the same byte 32 times",
		strings.Repeat("0123456789", 1000): "has more than 66 bytes",
	} {
		r := runTool(t, "", "query", "-key-file", file(t, content), want)
		r.want(t, statusTrouble, "", message)
		r.want(t, statusTrouble, "", "; a key is 64 hexadecimal digits")
	}
	runTool(t, "", "query", want).want(t, statusTrouble, "", "none was given")
	runTool(t, "", "query", "-key-file", file(t, strings.Repeat("xy", 16)), want).want(t, statusTrouble, "", "different key")
	runTool(t, "", "query", "-key-file", filepath.Join(dir, "none"), want).want(t, statusTrouble, "", "none: no such file")
	runTool(t, "", "info", want).want(t, statusOK, runTool(t, "", "info", want).stdout, "")
}

func TestInfo(t *testing.T) {
	dir := t.TempDir()
	filter, cut := filepath.Join(dir, "f"), filepath.Join(dir, "cut")
	runTool(t, lines(1000), "build", "-o", filter, "-p", "1%").want(t, statusOK, "", "")
	content := readAll(t, filter)
	r := runTool(t, "", "info", filter)
	r.want(t, statusOK, r.stdout, "")
	for _, want := range []string{"blocked", "XXH3-64", "made for 1000\n", "0.01 by design\n", " now, ", "header and payload are right\n", "64 bytes\n"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("info does not say %q:\n%s", want, r.stdout)
		}
	}
	for _, c := range []struct {
		content string
		want    []string
	}{
		{content[:len(content)-1], []string{"header is right", "truncated", "made for 1000"}},
		{content[:100], []string{"truncated: header at byte 100"}},
		{content + "x", []string{"data after the end", "made for 1000"}},
		{content[:200] + "\x00\x01" + content[202:], []string{"header is right", "checksum mismatch: payload", "made for 1000"}},
		{content[:50] + "\xff" + content[51:], []string{"header is wrong", "checksum mismatch: header"}},
		{"spam.example\n", []string{"not a bitsieve file"}},
		{"", []string{"truncated"}},
	} {
		if err := os.WriteFile(cut, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		r := runTool(t, "", "info", cut)
		r.want(t, statusTrouble, r.stdout, "")
		for _, want := range append(c.want, "damage:") {
			if !strings.Contains(r.stdout, want) {
				t.Errorf("info of %d bytes does not say %q:\n%s", len(c.content), want, r.stdout)
			}
		}
		runTool(t, "a\n", "query", cut).want(t, statusTrouble, "", "bitsieve query: "+cut)
	}
	runTool(t, lines(100_000), "build", "-o", filter, "-n", "1").want(t, statusOK, "", "100000 lines, more than the 1 ")
	full := runTool(t, "", "info", filter)
	full.want(t, statusOK, full.stdout, "")
	if !strings.Contains(full.stdout, "too many to tell, made for 1\n") || !strings.Contains(full.stdout, "1 now") {
		t.Errorf("info of a full filter:\n%s", full.stdout)
	}
	runTool(t, lines(1000), "build", "-o", filter).want(t, statusOK, "", "")
	both := runTool(t, "", "info", cut, filter)
	if both.status != statusTrouble || !strings.Contains(both.stdout, "made for 1000") {
		t.Errorf("info of two files: %+v", both)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 bytes", 1023: "1023 bytes", 1024: "1.00 KiB", 1<<20 - 1: "1024 KiB", 1 << 20: "1.00 MiB",
		15 << 20: "15.0 MiB", 150 << 30: "150 GiB", 1 << 63: "8.00 EiB",
	} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
	var r rate
	if err := r.Set("0.1%"); err != nil || r != 0.001 {
		t.Errorf("0.1%%: %v, %v", r, err)
	}
	var c count
	if err := c.Set("2.5e6"); err != nil || c != 2_500_000 {
		t.Errorf("2.5e6: %v, %v", c, err)
	}
}
