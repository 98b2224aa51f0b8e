package conformance

import (
	"fmt"
	"math/rand/v2"
	"testing"

	peerbitset "github.com/bits-and-blooms/bitset"

	"github.com/bitsieve/bitsieve/dropin/bitset"
)

// operationSizes are the bytes of one set.
var operationSizes = []struct {
	name  string
	bytes int
}{{"64B", 64}, {"1KiB", 1 << 10}, {"32KiB", 32 << 10}, {"4MiB", 4 << 20}}

// BenchmarkOperations times whole-set operations of both libraries on the same
// random words: benchstat -col /impl puts them side by side.
func BenchmarkOperations(b *testing.B) {
	for _, size := range operationSizes {
		x, y := make([]uint64, size.bytes/8), make([]uint64, size.bytes/8)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range x {
			x[i], y[i] = r.Uint64(), r.Uint64()
		}
		px, py := peerbitset.From(x), peerbitset.From(y)
		ox, oy := bitset.From(x), bitset.From(y)
		var sum uint
		for _, c := range []struct {
			name, impl string
			run        func()
		}{
			{"InPlaceUnion", "bits-and-blooms", func() { px.InPlaceUnion(py) }},
			{"InPlaceUnion", "dropin", func() { ox.InPlaceUnion(oy) }},
			{"IntersectionCardinality", "bits-and-blooms", func() { sum += px.IntersectionCardinality(py) }},
			{"IntersectionCardinality", "dropin", func() { sum += ox.IntersectionCardinality(oy) }},
			{"Count", "bits-and-blooms", func() { sum += px.Count() }},
			{"Count", "dropin", func() { sum += ox.Count() }},
		} {
			b.Run(fmt.Sprintf("op=%s/size=%s/impl=%s", c.name, size.name, c.impl), func(b *testing.B) {
				b.SetBytes(int64(size.bytes))
				for b.Loop() {
					c.run()
				}
			})
		}
		_ = sum
	}
}
