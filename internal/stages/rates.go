package stages

import (
	"github.com/bitsieve/bitsieve/internal/model"
)

// FPRate returns the false-positive rate of a stage as it stands, from its bits.
func (s *Stage) FPRate() float64 {
	if s.Filter.Empty() {
		return 0
	}
	s.Filter.RaceRead()
	return model.AddHitRates(0, s.Filter.Blocks, s.Filter.K) / float64(len(s.Filter.Blocks))
}

// expected returns the rate that the model predicts for the stage with so many
// keys.
func (s *Stage) expected(keys float64) float64 {
	return model.ExpectedRate(keys, uint64(len(s.Filter.Blocks)), s.Filter.K)
}

// FPRate returns the false-positive rate as it stands, from the bits, as that of
// stages which err independently of each other.
func (f *Filter) FPRate() float64 {
	miss := 1.0
	for i := range f.Stages {
		miss *= 1 - f.Stages[i].FPRate()
	}
	return 1 - miss
}

// ExpectedFPRate returns the rate that the model predicts after n distinct keys,
// with the stages that there are and those that would follow.
func (f *Filter) ExpectedFPRate(n uint64) float64 {
	if len(f.Stages) == 0 {
		return 0
	}
	f.newest().Filter.Empty() // panics if f is closed
	miss := 1.0
	last := len(f.Stages) - 1
	for i := range f.Stages[:last] {
		s := &f.Stages[i]
		keys := min(n, s.Keys)
		miss *= 1 - s.expected(float64(keys))
		n -= keys
	}
	s := f.Stages[last]
	blocks, k, capacity := uint64(len(s.Filter.Blocks)), s.Filter.K, max(s.Capacity, s.Keys)
	pl := f.plan()
	for n > capacity {
		next, rate, err := pl.next()
		if err != nil {
			break // the rest goes to the last stage
		}
		moreBlocks, moreK, err := model.SizeBlocked(next, rate)
		if err != nil {
			break
		}
		miss *= 1 - model.ExpectedRate(float64(capacity), blocks, k)
		n -= capacity
		blocks, k, capacity = moreBlocks, moreK, next
		pl.add(next, rate)
	}
	return 1 - miss*(1-model.ExpectedRate(float64(n), blocks, k))
}

// lossSteps is the number of intervals, even, by which Losses integrates over the
// filling of a stage. At k = 16, where the rate grows as steeply as it can, 32
// leave an error of a hundredth of a per cent.
const lossSteps = 32

// Losses returns how many distinct keys are expected to have been taken for keys
// seen before, and not added: at a false-positive rate of r that is r / (1−r) for
// each key that passed, summed up over all of them by Simpson's rule.
func (f *Filter) Losses() (lost float64) {
	miss := 1.0 // of the stages that are full
	for i := range f.Stages {
		s := &f.Stages[i]
		odds := func(step int) float64 {
			m := miss * (1 - s.expected(float64(s.Keys)*float64(step)/lossSteps))
			return (1 - m) / max(m, 1e-9)
		}
		sum := odds(0) + odds(lossSteps)
		for step := 1; step < lossSteps; step++ {
			sum += odds(step) * float64(2+2*(step&1))
		}
		lost += sum / (3 * lossSteps) * float64(s.Keys)
		miss *= 1 - s.expected(float64(s.Keys))
	}
	return lost
}
