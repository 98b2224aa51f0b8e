//go:build !purego

package decode

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:decode64": Indices[uint],
	"neon:decode32": Indices[uint32],

	"go:decode64": decodeGeneric[uint],
	"go:decode32": decodeGeneric[uint32],
}

// TestForModel is no test: see kerneltest.Model.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, _ int, _, words, _ []uint64) bool {
		switch f := modelKernels[name].(type) {
		case indicesFunc[uint]:
			f(make([]uint, 64*len(words)+64), words, 0)
		case indicesFunc[uint32]:
			f(make([]uint32, 64*len(words)+64), words, 0)
		default:
			return false
		}
		return true
	})
}
