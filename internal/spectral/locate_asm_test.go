//go:build !purego && (amd64 || arm64)

package spectral

import (
	"math/rand/v2"
	"testing"
)

// The lines that are sent for are those that have counters of the key.
func TestFarPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{16, 32} {
		for k := MinK; k <= MaxK; k++ {
			far := farPlaces(width, k)
			for range 1000 {
				x := locate(r.Uint64(), 1, width).places
				line := func(shift uint64) uint64 { return 1 << (x >> shift & 255 * uint64(width) / 512) }
				var want uint64
				for i := range k {
					want |= line(uint64(8 * i))
				}
				got := line(0) | line(far[0])
				if width == 32 {
					got |= line(far[1]) | line(far[2])
				}
				if got != want {
					t.Fatalf("%d bits, k = %d, places %#x: lines %04b, want %04b", width, k, x, got, want)
				}
			}
		}
	}
}
