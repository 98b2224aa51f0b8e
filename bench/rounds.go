package main

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpulevel"

	"github.com/bitsieve/bitsieve/bench/internal/report"
)

// A meter measures groups: every contender once a round, in an order drawn anew
// for each round, so that a slow second of the machine, or a neighbour that
// leaves the cache in a bad state, hits everybody alike.
type meter struct {
	rounds  int
	target  time.Duration // of one measurement
	between func()        // called after each measurement
	random  *rand.Rand
}

func newMeter(rounds int, between func()) *meter {
	return &meter{rounds: rounds, between: between, random: rand.New(rand.NewPCG(1, 2))}
}

// measurements is the number of times that between is called for a group.
func (m *meter) measurements(g *Group) int { return len(g.Contenders) * m.rounds }

// group measures a group and returns a row for each contender.
func (m *meter) group(g *Group) []report.Row {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer setLevel(bestLevel())
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
	for range m.rounds {
		for _, i := range m.random.Perm(len(calls)) {
			c := g.Contenders[i]
			setLevel(c.Level)
			c.Run(c.Warm)
			t := timed(c, calls[i])
			rows[i].Samples = append(rows[i].Samples, float64(t.Nanoseconds())/float64(calls[i]))
			m.between()
		}
	}
	report.Compare(rows)
	return rows
}

// calibrate returns the number of calls that take about the target time.
func (m *meter) calibrate(c Contender) int {
	setLevel(c.Level)
	c.Run(c.Warm)
	for calls := 1; ; {
		t := max(timed(c, calls), 1)
		if t > m.target/4 {
			return max(1, int(float64(calls)*float64(m.target)/float64(t)))
		}
		calls *= int(min(100, max(2, m.target/2/t)))
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
	if f := c.Filter; f != nil {
		r.K, r.BitsPerKey = f.k, f.bitsPerKey()
		r.FPRate, r.FPTrials = f.rate()
	}
	return r
}

func setLevel(name string) {
	if name != "" && !cpulevel.Set(name) {
		panic("level " + name + " is not available") // the name is one of Available's
	}
}

func bestLevel() string {
	levels := cpulevel.Available()
	return levels[len(levels)-1]
}
