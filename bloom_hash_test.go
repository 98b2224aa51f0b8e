package bitsieve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBloomLocationVectors(t *testing.T) {
	for _, v := range []struct {
		key  string
		want []uint64
	}{
		{"Love", []uint64{0xde93a26f14351e23, 0xb16e866271057106, 0xb03b5314ec8725ab,
			0x4dcd098df33b01e2, 0x902c1c6cfcb339a3, 0x54bde7ae21a98016}},
		{"", []uint64{0, 0x778867e4430e6785, 0xef10cfc8861ccf0a,
			0x706b15b18a5efa42, 0xeb3972420dd3f858, 0x55aa07754f480599}},
		{"0123456789abcde", []uint64{0xa62dd5f6c0bf2351, 0xb7e5801ef76d9dbd, 0x765eec1bb6f1c4eb,
			0x15465dda773fe461, 0x02cfb70964a3ed3d, 0x5847ac68e3d2e0f1}},
	} {
		if got := BloomLocations([]byte(v.key), 6); !slices.Equal(got, v.want) {
			t.Errorf("%q: %x, want %x", v.key, got, v.want)
		}
	}
}

func TestDivisor(t *testing.T) {
	var edges []uint64
	for s := range 64 {
		p := uint64(1) << s
		edges = append(edges, p-1, p, p+1, p+p/2, p+p/3)
	}
	edges = append(edges, math.MaxUint64, math.MaxUint64-1, math.MaxUint64/3, 10, 1000, 1e9+7, 1e18+9)
	r := rand.New(rand.NewPCG(1, 2))
	check := func(m, x uint64) {
		if got := newDivisor(m).mod(x); got != x%m {
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
	for range 200_000 / testScale() {
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
		if got := newDivisor(m).mod(x); got != x%m {
			t.Fatalf("%d mod %d = %d, want %d", x, m, got, x%m)
		}
	})
}
