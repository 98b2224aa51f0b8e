//go:build !purego

package bitrev

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
)

func init() {
	directKernels = []kernel{
		{"reverseNEON", cpu.LevelNEON, false, 16, func(dst, src []byte) { reverseNEON(&dst[0], &src[0], len(dst)) }},
	}
}

// TestForModel is no test: see kerneltest.Model.
func TestForModel(t *testing.T) {
	kerneltest.Model(t, func(name string, _ int, dst, a, _ []uint64) bool {
		d, s := memory.Bytes(dst[:len(a)]), memory.Bytes(a)
		switch name {
		case "neon:reverse":
			Reverse(d, s)
		case "go:reverse":
			reverseGeneric(d, s)
		default:
			return false
		}
		return true
	})
}
