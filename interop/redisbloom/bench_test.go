package redisbloom

import (
	"fmt"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

const benchBatch = 4096

var benchHits int

// Strings of 16 bytes that are not there, in the order of their memory, at a rate of 1 %:
// a filter of one link, and one that grew to six.
func BenchmarkTest(b *testing.B) {
	strings := make([]string, 1<<18)
	for i := range strings {
		strings[i] = fmt.Sprintf("user%012d", i*7919%len(strings))
	}
	for _, size := range []struct {
		name    string
		n, keys uint64
	}{{"links=1/keys=200k", 200_000, 200_000}, {"links=1/keys=10M", 10_000_000, 10_000_000}, {"links=6/keys=10M", 160_000, 10_000_000}} {
		f, err := New(size.n, 0.01)
		if err != nil {
			b.Fatal(err)
		}
		keys := make([]string, 1000)
		for i := 0; i < int(size.keys); i += len(keys) {
			for j := range keys {
				keys[j] = fmt.Sprint("key", i+j)
			}
			if err := f.AddStrings(keys); err != nil {
				b.Fatal(err)
			}
		}
		v := view(b, marshal(b, f))
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			bench := func(op string, f func(keys []string)) {
				b.Run(fmt.Sprintf("op=%s/impl=%v/%s", op, l, size.name), func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						f(strings[i*benchBatch%len(strings):][:benchBatch])
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchBatch, "ns/key")
				})
			}
			bench("batch", func(keys []string) { benchHits += f.TestStrings(keys, nil) })
			bench("view", func(keys []string) { benchHits += v.TestStrings(keys, nil) })
			bench("add", func(keys []string) { f.TestAndAddStrings(keys, nil) })
			bench("one", func(keys []string) {
				for _, key := range keys {
					if f.TestString(key) {
						benchHits++
					}
				}
			})
		})
	}
}
