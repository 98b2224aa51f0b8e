package report

import (
	"fmt"
	"slices"
	"strings"
)

// A Target is what one kind of row is to reach on every machine.
type Target struct {
	Title string
	// Aim is the bound of value: at least, or at most if Most.
	Aim  float64
	Most bool
	// value returns how far a row of the best level is, false of one that the target
	// is not about.
	value func(r *Report, row Row, group []Row) (float64, bool)
}

// kernelOps are the operations on words.
var kernelOps = []string{"Count", "And", "Or", "Xor", "AndNot", "AndInPlace", "AndCount", "OrCount", "XorCount", "AndNotCount",
	"AndWithCount", "OrWithCount", "XorWithCount", "AndNotWithCount"}

// batchOps are the operations on many keys of the blocked filter.
var batchOps = []string{"Test", "TestHashes", "TestStrings", "Add"}

// Targets are the project's, in the order of its table.
var Targets = []Target{
	{Title: "every row of at least 1 KiB against any Go library or loop, times as fast", Aim: 1,
		value: func(_ *Report, row Row, _ []Row) (float64, bool) {
			return row.VsPeer, row.VsPeer > 0 && row.Size >= 1<<10
		}},
	{Title: "word kernels from 8 KiB on against the best C or C++, times as fast", Aim: 0.95,
		value: func(_ *Report, row Row, _ []Row) (float64, bool) {
			return row.VsC, row.VsC > 0 && row.Size >= 8<<10 && slices.Contains(kernelOps, row.Op)
		}},
	{Title: "batches, k = 8, against Boost.Bloom at an equal rate, times as fast", Aim: 1.15,
		value: func(_ *Report, row Row, group []Row) (float64, bool) {
			return againstBoost(row, group)
		}},
	{Title: "batches of integers beyond the last cache against the random line, times as long", Aim: 1.2, Most: true,
		value: func(r *Report, row Row, _ []Row) (float64, bool) {
			return row.VsLimit, row.VsLimit > 0 && row.Size > int64(r.Machine.L3) && (row.Op == "Test" || row.Op == "TestHashes" || row.Op == "Add")
		}},
	{Title: "counting beyond the last cache against reading in order, times as long", Aim: 1.15, Most: true,
		value: func(r *Report, row Row, _ []Row) (float64, bool) {
			return row.VsLimit, row.VsLimit > 0 && row.Size > int64(r.Machine.L3) && (row.Op == "Count" || row.Op == "AndCount")
		}},
}

// againstBoost compares a row of eight bits a key with the fastest of Boost's filters
// whose false-positive rate is as low, give or take a tenth.
func againstBoost(row Row, group []Row) (float64, bool) {
	if row.K != 8 || !slices.Contains(batchOps, row.Op) {
		return 0, false
	}
	var boosts []Row
	for _, peer := range group {
		if strings.HasPrefix(peer.Impl, "Boost ") && peer.FPRate <= 1.1*row.FPRate {
			boosts = append(boosts, peer)
		}
	}
	i := fastest(boosts, C)
	if i < 0 {
		return 0, false
	}
	return boosts[i].Samples.Over(row.Samples), true
}

// met allows half a percent, as lost does.
func (t Target) met(value float64) bool {
	if t.Most {
		return value <= 1.005*t.Aim
	}
	return value >= 0.995*t.Aim
}

// A verdict is how far one row is.
type verdict struct {
	name  string
	value float64
}

// judge returns the rows that a target is about, those that meet it and those that
// miss it.
func (t Target) judge(r *Report) (met, missed []verdict) {
	for _, group := range Groups(r.Rows) {
		for _, row := range group {
			if row.Kind != Ours || row.Impl != r.BestLevel() || !row.Shown() {
				continue
			}
			v, ok := t.value(r, row, group)
			switch {
			case !ok:
			case t.met(v):
				met = append(met, verdict{row.lineName(), v})
			default:
				missed = append(missed, verdict{row.lineName(), v})
			}
		}
	}
	return met, missed
}

// TargetTables renders, as Markdown, how many rows of each machine meet each target,
// and of each target the rows that any machine missed.
func TargetTables(reports []*Report) string {
	var b strings.Builder
	all := table{title: "Aims on every CPU", left: 2, head: []string{"aim", "at"},
		note: "Rows that meet it, of those that it is about, at the best level of each CPU."}
	var details []table
	for _, r := range reports {
		all.head = append(all.head, fmt.Sprintf("%s, %s, commit %s", r.Machine.Core(), r.Created.UTC().Format("2006-01-02"), r.Library))
	}
	for _, t := range Targets {
		misses := table{title: "Missed: " + t.Title, note: "Aim: " + t.bound() + ".", left: 1, head: []string{"row"}}
		cells := []string{t.Title, t.bound()}
		values := make([]map[string]float64, len(reports))
		var names []string // of the rows that anyone missed, in order
		for i, r := range reports {
			met, missed := t.judge(r)
			text := fmt.Sprintf("%d of %d", len(met), len(met)+len(missed))
			if len(met)+len(missed) == 0 {
				text = "not measured"
			} else if len(missed) > 0 {
				text = "**" + text + "**"
			}
			cells = append(cells, text)
			misses.head = append(misses.head, r.Machine.Core())
			values[i] = map[string]float64{}
			for _, v := range slices.Concat(met, missed) {
				values[i][v.name] = v.value
			}
			for _, v := range missed {
				if !slices.Contains(names, v.name) {
					names = append(names, v.name)
				}
			}
		}
		all.add(cells...)
		for _, name := range names {
			cells := []string{name}
			for i := range reports {
				v, ok := values[i][name]
				switch {
				case !ok:
					cells = append(cells, "")
				case t.met(v):
					cells = append(cells, Times(v))
				default:
					cells = append(cells, "**"+Times(v)+"**")
				}
			}
			misses.add(cells...)
		}
		if len(names) > 0 {
			details = append(details, misses)
		}
	}
	for _, t := range append([]table{all}, details...) {
		t.markdown(&b)
	}
	return b.String()
}

// bound is the aim in words.
func (t Target) bound() string {
	if t.Most {
		return "at most " + Times(t.Aim)
	}
	return "at least " + Times(t.Aim)
}
