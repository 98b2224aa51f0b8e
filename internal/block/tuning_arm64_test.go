//go:build !purego

package block

import (
	"fmt"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestTuningNEON runs the batches with every length of the ring of records that has a
// case of its own, and with lengths that no row may have: shorter and longer than what
// makes a word of results, dividing it or not.
func TestTuningNEON(t *testing.T) {
	kerneltest.NeedLevel(t, cpu.LevelNEON)
	saved := cpu.Tune.Arm
	defer func() { cpu.Tune.Arm = saved }()
	m := newKernelMem(t)
	for i, ahead := range []uint8{0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 15, 16, 17, 24, 31, 32, 33, 255} {
		near := cpu.LookaheadNEON{Near: true, Ahead: ahead}
		far := cpu.LookaheadNEON{Ahead: ahead}
		const cached = 64
		cpu.Tune.Arm = cpu.Arm{BlockedCached: cached * Bytes, Blocked: [2]cpu.LookaheadNEON{near, far}}
		if i%2 != 0 {
			cpu.Tune.Arm.Blocked = [2]cpu.LookaheadNEON{far, near}
		}
		for _, k := range []int{MinK, 5, 8, 9, MaxK} {
			for _, nb := range []int{1, cached, cached + 1, 1000} {
				for _, verb := range verbs {
					c := &kernelCase{t, m, fmt.Sprintf("%s, %d groups ahead", verb.name, ahead), k, nb}
					lengths := []int{0, 0, 0, 4099}
					if testing.Short() {
						lengths = lengths[:3]
					}
					for _, n := range lengths {
						if n == 0 {
							n = minBatch + m.rand.IntN(3*4*int(min(max(ahead, 1), cpu.MaxLookaheadNEON)))
						}
						switch {
						case verb.add != nil:
							c.checkAdd(n, verb.add, verb.addIn)
						case verb.test != nil:
							c.checkTest(n, verb.test, verb.is)
						default:
							c.checkBoth(n, verb.both, verb.ref)
						}
					}
				}
			}
		}
	}
}

// TestHowNEON looks at which of a row's two parts a filter goes by, and at the limits.
func TestHowNEON(t *testing.T) {
	saved := cpu.Tune.Arm
	defer func() { cpu.Tune.Arm = saved }()
	cpu.Tune.Arm = cpu.Arm{BlockedCached: 3 * Bytes, Blocked: [2]cpu.LookaheadNEON{{Near: true, Ahead: 5}, {Near: false, Ahead: 12}}}
	for _, c := range []struct {
		blocks int
		mixed  bool
		how    uint64
		ahead  uint64
	}{
		{1, false, 0, 5},
		{3, true, 1 << mixBit, 5},
		{4, false, 1 << farBit, 12},
		{1000, true, 1<<mixBit | 1<<farBit, 12},
	} {
		if how, ahead := howNEON(make([]Block, c.blocks), c.mixed); how != c.how || ahead != c.ahead {
			t.Errorf("%d blocks, mixed %v: how %b, %d ahead; want %b, %d", c.blocks, c.mixed, how, ahead, c.how, c.ahead)
		}
	}
	for ahead, want := range map[uint8]uint64{0: 1, 1: 1, 32: 32, 33: 32, 255: 32} {
		cpu.Tune.Arm.Blocked[0].Ahead = ahead
		if _, got := howNEON(make([]Block, 1), false); got != want {
			t.Errorf("%d groups ahead are %d, want %d", ahead, got, want)
		}
	}
}

// TestRowsNEON: the rows of the table keep within the kernels' limits.
func TestRowsNEON(t *testing.T) {
	saved := cpu.Tuned()
	defer cpu.SetTuning(saved)
	for m := range cpu.NumMicros {
		cpu.SetTuning(m)
		for _, p := range cpu.Tune.Arm.Blocked {
			if p.Ahead < 1 || p.Ahead > cpu.MaxLookaheadNEON {
				t.Errorf("%v: %d groups ahead", m, p.Ahead)
			}
		}
	}
}
