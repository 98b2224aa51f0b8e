package plots

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

func TestSpread(t *testing.T) {
	const gap, lo, hi = 13, 100, 400
	for range 1000 {
		ls := make([]label, rand.IntN(20))
		for i := range ls {
			ls[i].from.Y = vg.Length(lo + rand.IntN(hi-lo))
			if i%3 == 1 {
				ls[i].from.Y = ls[i-1].from.Y // ends that coincide
			}
		}
		spread(ls, gap, lo, hi)
		for i, l := range ls {
			if l.at < lo-1e-6 || l.at > hi+1e-6 {
				t.Fatalf("a label at %v", l.at)
			}
			if i > 0 && (l.from.Y < ls[i-1].from.Y || l.at < ls[i-1].at+gap-1e-6) {
				t.Fatalf("labels %v and %v", ls[i-1].at, l.at)
			}
		}
	}
	alone := []label{{from: vg.Point{Y: 250}}}
	if spread(alone, gap, lo, hi); alone[0].at != 250 {
		t.Errorf("a label with room moved to %v", alone[0].at)
	}
}

func TestWiden(t *testing.T) {
	for _, c := range []struct{ lo, hi, wantLo, wantHi float64 }{
		{0.54, 220, 0.5, 500},
		{1, 100, 1, 100},
		{0.006, 9.95, 0.005, 10},
		{3, 3.1, 2, 5},
	} {
		var a plot.Axis
		a.Min, a.Max = c.lo, c.hi
		widen(&a)
		if !near(a.Min, c.wantLo) || !near(a.Max, c.wantHi) {
			t.Errorf("%v … %v widened to %v … %v", c.lo, c.hi, a.Min, a.Max)
		}
	}
}

func near(a, b float64) bool { return a > 0.999*b && a < 1.001*b }

func TestOneTwoFive(t *testing.T) {
	var got []string
	for _, tick := range oneTwoFive(6, number).Ticks(0.5, 20) {
		got = append(got, tick.Label)
	}
	if want := []string{"0.5", "1", "2", "5", "10", "20"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := oneTwoFive(5, number).Ticks(0.5, 20); len(got) != 2 {
		t.Errorf("%v, want 1 and 10 where there is room for five", got)
	}
}

// A filter whose rate was not measured is in no figure.
func TestFiguresNeedRates(t *testing.T) {
	r := &report.Report{}
	for _, size := range []int64{1 << 20, 2 << 20} {
		for _, row := range []report.Row{
			{Impl: "blobloom", Kind: report.Peer, FPTrials: 1, FPRate: 0.01},
			{Impl: "parquet-go", Kind: report.Peer},
		} {
			row.Op, row.Size, row.Unit, row.PerCall, row.Samples = "Test", size, report.Keys, 1, report.Samples{1}
			r.Rows = append(r.Rows, row)
		}
	}
	lines, sizes, _ := speed{op: "Test"}.lines(r)
	if len(sizes) != 2 || len(lines) != 1 || lines[0].name != "blobloom (1.00 %)" {
		t.Errorf("sizes %v, lines %v", sizes, lines)
	}
}
