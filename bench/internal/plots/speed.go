package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A speed is a figure of one operation's speed at all sizes.
type speed struct{ op, param, title string }

// figure returns the picture, if at least two sizes were measured.
func (s speed) figure(r *report.Report) (figure, bool) {
	lines, sizes, unit := s.lines(r)
	if len(sizes) < 2 {
		return figure{}, false
	}
	x, y := "filter size", "nanoseconds per key (less is better)"
	note := "10 bits per key, half of the keys present; in brackets the measured false-positive rate"
	if strings.Contains(s.op, "Add") {
		note = "10 bits per key; in brackets the measured false-positive rate"
	}
	if unit == report.Bytes {
		x, y = "size of one operand", "GB/s of one operand (more is better)"
		note = ""
	}
	name := "speed-" + s.op
	if s.param != "" {
		name += "-" + s.param
	}
	return figure{
		name: fileName(name), title: s.title, note: note,
		width: 8 * vg.Inch, height: 5 * vg.Inch,
		draw: func(c draw.Canvas) {
			p := newPlot(x)
			p.X.Scale = plot.LogScale{}
			p.X.Tick.Marker = sizeTicks(sizes)
			p.Y.Tick.Marker = oneTwoFive(15, number)
			drawLines(c, p, y, lines)
		},
	}, true
}

// lines returns a line for each contender, ours last so that they are drawn over
// the others, and the sizes.
func (s speed) lines(r *report.Report) (lines []line, sizes []int64, unit string) {
	index := map[string]int{}
	rates := map[string][]float64{}
	for _, g := range report.Groups(r.Rows) {
		if g[0].Op != s.op || g[0].Param != s.param {
			continue
		}
		sizes = append(sizes, g[0].Size)
		unit = g[0].Unit
		for _, row := range report.Published(g) {
			name := row.Impl
			switch {
			case row.Kind == report.Bound:
				name = "limit"
			case row.Kind == report.Ours && row.K > 0:
				if row.K == 8 && row.Impl != r.BestLevel() {
					continue // too many lines; the tables have them
				}
				name = fmt.Sprintf("bitsieve %s, k = %d", row.Impl, row.K)
			case row.Kind == report.Ours:
				name = "bitsieve " + row.Impl
			}
			i, ok := index[name]
			if !ok {
				i = len(lines)
				index[name] = i
				l := line{name: name, width: 1.6, color: peerColor(row.Impl)}
				switch row.Kind {
				case report.Ours:
					l.width, l.color, l.rank = 2.6, ours[row.Impl], 1+slices.Index(r.Machine.Levels, row.Impl)
					if row.K == 8 {
						l.dashes, l.width = []vg.Length{6, 3}, 2
					}
				case report.Bound:
					l.color, l.dashes, l.width = color.Gray{0x55}, []vg.Length{2, 3}, 1.6
				}
				lines = append(lines, l)
			}
			v := row.NsPerUnit()
			if row.Unit == report.Bytes {
				v = row.GBps()
			}
			lines[i].points = append(lines[i].points, plotter.XY{X: float64(row.Size), Y: v})
			if row.FPRate > 0 {
				rates[name] = append(rates[name], row.FPRate)
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.rank, b.rank) })
	for i, l := range lines {
		if rs := rates[l.name]; len(rs) > 0 {
			lines[i].name += fmt.Sprintf(" (%.2f %%)", 100*report.Samples(rs).Median())
		}
	}
	return lines, sizes, unit
}

func sizeTicks(sizes []int64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, s := range sizes {
		ticks = append(ticks, plot.Tick{Value: float64(s), Label: report.SizeWords(s)})
	}
	return ticks
}
