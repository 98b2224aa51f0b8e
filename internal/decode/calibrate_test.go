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

// sparseThreshold compares a plain loop with a kernel: for an append, which has to
// count first and leaves the kernel no room to spare, and for a search, which has a
// large buffer.
func sparseThreshold() []calibrate.Threshold {
	appending := calibrate.Threshold{Name: "sparseWords", Unit: "words", Value: sparseWords, UpTo: true, Sizes: shortSizes}
	searching := appending
	searching.Name = "sparseWords+search"
	const oneIn = 64
	for l := cpu.LevelGeneric + 1; l < cpu.NumLevels; l++ {
		appending.Cases = append(appending.Cases, calibrate.Case{Name: "append", Level: l, Ways: func(n int) (below, from func()) {
			dst := make([]uint, 64*n)
			return freshWords(n, oneIn, func(words []uint64) {
					written, _ := decodeGeneric(dst, words, 0)
					sink += written
				}), freshWords(n, oneIn, func(words []uint64) {
					written, _ := Indices(dst[:countOnes(words)], words, 0)
					sink += written
				})
		}})
		searching.Cases = append(searching.Cases, calibrate.Case{Name: "search", Level: l, Ways: func(n int) (below, from func()) {
			dst := make([]uint, 64*n+256)
			return freshWords(n, oneIn, func(words []uint64) {
					written, _ := decodeGeneric(dst, words, 0)
					sink += written
				}), freshWords(n, oneIn, func(words []uint64) {
					written, _ := Indices(dst, words, 0)
					sink += written
				})
		}})
	}
	return []calibrate.Threshold{appending.Short(), searching.Short()}
}

// freshWords returns a function that decodes n words, others at each call: what
// comes again and again is predicted bit by bit.
func freshWords(n, denominator int, decode func(words []uint64)) func() {
	pool, _ := kerneltest.RandomBits(1<<14, denominator)
	return calibrate.EachBatchOf(n, pool, decode)
}
