package stages

import (
	"fmt"

	"github.com/bitsieve/bitsieve/internal/model"
)

// The plan: how large the stages are, and their rates. Stage i, from 0, has the rate
//
//	p (1−r) rⁱ   with r = 7/8,
//
// so that all rates, of however many stages, sum up to p. Stages double until they
// have 2^24 keys; from there each has half as many as there are so far.
//
// A low r makes late stages dear, a high one the early ones. The mean bits per key, over
// numbers of keys from a third of those given to three times as many, the room of the
// newest stage included, for a first stage of 2^16 keys (TestMemoryPerKey has the final
// plan; these were for stages that double to 2^26 keys, then a quarter of all):
//
//	          p = 0.01:  10^6   10^7   10^8   10^9   p = 1e-6:  10^6   10^7   10^8   10^9
//	r = 0.5              24.2   31.6   39.8   56.7              78.2   94.5  115.4   none
//	r = 0.7              22.4   25.5   28.5   32.0              74.1   79.6   85.5   93.8
//	r = 0.85             23.0   23.8   24.4   23.6              75.3   75.6   75.7   70.9
//	r = 0.9              23.9   24.1   24.0   22.1              77.4   76.2   74.7   67.1
//	r = 0.95             26.1   25.5   24.8   21.7              82.5   79.6   76.5   66.2
//
// Against stages that go on doubling, those of half as many save about a sixth of the
// memory at 10^9 keys.
const (
	ratio      = 7. / 8    // of a stage's rate to that of the one before
	firstShare = 1 - ratio // of p: the rate of the first stage
	doubleTo   = 1 << 24   // keys of a stage
	laterShare = 2         // one part in so many of all keys makes a later stage

	// MinP is the lowest p: no stage has a rate under model.MinRate, at which a
	// key takes 215 bits.
	MinP = model.MinRate / firstShare

	// collisionShare is the largest part of a stage's rate that may go to keys of
	// equal hashes. What is left for the bits gets dear beyond.
	collisionShare = 0.5
)

func checkRate(p float64) error {
	if !(p >= MinP && p < 1) {
		return fmt.Errorf("%w: false-positive rate %v, want %v <= p < 1", model.ErrParameter, p, MinP)
	}
	return nil
}

// A plan is what the size of the next stage depends on.
type plan struct {
	p    float64 // of all stages
	left float64 // what the stages so far leave of it
	keys uint64  // that the stages so far are sized for
	last uint64  // that the newest of them is

	stages int // so far
}

// add goes on to the next stage.
func (pl *plan) add(keys uint64, rate float64) {
	pl.left -= rate
	pl.keys += keys
	pl.last = keys
	pl.stages++
}

// next returns the keys and the rate of the next stage. Where its share would be
// below model.MinRate, it is that much if there is so much left, which it is seven
// or eight times. The error wraps model.ErrParameter: p allows no more keys, or there
// are MaxStages, which only a file that no plan made can come to.
func (pl *plan) next() (keys uint64, rate float64, err error) {
	if pl.stages >= MaxStages {
		return 0, 0, fmt.Errorf("%w: a filter has at most %d stages", model.ErrParameter, MaxStages)
	}
	keys = min(2*pl.last, max(doubleTo, pl.keys/laterShare))
	rate = max(pl.left*firstShare, model.MinRate)
	if rate > pl.left || model.Collisions(keys) > collisionShare*rate {
		return 0, 0, fmt.Errorf("%w: a false-positive rate of %v allows no stage after those for %d keys",
			model.ErrParameter, pl.p, pl.keys)
	}
	return keys, rate, nil
}

// plan returns the plan as far as it is carried out.
func (f *Filter) plan() plan {
	pl := plan{p: f.P, left: f.P}
	for i := range f.Stages {
		pl.add(f.Stages[i].Capacity, f.Stages[i].Rate)
	}
	return pl
}

// Next returns the number of keys, the rate and the size of the stage that follows
// when the newest is full. The error wraps model.ErrParameter: P allows no more keys.
func (f *Filter) Next() (keys uint64, rate float64, blocks uint64, k int, err error) {
	f.newest() // panics if there is none
	pl := f.plan()
	if keys, rate, err = pl.next(); err != nil {
		return 0, 0, 0, 0, err
	}
	blocks, k, err = model.SizeBlocked(keys, rate)
	return keys, rate, blocks, k, err
}
