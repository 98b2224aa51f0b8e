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
	"neon:and":    andWords,
	"neon:or":     orWords,
	"neon:xor":    xorWords,
	"neon:andNot": andNotWords,

	"go:and":    andGeneric,
	"go:or":     orGeneric,
	"go:xor":    xorGeneric,
	"go:andNot": andNotGeneric,
}

// TestForModel is no test: see kerneltest.Model.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, _ int, dst, a, b []uint64) bool {
		f, ok := modelKernels[name].(kerneltest.BinaryFunc)
		if ok {
			f(dst[:len(a)], a, b)
		}
		return ok
	})
}
