package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve/bench/c"
	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// compileExample makes a shared object of the example of a library in C.
func compileExample(t *testing.T) string {
	t.Helper()
	if len(c.Kernels()) == 0 {
		t.Skip("built without the tag cbench")
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if _, err := exec.LookPath(cc); err != nil {
		t.Skip(err)
	}
	object := filepath.Join(t.TempDir(), "example.so")
	out, err := exec.Command(cc, "-O2", "-shared", "-fPIC", "-I", "c", "-o", object, "c/example_peer.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return object
}

// TestPeerInC measures the example in every group that it takes part in.
func TestPeerInC(t *testing.T) {
	p := tinyPlan()
	p.filterSizes = []int64{64 << 10}
	if err := p.loadPeers([]string{compileExample(t)}); err != nil {
		t.Fatal(err)
	}
	r := &report.Report{Machine: machine.Detect(cpu.Names(), false)}
	err := measureAll(context.Background(), p, regexp.MustCompile("^(Count|Test|Add|FPRate)"), r)
	if err != nil {
		t.Fatal(err)
	}
	var ops []string
	for _, row := range r.Rows {
		if row.Impl != "example" {
			continue
		}
		if row.Kind != report.C || row.VsPeer <= 0 || !row.Shown() {
			t.Errorf("%+v", row)
		}
		ops = append(ops, row.Name())
		if row.IsFilter() && (row.K != 8 || row.BitsPerKey < 9.99 || row.BitsPerKey > 10.01 || row.FPTrials != p.trials || row.FPRate < 0.008 || row.FPRate > 0.013) {
			t.Errorf("%+v", row)
		}
	}
	want := []string{
		"Count/size=64B", "Count/size=8KiB",
		"Test/size=64KiB", "TestHashes/size=64KiB", "TestOne/size=64KiB", "Add/size=64KiB",
		"TestStrings/len=16/size=64KiB", "TestStrings/len=44/size=64KiB",
	}
	if !slices.Equal(ops, want) {
		t.Errorf("measured in %v, want %v", ops, want)
	}
	curve := 0
	for _, rate := range r.Rates {
		if rate.Filter == "example" && rate.K == 8 && rate.Trials == p.curveTrials {
			curve++
		}
	}
	if curve != len(p.curve) {
		t.Errorf("%d false-positive rates, want %d", curve, len(p.curve))
	}
	if text := r.Text(); !strings.Contains(text, "example") {
		t.Errorf("the report lacks it:\n%s", text)
	}
}

// TestBuiltPeers measures what c/peers/build has built into the folder BITSIEVE_PEERS, in
// a moment: kernels are compared with a loop, filters looked through for missing keys.
func TestBuiltPeers(t *testing.T) {
	dir := os.Getenv("BITSIEVE_PEERS")
	if dir == "" {
		t.Skip("BITSIEVE_PEERS names no folder of c/peers/build's")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.so"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no shared objects, %v", dir, err)
	}
	p := tinyPlan()
	p.filterSizes, p.leanFrom = []int64{64 << 10}, 0
	if err := p.loadPeers(files); err != nil {
		t.Fatal(err)
	}
	r := &report.Report{Machine: machine.Detect(cpu.Names(), false)}
	err = measureAll(context.Background(), p, regexp.MustCompile("^(Count|.*And|.*Or|Xor|Test|Add|FPRate)"), r)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, row := range r.Rows {
		rows[row.Impl]++
		if row.IsFilter() && (row.FPRate < 0.005 || row.FPRate > 0.02) {
			t.Errorf("%s, %s: rate %v", row.Name(), row.Impl, row.FPRate)
		}
	}
	for _, peer := range p.cPeers {
		want := 0
		for _, k := range peer.Kernels {
			want++
			if slices.Contains([]string{"Count", "And", "AndInPlace", "AndCount"}, k.Op) {
				want += len(p.kernelSizes) - 1
			}
		}
		if peer.NewFilter != nil {
			want += len([]string{"Test", "TestOne", "Add", "TestHashes", "TestStrings/len=16", "TestStrings/len=44"})
		}
		if rows[peer.Name] != want {
			t.Errorf("%s: %d rows, want %d", peer.Name, rows[peer.Name], want)
		}
	}
}

func TestSourceOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.so")
	if got := sourceOf(file); got != "x.so" {
		t.Errorf("without a text: %q", got)
	}
	if err := os.WriteFile(file+".txt", []byte("some/library 0123,\ncc 12\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := sourceOf(file); got != "some/library 0123, cc 12" {
		t.Errorf("with a text: %q", got)
	}
}

// TestPeerRefused checks that what cannot be measured is said on the command
// line.
func TestPeerRefused(t *testing.T) {
	err := dispatch([]string{"list", "-peer", "missing.so"})
	want := "missing.so"
	if len(c.Kernels()) == 0 {
		want = "-tags cbench"
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("list -peer missing.so: %v, want %q", err, want)
	}
	example := compileExample(t)
	err = dispatch([]string{"list", "-peer", example, "-peer", example})
	if err == nil || !strings.Contains(err.Error(), `"example" is the name of`) {
		t.Errorf("the same library twice: %v", err)
	}
}

// A partial filter takes integers and nothing else.
func TestPartialFilter(t *testing.T) {
	for _, test := range []struct {
		peer          c.Peer
		texts, hashes bool
	}{
		{c.Peer{}, false, false},
		{c.Peer{Strings: true}, true, false},
		{c.Peer{Hashes: true}, false, true},
		{c.Peer{Strings: true, Hashes: true}, true, true},
	} {
		f := asFilter(&test.peer, nil)
		if _, ok := f.(textFilter); ok != test.texts {
			t.Errorf("%+v: takes strings: %v", test.peer, ok)
		}
		if _, ok := f.(hashFilter); ok != test.hashes {
			t.Errorf("%+v: takes hashes: %v", test.peer, ok)
		}
		if _, ok := f.(stringFilter); ok {
			t.Errorf("%+v: takes strings one by one", test.peer)
		}
		if _, ok := f.(interface{ Close() }); !ok {
			t.Errorf("%+v: cannot be closed", test.peer)
		}
	}
}

// TestIntegersOnly fills a filter that takes nothing else to the same load.
func TestIntegersOnly(t *testing.T) {
	f := newBlockedFilter(16<<10, 8)
	fc := &filterCase{
		filterSpec: filterSpec{name: "integers", k: 8, make: func(int64, int) filter { return integersOnly{f} }},
		size:       16 << 10, load: loadFor(16<<10, 10), trials: 1e5,
	}
	if err := fc.fill(); err != nil {
		t.Fatal(err)
	}
	if rate := fc.rate(); rate < 0.008 || rate > 0.013 {
		t.Errorf("rate %v: not at its load", rate)
	}
}

type integersOnly struct{ filter }

// TestMiscounting checks that more keys than were asked for do not make up for
// missing ones.
func TestMiscounting(t *testing.T) {
	fc := &filterCase{
		filterSpec: filterSpec{name: "miscounting", k: 8, make: func(bytes int64, k int) filter {
			return miscounting{newBlockedFilter(bytes, k)}
		}},
		size: 16 << 10, load: loadFor(16<<10, 10), trials: 1,
	}
	if err := fc.fill(); err == nil {
		t.Error("a filter that says yes to more keys than it is asked for was accepted")
	}
}

type miscounting struct{ filter }

func (miscounting) TestUint64sOneByOne(keys []uint64) int { return len(keys) + 1 }
