// Package tune measures which values of a row of internal/cpu's table are the best
// on the machine at hand. The command "bitsieve bench -tune" and the sweeps of
// internal/block's tests are made of it.
package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// A Knob is a field of a row, the values that are worth trying, and what the field
// matters to.
type Knob struct {
	// Field is its path in cpu.Tuning: Batches.Blocked512[1].
	Field string
	// Level is in force while it is measured; LevelGeneric stands for that which is in
	// force. A machine that lacks it keeps the value that it has.
	Level cpu.Level
	// Values are those to try besides the one in force, each of the field's type.
	Values []any
	// Given, if there is one, changes other fields of the row in force, so that this one
	// matters. Those are put back when the knob has been measured.
	Given func()
	// Works makes what is timed. It is called when the knob's turn comes, and its
	// memory is dropped after it.
	Works func() []Work
}

// A Work is what a field matters to.
type Work struct {
	Name string
	N    int    // how many keys, words or the like one call of Do takes
	Do   func() // successive calls go on where the last one ended
}

// Timing is what measuring may take.
type Timing struct {
	Span   time.Duration // of one measurement: at least one call
	Rounds int           // of a knob, at most; each measures every work with every value
	// Total is shared out among the knobs. No round begins after a knob's share, but for
	// the first of either half, so that too little of it is exceeded.
	Total time.Duration
}

// minGain is by how much a value must win to replace the one in force. Repeated
// runs differ by that much.
const minGain = 0.02

// A Result is what came of a knob.
type Result struct {
	Knob
	Now, Best any     // the values that were in force and that now is: often the same
	Gain      float64 // Now's time by Best's: the geometric mean of the works
	Names     []string
	// Times has for each value, that in force first, the least time of each work, in
	// nanoseconds per one of N. Shares has the median over the rounds of its time by
	// the median of all values' in the same round: what else the machine does changes
	// the one, the other less. For the best few it follows from the second half of the
	// time, in which the others take no part.
	Times, Shares [][]float64

	final []int // indices of the values that were measured to the end, but for that in force
}

// Tried returns all values measured, in the order of r.Times.
func (r *Result) Tried() []any { return append([]any{r.Now}, r.Values...) }

// Measure measures knobs, in order, and leaves the best value of each in force:
// later ones are measured with it. done is told of each result, and of no knob
// that the machine lacks the level of. Nothing else may use cpu.Tune at the time.
//
// All values take turns, in each round in another order, and are compared within
// the round: a machine that is busy, or whose last cache others share, is as slow for
// one as for another. Measure stops with ctx's error when ctx is done.
func Measure(ctx context.Context, knobs []Knob, t Timing, done func(*Result)) error {
	level := cpu.Current()
	defer cpu.Set(level)
	knobs = slices.DeleteFunc(slices.Clone(knobs), func(k Knob) bool { return !cpu.Has(k.Level) })
	end := time.Now().Add(t.Total)
	for i, k := range knobs {
		cpu.Set(level)
		if k.Level != cpu.LevelGeneric {
			cpu.Set(k.Level)
		}
		share := time.Until(end) / time.Duration(len(knobs)-i)
		r, err := k.measure(ctx, t, time.Now().Add(share))
		if err != nil {
			return err
		}
		done(r)
	}
	return nil
}

// finalists is how many values, besides that in force, are measured for the second
// half of the time. The best of many values is the luckiest one, too.
const finalists = 4

func (k Knob) measure(ctx context.Context, t Timing, end time.Time) (*Result, error) {
	now := get(k.Field)
	r := &Result{Knob: k, Now: now, Best: now}
	defer func() { set(k.Field, r.Best) }()
	if k.Given != nil {
		saved := cpu.Tune
		defer func() { cpu.Tune = saved }() // before Best is set
		k.Given()
	}
	r.Values = slices.DeleteFunc(slices.Clone(k.Values), func(v any) bool { return v == r.Now })
	works := k.Works()
	repeats := make([]int, len(works))
	for i, w := range works {
		r.Names = append(r.Names, w.Name)
		repeats[i] = w.repeats(t.Span)
	}
	all := make([]int, len(r.Tried()))
	for j := range all {
		all[j] = j
		r.Times = append(r.Times, slices.Repeat([]float64{math.Inf(1)}, len(works)))
		r.Shares = append(r.Shares, make([]float64, len(works)))
	}
	half := time.Now().Add(time.Until(end) / 2)
	if err := r.heat(ctx, works, repeats, all, t.Rounds, half); err != nil {
		return nil, err
	}
	slices.SortFunc(all[1:], func(i, j int) int { return cmp.Compare(r.Relative(i), r.Relative(j)) })
	last := all[:min(len(all), 1+finalists)]
	if err := r.heat(ctx, works, repeats, last, t.Rounds, end); err != nil {
		return nil, err
	}
	r.final = last[1:]
	best := r.best()
	r.Best, r.Gain = r.Tried()[best], r.Relative(0)/r.Relative(best)
	return r, nil
}

// heat measures works with the values of the given indices, the first of them that
// in force, round after round.
func (r *Result) heat(ctx context.Context, works []Work, repeats, indices []int, rounds int, end time.Time) error {
	values, order := r.Tried(), slices.Clone(indices)
	shares := make([][][]float64, len(values)) // by value, work and round
	for _, j := range indices {
		shares[j] = make([][]float64, len(works))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := 0; round < rounds && (round == 0 || time.Now().Before(end)); round++ {
		for i, w := range works {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			ns := make([]float64, len(order))
			for at, j := range order {
				if err := ctx.Err(); err != nil {
					return err
				}
				set(r.Field, values[j])
				ns[at] = w.time(repeats[i])
				r.Times[j][i] = min(r.Times[j][i], ns[at])
			}
			all := median(ns)
			for at, j := range order {
				shares[j][i] = append(shares[j][i], ns[at]/all)
			}
		}
	}
	for i := range works {
		now := median(shares[0][i])
		if r.Shares[0][i] == 0 {
			r.Shares[0][i] = now
		}
		for _, j := range indices[1:] {
			r.Shares[j][i] = median(shares[j][i]) / now * r.Shares[0][i]
		}
	}
	return nil
}

// repeats returns how many calls last for a span.
func (w Work) repeats(span time.Duration) int {
	for n := 1; ; n *= 2 {
		if w.time(n)*float64(n*w.N) >= float64(span) {
			return n
		}
	}
}

// time returns the nanoseconds that calls take for one of N.
func (w Work) time(calls int) float64 {
	start := time.Now()
	for range calls {
		w.Do()
	}
	return float64(max(time.Since(start), 1)) / float64(calls*w.N)
}

// String tells in a line which value is the best, by how much, and what comes next if
// it is the one in force.
func (r *Result) String() string {
	if r.Best == r.Now {
		s := fmt.Sprintf("%s: %s stays", r.Field, Literal(r.Now))
		if len(r.final) > 0 {
			next := slices.MinFunc(r.final, func(i, j int) int { return cmp.Compare(r.Relative(i), r.Relative(j)) })
			s += fmt.Sprintf("; %s takes %.3f of its time", Literal(r.Tried()[next]), r.Relative(next))
		}
		return s
	}
	best := slices.Index(r.Tried(), r.Best)
	var works []string
	for i, name := range r.Names {
		works = append(works, fmt.Sprintf("%s %.2f × (%.3g ns)", name, r.Shares[0][i]/r.Shares[best][i], r.Times[best][i]))
	}
	return fmt.Sprintf("%s: %s for %s, %.2f × as fast: %s", r.Field, Literal(r.Best), Literal(r.Now), r.Gain, strings.Join(works, ", "))
}

// Relative returns the time of the value with index i, by that of the value in
// force: the geometric mean of the works.
func (r *Result) Relative(i int) float64 {
	sum := 0.0
	for j, share := range r.Shares[i] {
		sum += math.Log(share / r.Shares[0][j])
	}
	return math.Exp(sum / float64(len(r.Shares[i])))
}

// median returns the middle one of times, or the lower of two.
func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)/2]
}

// best returns the index of the value to use: 0, the one in force, unless another
// wins by minGain.
func (r *Result) best() (best int) {
	least := 1 / (1 + minGain)
	for _, i := range r.final {
		if x := r.Relative(i); x < least {
			best, least = i, x
		}
	}
	return best
}
