package plots

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// minHits is the number of false positives from which a rate is drawn: with
// fewer, the point would be a tenth or more off.
const minHits = 100

// rateFigure shows false-positive rates against bits per key.
func rateFigure(r *report.Report) (figure, bool) {
	var lines []line
	index := map[string]int{}
	most := 0
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, rate := range r.Rates {
		if rate.Hits < minHits {
			continue
		}
		name := rate.Series()
		i, ok := index[name]
		if !ok {
			i = len(lines)
			index[name] = i
			l := line{name: name, width: 1.6, color: peerColor(rate.Filter)}
			if rate.Filter == "bitsieve" {
				l.width, l.color = 2.6, ourBest
				if rate.FixedK {
					l.width, l.dashes = 2, []vg.Length{6, 3}
				} else {
					l.name += ", best k"
				}
			}
			lines = append(lines, l)
		}
		lines[i].points = append(lines[i].points, plotter.XY{X: rate.BitsPerKey, Y: 100 * rate.FPRate()})
		most = max(most, len(lines[i].points))
		least = min(least, math.Floor(rate.BitsPerKey))
		greatest = max(greatest, rate.BitsPerKey)
	}
	return figure{
		name:  "fprate",
		title: "False-positive rate by bits per key",
		note:  "Measured with keys that were never added, each filter at its load",
		width: 8 * vg.Inch, height: 5 * vg.Inch,
		draw: func(c draw.Canvas) {
			p := newPlot("bits per key")
			p.X.Tick.Marker = evenTicks
			p.X.Min, p.X.Max = least, greatest
			p.Y.Tick.Marker = oneTwoFive(15, number)
			drawLines(c, p, "percentage of false positives (less is better)", lines)
		},
	}, most >= 2
}

// evenTicks puts a tick at every second number of bits.
var evenTicks = plot.TickerFunc(func(lo, hi float64) (ticks []plot.Tick) {
	for v := 2 * float64(int(lo/2)); v <= hi; v += 2 {
		ticks = append(ticks, plot.Tick{Value: v, Label: number(v)})
	}
	return ticks
})

// fileName makes a name that needs no quoting.
func fileName(s string) string {
	return strings.ToLower(strings.NewReplacer("=", "", "/", "-").Replace(s))
}
