package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var keptRuns = []string{"results/amd-epyc-f25m17-linux-amd64.json", "results/amd-epyc-f26m2-linux-amd64.json"}

// TestCompare renders the kept runs side by side, with figures.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	if err := dispatch(append([]string{"compare", "-results", dir}, keptRuns...)); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "machines.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| size | k, false positives | Zen 4, ns/key | Go | C or C++ | Zen 5, ns/key | Go | C or C++ |",
		"| AndInPlace/size=8KiB | 1.11× | **0.63×** |",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, f := range []string{"kernels", "blocked", "bloom"} {
		f = "machines-ratios-" + f + ".svg"
		svg, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil || !strings.Contains(string(svg), "Zen 5") || !strings.Contains(string(page), "![]("+f+")") {
			t.Errorf("%s: %v, or it is not shown", f, err)
		}
	}
}

// TestTargets writes the aims into their place in a file, twice.
func TestTargets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "T.md")
	if err := os.WriteFile(file, []byte("before\n"+targetsBegin+"old\n"+targetsEnd+"after\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var last string
	for range 2 {
		if err := dispatch(append([]string{"targets", "-md", file}, keptRuns...)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if !strings.HasPrefix(text, "before\n"+targetsBegin) || !strings.HasSuffix(text, targetsEnd+"after\n") ||
			!strings.Contains(text, "### Aims on every CPU") || strings.Contains(text, "old\n") {
			t.Fatal(text)
		}
		if last != "" && text != last {
			t.Error("the second time wrote another text")
		}
		last = text
	}
	if err := dispatch([]string{"targets", "-md", "README.md", keptRuns[0]}); err == nil {
		t.Error("a file without the place was accepted")
	}
}
