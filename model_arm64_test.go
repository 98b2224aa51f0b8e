//go:build !purego

package bitsieve

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:count":       countWords,
	"neon:and":         andWords,
	"neon:or":          orWords,
	"neon:xor":         xorWords,
	"neon:andNot":      andNotWords,
	"neon:andCount":    andCountWords,
	"neon:orCount":     orCountWords,
	"neon:xorCount":    xorCountWords,
	"neon:andNotCount": andNotCountWords,

	"go:count":       countGeneric,
	"go:and":         andGeneric,
	"go:or":          orGeneric,
	"go:xor":         xorGeneric,
	"go:andNot":      andNotGeneric,
	"go:andCount":    andCountGeneric,
	"go:orCount":     orCountGeneric,
	"go:xorCount":    xorCountGeneric,
	"go:andNotCount": andNotCountGeneric,
}

// TestForModel is no test: see kerneltest.Model.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, _ int, dst, a, b []uint64) bool {
		switch f := modelKernels[name].(type) {
		case countFunc:
			f(a)
		case binaryFunc:
			f(dst[:len(a)], a, b)
		case count2Func:
			f(a, b)
		default:
			return false
		}
		return true
	})
}
