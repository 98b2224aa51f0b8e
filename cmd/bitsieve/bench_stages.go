package main

import (
	"fmt"
	"slices"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/memory"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

const (
	benchBitsPerKey = 10
	// benchK is what NewBlocked picks for 10 bits per key.
	benchK = 6
	// decodeOneIn is the density at which bits are decoded.
	decodeOneIn = 8
	// defaultL3 is assumed where the CPU does not tell the size of its last cache.
	defaultL3 = 32 << 20
)

// stages returns all that the plan measures on this machine. The operations have
// the names and the figures of those in the directory bench.
func (p benchPlan) stages() []*measure.Stage {
	l3 := int64(machine.Detect(nil, false).L3)
	if l3 == 0 {
		l3 = defaultL3
	}
	all := slices.Concat(p.kernelSizes, p.filterSizes)
	slices.Sort(all)
	stages := []*measure.Stage{measure.LimitStage(slices.Compact(all), p.filterSizes, l3, false)}
	for _, size := range p.kernelSizes {
		stages = append(stages, benchKernels(size), benchDecode(size))
	}
	for _, size := range p.filterSizes {
		stages = append(stages, newBenchFilter(size, p.trials).stage(l3))
	}
	return stages
}

func benchKernels(size int64) *measure.Stage {
	o := new(measure.Operands)
	warm := measure.WarmCalls(size)
	group := func(op string, operands int64, words func() []uint64, run func(calls int)) *measure.Group {
		return &measure.Group{
			Op: op, Size: size, Unit: report.Bytes, PerCall: float64(size),
			Contenders: append(measure.PerLevel(run, warm), measure.StreamLimits(operands*size, warm, words)...),
		}
	}
	one, two := func() []uint64 { return o.A }, func() []uint64 { return o.Both }
	return &measure.Stage{
		Title: "kernels, " + report.Size(size),
		Need:  3 * size,
		Groups: []*measure.Group{
			group("Count", 1, one, func(calls int) {
				for range calls {
					measure.Sink += bitsieve.Count(o.A)
				}
			}),
			group("And", 2, two, func(calls int) {
				for range calls {
					bitsieve.And(o.Dst, o.A, o.B)
				}
			}),
			group("AndCount", 2, two, func(calls int) {
				for range calls {
					measure.Sink += bitsieve.AndCount(o.A, o.B)
				}
			}),
		},
		Setup:   func() error { return o.Make(size) },
		Cleanup: o.Release,
	}
}

func benchDecode(size int64) *measure.Stage {
	var sets [][]uint64
	var out []uint
	_, mean, most := measure.SparseSets(size, decodeOneIn)
	decode := func(calls int) {
		turn := 0
		for range calls {
			measure.Sink += len(bitsieve.AppendIndices(out[:0], sets[turn]))
			if turn++; turn == len(sets) {
				turn = 0
			}
		}
	}
	return &measure.Stage{
		Title: "decoding, " + report.Size(size),
		Need:  size + 8*int64(most),
		Groups: []*measure.Group{{
			Op: "Decode", Param: fmt.Sprintf("density=1of%d", decodeOneIn),
			Size: size, Unit: report.Indices, PerCall: mean,
			Contenders: append(measure.PerLevel(decode, 1), measure.ClearLimit(1, func() []uint { return out[:int(mean)] })),
		}},
		Setup: func() error {
			sets, _, _ = measure.SparseSets(size, decodeOneIn)
			out = make([]uint, most)
			return nil
		},
		Cleanup: func() { sets, out = nil, nil },
	}
}

// A benchFilter is a blocked filter at its design load and the keys to test it
// with.
type benchFilter struct {
	size   int64
	n      uint64 // keys added: the first so many of family 0
	trials uint64

	f       *bitsieve.Blocked
	passed  uint64 // of the trials
	hits    bitsieve.BitSet
	keys    []uint64 // half of them present
	present []uint64
	memory  []uint64 // for the limit
	lines   []uint32
	free    func()
}

func newBenchFilter(size int64, trials uint64) *benchFilter {
	return &benchFilter{size: size, n: max(1, uint64(size)*8/benchBitsPerKey), trials: trials}
}

// Describe fills in what a row says of the filter.
func (b *benchFilter) Describe(row *report.Row) {
	row.K = benchK
	row.BitsPerKey = float64(b.size) * 8 / float64(b.n)
	row.FPRate, row.FPTrials = float64(b.passed)/float64(b.trials), int64(b.trials)
}

func (b *benchFilter) stage(l3 int64) *measure.Stage {
	warm := measure.WarmBatches(b.size, l3)
	limits := measure.RandomLimits(warm, func() ([]uint64, []uint32) { return b.memory, b.lines })
	group := func(op string, keys *[]uint64, do func(keys []uint64)) *measure.Group {
		var at measure.Cursor[uint64]
		ours := measure.PerLevel(func(calls int) {
			at.Keys = *keys
			for range calls {
				do(at.Next())
			}
		}, warm)
		for i := range ours {
			ours[i].Filter = b
			ours[i].Wake = func() { b.read(*keys) }
		}
		return &measure.Group{
			Op: op, Size: b.size, Unit: report.Keys, PerCall: measure.Batch,
			Contenders: slices.Concat(ours, limits),
		}
	}
	return &measure.Stage{
		Title: "filters, " + report.Size(b.size),
		Need:  2*b.size + 20*int64(measure.TestKeys(b.size)),
		Groups: []*measure.Group{
			group("Test", &b.keys, func(keys []uint64) { measure.Sink += b.f.TestUint64s(keys, &b.hits) }),
			group("TestOne", &b.keys, func(keys []uint64) { measure.Sink += b.testOneByOne(keys) }),
			group("Add", &b.present, func(keys []uint64) { b.f.AddUint64s(keys) }),
		},
		Setup:   b.setup,
		Fill:    b.fill,
		Fills:   1,
		Cleanup: b.release,
	}
}

func (b *benchFilter) testOneByOne(keys []uint64) (n int) {
	cpu.Refresh(b.f) // one filter serves all levels
	for _, x := range keys {
		hit := 0
		if b.f.TestUint64(x) {
			hit = 1 // without a branch, which half of the keys would mispredict
		}
		n += hit
	}
	return n
}

// read reads all memory that a measurement works on.
func (b *benchFilter) read(keys []uint64) {
	sum := uint64(b.f.Fill())
	for _, x := range keys {
		sum += x
	}
	measure.Sink += int(sum)
}

func (b *benchFilter) setup() (err error) {
	n := measure.TestKeys(b.size)
	b.keys = measure.Integers(0, measure.Mixed(n, b.n))
	b.present = measure.Integers(0, measure.AnyOf(n, b.n))
	b.lines = measure.RandomLines(n, b.size)
	b.memory, b.free, err = memory.Map(int(b.size/8), true)
	return err
}

// fill adds the keys, looks for some of them and measures the false-positive
// rate.
func (b *benchFilter) fill(step func()) (err error) {
	defer step()
	if b.f, err = bitsieve.NewBlockedWithSize(uint64(b.size)/64, benchK); err != nil {
		return err
	}
	measure.EachBatch(b.n, 0, 0, b.f.AddUint64s)
	missing := 0
	measure.EachBatch(min(b.n, 1<<16), 0, 0, func(keys []uint64) {
		missing += len(keys) - b.f.TestUint64s(keys, nil)
	})
	if missing > 0 {
		return fmt.Errorf("%d keys that were added are missing", missing)
	}
	measure.EachBatch(b.trials, measure.TrialFrom, 0, func(keys []uint64) {
		b.passed += uint64(b.f.TestUint64s(keys, nil))
	})
	return nil
}

func (b *benchFilter) release() {
	if b.free != nil {
		b.free()
	}
	*b = benchFilter{size: b.size, n: b.n, trials: b.trials, passed: b.passed}
}
