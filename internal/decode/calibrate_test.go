//go:build !purego && (amd64 || arm64)

package decode

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, thresholds...) }

// thresholds return those of one subject each.
var thresholds = []func() []calibrate.Threshold{sparseThreshold}

// shortSizes are lengths in words around those from which assembly pays.
var shortSizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}

// sink keeps the compiler from dropping what a measurement computes.
var sink int

// sparseThreshold compares decoding without counting with counting and a kernel.
func sparseThreshold() []calibrate.Threshold {
	th := calibrate.Threshold{Name: "sparseWords", Unit: "words", Value: sparseWords, UpTo: true, Sizes: shortSizes}
	for l := cpu.LevelGeneric + 1; l < cpu.NumLevels; l++ {
		th.Cases = append(th.Cases, calibrate.Case{Name: "append, 1 bit in 64", Level: l, Ways: func(n int) (below, from func()) {
			dst := make([]uint, 0, 64*n)
			return freshWords(n, 64, func(words []uint64) {
					written, _ := decodeGeneric(dst[:cap(dst)], words, 0)
					sink += written
				}), freshWords(n, 64, func(words []uint64) {
					written, _ := Indices(dst[:countOnes(words)], words, 0)
					sink += written
				})
		}})
	}
	return []calibrate.Threshold{th.Short()}
}

// freshWords returns a function that decodes n words, others at each call: what
// comes again and again is predicted bit by bit.
func freshWords(n, denominator int, decode func(words []uint64)) func() {
	pool, _ := kerneltest.RandomBits(1<<14, denominator)
	return calibrate.EachBatchOf(n, pool, decode)
}
