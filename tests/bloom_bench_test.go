package tests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
)

// BenchmarkBloomBatches takes integers in batches of 4096, new ones for the most
// part: adding, and testing and adding, of a filter with 10 bits per key.
func BenchmarkBloomBatches(b *testing.B) {
	const batch = 4096
	for _, size := range []uint64{256 << 10, 4 << 20, 64 << 20} {
		keys := make([]uint64, size*8/10&^(batch-1))
		r := rand.New(rand.NewPCG(5, 6))
		for i := range keys {
			keys[i] = r.Uint64()
		}
		f, err := NewBloomWithSize(size*8, 7)
		if err != nil {
			b.Fatal(err)
		}
		var hits BitSet
		for op, do := range map[string]func(keys []uint64){
			"Add":        f.AddUint64s,
			"TestAndAdd": func(keys []uint64) { sinkInt += f.TestAndAddUint64s(keys, &hits) },
		} {
			b.Run(fmt.Sprintf("op=%s/size=%dKiB", op, size>>10), func(b *testing.B) {
				f.Clear()
				at := 0
				for b.Loop() {
					do(keys[at : at+batch])
					if at += batch; at == len(keys) {
						at = 0
						f.Clear()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
			})
		}
	}
}
