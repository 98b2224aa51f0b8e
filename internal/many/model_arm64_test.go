//go:build !purego

package many

import (
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:andRows": andCountRows,
	"go:andRows":   andCountRowsGeneric,
}

// TestForModel is no test: see kerneltest.Model. k is the number of words in a row.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, k int, dst, rows, query []uint64) bool {
		counts := unsafe.Slice((*int)(unsafe.Pointer(&dst[0])), len(rows)/k)
		switch f := modelKernels[name].(type) {
		case func([]int, []uint64, []uint64) bool:
			f(counts, query[:k], rows)
		case func([]int, []uint64, []uint64):
			f(counts, query[:k], rows)
		default:
			return false
		}
		return true
	})
}
