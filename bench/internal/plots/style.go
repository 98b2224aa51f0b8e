package plots

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	stdfont "golang.org/x/image/font"
)

const margin = 14 // around a figure, in points

var (
	ink   = color.Gray{0x33}
	faint = color.Gray{0x99}
	rules = color.Gray{0xe4}

	titleStyle = textStyle(15, stdfont.WeightBold)
	noteStyle  = textStyle(10.5, stdfont.WeightNormal)
)

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func textStyle(size vg.Length, w stdfont.Weight) draw.TextStyle {
	f := sans(size)
	f.Weight = w
	return draw.TextStyle{Color: ink, Font: f, Handler: plot.DefaultTextHandler}
}

// The colours are told apart by most of those who see fewer: ours are blues, a
// level's the darker the higher it is, and peers have a hue each.
var (
	ourBest = color.RGBA{0x00, 0x45, 0x8c, 0xff}
	ours    = map[string]color.Color{
		"avx512":  ourBest,
		"neon":    ourBest,
		"avx2":    color.RGBA{0x2a, 0x8f, 0xd6, 0xff},
		"generic": color.RGBA{0x74, 0xac, 0xd8, 0xff},
	}
	peers = map[string]color.Color{
		"parquet-go":      color.RGBA{0xd5, 0x5e, 0x00, 0xff},
		"blobloom":        color.RGBA{0x00, 0x8a, 0x63, 0xff},
		"bits-and-blooms": color.RGBA{0xb0, 0x4a, 0x8e, 0xff},
		"kelindar":        color.RGBA{0x00, 0x8a, 0x63, 0xff},
		"roaring":         color.RGBA{0xd5, 0x5e, 0x00, 0xff},
		"go loop":         color.RGBA{0x8a, 0x7a, 0x2e, 0xff},
		"C loop":          color.RGBA{0xa8, 0x78, 0x50, 0xff},
		"C VPOPCNTDQ":     color.RGBA{0x6b, 0x42, 0x26, 0xff},
		"C Harley-Seal":   color.RGBA{0xc4, 0x8a, 0x6a, 0xff},
	}
	otherPeer = color.RGBA{0x80, 0x50, 0x30, 0xff}
	lost      = color.RGBA{0xc6, 0x28, 0x28, 0xff}
)

func peerColor(name string) color.Color {
	if c, ok := peers[name]; ok {
		return c
	}
	return otherPeer
}

// oneTwoFive returns ticks for a logarithmic axis: 1, 2 and 5 times the powers
// of ten within the range, or only those powers if there is no room for so many
// labels.
func oneTwoFive(room int, label func(float64) string) plot.TickerFunc {
	return func(lo, hi float64) (ticks []plot.Tick) {
		for _, steps := range [][]float64{{1, 2, 5}, {1}} {
			ticks = nil
			for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
				for _, m := range steps {
					if v := m * math.Pow(10, e); v >= lo*0.999 && v <= hi*1.001 {
						ticks = append(ticks, plot.Tick{Value: v, Label: label(v)})
					}
				}
			}
			if len(ticks) <= room {
				break
			}
		}
		return ticks
	}
}

// number writes a tick's value without exponent or trailing zeros.
func number(v float64) string { return strconv.FormatFloat(float64(float32(v)), 'f', -1, 32) }

// grid returns faint rules at the ticks of the y axis.
func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color = nil
	g.Horizontal.Color = rules
	g.Horizontal.Width = 0.8
	return g
}

// widen moves the ends of a logarithmic axis out to the next of 1, 2 or 5 times
// a power of ten.
func widen(a *plot.Axis) {
	step := func(v float64, up bool) float64 {
		var last float64
		for e := math.Floor(math.Log10(v)) - 1; ; e++ {
			for _, m := range []float64{1, 2, 5} {
				t := m * math.Pow(10, e)
				if t >= v*0.9999 {
					if up || t <= v*1.0001 {
						return t
					}
					return last
				}
				last = t
			}
		}
	}
	a.Min, a.Max = step(a.Min, false), step(a.Max, true)
	a.Scale = plot.LogScale{}
}
