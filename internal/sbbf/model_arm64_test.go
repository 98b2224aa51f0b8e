//go:build !purego

package sbbf

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestForModel is no test: see kerneltest.Model. The kernels are "neon:test" and
// "neon:add", with "go:" for the Go code.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, _ int, dst, keys, _ []uint64) bool {
		b := make([]byte, 1024*Bytes)
		switch name {
		case "neon:test":
			TestHashes(b, keys, dst)
		case "neon:add":
			AddHashes(b, keys)
		case "go:test":
			testBatchGeneric(b, keys, dst[:(len(keys)+63)/64])
		case "go:add":
			addBatchGeneric(b, keys)
		default:
			return false
		}
		return true
	})
}
