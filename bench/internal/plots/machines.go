package plots

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// The colours of machines, which most of those who see fewer tell apart.
var machineColors = []color.Color{
	color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x45, 0x8c, 0xff}, color.RGBA{0x00, 0x8a, 0x63, 0xff},
	color.RGBA{0xb0, 0x4a, 0x8e, 0xff}, color.RGBA{0x8a, 0x7a, 0x2e, 0xff}, color.RGBA{0x55, 0x55, 0x55, 0xff},
}

// WriteMachines draws, for each subject, how many times as fast as the fastest peers
// every row is on every machine, as SVG files in dir that begin with name, and returns
// their paths.
func WriteMachines(reports []*report.Report, dir, name string) (files []string, err error) {
	for _, s := range subjects {
		var lines []report.Line
		for _, l := range report.Lines(reports) {
			if s.has(l.Row) {
				lines = append(lines, l)
			}
		}
		if len(lines) == 0 {
			continue
		}
		f := figure{
			title: s.title + " of each CPU",
			note:  "Dots: the fastest library for Go, or Go loop. Rings: the fastest in C or C++. Left of the line: lost",
			width: 8 * vg.Inch, height: vg.Length(len(lines))*13 + 130,
			draw: func(c draw.Canvas) { drawDots(c, reports, lines) },
		}
		b, err := svg(f, machineNames(reports))
		if err != nil {
			return files, err
		}
		path := filepath.Join(dir, name+"-"+s.name+".svg")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}

func machineNames(reports []*report.Report) (names string) {
	for i, r := range reports {
		if i > 0 {
			names += ", "
		}
		names += r.Machine.Core()
	}
	return names
}

// drawDots draws a dot and a ring for each machine in each line, on a logarithmic axis.
func drawDots(c draw.Canvas, reports []*report.Report, lines []report.Line) {
	name := textStyle(9, 0)
	at := c.Min.X // the legend
	for i, r := range reports {
		name.Color = machineColors[i%len(machineColors)]
		c.DrawGlyph(draw.GlyphStyle{Color: name.Color, Radius: 3, Shape: draw.CircleGlyph{}}, vg.Point{X: at + 4, Y: c.Max.Y - 6})
		c.FillText(name, vg.Point{X: at + 12, Y: c.Max.Y - 9}, r.Machine.Core())
		at += name.Width(r.Machine.Core()) + 30
	}
	c.Max.Y -= 18
	name.Color = ink

	var left vg.Length
	lo, hi := 1.0, 2.0
	for _, l := range lines {
		left = max(left, name.Width(report.Heading(l.Row.Op, l.Row.Param))+name.Width("  256 MiB, k = 8"))
		for i := range reports {
			for _, v := range []float64{l.Go[i], l.InC[i]} {
				if !math.IsNaN(v) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	p := newPlot("times as fast as the fastest peer")
	p.HideY()
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = lo, hi
	widen(&p.X)
	p.X.Tick.Marker = oneTwoFive(12, func(v float64) string { return number(v) + "×" })
	p.Y.Min, p.Y.Max = 0, float64(len(lines))
	area := draw.Crop(c, left+10, -8, 0, 0)
	p.Draw(area)

	data := p.DataCanvas(area)
	x, y := p.Transforms(&data)
	rule := draw.LineStyle{Color: rules, Width: 0.8}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		c.StrokeLine2(rule, x(t.Value), data.Min.Y, x(t.Value), data.Max.Y)
	}
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1}, x(1), data.Min.Y, x(1), data.Max.Y)
	last := ""
	for i, l := range lines {
		mid := y(float64(len(lines)-1-i) + 0.5)
		size := report.SizeWords(l.Row.Size)
		if l.Row.K > 0 {
			size += fmt.Sprintf(", k = %d", l.Row.K)
		}
		name.YAlign, name.XAlign = -0.4, draw.XRight
		c.FillText(name, vg.Point{X: data.Min.X - 8, Y: mid}, size)
		if op := report.Heading(l.Row.Op, l.Row.Param); op != last {
			name.XAlign = draw.XLeft
			c.FillText(name, vg.Point{X: c.Min.X, Y: mid}, op)
			if i > 0 {
				top := y(float64(len(lines) - i))
				c.StrokeLine2(rule, c.Min.X, top, data.Max.X, top)
			}
			last = op
		}
		for m := range reports {
			for _, mark := range []struct {
				v     float64
				shape draw.GlyphDrawer
			}{{l.Go[m], draw.CircleGlyph{}}, {l.InC[m], draw.RingGlyph{}}} {
				if !math.IsNaN(mark.v) {
					style := draw.GlyphStyle{Color: machineColors[m%len(machineColors)], Radius: 3, Shape: mark.shape}
					c.DrawGlyph(style, vg.Point{X: x(mark.v), Y: mid})
				}
			}
		}
	}
}
