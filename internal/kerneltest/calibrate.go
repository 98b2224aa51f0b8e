package kerneltest

import (
	"slices"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// shortSizes are lengths in words around those from which assembly pays.
var shortSizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}

// A ShortCase is a verb's way without and with assembly. Both are functions
// that call what they measure directly, as the verb does: a call through a
// variable costs more, and more so of assembly.
type ShortCase struct {
	Name     string
	Level    cpu.Level
	InGo, Fn any // both of one of the shapes of kernels
}

// ShortThreshold returns the threshold between the ways of short operands, of from
// words at least.
func ShortThreshold(name string, value, from int, cases []ShortCase) calibrate.Threshold {
	i, _ := slices.BinarySearch(shortSizes, from)
	th := calibrate.Threshold{Name: name, Unit: "words", Value: value, Sizes: shortSizes[i:]}
	for _, c := range cases {
		th.Cases = append(th.Cases, calibrate.Case{Name: c.Name, Level: c.Level, Ways: func(n int) (below, from func()) {
			dst, a, b := RandomWords(n), RandomWords(n), RandomWords(n)
			return Call(c.InGo, dst, a, b), Call(c.Fn, dst, a, b)
		}})
	}
	return th.Short()
}
