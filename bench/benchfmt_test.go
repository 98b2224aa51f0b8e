package main

import (
	"math"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// TestBenchfmt reads what WriteBenchfmt writes by the parser that benchstat has, and
// looks for every measurement of a run that is kept.
func TestBenchfmt(t *testing.T) {
	r, err := report.ReadFile("results/amd-epyc-f25m17-linux-amd64.json")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.WriteBenchfmt(&b); err != nil {
		t.Fatal(err)
	}
	type point struct {
		n                            int
		seconds, fp, perSecond, unit float64 // the last three of the last round
	}
	got := map[string]point{}
	rd := benchfmt.NewReader(strings.NewReader(b.String()), "run")
	for rd.Scan() {
		switch rec := rd.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Fatal(rec)
		case *benchfmt.Result:
			for key, want := range map[string]string{"goos": r.Machine.OS, "goarch": r.Machine.Arch, "cpu": r.Machine.CPU, "commit": r.Library} {
				if rec.GetConfig(key) != want {
					t.Fatalf("%s: %q, want %q", key, rec.GetConfig(key), want)
				}
			}
			name := string(rec.Name.Full())
			p := got[name]
			p.n++
			s, _ := rec.Value("sec/op") // which the reader makes of ns/op
			p.seconds += s
			p.fp, _ = rec.Value("fp%")
			p.perSecond, _ = rec.Value("B/s")
			p.unit, _ = rec.Value("sec/key")
			got[name] = p
		}
	}
	if err := rd.Err(); err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*math.Abs(b) }
	names := 0
	seen := map[string]bool{}
	for _, row := range r.Rows {
		name := row.BenchmarkName()
		if seen[name] {
			t.Errorf("two rows of the name %s", name)
		}
		seen[name] = true
		names++
		sum := 0.0
		for _, ns := range row.Samples {
			sum += ns / 1e9
		}
		p := got[name]
		if p.n != len(row.Samples) || !near(p.seconds, sum) {
			t.Errorf("%s: %d lines of %v s, want %d of %v", name, p.n, p.seconds, len(row.Samples), sum)
		}
		last := row.Samples[len(row.Samples)-1] / 1e9
		if row.Unit == report.Bytes && !near(p.perSecond, row.PerCall/last) ||
			row.IsFilter() && (!near(p.fp, 100*row.FPRate) || !near(p.unit, last/row.PerCall)) {
			t.Errorf("%s: %v B/s, %v s a key, %v fp%%", name, p.perSecond, p.unit, p.fp)
		}
	}
	if len(got) != names+len(r.Rates) {
		t.Errorf("%d names, want those of %d rows and %d rates", len(got), names, len(r.Rates))
	}
}
