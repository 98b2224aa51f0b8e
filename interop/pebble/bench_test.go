package pebble

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

// The benchmarks time the policies by turns, a fraction of a millisecond each, so that all of them meet
// the same machine. They report the median of a policy's turns in ns per key, and how many times as long
// Pebble's turn took as the one of ours that followed on it: median, first and third quartile.
//
//	go test -run '^$' -bench . .

// A contender is a policy with the name that its figures get.
type contender struct {
	name   string
	policy pebble.FilterPolicy
}

var contenders = []contender{{"pebble", bloom.FilterPolicy(10)}, {"bloom", FilterPolicy(10)}, {"blocked", BlockedPolicy(10)}}

// byTurns times turn for each contender; it does the same n things each time.
func byTurns(b *testing.B, n int, turn func(contender int)) {
	times := make([][]float64, len(contenders))
	for b.Loop() {
		for c := range contenders {
			start := time.Now()
			turn(c)
			times[c] = append(times[c], float64(time.Since(start))/float64(n))
		}
	}
	for c, ns := range times {
		b.ReportMetric(quantile(ns, 0.5), "ns-"+contenders[c].name)
		if c == 0 {
			continue
		}
		quotients := make([]float64, len(ns))
		for i := range ns {
			quotients[i] = times[0][i] / ns[i]
		}
		for name, q := range map[string]float64{"x-": 0.5, "x25-": 0.25, "x75-": 0.75} {
			b.ReportMetric(quantile(quotients, q), name+contenders[c].name)
		}
	}
	b.ReportMetric(0, "ns/op")
}

func quantile(x []float64, q float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[int(q*float64(len(x)-1)+0.5)]
}

var sink bool

// BenchmarkMayContain looks up keys in a filter of 1 thousand keys (in the first cache), one of 1 million
// (in the second or third) and in 64 of 1 million, 75 MiB, by turns (cold). The filters begin 336 bytes
// into a buffer, as they do in Pebble's block cache.
func BenchmarkMayContain(b *testing.B) {
	const turn = 1 << 12
	for _, c := range []struct {
		name               string
		n, filters, length int
	}{{"1e3", 1000, 1, 16}, {"1e3", 1000, 1, 64}, {"1e6", 1_000_000, 1, 16}, {"cold", 1_000_000, 64, 16}} {
		keys := keysOf(c.n, c.length, 1)
		filters := make([][][]byte, len(contenders))
		for i, other := range contenders {
			f := write(other.policy, nil, keys)
			for range c.filters {
				filters[i] = append(filters[i], append(make([]byte, 336, 336+len(f)), f...)[336:])
			}
		}
		for _, hits := range []int{100, 50, 0} { // percent
			asked := keysOf(turn, c.length, 2)
			for i := range asked {
				if int(uint32(i)*0x9e3779b1>>8)%100 < hits {
					asked[i] = keys[i%len(keys)]
				}
			}
			next := 0
			b.Run(fmt.Sprintf("keys=%s/len=%d/hits=%d%%", c.name, c.length, hits), func(b *testing.B) {
				byTurns(b, turn, func(i int) {
					policy, mine := contenders[i].policy, filters[i]
					for j, key := range asked {
						sink = policy.MayContain(pebble.TableFilter, mine[(next+j)&(len(mine)-1)], key)
					}
					if i == len(contenders)-1 {
						next += 17
					}
				})
			})
		}
	}
}

// BenchmarkWriter makes filters.
func BenchmarkWriter(b *testing.B) {
	for _, c := range []struct{ n, length int }{{1000, 16}, {1000, 128}, {100_000, 16}, {100_000, 32}, {1_000_000, 16}, {5_000_000, 16}} {
		keys := keysOf(c.n, c.length, 1)
		b.Run(fmt.Sprintf("keys=%d/len=%d", c.n, c.length), func(b *testing.B) {
			byTurns(b, c.n, func(i int) { write(contenders[i].policy, nil, keys) })
		})
	}
}
