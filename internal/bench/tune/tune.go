// Package tune measures which values of a row of internal/cpu's table are the best
// on the machine at hand. The command "bitsieve bench -tune" and the sweeps of
// internal/block's tests are made of it.
package tune

import (
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
	// the first, so that too little of it is exceeded.
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
	// the one, the other less.
	Times, Shares [][]float64
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

func (k Knob) measure(ctx context.Context, t Timing, end time.Time) (*Result, error) {
	now := get(k.Field)
	r := &Result{Knob: k, Now: now, Best: now}
	defer func() { set(k.Field, r.Best) }()
	r.Values = slices.DeleteFunc(slices.Clone(k.Values), func(v any) bool { return v == r.Now })
	values, works := r.Tried(), k.Works()
	repeats := make([]int, len(works))
	for i, w := range works {
		r.Names = append(r.Names, w.Name)
		repeats[i] = w.repeats(t.Span)
	}
	order := make([]int, len(values))
	shares := make([][][]float64, len(values)) // by value, work and round
	for j := range values {
		order[j] = j
		r.Times = append(r.Times, slices.Repeat([]float64{math.Inf(1)}, len(works)))
		r.Shares = append(r.Shares, make([]float64, len(works)))
		shares[j] = make([][]float64, len(works))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := 0; round < t.Rounds && (round == 0 || time.Now().Before(end)); round++ {
		for i, w := range works {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			ns := make([]float64, len(values))
			for _, j := range order {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				set(k.Field, values[j])
				ns[j] = w.time(repeats[i])
				r.Times[j][i] = min(r.Times[j][i], ns[j])
			}
			all := median(ns)
			for j := range values {
				shares[j][i] = append(shares[j][i], ns[j]/all)
			}
		}
	}
	for j := range values {
		for i := range works {
			r.Shares[j][i] = median(shares[j][i])
		}
	}
	best := r.best()
	r.Best, r.Gain = values[best], r.Relative(0)/r.Relative(best)
	return r, nil
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

// String tells in a line whether the value in force stays, and what another wins.
func (r *Result) String() string {
	if r.Best == r.Now {
		return fmt.Sprintf("%s: %s stays", r.Field, Literal(r.Now))
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
	for i := range r.Times {
		if x := r.Relative(i); x < least {
			best, least = i, x
		}
	}
	return best
}
