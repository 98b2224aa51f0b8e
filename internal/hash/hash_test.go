package hash

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every input bit flips every output bit half of the time.
func TestMixAvalanche(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 2000
	}
	r := rand.New(rand.NewPCG(5, 6))
	for name, gen := range map[string]func(i int) uint64{
		"random":  func(int) uint64 { return r.Uint64() },
		"counter": func(i int) uint64 { return uint64(i) },
	} {
		var flips [64][64]int
		for i := range n {
			x := gen(i)
			h := Mix(x)
			for in := range flips {
				d := h ^ Mix(x^1<<in)
				for out := range flips[in] {
					flips[in][out] += int(d >> out & 1)
				}
			}
		}
		// 6 standard deviations over 4096 cells, and a bias of 0.5 % that the
		// field accepts of a mixer of two rounds on counters.
		limit := 6*math.Sqrt(float64(n))/2 + 0.005*float64(n)
		for in := range flips {
			for out, c := range flips[in] {
				if math.Abs(float64(c)-float64(n)/2) > limit {
					t.Errorf("%s: input bit %d flips output bit %d in %d of %d", name, in, out, c, n)
				}
			}
		}
	}
}
