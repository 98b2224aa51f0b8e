package sortmap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, planThresholds) }

// sink keeps the compiler from dropping what a measurement computes.
var sink int

// planThresholds compares the ways for lists of which the way is in doubt.
func planThresholds() []calibrate.Threshold {
	// sorting returns a function that sorts n integers of a span by a plan.
	sorting := func(p plan, n int, span uint64) func() {
		orig := list(rand.New(rand.NewPCG(1, 2)), n, 0, span)
		v := make([]uint32, n)
		if p.way == byBitmap {
			p.words = int((span + wordBits - 1) / wordBits)
		}
		return func() {
			copy(v, orig)
			if p.way == byNothing {
				slices.Sort(v)
				sink = len(slices.Compact(v))
				return
			}
			runBy(p, unique, v[:0], v, nil, 0, uint32(span-1))
		}
	}
	best := cpu.Available()[len(cpu.Available())-1]
	small := calibrate.Threshold{Name: "smallList", Unit: "values", Value: smallList, UpTo: true, Sizes: []int{8, 16, 32, 64, 96, 128, 256}}
	for _, span := range []uint64{1 << 12, 1 << 20, 1 << 32} {
		small.Cases = append(small.Cases, calibrate.Case{Name: fmt.Sprint("span ", span), Level: best, Ways: func(n int) (below, from func()) {
			return sorting(plan{way: byNothing}, n, span), sorting(planFor(n, span, 1), n, span)
		}})
	}
	whole := calibrate.Threshold{Name: "wholeSparse", Unit: "span per value", Value: wholeSparse, UpTo: true, Sizes: calibrate.Powers(6, 11)}
	for _, span := range []uint64{1 << 18, 1 << 21, 1 << 24} {
		whole.Cases = append(whole.Cases, calibrate.Case{Name: fmt.Sprint("span ", span), Level: best, Ways: func(sparse int) (below, from func()) {
			n := int(span) / sparse
			return sorting(plan{way: byBitmap}, n, span), sorting(plan{way: bySorting}, n, span)
		}})
	}
	parts := calibrate.Threshold{Name: "partsSparse", Unit: "span per value", Value: partsSparse, UpTo: true, Sizes: calibrate.Powers(6, 12)}
	for _, span := range []uint64{1 << 27, 1 << 30} {
		parts.Cases = append(parts.Cases, calibrate.Case{Name: fmt.Sprint("span ", span), Level: best, Ways: func(sparse int) (below, from func()) {
			n := int(span) / sparse
			return sorting(plan{way: byParts, shift: partShift}, n, span), sorting(plan{way: bySorting}, n, span)
		}})
	}
	shift := calibrate.Threshold{Name: "wholeShift", Unit: "span", Value: 1 << wholeShift, UpTo: true, Sizes: calibrate.Powers(22, 28)}
	for _, sparse := range []int{4, 64} {
		shift.Cases = append(shift.Cases, calibrate.Case{Name: fmt.Sprint("a value in ", sparse), Level: best, Ways: func(span int) (below, from func()) {
			n := span / sparse
			return sorting(plan{way: byBitmap}, n, uint64(span)), sorting(plan{way: byParts, shift: partShift}, n, uint64(span))
		}})
	}
	for _, th := range []*calibrate.Threshold{&whole, &parts, &shift} {
		th.Rounds, th.Span = 3, 1
	}
	return []calibrate.Threshold{small.Short(), whole, parts, shift}
}
