//go:build !purego

package counters

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestForModel is no test: see kerneltest.Model. The kernels are "neon:test",
// "neon:add" and "neon:remove"; with "go:" for the Go code, and "…One" for one key at
// a time. All counters are 3 at first, so that every key can be removed.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, k int, dst, keys, _ []uint64) bool {
		f := &Filter{Blocks: New(1024, false), K: k}
		for i := range f.Blocks {
			for j := range f.Blocks[i] {
				f.Blocks[i][j] = 0x3333333333333333
			}
		}
		one := func(v verb) {
			for _, h := range keys {
				f.one(v, h)
			}
		}
		switch name {
		case "neon:test":
			f.TestHashes(keys, dst)
		case "neon:add":
			f.TestAndAddHashes(keys, dst)
		case "neon:remove":
			f.RemoveHashes(keys, dst)
		case "neon:testOne":
			one(test)
		case "neon:addOne":
			one(add)
		case "go:test":
			generic(test, f.Blocks, k, keys, dst)
		case "go:add":
			generic(add, f.Blocks, k, keys, dst)
		case "go:remove":
			generic(remove, f.Blocks, k, keys, dst)
		default:
			return false
		}
		return true
	})
}
