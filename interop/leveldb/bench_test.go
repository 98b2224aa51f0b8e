package leveldb

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// The benchmarks time both packages by turns, a fraction of a millisecond each, so that both meet the
// same machine. They report the median of a package's turns in ns per key, and how many times as long
// goleveldb's turn took as the one of ours that followed on it: median, first and third quartile.
//
//	go test -run '^$' -bench . .

// byTurns times each turn; they do the same n things.
func byTurns(b *testing.B, n int, theirs, ours func()) {
	var their, our, quotients []float64
	clock := func(turn func()) float64 {
		start := time.Now()
		turn()
		return float64(time.Since(start)) / float64(n)
	}
	for b.Loop() {
		t, o := clock(theirs), clock(ours)
		their, our, quotients = append(their, t), append(our, o), append(quotients, t/o)
	}
	b.ReportMetric(quantile(their, 0.5), "ns-goleveldb")
	b.ReportMetric(quantile(our, 0.5), "ns-bitsieve")
	b.ReportMetric(quantile(quotients, 0.5), "x")
	b.ReportMetric(quantile(quotients, 0.25), "x25")
	b.ReportMetric(quantile(quotients, 0.75), "x75")
	b.ReportMetric(0, "ns/op")
}

func quantile(x []float64, q float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[int(q*float64(len(x)-1)+0.5)]
}

var sink bool

// BenchmarkContains looks up keys in the filters of 200 blocks of 2 KiB (25 keys) and in one filter of
// 10 thousand keys.
func BenchmarkContains(b *testing.B) {
	const turn = 1 << 12
	theirs, ours := filter.NewBloomFilter(10), NewBloomFilter(10)
	for _, c := range []struct{ n, filters, length int }{{25, 200, 16}, {25, 200, 32}, {10_000, 1, 16}} {
		var filters [][]byte
		keys := keysOf(c.n*c.filters, c.length, 1)
		for i := range c.filters {
			filters = append(filters, write(theirs, keys[i*c.n:(i+1)*c.n]))
		}
		for _, hits := range []int{100, 50, 0} { // percent
			asked, in := keysOf(turn, c.length, 2), make([][]byte, turn)
			for i := range asked {
				j := int(uint32(i) * 0x9e3779b1 >> 8)
				in[i] = filters[j%c.filters]
				if j/c.filters%100 < hits {
					asked[i] = keys[j%c.filters*c.n+i%c.n]
				}
			}
			run := func(f filter.Filter) func() {
				return func() {
					for i, key := range asked {
						sink = f.Contains(in[i], key)
					}
				}
			}
			b.Run(fmt.Sprintf("keys=%d/len=%d/hits=%d%%", c.n, c.length, hits), func(b *testing.B) {
				byTurns(b, turn, run(theirs), run(ours))
			})
		}
	}
}

// BenchmarkGenerate makes filters, hashing included.
func BenchmarkGenerate(b *testing.B) {
	for _, c := range []struct{ n, length int }{{25, 16}, {25, 32}, {25, 128}, {10_000, 16}} {
		keys := keysOf(c.n*max(1, 5000/c.n), c.length, 1)
		run := func(f filter.Filter) func() {
			g := f.NewGenerator()
			var buf util.Buffer
			return func() {
				for i, key := range keys {
					g.Add(key)
					if (i+1)%c.n == 0 {
						buf.Reset()
						g.Generate(&buf)
					}
				}
			}
		}
		b.Run(fmt.Sprintf("keys=%d/len=%d", c.n, c.length), func(b *testing.B) {
			byTurns(b, len(keys), run(filter.NewBloomFilter(10)), run(NewBloomFilter(10)))
		})
	}
}

// BenchmarkView tests a batch of keys in a filter of 25 keys, half of them there, and with goleveldb one
// after the other.
func BenchmarkView(b *testing.B) {
	for _, length := range []int{16, 32, 128} {
		keys := keysOf(50, length, 1)
		data := write(filter.NewBloomFilter(10), keys[:25])
		v, err := NewView(data)
		if err != nil {
			b.Fatal(err)
		}
		asked := make([][]byte, 4096)
		for i := range asked {
			asked[i] = keys[uint32(i)*0x9e3779b1>>8%50]
		}
		hits := new(bitsieve.BitSet)
		b.Run(fmt.Sprintf("len=%d", length), func(b *testing.B) {
			byTurns(b, len(asked), func() {
				f := filter.NewBloomFilter(10)
				for _, key := range asked {
					sink = f.Contains(data, key)
				}
			}, func() { v.TestBytes(asked, hits) })
		})
	}
}
