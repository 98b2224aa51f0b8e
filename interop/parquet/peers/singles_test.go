package peers

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
	_ "unsafe" // for linkname

	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// At the level AVX2 parquet-go hashes without AVX-512 too, as on a CPU that lacks it.
//
//go:linkname theirAVX512 github.com/parquet-go/parquet-go/bloom/xxhash.hasAVX512
var theirAVX512 bool

func init() {
	if cpu.Current() < cpu.LevelAVX512 {
		theirAVX512 = false
	}
}

// BenchmarkAgainstParquetGo times bitsieve and parquet-go in turns, a batch of 4,096
// values each, so that the machine's other work and its clock meet both alike. It reports
// the medians in ns a value, how many times as fast bitsieve is (the median of the
// turns' ratios), and that ratio's quartiles. The more turns, the better:
// -benchtime 1000x.
//
// Half of the values tested are in the filter. Tests are used in three ways: op=Test
// branches on the answer, as callers do and as the processor cannot predict; op=TestCount
// adds the answers up; in op=TestChain each value depends on the answer before it.
func BenchmarkAgainstParquetGo(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} {
		d := newBench(b, size)
		for _, c := range append(uses(d), batches(d)...) {
			b.Run(fmt.Sprintf("size=%dKiB/type=%s/op=%s", size>>10, c.typ, c.op), func(b *testing.B) {
				var ours, theirs, ratios []float64
				from, turn := 0, 0
				for b.Loop() {
					var o, t float64
					if turn++; turn%2 == 0 {
						o, t = clock(c.ours, from), clock(c.theirs, from)
					} else {
						t, o = clock(c.theirs, from), clock(c.ours, from)
					}
					ours, theirs, ratios = append(ours, o), append(theirs, t), append(ratios, t/o)
					if from += batch; from >= len(d.ints) {
						from = 0
					}
				}
				b.ReportMetric(quantile(ours, 0.5), "ours-ns/value")
				b.ReportMetric(quantile(theirs, 0.5), "theirs-ns/value")
				b.ReportMetric(quantile(ratios, 0.25), "ratio-q1")
				b.ReportMetric(quantile(ratios, 0.5), "ratio")
				b.ReportMetric(quantile(ratios, 0.75), "ratio-q3")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func clock(f func(from int), from int) float64 {
	start := time.Now()
	f(from)
	return float64(time.Since(start).Nanoseconds()) / batch
}

func quantile(x []float64, q float64) float64 {
	slices.Sort(x)
	return x[int(q*float64(len(x)-1))]
}

// A duel is one use of both libraries, for a batch of values from one on.
type duel struct {
	typ, op      string
	ours, theirs func(from int)
}

// batches pairs the contenders that are batches.
func batches(d *benchData) (duels []duel) {
	rows := contenders(d)
	for _, op := range []string{"TestBatch", "AddBatch"} {
		for _, typ := range []string{"int64", "string"} {
			c := duel{typ: typ, op: op}
			for _, row := range rows {
				switch {
				case row.typ != typ || row.op != op:
				case row.impl == "bitsieve":
					c.ours = row.run
				case row.impl == "parquet-go":
					c.theirs = row.run
				}
			}
			duels = append(duels, c)
		}
	}
	return duels
}

// bit is 1 for true, without a branch.
func bit(ok bool) (n uint64) {
	if ok {
		n = 1
	}
	return n
}

// uses are the verbs for single values. Tests come first: adding changes which values are
// there.
func uses(d *benchData) []duel {
	count := uint64(0)
	floats := make([]float64, len(d.ints))
	int32s := make([]int32, len(d.ints))
	for i, x := range d.ints {
		floats[i], int32s[i] = float64(x), int32(x)
	}
	filter, theirs := d.ours, d.theirs
	return []duel{
		{"int64", "Test", func(from int) {
			for _, x := range d.ints[from : from+batch] {
				if filter.TestInt64(x) {
					sink++
				}
			}
		}, func(from int) {
			for _, x := range d.uints[from : from+batch] {
				if theirs.Check(xxhash.Sum64Uint64(x)) {
					sink++
				}
			}
		}},
		{"int64", "TestCount", func(from int) {
			for _, x := range d.ints[from : from+batch] {
				count += bit(filter.TestInt64(x))
			}
		}, func(from int) {
			for _, x := range d.uints[from : from+batch] {
				count += bit(theirs.Check(xxhash.Sum64Uint64(x)))
			}
		}},
		{"int64", "TestChain", func(from int) {
			n := uint64(0)
			for _, x := range d.ints[from : from+batch] {
				n = bit(filter.TestInt64(x ^ int64(n)))
			}
			count += n
		}, func(from int) {
			n := uint64(0)
			for _, x := range d.uints[from : from+batch] {
				n = bit(theirs.Check(xxhash.Sum64Uint64(x ^ n)))
			}
			count += n
		}},
		{"int32", "Test", func(from int) {
			for _, x := range int32s[from : from+batch] {
				if filter.TestInt32(x) {
					sink++
				}
			}
		}, func(from int) {
			for _, x := range int32s[from : from+batch] {
				if theirs.Check(xxhash.Sum64Uint32(uint32(x))) {
					sink++
				}
			}
		}},
		{"hash", "Test", func(from int) {
			for _, h := range d.uints[from : from+batch] {
				if filter.TestHash(h) {
					sink++
				}
			}
		}, func(from int) {
			for _, h := range d.uints[from : from+batch] {
				if theirs.Check(h) {
					sink++
				}
			}
		}},
		{"hash", "TestCount", func(from int) {
			for _, h := range d.uints[from : from+batch] {
				count += bit(filter.TestHash(h))
			}
		}, func(from int) {
			for _, h := range d.uints[from : from+batch] {
				count += bit(theirs.Check(h))
			}
		}},
		{"string", "Test", func(from int) {
			for _, s := range d.strings[from : from+batch] {
				if filter.TestString(s) {
					sink++
				}
			}
		}, func(from int) {
			for _, s := range d.arrays[from : from+batch] {
				if theirs.Check(xxhash.Sum64(s)) {
					sink++
				}
			}
		}},
		{"string", "TestCount", func(from int) {
			for _, s := range d.strings[from : from+batch] {
				count += bit(filter.TestString(s))
			}
		}, func(from int) {
			for _, s := range d.arrays[from : from+batch] {
				count += bit(theirs.Check(xxhash.Sum64(s)))
			}
		}},
		{"int64", "Add", func(from int) {
			for _, x := range d.ints[from : from+batch] {
				filter.AddInt64(x)
			}
		}, func(from int) {
			for _, x := range d.uints[from : from+batch] {
				theirs.Insert(xxhash.Sum64Uint64(x))
			}
		}},
		{"double", "Add", func(from int) {
			for _, x := range floats[from : from+batch] {
				filter.AddDouble(x)
			}
		}, func(from int) {
			for _, x := range floats[from : from+batch] {
				theirs.Insert(xxhash.Sum64Uint64(math.Float64bits(x)))
			}
		}},
		{"hash", "Add", func(from int) {
			for _, h := range d.uints[from : from+batch] {
				filter.AddHash(h)
			}
		}, func(from int) {
			for _, h := range d.uints[from : from+batch] {
				theirs.Insert(h)
			}
		}},
		{"string", "Add", func(from int) {
			for _, s := range d.strings[from : from+batch] {
				filter.AddString(s)
			}
		}, func(from int) {
			for _, s := range d.arrays[from : from+batch] {
				theirs.Insert(xxhash.Sum64(s))
			}
		}},
	}
}
