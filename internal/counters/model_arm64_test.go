//go:build !purego

package counters

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestForModel is no test: see kerneltest.Model. The kernels are "neon:test",
// "neon:add" and "neon:remove"; with "go:" for the Go code, and "…One" for one key at
// a time. Keys that are removed are added first by the Go code.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, k int, dst, keys, _ []uint64) bool {
		f := &Filter{Blocks: New(1024, false), K: k}
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
			generic(add, f.Blocks, k, keys, dst)
			f.RemoveHashes(keys, dst)
		case "neon:testOne":
			one(test)
		case "neon:addOne":
			one(add)
		case "go:test":
			generic(test, f.Blocks, k, keys, dst)
		case "go:add":
			generic(add, f.Blocks, k, keys, dst)
		default:
			return false
		}
		return true
	})
}
