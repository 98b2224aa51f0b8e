// Package calibrate measures what the thresholds among the constants of this
// module should be on the machine at hand. Each room's TestCalibrate calls Run.
package calibrate

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// Env is the environment variable that turns calibration on.
const Env = "BITSIEVE_CALIBRATE"

// Run measures the thresholds and prints a line for each; with -v all figures,
// too. In bench/,
//
//	go run . calibrate
//
// makes a table of the lines of all packages. By hand:
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v ./...
//
// Each figure is the least of many short interleaved runs, so that it stands
// on a busy machine where an average does not. Constants that are the length of
// an array cannot be varied at run time, and are not measured.
func Run(t *testing.T, thresholds ...func() []Threshold) {
	if os.Getenv(Env) == "" {
		t.Skip(Env + " is not set")
	}
	saved := cpu.Current()
	defer cpu.Set(saved)
	for _, list := range thresholds {
		for _, th := range list() {
			t.Run(th.Name, func(t *testing.T) {
				if m, ok := th.measure(t); ok {
					fmt.Println(m)
				}
			})
		}
	}
}

// A Threshold is a constant that decides by the size of some work which of two
// ways to go.
type Threshold struct {
	Name  string
	Unit  string
	Value int
	// UpTo tells that Value itself is still done in the way of the sizes below.
	UpTo bool
	// Sizes are those to compare the two ways at, ascending. Neither way must
	// have less work than its precondition wants.
	Sizes  []int
	Rounds int
	Span   time.Duration // of one measurement
	Cases  []Case
}

// A Case is one work that a threshold decides on. The threshold is that
// of all of them: what counts at a size is their geometric mean.
type Case struct {
	Name  string
	Level cpu.Level // in force while it is measured, and skipped if the machine lacks it
	// Ways returns the way to go below the threshold and that from it on.
	Ways func(n int) (below, from func())
}

// calibrationNoise is by how much one way must be faster for it to count. From run
// to run, ratios of a few nanoseconds differ by a tenth.
const calibrationNoise = 0.12

// Short and Long are for works of nanoseconds and of milliseconds.
func (th Threshold) Short() Threshold {
	th.Rounds, th.Span = 100, 20*time.Microsecond
	return th
}

func (th Threshold) Long() Threshold {
	th.Rounds, th.Span = 9, time.Millisecond
	return th
}

// measure compares the two ways at all sizes. It is not ok if this machine
// has none of the cases.
func (th Threshold) measure(t *testing.T) (m calibrated, ok bool) {
	logs := make([]float64, len(th.Sizes)) // of below's time by from's, summed up
	n := 0
	for _, c := range th.Cases {
		if !cpu.Has(c.Level) {
			continue
		}
		n++
		cpu.Set(c.Level)
		line := ""
		for i, size := range th.Sizes {
			below, from := c.Ways(size)
			ns := LeastTimes(th.Rounds, th.Span, below, from)
			logs[i] += math.Log(ns[0] / ns[1])
			line += fmt.Sprintf("  %d: %.3g %.3g", size, ns[0], ns[1])
		}
		t.Logf("%s, %v, %s: ns below and from the threshold on:%s", c.Name, c.Level, th.Unit, line)
	}
	m = calibrated{Threshold: th}
	for _, l := range logs {
		m.gain = append(m.gain, math.Exp(l/float64(max(n, 1))))
	}
	return m, n > 0
}

// calibrated is a threshold and what was found at its sizes: how many times as
// fast the way from the threshold on is.
type calibrated struct {
	Threshold
	gain []float64
}

// first returns the least size that goes the way from the threshold on.
func (m calibrated) first() int {
	if m.UpTo {
		return m.Value + 1
	}
	return m.Value
}

// loss returns what the constant costs at the size where it is worst, and that
// size.
func (m calibrated) loss() (loss float64, size int) {
	for i, n := range m.Sizes {
		l := m.gain[i]
		if n >= m.first() {
			l = 1 / l
		}
		if l-1 > loss {
			loss, size = l-1, n
		}
	}
	return loss, size
}

// crossover returns the sizes between which a threshold costs nothing that can
// be told from noise: not less than lo, not more than hi. Either is 0 if any
// will do.
func (m calibrated) crossover() (lo, hi int) {
	for i, n := range m.Sizes {
		if m.gain[i] < 1/(1+calibrationNoise) {
			lo = n + 1 // this size is better done the other way
		}
		if m.gain[i] > 1+calibrationNoise && hi == 0 {
			hi = n
		}
	}
	if m.UpTo { // the largest size done that way, not the first not to be
		lo, hi = max(lo-1, 0), max(hi-1, 0)
	}
	return lo, hi
}

// String is a line for machines to read, its fields separated by tabs: the
// name, the unit, the constant, the crossover, the verdict.
func (m calibrated) String() string {
	lo, hi := m.crossover()
	measured := "any"
	switch {
	case lo > 0 && hi > 0 && lo > hi:
		measured = fmt.Sprintf("not one: %d to %d", hi, lo)
	case lo > 0 && hi > 0:
		measured = fmt.Sprintf("%d to %d", lo, hi)
	case lo > 0:
		measured = fmt.Sprintf("at least %d", lo)
	case hi > 0:
		measured = fmt.Sprintf("at most %d", hi)
	}
	verdict := "agrees"
	if loss, size := m.loss(); loss > calibrationNoise {
		verdict = fmt.Sprintf("costs %.0f %% at %d", 100*loss, size)
	}
	return strings.Join([]string{"threshold", m.Name, m.Unit, fmt.Sprint(m.Value), measured, verdict}, "\t")
}

// LeastTimes returns the least time in nanoseconds that each function took in
// the given number of rounds. A round lasts about span for each of them.
func LeastTimes(rounds int, span time.Duration, fs ...func()) []float64 {
	least, repeats := make([]float64, len(fs)), make([]int, len(fs))
	for i, f := range fs {
		least[i] = math.Inf(1)
		for repeats[i] = 1; ; repeats[i] *= 2 {
			start := time.Now()
			for range repeats[i] {
				f()
			}
			if time.Since(start) >= span {
				break
			}
		}
	}
	for range rounds {
		for i, f := range fs {
			start := time.Now()
			for range repeats[i] {
				f()
			}
			least[i] = min(least[i], float64(time.Since(start).Nanoseconds())/float64(repeats[i]))
		}
	}
	return least
}

// Powers returns the powers of two from 1<<lo to 1<<hi.
func Powers(lo, hi int) (sizes []int) {
	for i := lo; i <= hi; i++ {
		sizes = append(sizes, 1<<i)
	}
	return sizes
}

// EachBatchOf returns a function that does f with the next n keys, around and
// around.
func EachBatchOf[K any](n int, keys []K, f func(batch []K)) func() {
	rest := keys
	return func() {
		if len(rest) < n {
			rest = keys
		}
		f(rest[:n])
		rest = rest[n:]
	}
}
