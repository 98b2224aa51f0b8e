package report

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		s    Samples
		want float64
	}{
		{Samples{3}, 3},
		{Samples{9, 1, 5}, 5},
		{Samples{4, 1, 3, 2}, 2.5},
	} {
		before := slices.Clone(c.s)
		if got := c.s.Median(); got != c.want {
			t.Errorf("%v: %v, want %v", c.s, got, c.want)
		}
		if !slices.Equal(before, c.s) {
			t.Errorf("Median reordered %v: rounds no longer match", before)
		}
	}
	if !math.IsNaN(Samples{}.Median()) {
		t.Error("the median of nothing is a number")
	}
}

// A ratio is taken within each round: what doubles both sides of one does not
// show.
func TestOverPairsRounds(t *testing.T) {
	ours, theirs := Samples{10, 40, 12}, Samples{20, 80, 24}
	if got := theirs.Over(ours); got != 2 {
		t.Errorf("got %v, want 2", got)
	}
	if got := theirs.Median() / (Samples{10, 40, 60}).Median(); got == 2 {
		t.Error("the example does not tell the two apart")
	}
}

func TestCompareRatios(t *testing.T) {
	g := sample().Rows[:5]
	Compare(g)
	for i, want := range []struct{ peer, c, limit float64 }{
		{3, 0.5, 2}, // avx512: 2 against 6, 1 and 1
		{1, 1. / 6, 6},
		{0.5, 1. / 12, 12},
		{6, 1, 1},
		{0, 0, 0},
	} {
		r := g[i]
		if r.VsPeer != want.peer || r.VsC != want.c || r.VsLimit != want.limit {
			t.Errorf("%s: %v, %v, %v; want %v", r.Impl, r.VsPeer, r.VsC, r.VsLimit, want)
		}
	}
}

// A level is compared with the generic one of the same filter.
func TestCompareGeneric(t *testing.T) {
	row := func(impl, kind string, k int, ns float64) Row {
		return Row{Op: "Test", Impl: impl, Kind: kind, K: k, Samples: Samples{ns}}
	}
	g := []Row{
		row(Generic, Ours, 6, 30), row(Generic, Ours, 8, 40), row("avx2", Ours, 6, 3), row("avx2", Ours, 8, 5),
		row("avx2", Ours, 9, 5), row(Generic, Peer, 9, 5),
	}
	Compare(g)
	for i, want := range []float64{0, 0, 10, 8, 0, 0} {
		if g[i].VsGeneric != want {
			t.Errorf("row %d: %v times as fast as generic, want %v", i, g[i].VsGeneric, want)
		}
	}
}

// sample is a small report with a row of each kind.
func sample() *Report {
	row := func(op string, size int64, impl, kind, unit string, ns float64) Row {
		return Row{Op: op, Size: size, Impl: impl, Kind: kind, Unit: unit, PerCall: 1024, Samples: Samples{ns, ns, ns}}
	}
	filter := func(impl, kind string, ns, rate float64) Row {
		r := row("Test", 4<<20, impl, kind, Keys, ns*1024)
		r.K, r.BitsPerKey, r.FPRate, r.FPTrials = 8, 10, rate, 1e6
		return r
	}
	bound := func(op string, pages string, ns float64) Row {
		r := row(op, 1024, "512-bit loads", Bound, Bytes, ns)
		r.Pages = pages
		return r
	}
	r := &Report{
		Schema:  Schema,
		Machine: machine.Machine{Name: "box", CPU: "Some CPU", Levels: []string{"generic", "avx512"}, L1D: 32 << 10},
		Rows: []Row{
			row("Count", 1024, "avx512", Ours, Bytes, 2),
			row("Count", 1024, "fast peer", Peer, Bytes, 6),
			row("Count", 1024, "slow peer", Peer, Bytes, 12),
			row("Count", 1024, "C loop", C, Bytes, 1),
			row("Count", 1024, "512-bit loads", Bound, Bytes, 1),
			filter("avx512", Ours, 2, 0.0105),
			filter("unmeasured", Peer, 0.5, 0),
			filter("other peer", Peer, 1, 0.0127),
			bound(StreamLimit, Small, 16),
			bound(StreamLimit, Huge, 8),
		},
		Rates: []Rate{
			{Filter: "bitsieve", K: 6, BitsPerKey: 10, Hits: 98, Trials: 10000},
			{Filter: "bitsieve", K: 8, FixedK: true, BitsPerKey: 10.001, Hits: 105, Trials: 10000},
			{Filter: "bitsieve", K: 9, BitsPerKey: 16, Hits: 8, Trials: 10000},
		},
	}
	r.Rows[6].FPTrials = 0
	Compare(r.Rows[:5])
	Compare(r.Rows[5:8])
	return r
}

func TestText(t *testing.T) {
	got := sample().Text()
	var rows []string
	for line := range strings.Lines(got) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	for _, want := range []string{
		"1 KiB bitsieve avx512 512 512 … 512 3.00× 0.50× 2.00×",
		"1 KiB limit: 512-bit loads 1024 1024 … 1024",
		"1 KiB L1 huge 128",
		"4 MiB bitsieve avx512 8 10.0 1.05 % 2.00 2.00 … 2.00 0.25× lost",
		"10.0 0.980 % (6) 1.05 % (8)",
		"16.0 0.0800 % (9)",
		"Rows at avx512 that a Go library or loop was faster in: 1",
		"Test/size=4MiB k=8: 0.25×",
		"Rows at avx512 that C or C++ was faster in: 1",
		"Count/size=1KiB: 0.50×",
	} {
		if !slices.Contains(rows, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
}

func TestTextAligned(t *testing.T) {
	var b strings.Builder
	(&table{title: "t", head: []string{"name", "x"}, left: 1, rows: [][]string{{"é", "12"}, {"abcde", "3.4×"}}}).text(&b)
	if want := "t\n  name      x\n  é        12\n  abcde  3.4×\n\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// A filter's speed without its false-positive rate is not published anywhere.
func TestSpeedNeedsRate(t *testing.T) {
	r := sample()
	for form, text := range map[string]string{"text": r.Text(), "Markdown": r.Markdown(nil)} {
		if strings.Contains(text, "unmeasured") {
			t.Errorf("%s shows a filter whose rate was not measured", form)
		}
		if !strings.Contains(text, "other peer") {
			t.Errorf("%s lacks a filter whose rate was measured", form)
		}
	}
}

func TestMarkdown(t *testing.T) {
	r := sample()
	r.Settings.Libraries = []string{"some/library 0123, cc 12"}
	got := r.Markdown([]string{"plot.svg"})
	for _, want := range []string{
		"# bitsieve on Some CPU\n",
		"- in C or C++: some/library 0123, cc 12\n\n![](plot.svg)\n",
		"| size | contender | GB/s | range | vs best peer | vs C | time / limit |\n| --- | --- | ---: |",
		"| 1 KiB | bitsieve avx512 | 512 |",
		"- Test/size=4MiB k=8: 0.25×\n", "- Count/size=1KiB: 0.50×\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	r, err := ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if r.Text() != sample().Text() {
		t.Error("the report changed on the way")
	}
	for what, bad := range map[string]string{
		"schema":    strings.Replace(text, `"schema": 1`, `"schema": 2`, 1),
		"samples":   strings.Replace(text, `"ns": [`, `"nanoseconds": [`, 1),
		"truncated": text[:len(text)/2],
		"units":     strings.Replace(text, `"per_call": 1024`, `"per_call": 0`, 1),
	} {
		if bad == text {
			t.Fatalf("%s: the example was not changed", what)
		}
		if _, err := ReadJSON(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}

func TestCompareMachines(t *testing.T) {
	a, b := sample(), sample()
	b.Machine.Name, b.Machine.Levels = "other box", []string{"generic", "neon"}
	for i := range b.Rows {
		if b.Rows[i].Kind == Ours {
			b.Rows[i].Impl = "neon"
			b.Rows[i].Samples = Samples{1, 1, 1}
		}
	}
	Compare(b.Rows[:5])
	b.Rows = b.Rows[:5] // this machine has no filters
	got := CompareMachines([]*Report{a, b}, []string{"plot.svg"})
	for _, want := range []string{
		"![](plot.svg)\n",
		"| row | box: 1 lost | other box: 0 lost |\n",
		"| Test/size=4MiB k=8 | **0.25×** |  |\n",
		"| row | box: 1 lost | other box: 0 lost |\n| --- | ---: | ---: |\n| Count/size=1KiB | **0.50×** | 1.00× |\n",
		"| size | box, GB/s | Go | C or C++ | other box, GB/s | Go | C or C++ |\n",
		"| 1 KiB | 512 | 171 fast peer, 3.00× | 1024 C loop, **0.50×** | 1024 | 171 fast peer, 6.00× | 1024 C loop, 1.00× |\n",
		"| 4 MiB | 8, 1.05 % | 2.00 | 0.500 unmeasured, 0 %, **0.25×** |  | – |  |  |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
	lines := Lines([]*Report{a, b})
	if len(lines) != 2 || lines[0].Go[1] != 6 || lines[0].InC[0] != 0.5 || !math.IsNaN(lines[1].Go[1]) || !math.IsNaN(lines[1].InC[0]) {
		t.Errorf("%+v", lines)
	}
}

func TestFormats(t *testing.T) {
	for n, want := range map[int64]string{64: "64B", 1 << 10: "1KiB", 1536: "1536B", 4 << 20: "4MiB", 1 << 30: "1GiB"} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0", 0.00605: "0.00605", 0.0712: "0.0712", 0.97: "0.970", 1: "1.00", 12.34: "12.3", 197.4: "197", 2e-6: "2e-06"} {
		if got := Significant(x); got != want {
			t.Errorf("Significant(%v) = %q, want %q", x, got, want)
		}
	}
	for x, want := range map[float64]string{0.067: "0.07×", 0.994: "0.99×", 3.2: "3.20×", 9.996: "10.0×", 127: "127×"} {
		if got := Times(x); got != want {
			t.Errorf("Times(%v) = %q, want %q", x, got, want)
		}
	}
}
