package bitsieve

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, thresholds...) }

// thresholds return those of one subject each. The files of the subjects fill it
// in.
var thresholds []func() []calibrate.Threshold

// shortSizes are lengths in words around those from which assembly pays.
var shortSizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}

// sizesFrom returns those that are not below n.
func sizesFrom(n int) []int {
	i, _ := slices.BinarySearch(shortSizes, n)
	return shortSizes[i:]
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
	level    cpu.Level
	inGo, fn any // both of one of the shapes of kernels
}

// shortCases makes cases of the operands of a few words that are measured.
func shortCases(list []shortCase) (cases []calibrate.Case) {
	for _, c := range list {
		cases = append(cases, calibrate.Case{Name: c.name, Level: c.level, Ways: func(n int) (below, from func()) {
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
	case count2Func:
		return func() { sinkInt += fn(x, y) }
	case binaryFunc:
		return func() { fn(dst, x, y) }
	case withCountFunc:
		return func() { sinkInt += fn(dst, x, y) }
	}
	panic(fmt.Sprintf("no call for a %T", fn))
}

func init() { thresholds = append(thresholds, shortWordsThreshold) }

func shortWordsThreshold() []calibrate.Threshold {
	return []calibrate.Threshold{calibrate.Threshold{
		Name: "shortWords", Unit: "words", Value: shortWords, UpTo: true, Sizes: []int{4, 8, 12, 16, 17, 20, 24, 32, 48, 64},
		Cases: []calibrate.Case{
			{Name: "fill", Level: cpu.Current(), Ways: func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { fillShort(p) }, func() { fillMany(p) }
			}},
			{Name: "not", Level: cpu.Current(), Ways: func(n int) (below, from func()) {
				p := benchWords(n)
				return func() { notShort(p) }, func() { notMany(p, p) }
			}},
		},
	}.Short()}
}

// fillShort and notShort are the loops of fillWords and notWords.

func fillShort(p []uint64) {
	for i := range p {
		p[i] = math.MaxUint64
	}
}

func notShort(p []uint64) {
	for i := range p {
		p[i] = ^p[i]
	}
}
