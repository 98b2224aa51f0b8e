//go:build !purego

package popcount

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:count":       Count,
	"neon:andCount":    And,
	"neon:orCount":     Or,
	"neon:xorCount":    Xor,
	"neon:andNotCount": AndNot,

	"go:count":       countGeneric,
	"go:andCount":    andCountGeneric,
	"go:orCount":     orCountGeneric,
	"go:xorCount":    xorCountGeneric,
	"go:andNotCount": andNotCountGeneric,
}

// TestForModel is no test: see kerneltest.Model.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, _ int, _, a, b []uint64) bool {
		switch f := modelKernels[name].(type) {
		case kerneltest.CountFunc:
			f(a)
		case kerneltest.Count2Func:
			f(a, b)
		default:
			return false
		}
		return true
	})
}
