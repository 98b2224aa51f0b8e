package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// These tests build programs in modules of their own, which come to bitsieve by the
// replace lines of their go.mod and know only the peers' import paths.

// peers are the modules that a replace line takes the place of.
var peers = []struct{ path, version, replacement string }{
	{"github.com/bits-and-blooms/bitset", "v1.29.0", "../replace/bitset"},
	{"github.com/bits-and-blooms/bloom/v3", "v3.7.1", "../replace/bloom"},
}

// importingModule returns the folder of a new module in which the programs of
// testdata/importer lie, and whose go.mod replaces the peers that have an entry in
// replacements.
func importingModule(t testing.TB, replacements map[string]string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/importer")); err != nil {
		t.Fatal(err)
	}
	mod := "module example.com/importer\n\ngo 1.24.1\n\n"
	for _, p := range peers {
		mod += "require " + p.path + " " + p.version + "\n"
		if to := replacements[p.path]; to != "" {
			mod += "replace " + p.path + " => " + absolute(t, to) + "\n"
		}
	}
	mod += "replace github.com/bitsieve/bitsieve => " + absolute(t, "..") + "\n"
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// allReplaced replaces every peer.
func allReplaced() map[string]string {
	m := map[string]string{}
	for _, p := range peers {
		m[p.path] = p.replacement
	}
	return m
}

func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// goCommand runs the go command in a folder and returns what it printed. It takes
// modules from the cache if they are there.
func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	if filepath.IsAbs(dir) {
		cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod") // go.mod there lists nothing indirect
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustGo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := goCommand(dir, args...)
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TestReplaceLines runs a program with the peers and with the replace lines.
func TestReplaceLines(t *testing.T) {
	want := mustGo(t, importingModule(t, nil), "run", ".")
	dir := importingModule(t, allReplaced())
	if got := mustGo(t, dir, "run", "."); got != want {
		t.Errorf("with the replace lines:\n%swithout:\n%s", got, want)
	}
	lines := strings.Split(strings.TrimSpace(mustGo(t, dir, "run", ".", "allocations")), "\n")
	if got := lines[len(lines)-1]; got != "0" {
		t.Errorf("EachSet and TestString allocate %s times", got)
	}
}

// TestReplaceBloomOnly leaves out the line for bitset, which the package's comment
// forbids to programs that use BloomFilter.BitSet as the peer's type.
func TestReplaceBloomOnly(t *testing.T) {
	only := map[string]string{peers[1].path: peers[1].replacement}
	out, err := goCommand(importingModule(t, only), "build", ".")
	if err == nil || !strings.Contains(out, "cannot use filter.BitSet()") {
		t.Errorf("%v\n%s", err, out)
	}
	dir := importingModule(t, only)
	source := filepath.Join(dir, "main.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	inferred := strings.Replace(string(text), "var bits *bitset.BitSet = filter", "bits := filter", 1)
	if err := os.WriteFile(source, []byte(inferred), 0o666); err != nil {
		t.Fatal(err)
	}
	mustGo(t, dir, "build", ".")
}

// hotMethods must inline into the importing module.
var hotMethods = []string{
	"BitSet.Clear", "BitSet.Count", "BitSet.EachSet", "BitSet.Flip", "BitSet.Len", "BitSet.NextSet", "BitSet.Set", "BitSet.Test",
	"BloomFilter.Add", "BloomFilter.AddString", "BloomFilter.Test", "BloomFilter.TestAndAdd", "BloomFilter.TestAndAddString",
	"BloomFilter.TestOrAdd", "BloomFilter.TestString",
}

// TestReplaceInlining reads in the compiler's report that calls inline as well
// through the aliases of the replacements as where the types are defined: not only
// the methods above, but all that inline there and that the peers have.
func TestReplaceInlining(t *testing.T) {
	dir := importingModule(t, allReplaced())
	inlined := methods(`inlining call to \w+\.\(\*(BitSet|BloomFilter)\)\.([A-Z]\w*)\b`, mustGo(t, dir, "build", "-gcflags=-m", "./hot"))
	want := map[string]bool{}
	for _, name := range hotMethods {
		want[name] = true
	}
	for pkg, typ := range map[string]string{
		"github.com/bitsieve/bitsieve":              "BitSet",
		"github.com/bitsieve/bitsieve/dropin/bloom": "BloomFilter",
	} {
		peer := methodsOf(t, map[string]string{"BitSet": peers[0].path, "BloomFilter": peers[1].path}[typ], typ)
		for name := range methods(`can inline \(\*(`+typ+`)\)\.([A-Z]\w*)\n`, mustGo(t, dir, "build", "-gcflags="+pkg+"=-m", pkg)) {
			if peer[strings.TrimPrefix(name, typ+".")] != "" {
				want[name] = true
			}
		}
	}
	if len(want) < 30 {
		t.Errorf("only %d methods inline where they are defined: is the compiler's report read?", len(want))
	}
	for name := range want {
		if !inlined[name] {
			t.Errorf("%s does not inline through the replace lines (inline.go of the aliasing packages), or testdata/importer/hot does not call it", name)
		}
	}
}

func methods(pattern, report string) map[string]bool {
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(report, -1) {
		found[m[1]+"."+m[2]] = true
	}
	return found
}
