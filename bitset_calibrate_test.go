package bitsieve

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCalibrate measures what the thresholds among this package's constants
// should be on this machine, and prints a line for each. In bench/,
//
//	go run . calibrate
//
// runs it and makes a table. With -v it prints all figures, too:
//
//	BITSIEVE_CALIBRATE=1 go test -run Calibrate -v .
//
// Each figure is the least of many short interleaved runs, so that it stands
// on a busy machine where an average does not.
//
// Constants that are the length of an array (bloomTileKeys, tileKeys, tileWords,
// countKeys, adderBuffer) cannot be varied at run time, and are not here.
func TestCalibrate(t *testing.T) {
	if os.Getenv("BITSIEVE_CALIBRATE") == "" {
		t.Skip("BITSIEVE_CALIBRATE is not set")
	}
	saved := currentLevel
	defer setLevel(saved)
	for _, list := range thresholds {
		for _, th := range list() {
			t.Run(th.name, func(t *testing.T) {
				if m, ok := th.measure(t); ok {
					fmt.Println(m)
				}
			})
		}
	}
}

// thresholds return those of one subject each. The files of the subjects fill it
// in.
var thresholds []func() []threshold

// A threshold is a constant that decides by the size of some work which of two
// ways to go.
type threshold struct {
	name  string
	unit  string
	value int
	// upTo tells that value itself is still done in the way of the sizes below.
	upTo bool
	// sizes are those to compare the two ways at, ascending. Neither way must
	// have less work than its precondition wants.
	sizes  []int
	rounds int
	span   time.Duration // of one measurement
	cases  []thresholdCase
}

// A thresholdCase is one work that a threshold decides on. The threshold is that
// of all of them: what counts at a size is their geometric mean.
type thresholdCase struct {
	name  string
	level level // in force while it is measured, and skipped if the machine lacks it
	// ways returns the way to go below the threshold and that from it on.
	ways func(n int) (below, from func())
}

// calibrationNoise is by how much one way must be faster for it to count. From run
// to run, ratios of a few nanoseconds differ by a tenth.
const calibrationNoise = 0.12

// short and long are for works of nanoseconds and of milliseconds.
func (th threshold) short() threshold {
	th.rounds, th.span = 100, 20*time.Microsecond
	return th
}

func (th threshold) long() threshold {
	th.rounds, th.span = 9, time.Millisecond
	return th
}

// measure compares the two ways at all sizes. It is not ok if this machine
// has none of the cases.
func (th threshold) measure(t *testing.T) (m calibrated, ok bool) {
	logs := make([]float64, len(th.sizes)) // of below's time by from's, summed up
	n := 0
	for _, c := range th.cases {
		if !hardwareLevel.has(c.level) {
			continue
		}
		n++
		setLevel(c.level)
		line := ""
		for i, size := range th.sizes {
			below, from := c.ways(size)
			ns := leastTimes(th.rounds, th.span, below, from)
			logs[i] += math.Log(ns[0] / ns[1])
			line += fmt.Sprintf("  %d: %.3g %.3g", size, ns[0], ns[1])
		}
		t.Logf("%s, %v, %s: ns below and from the threshold on:%s", c.name, c.level, th.unit, line)
	}
	m = calibrated{threshold: th}
	for _, l := range logs {
		m.gain = append(m.gain, math.Exp(l/float64(max(n, 1))))
	}
	return m, n > 0
}

// calibrated is a threshold and what was found at its sizes: how many times as
// fast the way from the threshold on is.
type calibrated struct {
	threshold
	gain []float64
}

// first returns the least size that goes the way from the threshold on.
func (m calibrated) first() int {
	if m.upTo {
		return m.value + 1
	}
	return m.value
}

// loss returns what the constant costs at the size where it is worst, and that
// size.
func (m calibrated) loss() (loss float64, size int) {
	for i, n := range m.sizes {
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
	for i, n := range m.sizes {
		if m.gain[i] < 1/(1+calibrationNoise) {
			lo = n + 1 // this size is better done the other way
		}
		if m.gain[i] > 1+calibrationNoise && hi == 0 {
			hi = n
		}
	}
	if m.upTo { // the largest size done that way, not the first not to be
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
	return strings.Join([]string{"threshold", m.name, m.unit, fmt.Sprint(m.value), measured, verdict}, "\t")
}

// leastTimes returns the least time in nanoseconds that each function took in
// the given number of rounds. A round lasts about span for each of them.
func leastTimes(rounds int, span time.Duration, fs ...func()) []float64 {
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

// TestCrossover checks the judgement with invented figures.
func TestCrossover(t *testing.T) {
	th := threshold{name: "min", unit: "words", value: 4, sizes: []int{1, 2, 4, 8, 16}}
	upTo := th
	upTo.upTo = true
	for _, c := range []struct {
		th   threshold
		gain []float64
		want string
	}{
		{th, []float64{.5, .8, 1.2, 2, 3}, "3 to 4\tagrees"},
		{th, []float64{.5, .8, .97, 1.03, 3}, "3 to 16\tagrees"},
		{th, []float64{.5, .8, .8, 1.03, 3}, "5 to 16\tcosts 25 % at 4"},
		{th, []float64{.5, 1.5, 2, 2, 3}, "2 to 2\tcosts 50 % at 2"},
		{th, []float64{1, 1, 1, 1.05, .95}, "any\tagrees"},
		{th, []float64{1, 1, 1, 2, 2}, "at most 8\tagrees"},
		{th, []float64{.5, .5, .5, .5, .5}, "at least 17\tcosts 100 % at 4"},
		{th, []float64{.5, 1.2, .5, 2, 2}, "not one: 2 to 5\tcosts 100 % at 4"},
		{upTo, []float64{.5, .8, .8, 1.2, 3}, "4 to 7\tagrees"},
		{upTo, []float64{.5, .8, 1.2, 2, 3}, "2 to 3\tcosts 20 % at 4"},
	} {
		got := calibrated{c.th, c.gain}.String()
		if want := "threshold\tmin\twords\t4\t" + c.want; got != want {
			t.Errorf("%v: %q, want %q", c.gain, got, want)
		}
	}
}

// shortSizes are lengths in words around those from which assembly pays.
var shortSizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}

// sizesFrom returns those that are not below n.
func sizesFrom(n int) []int {
	i, _ := slices.BinarySearch(shortSizes, n)
	return shortSizes[i:]
}

// powers returns the powers of two from 1<<lo to 1<<hi.
func powers(lo, hi int) (sizes []int) {
	for i := lo; i <= hi; i++ {
		sizes = append(sizes, 1<<i)
	}
	return sizes
}

// calibrationWords are three operands of 128 MiB each, which are made when needed.
var calibrationWords = sync.OnceValue(func() (p [3][]uint64) {
	for i := range p {
		p[i] = benchWords(1 << 24)
	}
	return p
})

// A shortCase is a verb's way without and with assembly. Both are functions
// that call what they measure directly, as the verb does: a call through a
// variable costs more, and more so of assembly.
type shortCase struct {
	name     string
	level    level
	inGo, fn any // both of one of the shapes of kernels
}

// shortCases makes cases of the operands of a few words that are measured.
func shortCases(list []shortCase) (cases []thresholdCase) {
	for _, c := range list {
		cases = append(cases, thresholdCase{c.name, c.level, func(n int) (below, from func()) {
			dst, x, y := benchWords(n), benchWords(n), benchWords(n)
			return kernelCall(c.inGo, dst, x, y), kernelCall(c.fn, dst, x, y)
		}})
	}
	return cases
}

// kernelCall returns a call of a function of one of the shapes of kernels. The
// destination lies apart: where it is an operand, each call waits for what the
// one before has stored.
func kernelCall(fn any, dst, x, y []uint64) func() {
	switch fn := fn.(type) {
	case countFunc:
		return func() { sinkInt += fn(x) }
	case fusedFunc:
		return func() { sinkInt += fn(x, y) }
	case binaryFunc:
		return func() { fn(dst, x, y) }
	case countedFunc:
		return func() { sinkInt += fn(dst, x, y) }
	case decodeFunc:
		return freshWords(len(x), fn)
	case decode32Func:
		return freshWords(len(x), fn)
	}
	panic(fmt.Sprintf("no call for a %T", fn))
}

// freshWords returns a function that decodes n words, others at each call: what
// comes again and again is predicted bit by bit.
func freshWords[T uint | uint32](n int, decode func([]T, []uint64, T) (int, int)) func() {
	pool, _ := randomBits(1<<14, 16)
	dst := make([]T, 64*n)
	rest := pool
	return func() {
		if len(rest) < n {
			rest = pool
		}
		decode(dst, rest[:n], 0)
		rest = rest[n:]
	}
}

// eachBatchOf returns a function that does f with the next n keys, around and
// around.
func eachBatchOf[K any](n int, keys []K, f func(batch []K)) func() {
	rest := keys
	return func() {
		if len(rest) < n {
			rest = keys
		}
		f(rest[:n])
		rest = rest[n:]
	}
}

func init() { thresholds = append(thresholds, fewWordsThreshold) }

func fewWordsThreshold() []threshold {
	return []threshold{threshold{
		name: "fewWords", unit: "words", value: fewWords, upTo: true, sizes: []int{4, 8, 12, 16, 17, 20, 24, 32, 48, 64},
		cases: []thresholdCase{
			{"fill", hardwareLevel, func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { fillFew(p) }, func() { fillMany(p) }
			}},
			{"flip", hardwareLevel, func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { flipFew(p) }, func() { flipMany(p, p) }
			}},
		},
	}.short()}
}

// fillFew and flipFew are the loops of fillWords and flipWords.

func fillFew(p []uint64) {
	for i := range p {
		p[i] = math.MaxUint64
	}
}

func flipFew(p []uint64) {
	for i := range p {
		p[i] = ^p[i]
	}
}
