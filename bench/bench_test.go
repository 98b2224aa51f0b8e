package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The same contenders as Go benchmarks, for benchstat to pivot:
//
//	go test -run=^$ -bench='^Benchmark(Test|Count)$' -count=10 | benchstat -col /impl -row /size -
//
// They are not interleaved: what else the machine does in the meantime shows.

func BenchmarkCount(b *testing.B)           { benchmark(b, "Count") }
func BenchmarkAnd(b *testing.B)             { benchmark(b, "And") }
func BenchmarkAndInPlace(b *testing.B)      { benchmark(b, "AndInPlace") }
func BenchmarkAndCount(b *testing.B)        { benchmark(b, "AndCount") }
func BenchmarkOr(b *testing.B)              { benchmark(b, "Or") }
func BenchmarkXor(b *testing.B)             { benchmark(b, "Xor") }
func BenchmarkAndNot(b *testing.B)          { benchmark(b, "AndNot") }
func BenchmarkOrCount(b *testing.B)         { benchmark(b, "OrCount") }
func BenchmarkXorCount(b *testing.B)        { benchmark(b, "XorCount") }
func BenchmarkAndNotCount(b *testing.B)     { benchmark(b, "AndNotCount") }
func BenchmarkAndWithCount(b *testing.B)    { benchmark(b, "AndWithCount") }
func BenchmarkOrWithCount(b *testing.B)     { benchmark(b, "OrWithCount") }
func BenchmarkXorWithCount(b *testing.B)    { benchmark(b, "XorWithCount") }
func BenchmarkAndNotWithCount(b *testing.B) { benchmark(b, "AndNotWithCount") }
func BenchmarkDecode(b *testing.B)          { benchmark(b, "Decode") }
func BenchmarkDecode32(b *testing.B)        { benchmark(b, "Decode32") }
func BenchmarkNextSetMany(b *testing.B)     { benchmark(b, "NextSetMany") }
func BenchmarkSort(b *testing.B)            { benchmark(b, "Sort") }
func BenchmarkTest(b *testing.B)            { benchmark(b, "Test") }
func BenchmarkTestHashes(b *testing.B)      { benchmark(b, "TestHashes") }
func BenchmarkTestOne(b *testing.B)         { benchmark(b, "TestOne") }
func BenchmarkTestStrings(b *testing.B)     { benchmark(b, "TestStrings") }
func BenchmarkAdd(b *testing.B)             { benchmark(b, "Add") }
func BenchmarkSharedTest(b *testing.B)      { benchmark(b, "SharedTest") }
func BenchmarkSharedTestOne(b *testing.B)   { benchmark(b, "SharedTestOne") }
func BenchmarkSharedAdd(b *testing.B)       { benchmark(b, "SharedAdd") }
func BenchmarkBloomTest(b *testing.B)       { benchmark(b, "BloomTest") }
func BenchmarkBloomTestOne(b *testing.B)    { benchmark(b, "BloomTestOne") }
func BenchmarkBloomAdd(b *testing.B)        { benchmark(b, "BloomAdd") }
func BenchmarkBloomAddOne(b *testing.B)     { benchmark(b, "BloomAddOne") }

// benchStages are set up when one of their benchmarks runs, and then stay: the
// filters of one size serve many benchmarks.
var benchStages = sync.OnceValue(func() (stages []*benchStage) {
	for _, s := range quickPlan().stages(machine.Detect(cpu.Names(), false)) {
		stages = append(stages, &benchStage{Stage: s, setup: sync.OnceValue(s.Setup)})
	}
	return stages
})

type benchStage struct {
	*Stage
	setup func() error
}

func benchmark(b *testing.B, op string) {
	for _, s := range benchStages() {
		for _, g := range s.Groups {
			if g.Op != op {
				continue
			}
			for _, c := range g.Contenders {
				b.Run(benchName(g, c), func(b *testing.B) { s.run(b, g, c) })
			}
		}
	}
}

// benchName is the name that the same contender has in a run's -benchfmt, without the
// operation.
func benchName(g *Group, c Contender) string {
	row := report.Row{Op: g.Op, Param: g.Param, Size: g.Size, Impl: c.Impl, Kind: c.Kind, Pages: c.Pages}
	if c.Filter != nil {
		row.K = c.Filter.(*filterCase).k
	}
	return strings.TrimPrefix(row.BenchmarkName(), g.Op+"/")
}

func (s *benchStage) run(b *testing.B, g *Group, c Contender) {
	err := s.setup()
	if err == nil && c.Filter != nil {
		err = c.Filter.(*filterCase).fill()
	}
	if err != nil {
		b.Fatal(err)
	}
	defer measure.SetLevel(measure.BestLevel())
	measure.SetLevel(c.Level)
	c.Run(c.Warm)
	b.ResetTimer()
	c.Run(b.N)
	b.StopTimer()
	if g.Unit == report.Bytes {
		b.SetBytes(int64(g.PerCall))
		return
	}
	b.ReportMetric(0, "ns/op") // a call is a batch, which says nothing
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/g.PerCall, "ns/"+g.Unit)
	if c.Filter != nil {
		b.ReportMetric(100*c.Filter.(*filterCase).rate(), "fp%")
	}
}
