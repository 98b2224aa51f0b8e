//go:build !purego && (amd64 || arm64)

package counters

import "github.com/bitsieve/bitsieve/internal/block"

// The kernels' constants.
const (
	wordMul = block.WordMul
	mixMul  = block.MixMul
)

// laneMasks[n][r:r+8] has ones in the lanes that rotation r turns on when n of the 8
// are.
var laneMasks = func() (t [9][16]uint64) {
	for n := range t {
		for i := range t[n] {
			if i&7 < n {
				t[n][i] = ^uint64(0)
			}
		}
	}
	return t
}()
