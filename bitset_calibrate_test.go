package bitsieve

import (
	"math"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, thresholds...) }

// thresholds return those of one subject each. The files of the subjects fill it
// in.
var thresholds []func() []calibrate.Threshold

// calibrationWords are three operands of 128 MiB each, which are made when needed.
var calibrationWords = sync.OnceValue(func() (p [3][]uint64) {
	for i := range p {
		p[i] = benchWords(1 << 24)
	}
	return p
})

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
