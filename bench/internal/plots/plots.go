// Package plots draws a report: speed against size, false-positive rate against
// bits per key, and how many times as fast as the fastest peer.
package plots

import (
	"bytes"
	"image/color"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A figure is one picture.
type figure struct {
	name        string // of its files, after the machine's
	title, note string
	width       vg.Length
	height      vg.Length
	draw        func(draw.Canvas) // below the title
}

// Write draws all that the report has figures for, as SVG and PNG files in dir
// that begin with the machine's name, and returns their paths.
func Write(r *report.Report, dir string) (files []string, err error) {
	for _, f := range figures(r) {
		for _, format := range []struct {
			ext    string
			render func(figure, string) ([]byte, error)
		}{{".svg", svg}, {".png", png}} {
			b, err := format.render(f, r.Machine.Title())
			if err != nil {
				return files, err
			}
			path := filepath.Join(dir, r.Machine.Name+"-"+f.name+format.ext)
			if err := os.WriteFile(path, b, 0o666); err != nil {
				return files, err
			}
			files = append(files, path)
		}
	}
	return files, nil
}

// figures returns what the report has enough rows for.
func figures(r *report.Report) (fs []figure) {
	for _, s := range []speed{
		{op: "Test", title: "Testing uint64 keys, many at a time"},
		{op: "TestOne", title: "Testing uint64 keys, one by one"},
		{op: "TestStrings", param: "len=44", title: "Testing strings of 44 bytes, many at a time"},
		{op: "Add", title: "Adding uint64 keys, many at a time"},
		{op: "BloomTest", param: "len=44", title: "Standard filters: testing strings of 44 bytes, many at a time"},
		{op: "Count", title: "Counting set bits"},
		{op: "AndInPlace", title: "Intersection in place, a &= b"},
		{op: "AndCount", title: "Cardinality of an intersection, count(a & b)"},
	} {
		if f, ok := s.figure(r); ok {
			fs = append(fs, f)
		}
	}
	if f, ok := rateFigure(r); ok {
		fs = append(fs, f)
	}
	for _, s := range subjects {
		if f, ok := s.figure(r); ok {
			fs = append(fs, f)
		}
	}
	return fs
}

// render draws the frame, the titles and the figure.
func (f figure) render(c vg.CanvasSizer, machine string) {
	da := draw.New(c)
	da.SetColor(color.White)
	da.Fill(da.Rectangle.Path())
	da = draw.Crop(da, margin, -margin, margin, -margin)
	y := da.Max.Y
	for _, line := range []struct {
		style draw.TextStyle
		text  string
	}{{titleStyle, f.title}, {noteStyle, machine}, {noteStyle, f.note}} {
		if line.text == "" {
			continue
		}
		y -= line.style.Font.Size * 1.2
		da.FillText(line.style, vg.Point{X: da.Min.X, Y: y}, line.text)
	}
	f.draw(draw.Crop(da, 0, 0, 0, y-da.Max.Y-10))
}

func png(f figure, machine string) ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(150))
	f.render(c, machine)
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(&b)
	return b.Bytes(), err
}

func svg(f figure, machine string) ([]byte, error) {
	c := vgsvg.New(f.width, f.height)
	f.render(c, machine)
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	// Whoever lacks the font gets one of the same widths, or at least no serifs.
	return bytes.ReplaceAll(b.Bytes(),
		[]byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), err
}

// newPlot returns an empty plot in the house style, without a title. The y axis
// is labelled by whoever draws it: above it, so that nobody has to tilt their
// head.
func newPlot(x string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = sans(11)
		a.Label.TextStyle.Color = ink
		a.Tick.Label.Font = sans(10)
		a.Tick.Label.Color = ink
		a.Tick.Length = 4
		a.Tick.LineStyle.Color = faint
		a.LineStyle.Color = faint
		a.Label.Padding = 4
		a.Padding = 6
	}
	p.X.Label.Text = x
	return p
}
