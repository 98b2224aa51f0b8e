// Package measure takes turns: it measures the contenders of a group once a
// round, round after round, against loops that only read the same memory. bench/
// and the command "bitsieve bench" measure by it.
package measure

import (
	"regexp"

	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// Batch is the number of keys per call of the operations on many keys, and
// between two looks at the clock of those on one.
const Batch = 4096

// A Contender is one implementation in one group.
type Contender struct {
	Impl  string
	Kind  string // report.Ours, report.Peer or report.Bound
	Level string // put in force before Run, if not empty
	// Run does the work of calls calls and consumes the results. Successive
	// runs go on where the last one ended.
	Run func(calls int)
	// Warm is the number of calls that bring the memory worked on back into the
	// cache it fits into, after others have had their turn.
	Warm int
	// Wake, if not nil, reads all the memory that Run works on. It runs before
	// the group's first measurement: the host of a virtual machine takes memory
	// away that has lain idle for a minute, which the guest does not see except
	// by microseconds lost at the next touch of each page.
	Wake func()

	Filter Filter // what it tests, nil for kernels
	Pages  string // what limits are measured on
}

// A Filter is what a contender tests or adds to.
type Filter interface {
	// Describe fills in what a row says of a filter, above all its measured
	// false-positive rate.
	Describe(row *report.Row)
}

// A Group is one operation at one size, and all who can do it.
type Group struct {
	Op, Param  string
	Size       int64
	Unit       string
	PerCall    float64
	Contenders []Contender
}

// Name is what groups are selected by.
func (g *Group) Name() string { return report.GroupName(g.Op, g.Param, g.Size) }

// A Stage is a list of groups that share memory: it is there between Setup and
// Cleanup only.
type Stage struct {
	Title  string
	Need   int64 // bytes of memory
	Groups []*Group
	// Setup makes what the groups' contenders work on, except filters.
	Setup func() error
	// Fill, if not nil, fills the filters, after Setup. It calls step Fills times.
	Fill    func(step func()) error
	Fills   int
	Cleanup func()
}

// Sink keeps results alive.
var Sink int

// PerLevel returns one contender of this library for each level of the machine.
func PerLevel(run func(calls int), warm int) []Contender {
	var cs []Contender
	for _, l := range cpu.Names() {
		cs = append(cs, Contender{Impl: l, Kind: report.Ours, Level: l, Run: run, Warm: warm})
	}
	return cs
}

// Keep drops the groups whose names do not match, and the stages that are left
// without any.
func Keep(stages []*Stage, re *regexp.Regexp) []*Stage {
	var kept []*Stage
	for _, s := range stages {
		var groups []*Group
		for _, g := range s.Groups {
			if re.MatchString(g.Name()) {
				groups = append(groups, g)
			}
		}
		if s.Groups = groups; len(groups) > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}
