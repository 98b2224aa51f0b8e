//go:build !purego

package block

import (
	"fmt"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// distances are those of all rows and the extremes that a row may have.
func distances() (list []cpu.Lookahead) {
	list = []cpu.Lookahead{
		{Ahead: 1}, {Ahead: 1, Fill: cpu.MaxLookahead - 1}, {Ahead: cpu.MaxLookahead},
		{Ahead: 4, Fill: 2}, {Ahead: 14, Fill: 14}, {Ahead: 16, Fill: 12},
	}
	for i := range list {
		near := list[i]
		near.Near = true
		list = append(list, near)
	}
	seen := map[cpu.Lookahead]bool{}
	defer cpu.SetTuning(cpu.Tuned())
	for m := range cpu.NumMicros {
		cpu.SetTuning(m)
		b := &cpu.Tune.Batches
		for _, l := range [...]cpu.Lookahead{b.Blocked512[0], b.Blocked512[1], b.Blocked256[0], b.Blocked256[1]} {
			if !seen[l] {
				seen[l] = true
				list = append(list, l)
			}
		}
	}
	return list
}

// useDistances puts l in force at every level and size, for the length of a test.
func useDistances(t testing.TB, l cpu.Lookahead) {
	saved := cpu.Tune.Batches
	t.Cleanup(func() { cpu.Tune.Batches = saved })
	cpu.Tune.Batches.Blocked512 = [2]cpu.Lookahead{l, l}
	cpu.Tune.Batches.Blocked256 = [2]cpu.Lookahead{l, l}
}

// No distance changes an answer: on batches about as long as the distances, as the
// ring and as twice the ring.
func TestDistances(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		if cpu.Current() == cpu.LevelGeneric {
			t.Skip("no kernels")
		}
		m := newKernelMem(t)
		for _, l := range distances() {
			t.Run(fmt.Sprintf("%+v", l), func(t *testing.T) {
				useDistances(t, l)
				ahead, fill := int(l.Ahead), int(l.Ahead+l.Fill)
				groups := []int{2, 3, 4, 5, ahead - 1, ahead, ahead + 1, fill - 1, fill, fill + 1, 2*ahead - 1, 2 * ahead,
					2*ahead + 1, ringGroups - 1, ringGroups, ringGroups + 1, 2 * ringGroups, 2*ringGroups + 3}
				for _, v := range verbs {
					for _, k := range []int{1, 7, 8, 9, 16} {
						c := &kernelCase{t, m, v.name, k, 139}
						for _, g := range groups {
							if n := g * kernelKeys; n >= minBatch && (!testing.Short() || (g+k)%3 == 0) {
								c.check(n, v)
								c.check(n+1+c.m.rand.IntN(kernelKeys-1), v)
							}
						}
					}
				}
			})
		}
	})
}

// What lookahead returns is what the kernels want, for every row, size and length
// of a batch.
func TestLookahead(t *testing.T) {
	defer cpu.SetTuning(cpu.Tuned())
	for m := range cpu.NumMicros {
		cpu.SetTuning(m)
		kerneltest.EachLevel(t, func(t *testing.T) {
			for _, blocks := range []int{1, 1 << 17, 1<<17 + 1, 1 << 30} {
				for n := minBatch; n <= maxBatch; n += kernelKeys {
					ahead, fill, _ := lookahead(blocks, n)
					if ahead < 64 || ahead%64 != 0 || fill < ahead || fill%64 != 0 || fill > cpu.MaxLookahead*64 || ahead > n*8 {
						t.Fatalf("%v, %d blocks, %d keys: %d bytes ahead, %d filled", m, blocks, n, ahead, fill)
					}
				}
			}
		})
	}
}
