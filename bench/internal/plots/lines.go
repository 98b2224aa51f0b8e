package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A line is a series of points with a name, which is written at its right end
// in its colour: no reader has to look up a legend.
type line struct {
	name   string
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	points plotter.XYs
	rank   int // lines of a higher rank are drawn over those of a lower
}

// drawLines adds the lines to a plot and draws it, with room for the names at
// the right. y says what the y axis shows.
func drawLines(c draw.Canvas, p *plot.Plot, y string, lines []line) {
	axis := textStyle(11, 0)
	c.Max.Y -= axis.Font.Size
	c.FillText(axis, vg.Point{X: c.Min.X, Y: c.Max.Y}, y)
	c.Max.Y -= 6
	p.Add(grid())
	style := textStyle(10.5, 0)
	var room vg.Length
	for _, l := range lines {
		pl, err := plotter.NewLine(l.points)
		if err != nil {
			continue // has no points
		}
		pl.LineStyle = draw.LineStyle{Color: l.color, Width: l.width, Dashes: l.dashes}
		p.Add(pl)
		if l.dashes == nil {
			s := &plotter.Scatter{XYs: l.points, GlyphStyle: draw.GlyphStyle{Color: l.color, Radius: 1.2 + l.width/2, Shape: draw.CircleGlyph{}}}
			p.Add(s)
		}
		room = max(room, style.Width(l.name))
	}
	widen(&p.Y)
	area := draw.Crop(c, 0, -room-14, 0, 0)
	p.Draw(area)

	data := p.DataCanvas(area)
	atX, atY := p.Transforms(&data)
	var ends []label
	for _, l := range lines {
		if len(l.points) > 0 {
			e := l.points[len(l.points)-1]
			ends = append(ends, label{line: l, from: vg.Point{X: atX(e.X), Y: atY(e.Y)}})
		}
	}
	spread(ends, style.Font.Size*1.25, data.Min.Y, data.Max.Y)
	style.YAlign = -0.4
	for _, e := range ends {
		style.Color = e.line.color
		left := data.Max.X + 14
		// A thin thread leads from the line's end to its name.
		c.StrokeLine2(draw.LineStyle{Color: e.line.color, Width: 0.5}, e.from.X+3, e.from.Y, left-2, e.at)
		c.FillText(style, vg.Point{X: left, Y: e.at}, e.line.name)
	}
}

// A label is the name of a line that ends at from, written at the height at.
type label struct {
	line line
	from vg.Point
	at   vg.Length
}

// spread gives the labels heights near their lines' ends, in the same order, at
// least gap apart and between lo and hi.
func spread(ls []label, gap, lo, hi vg.Length) {
	slices.SortFunc(ls, func(a, b label) int {
		switch {
		case a.from.Y < b.from.Y:
			return -1
		case a.from.Y > b.from.Y:
			return 1
		}
		return 0
	})
	// Labels that would touch form a block, centred on where its members want
	// to be; blocks that touch merge.
	type block struct {
		first, n int
		sum      vg.Length // of the members' wishes, less their place in the block
	}
	var blocks []block
	bottom := func(b block) vg.Length {
		at := b.sum / vg.Length(b.n)
		return max(lo, min(at, hi-vg.Length(b.n-1)*gap))
	}
	for i, l := range ls {
		b := block{first: i, n: 1, sum: l.from.Y}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if bottom(last)+vg.Length(last.n)*gap <= bottom(b) {
				break
			}
			b = block{last.first, last.n + b.n, last.sum + b.sum - vg.Length(last.n*b.n)*gap}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		for i := range b.n {
			ls[b.first+i].at = bottom(b) + vg.Length(i)*gap
		}
	}
}
