package measure

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// A Meter measures groups: every contender once a round, in an order drawn anew
// for each round, so that a slow second of the machine, or a neighbour that
// leaves the cache in a bad state, hits everybody alike.
type Meter struct {
	Rounds int
	Target time.Duration // of one measurement
	Step   func()        // called after each measurement
	random *rand.Rand
}

// NewMeter returns a meter of so many rounds.
func NewMeter(rounds int, step func()) *Meter {
	return &Meter{Rounds: rounds, Step: step, random: rand.New(rand.NewPCG(1, 2))}
}

// Group measures a group and returns a row for each contender.
func (m *Meter) Group(g *Group) []report.Row {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer SetLevel(BestLevel())
	// No collection happens while contenders are measured: they allocate
	// nothing, and a full heap of filters takes long to look through.
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	for _, c := range g.Contenders {
		if c.Wake != nil {
			c.Wake()
		}
	}
	rows := make([]report.Row, len(g.Contenders))
	calls := make([]int, len(g.Contenders))
	for i, c := range g.Contenders {
		rows[i] = row(g, c)
		calls[i] = m.calibrate(c)
	}
	for range m.Rounds {
		for _, i := range m.random.Perm(len(calls)) {
			c := g.Contenders[i]
			SetLevel(c.Level)
			c.Run(c.Warm)
			t := timed(c, calls[i])
			rows[i].Samples = append(rows[i].Samples, float64(t.Nanoseconds())/float64(calls[i]))
			m.Step()
		}
	}
	report.Compare(rows)
	return rows
}

// calibrate returns the number of calls that take about the target time.
func (m *Meter) calibrate(c Contender) int {
	SetLevel(c.Level)
	c.Run(c.Warm)
	for calls := 1; ; {
		t := max(timed(c, calls), 1)
		if t > m.Target/4 {
			return max(1, int(float64(calls)*float64(m.Target)/float64(t)))
		}
		calls *= int(min(100, max(2, m.Target/2/t)))
	}
}

func timed(c Contender, calls int) time.Duration {
	start := time.Now()
	c.Run(calls)
	return time.Since(start)
}

// row returns a contender's row, without samples.
func row(g *Group, c Contender) report.Row {
	r := report.Row{
		Op: g.Op, Param: g.Param, Size: g.Size, Unit: g.Unit, PerCall: g.PerCall,
		Impl: c.Impl, Kind: c.Kind, Pages: c.Pages,
	}
	if c.Filter != nil {
		c.Filter.Describe(&r)
	}
	return r
}

// SetLevel puts a level of the library in force, one of cpu.Names's;
// none, if name is empty.
func SetLevel(name string) {
	if name != "" && !cpu.SetByName(name) {
		panic("level " + name + " is not available")
	}
}

// BestLevel returns the name of the machine's highest level.
func BestLevel() string {
	levels := cpu.Names()
	return levels[len(levels)-1]
}
