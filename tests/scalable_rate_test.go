package tests

import (
	"fmt"
	"math"
	"testing"
)

// The rate stays at most p while n grows over many stages. Of the keys that were
// never added, the number that pass is binomial; that it exceeds p by five standard
// deviations happens once in 3.5 million runs if the rate is p, and it is lower.
func TestScalableKeepsRate(t *testing.T) {
	first, stages, tests := uint64(1000), 8, 1_000_000
	if testing.Short() {
		first, stages, tests = 100, 6, 100_000
	}
	for _, p := range []float64{0.3, 0.1, 0.01, 1e-3, 1e-4} {
		f := mustScalable(t, first, p)
		keys := make([]uint64, 1<<16)
		next := uint64(0)
		fill := func() []uint64 {
			for i := range keys {
				keys[i] = next * 0x9e3779b97f4a7c15
				next++
			}
			return keys
		}
		for n := 1; n <= stages; n++ {
			for room := f.Room(); len(f.Stages()) < n || room > 0; room = f.Room() {
				if room == 0 {
					room = 1
				}
				fill()
				next -= uint64(len(keys)) - min(room, uint64(len(keys)))
				f.AddUint64s(keys[:min(room, uint64(len(keys)))])
			}
			checkStages(t, f)
			added := next
			hits, tested := 0, 0
			for tested < tests {
				hits += f.TestUint64s(fill(), nil)
				tested += len(keys)
			}
			next = added // the same keys may be added later
			name := fmt.Sprintf("p = %v, %d stages", p, n)
			checkRate(t, name, hits, tested, 0, p)
			// The answers of stages are not quite independent: they share a key's bits.
			rate := f.FPRate()
			checkRate(t, name+", FPRate", hits, tested, 0.97*rate, 1.03*rate)
			// Small filters differ from each other.
			if want := f.ExpectedFPRate(f.Added()); first >= 1000 && math.Abs(rate-want) > 0.2*want || want > p {
				t.Errorf("%s: rate %v, expected %v", name, rate, want)
			}
			// What it takes for doubles is what it says.
			lost, said := float64(added-f.Added()), f.Losses()
			if math.Abs(lost-said) > 5*math.Sqrt(said)+0.03*said+1 {
				t.Errorf("%s: %v keys lost, said %v", name, lost, said)
			}
			if got := float64(f.EstimatedCount()); math.Abs(got-float64(added)) > 5*math.Sqrt(said)+0.03*said+1 {
				t.Errorf("%s: %v keys estimated of %d", name, got, added)
			}
		}
		if list := f.Stages(); len(list) != stages {
			t.Fatalf("%d stages", len(list))
		}
	}
}

// What is expected of stages to come is what they then are.
func TestScalableExpectedRate(t *testing.T) {
	f, g := mustScalable(t, 100, 0.01), mustScalable(t, 100, 0.01)
	before, key := 0.0, uint64(0)
	for n := uint64(1); n < 20_000; n += n/3 + 1 {
		for ; f.Added() < n; key++ {
			f.AddUint64(key)
		}
		want := f.ExpectedFPRate(n)
		if got := g.ExpectedFPRate(n); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%d keys: %v expected of an empty filter, %v of one that has them", n, got, want)
		}
		if want < before || want > 0.01 {
			t.Errorf("%d keys: rate %v, after %v", n, want, before)
		}
		before = want
	}
}
