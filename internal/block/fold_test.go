package block

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Folded in place and apart, blocks are what adding the keys to fewer gives.
func TestFold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []uint64{1, 2, 3, 7, 100} {
		for halvings := range 5 {
			for _, k := range []int{2, 8, 13} {
				wide, want, apart := New(n<<halvings, false), New(n, false), New(n, false)
				for range 3 * n {
					h := r.Uint64()
					filterOver(wide, k).AddHash(h)
					filterOver(want, k).AddHash(h)
				}
				Fold(apart, wide, halvings)
				Fold(wide[:n], wide, halvings)
				if !slices.Equal(apart, want) || !slices.Equal(wide[:n], want) {
					t.Fatalf("%d blocks, %d halvings, k=%d: differ", n, halvings, k)
				}
			}
		}
	}
}
