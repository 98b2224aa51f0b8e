//go:build !purego

package block

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// modelKernels are the functions that scripts/mca/run.sh compares with clang's,
// under the names of scripts/mca/kernels.c with a prefix. Calls through it are
// not inlined, so that what is traced keeps its symbol.
var modelKernels = map[string]any{
	"neon:test":    (*Filter).TestUint64s,
	"neon:add":     (*Filter).AddUint64s,
	"neon:testAdd": (*Filter).TestAndAddUint64s,
	"neon:testOne": testUint64,
	"neon:addOne":  addUint64,

	"go:test":    testGeneric,
	"go:add":     addGeneric,
	"go:testAdd": testAndAddGeneric,
	"go:testOne": testUint64Generic,
	"go:addOne":  addUint64Generic,
}

// TestForModel is no test: see kerneltest.Model.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, k int, dst, keys, _ []uint64) bool {
		blocks := New(1024, false)
		filter := filterOver(blocks, k)
		switch f := modelKernels[name].(type) {
		case func(*Filter, []uint64):
			f(filter, keys)
		case func(*Filter, []uint64, []uint64):
			f(filter, keys, dst)
		case func([]Block, int, []uint64, bool):
			f(blocks, k, keys, true)
		case func([]Block, int, []uint64, []uint64, bool):
			f(blocks, k, keys, dst, true)
		case func(*Filter, uint64) bool:
			for _, x := range keys {
				f(filter, x)
			}
		case func(*Filter, uint64):
			for _, x := range keys {
				f(filter, x)
			}
		default:
			return false
		}
		return true
	})
}
