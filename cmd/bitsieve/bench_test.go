package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/bench/tune"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// Everything at tiny sizes: every level is in every row, and every filter has
// its rate.
func TestBench(t *testing.T) {
	plan := benchPlan{
		rounds:      5,
		kernelTime:  20 * time.Microsecond,
		filterTime:  20 * time.Microsecond,
		kernelSizes: []int64{8 << 10, 16 << 10},
		filterSizes: []int64{32 << 10, 64 << 10},
		trials:      1e5,
	}
	var stdout, stderr bytes.Buffer
	tl := &tool{stdout: &stdout, stderr: &stderr, command: "bitsieve bench"}
	file := filepath.Join(t.TempDir(), "report.json")
	if err := tl.bench(context.Background(), plan, regexp.MustCompile(""), file); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr, which is no terminal: %q", &stderr)
	}
	r, err := report.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	limits := 0
	for _, row := range r.Rows {
		if len(row.Samples) != plan.rounds || slices.Min(row.Samples) <= 0 {
			t.Errorf("%s, %s: samples %v", row.Name(), row.Impl, row.Samples)
		}
		if row.Kind == report.Bound {
			limits++
			continue
		}
		seen[row.Name()+" "+row.Impl]++
		if row.VsLimit <= 0 {
			t.Errorf("%s, %s: no ratio to the limit", row.Name(), row.Impl)
		}
		if (row.VsGeneric > 0) == (row.Impl == report.Generic) {
			t.Errorf("%s, %s: %v times as fast as generic", row.Name(), row.Impl, row.VsGeneric)
		}
		if row.IsFilter() && (row.K != 6 || math.Abs(row.BitsPerKey-10) > 0.01 || row.FPTrials != 1e5 || row.FPRate < 0.008 || row.FPRate > 0.012) {
			t.Errorf("%s, %s: k = %d, %v bits per key, rate %v of %d", row.Name(), row.Impl, row.K, row.BitsPerKey, row.FPRate, row.FPTrials)
		}
	}
	for _, level := range cpu.Names() {
		for _, op := range []string{"Count", "And", "AndCount", "Decode/density=1of8"} {
			for _, size := range []string{"8KiB", "16KiB"} {
				delete(seen, fmt.Sprintf("%s/size=%s %s", want(t, seen, op, size, level), size, level))
			}
		}
		for _, op := range []string{"Test", "TestOne", "Add"} {
			for _, size := range []string{"32KiB", "64KiB"} {
				delete(seen, fmt.Sprintf("%s/size=%s %s", want(t, seen, op, size, level), size, level))
			}
		}
	}
	if len(seen) > 0 || limits == 0 {
		t.Errorf("unexpected rows: %v; %d limits", seen, limits)
	}
	words := append(cpu.Names(), "Limits of this machine", "CPU ", "in use ", "limit: ", "false positives")
	if len(cpu.Names()) > 1 {
		words = append(words, "vs generic")
	}
	for _, s := range words {
		if !strings.Contains(stdout.String(), s) {
			t.Errorf("the tables do not say %q:\n%s", s, &stdout)
		}
	}
}

// want checks that a row was measured once and returns its operation.
func want(t *testing.T, seen map[string]int, op, size, level string) string {
	t.Helper()
	if n := seen[op+"/size="+size+" "+level]; n != 1 {
		t.Errorf("%s/size=%s, %s: %d rows", op, size, level, n)
	}
	return op
}

func TestBenchOutputs(t *testing.T) {
	args := []string{"bench", "-run", "^Count/size=64B$", "-sizes", "64B"}
	r := runTool(t, "", args...)
	r.want(t, statusOK, r.stdout, "")
	if !strings.Contains(r.stdout, "\nCount\n") || strings.Contains(r.stdout, "\nAnd\n") || !strings.HasSuffix(r.stdout, "\n") || strings.HasSuffix(r.stdout, "\n\n") {
		t.Errorf("tables: %q", r.stdout)
	}
	r = runTool(t, "", append(args, "-json", "-")...)
	r.want(t, statusOK, r.stdout, "")
	rep, err := report.ReadJSON(strings.NewReader(r.stdout))
	if err != nil || len(rep.Rows) != len(cpu.Names()) {
		t.Errorf("-json -: %v, %s", err, clip(r.stdout))
	}
	path := filepath.Join(t.TempDir(), "none", "x")
	r = runTool(t, "", append(args, "-json", path)...)
	if r.status != statusTrouble || !strings.Contains(r.stderr, path) {
		t.Errorf("-json to nowhere: status %d, stderr %q", r.status, r.stderr)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it is there")
	}
}

// A report that cannot be written is worth no measuring.
func TestBenchUnwritable(t *testing.T) {
	start := time.Now()
	r := runTool(t, "", "bench", "-json", filepath.Join(t.TempDir(), "none", "x"))
	if r.status != statusTrouble || r.stdout != "" || time.Since(start) > 2*time.Second {
		t.Errorf("status %d after %v, stdout %q", r.status, time.Since(start), clip(r.stdout))
	}
}

// The keys are what the tables say: half of those tested are present, and all
// those added again.
func TestBenchFilter(t *testing.T) {
	defer measure.SetLevel(measure.BestLevel())
	b := newBenchFilter(64<<10, 1e5)
	if err := b.setup(); err != nil {
		t.Fatal(err)
	}
	defer b.release()
	if err := b.fill(func() {}); err != nil {
		t.Fatal(err)
	}
	for _, level := range cpu.Names() {
		measure.SetLevel(level)
		n := b.f.TestUint64s(b.keys, nil)
		if share := float64(n) / float64(len(b.keys)); share < 0.49 || share > 0.52 {
			t.Errorf("%s: %.3f of the keys pass", level, share)
		}
		if one := b.testOneByOne(b.keys); one != n {
			t.Errorf("%s: %d pass one by one, %d together", level, one, n)
		}
		if n := b.f.TestUint64s(b.present, nil); n != len(b.present) {
			t.Errorf("%s: %d of %d present keys pass", level, n, len(b.present))
		}
	}
}

func TestBenchK(t *testing.T) {
	f, err := bitsieve.NewBlocked(1_000_000, 0.00986)
	if err != nil {
		t.Fatal(err)
	}
	if bits := float64(f.SizeBytes()) * 8 / 1e6; math.Abs(bits-benchBitsPerKey) > 0.05 || f.K() != benchK {
		t.Errorf("NewBlocked picks k = %d for %.2f bits per key", f.K(), bits)
	}
}

func TestParseSizes(t *testing.T) {
	got, err := parseSizes("64,128B,8KiB,3MiB,256GiB")
	if want := []int64{64, 128, 8 << 10, 3 << 20, 256 << 30}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// A row is measured with works of nothing, and printed as source.
func TestTune(t *testing.T) {
	saved := cpu.Tune
	var stdout bytes.Buffer
	tl := &tool{stdout: &stdout, stderr: new(bytes.Buffer), command: "bitsieve bench"}
	small := tune.Sizes{Cached: []int{4 << 10}, Border: []int{4 << 10, 8 << 10}, Beyond: []int{16 << 10}}
	knobs := append(append(tune.Batches(small), wordKnobs(lengths{near: []int{64}, middle: []int{128}, far: []int{256}})...),
		tune.Knob{Field: "Batches.Chunk", Values: []any{512, 1024, 2048}, Works: func() []tune.Work { return stringWorks(64 << 10) }},
		tune.Knob{Field: "Batches.BloomNear", Values: []any{false, true}, Works: func() []tune.Work { return bloomWorks(64 << 10) }})
	if err := tl.tune(context.Background(), knobs, tune.Timing{Span: time.Microsecond, Rounds: 1}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tuned for " + cpu.DescribeTuning(), "\nBatches.Chunk: ", "\nBatches.BloomNear: ", "\nWords.StreamBinary: ", " = Words{\n\t\tWide: ", " = Batches{\n\t\tBlockedCached: "} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, &stdout)
		}
	}
	if cpu.Tune != saved {
		t.Error("the row has changed")
	}
	for args, want := range map[string]string{
		"bench -tune -json -":  "-tune goes with -time only",
		"bench -tune -run x":   "-tune goes with -time only",
		"bench -time 1s":       "-time goes with -tune only",
		"bench -tune -time 1x": "invalid value",
	} {
		r := runTool(t, "", strings.Fields(args)...)
		if r.status != statusTrouble || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %d, %q", args, r.status, r.stderr)
		}
	}
}

// Every field of a row is measured.
func TestKnobs(t *testing.T) {
	measured := "\n"
	for _, k := range knobs() {
		measured += k.Field + "\n"
	}
	row := reflect.TypeFor[cpu.Tuning]()
	for _, part := range []string{"Batches", "Words"} {
		f, ok := row.FieldByName(part)
		if !ok {
			t.Fatalf("no %s", part)
		}
		for i := range f.Type.NumField() {
			if name := part + "." + f.Type.Field(i).Name; !strings.Contains(measured, "\n"+name+"\n") && !strings.Contains(measured, "\n"+name+"[") {
				t.Errorf("%s is not measured", name)
			}
		}
	}
}
