package main

import (
	"time"

	"github.com/bitsieve/bitsieve/bench/c"
	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
)

// A plan says what is measured and how long.
type plan struct {
	rounds       int
	kernelTime   time.Duration // of one measurement
	filterTime   time.Duration
	kernelSizes  []int64
	decodeSizes  []int64
	densities    []int    // one bit in so many is set
	sorts        []string // operations of sortStage
	sorted       int      // so many integers
	filterSizes  []int64
	leanFrom     int64     // filters from this size on without those that take longest to fill; 0: none
	trials       int64     // absent keys to measure each filter's rate with
	curve        []float64 // bits per key
	curveTrials  int64
	streamLimits []int64
	smallPages   bool      // nobody gets huge pages
	cPeers       []*c.Peer // libraries in C and C++
	cSources     []string  // what those were built of
	cFilters     cFilters  // theirs
}

var (
	kernelSizes = []int64{64, 1 << 10, 8 << 10, 256 << 10, 4 << 20}
	filterSizes = []int64{256 << 10, 4 << 20, 64 << 20}
	densities   = []int{64, 8, 2}
)

// quickPlan takes less than two minutes on two cores.
func quickPlan() plan {
	return plan{
		rounds:       5,
		kernelTime:   3 * time.Millisecond,
		filterTime:   10 * time.Millisecond,
		kernelSizes:  kernelSizes,
		decodeSizes:  []int64{8 << 10, 4 << 20},
		densities:    densities,
		sorts:        []string{"Sort"},
		sorted:       10e6,
		filterSizes:  filterSizes,
		trials:       2e6,
		curve:        []float64{6, 8, 10, 12, 16, 20},
		curveTrials:  4e6,
		streamLimits: []int64{8 << 10, 256 << 10, 4 << 20, 256 << 20},
	}
}

// fullPlan takes less than thirty minutes on two cores, and 8 GiB of memory.
func fullPlan() plan {
	p := quickPlan()
	p.rounds = 11
	p.kernelTime, p.filterTime = 10*time.Millisecond, 50*time.Millisecond
	p.kernelSizes = append(kernelSizes[:len(kernelSizes):len(kernelSizes)], 256<<20)
	p.decodeSizes = kernelSizes
	p.sorts = []string{"Sort", "SortUnique"}
	p.filterSizes = append(filterSizes[:len(filterSizes):len(filterSizes)], 1<<30)
	p.trials, p.curveTrials = 10e6, 20e6
	p.curve = []float64{6, 8, 10, 12, 14, 16, 18, 20, 24}
	return p
}

// briefPlan has all sizes of fullPlan in fewer and shorter rounds, and no standard or
// shared filters of 1 GiB: for a machine that is there for a while only. It takes ten
// minutes, two of them for filling filters of 1 GiB.
func briefPlan() plan {
	p, q := fullPlan(), quickPlan()
	p.rounds, p.leanFrom = q.rounds, 1<<30
	p.kernelTime, p.filterTime = 5*time.Millisecond, 20*time.Millisecond
	p.trials, p.curveTrials, p.curve = q.trials, q.curveTrials, q.curve
	return p
}

// defaultL3 is assumed where the CPU does not tell the size of its last cache.
const defaultL3 = 32 << 20

// stages returns all that the plan measures on a machine.
func (p plan) stages(m machine.Machine) []*Stage {
	l3 := int64(m.L3)
	if l3 == 0 {
		l3 = defaultL3
	}
	stages := []*Stage{measure.LimitStage(p.streamLimits, p.filterSizes, l3, p.smallPages)}
	for _, size := range p.kernelSizes {
		stages = append(stages, kernelStage(size, p.cPeers...))
	}
	stages = append(stages, containerStage(p.cPeers...))
	for _, oneIn := range p.densities {
		for _, size := range p.decodeSizes {
			stages = append(stages, decodeStage(size, oneIn))
		}
	}
	for _, op := range p.sorts {
		stages = append(stages, sortStage(op, p.sorted))
	}
	for _, size := range p.filterSizes {
		stages = append(stages, filterStage(size, p.trials, l3, p.leanFrom > 0 && size >= p.leanFrom, p.cFilters.at(size, benchBitsPerKey)...))
	}
	return stages
}
