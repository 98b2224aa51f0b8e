package block

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The sort is a stable one by part.
func TestSortByPart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, parts := range []uint64{1, 2, 3, 255, 256, 257, 1000, 65535, 65536, 65537, 1 << 24} {
		for _, n := range []int{0, 1, 2, 63, 64, 500, 512, 65535} {
			if testing.Short() && n > 512 {
				continue
			}
			hashes, dst, spare := make([]uint64, n), make([]uint64, n+1), make([]uint64, n)
			from, spareFrom := make([]uint16, n+1), make([]uint16, n)
			want := make([]uint16, n)
			for i := range hashes {
				hashes[i] = r.Uint64() >> (r.IntN(2) * r.IntN(20))
				want[i] = uint16(i)
			}
			slices.SortStableFunc(want, func(a, b uint16) int {
				return cmp.Compare(Index(hashes[a], parts), Index(hashes[b], parts))
			})
			saved := slices.Clone(hashes)
			SortByPart(parts, hashes, dst, from, spare, spareFrom)
			if !slices.Equal(from[:n], want) || !slices.Equal(hashes, saved) || dst[n] != 0 || from[n] != 0 {
				t.Fatalf("%d parts, %d hashes: order %v, want %v", parts, n, from, want)
			}
			for i, at := range from[:n] {
				if dst[i] != hashes[at] {
					t.Fatalf("%d parts, %d hashes: place %d has another hash than %d", parts, n, i, at)
				}
			}
		}
	}
}
