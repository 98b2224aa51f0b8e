package rounds

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDivisor(t *testing.T) {
	var edges []uint64
	for s := range 64 {
		p := uint64(1) << s
		edges = append(edges, p-1, p, p+1, p+p/2, p+p/3)
	}
	edges = append(edges, math.MaxUint64, math.MaxUint64-1, math.MaxUint64/3, 10, 1000, 1e9+7, 1e18+9)
	r := rand.New(rand.NewPCG(1, 2))
	check := func(m, x uint64) {
		if got := NewDivisor(m).Mod(x); got != x%m {
			t.Fatalf("%d mod %d = %d, want %d", x, m, got, x%m)
		}
	}
	for _, m := range edges {
		if m == 0 {
			continue
		}
		for _, x := range edges {
			check(m, x)
		}
		// Multiples of m and their neighbours, where a quotient that is off by one
		// shows.
		top := math.MaxUint64 / m
		for _, q := range []uint64{0, 1, 2, top / 2, top - 1, top} {
			check(m, q*m)
			check(m, q*m-1)
			check(m, q*m+1)
		}
	}
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	for range n {
		m := r.Uint64()>>r.UintN(64) | 1<<r.UintN(64)
		x := r.Uint64() >> r.UintN(64)
		check(m, x)
		check(m, x/m*m)
		check(m, x/m*m-1)
	}
}

func FuzzDivisor(f *testing.F) {
	f.Add(uint64(3), uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, m, x uint64) {
		if m == 0 {
			return
		}
		if got := NewDivisor(m).Mod(x); got != x%m {
			t.Fatalf("%d mod %d = %d, want %d", x, m, got, x%m)
		}
	})
}
