package plots

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A bar says how many times as fast as the fastest peer one row is.
type bar struct {
	op, size string
	ratio    float64
	text     string // beyond the bar's end
}

// A subject is what one figure of ratios is about.
type subject struct {
	name, title string
	has         func(report.Row) bool // whether a row belongs to it
}

var subjects = []subject{
	{"ratios-blocked", "Blocked filters against the fastest peer", func(r report.Row) bool {
		return r.Unit == report.Keys && !strings.HasPrefix(r.Op, "Bloom")
	}},
	{"ratios-bloom", "Standard filters against the fastest peer", func(r report.Row) bool {
		return r.Unit == report.Keys && strings.HasPrefix(r.Op, "Bloom")
	}},
	{"ratios-kernels", "Bitset kernels against the fastest peer", func(r report.Row) bool {
		return r.Unit != report.Keys
	}},
}

// figure shows the best level against the fastest peer in every group.
func (s subject) figure(r *report.Report) (figure, bool) {
	var bars []bar
	filters := false
	for _, g := range report.Groups(r.Rows) {
		if !s.has(g[0]) {
			continue
		}
		if b, ok := ratioBar(r, g); ok {
			bars = append(bars, b)
			filters = g[0].IsFilter()
		}
	}
	bars = byOp(bars)
	note := "Beside the bars: the peer, its figure and ours"
	if filters {
		note = "10 bits per key; beside the bars: the peer, time per key and measured false-positive rate, its and ours"
	}
	return figure{
		name: s.name, title: s.title, note: note,
		width: 8 * vg.Inch, height: vg.Length(len(bars))*17 + 120,
		draw: func(c draw.Canvas) { drawBars(c, bars) },
	}, len(bars) > 0
}

// byOp brings the bars of one operation together, in order of appearance.
func byOp(bars []bar) (sorted []bar) {
	done := map[string]bool{}
	for _, b := range bars {
		if done[b.op] {
			continue
		}
		done[b.op] = true
		for _, c := range bars {
			if c.op == b.op {
				sorted = append(sorted, c)
			}
		}
	}
	return sorted
}

func ratioBar(r *report.Report, g []report.Row) (bar, bool) {
	var us, peer *report.Row
	for i, row := range g {
		switch {
		case !row.Shown():
		case row.Kind == report.Peer && (peer == nil || row.NsPerUnit() < peer.NsPerUnit()):
			peer = &g[i]
		case row.Kind == report.Ours && row.Impl == r.BestLevel() && us == nil:
			us = &g[i]
		}
	}
	if us == nil || peer == nil || us.VsPeer == 0 {
		return bar{}, false
	}
	b := bar{op: report.Heading(us.Op, us.Param), size: report.SizeWords(us.Size), ratio: us.VsPeer}
	theirs, mine := peer.NsPerUnit(), us.NsPerUnit()
	unit := "ns"
	if us.Unit == report.Bytes {
		theirs, mine, unit = peer.GBps(), us.GBps(), "GB/s"
	}
	b.text = fmt.Sprintf("%s %s, %s → %s %s", report.Times(b.ratio), peer.Impl,
		report.Significant(theirs), report.Significant(mine), unit)
	if us.IsFilter() {
		b.text += fmt.Sprintf(", %.2f → %.2f %%", 100*peer.FPRate, 100*us.FPRate)
	}
	return b, true
}

// drawBars draws horizontal bars from 1 on a logarithmic axis, operation and
// size at the left, words at the right. A bar that goes left is a loss.
func drawBars(c draw.Canvas, bars []bar) {
	name, text := textStyle(10, 0), textStyle(9.5, 0)
	var left, right vg.Length
	lo, hi := 1.0, 1.0
	for _, b := range bars {
		left = max(left, name.Width(b.op)+name.Width("  256 MiB"))
		right = max(right, text.Width(b.text))
		lo, hi = min(lo, b.ratio), max(hi, b.ratio)
	}
	p := newPlot("times as fast as the fastest peer")
	p.HideY()
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = lo, max(hi, 2)
	widen(&p.X)
	p.X.Tick.Marker = oneTwoFive(6, func(v float64) string { return number(v) + "×" })
	p.Y.Min, p.Y.Max = 0, float64(len(bars))
	area := draw.Crop(c, left+10, -min(right+8, c.Size().X/3), 0, 0)
	p.Draw(area)

	data := p.DataCanvas(area)
	x, y := p.Transforms(&data)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		c.StrokeLine2(draw.LineStyle{Color: rules, Width: 0.8}, x(t.Value), data.Min.Y, x(t.Value), data.Max.Y)
	}
	height := (y(1) - y(0)) * 0.62
	for i, b := range bars {
		mid := y(float64(len(bars)-1-i) + 0.5)
		fill := color.Color(ourBest)
		if b.ratio < 1 {
			fill = lost
		}
		from, to := x(1), x(b.ratio)
		c.FillPolygon(fill, []vg.Point{
			{X: from, Y: mid - height/2}, {X: to, Y: mid - height/2},
			{X: to, Y: mid + height/2}, {X: from, Y: mid + height/2},
		})
		text.Color, text.YAlign = ink, -0.4
		at := vg.Point{X: max(from, to) + 5, Y: mid}
		c.FillPolygon(color.White, []vg.Point{ // no rule runs through the words
			{X: at.X - 2, Y: mid - height/2}, {X: at.X + text.Width(b.text) + 2, Y: mid - height/2},
			{X: at.X + text.Width(b.text) + 2, Y: mid + height/2}, {X: at.X - 2, Y: mid + height/2},
		})
		c.FillText(text, at, b.text)
		name.YAlign, name.XAlign = -0.4, draw.XRight
		c.FillText(name, vg.Point{X: data.Min.X - 8, Y: mid}, b.size)
		if i == 0 || bars[i-1].op != b.op {
			name.XAlign = draw.XLeft
			c.FillText(name, vg.Point{X: c.Min.X, Y: mid}, b.op)
			if i > 0 {
				top := y(float64(len(bars) - i))
				c.StrokeLine2(draw.LineStyle{Color: rules, Width: 0.8}, c.Min.X, top, data.Max.X, top)
			}
		}
	}
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1}, x(1), data.Min.Y, x(1), data.Max.Y)
}
