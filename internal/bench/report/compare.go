package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// CompareMachines renders reports of several machines side by side as Markdown: what
// was lost on any of them, then for each operation and size this library at its best
// level, the fastest peer in Go and the fastest in C or C++, and how many times as fast
// as each this library is there. plots are paths of images to show, relative to the
// page.
func CompareMachines(reports []*Report, plots []string) string {
	var b strings.Builder
	b.WriteString("# bitsieve on several CPUs\n\n")
	b.WriteString("| | CPU | best level | measured | commit | system | huge pages |\n|---|---|---|---|---|---|---|\n")
	for _, r := range reports {
		m := r.Machine
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s/%s, %s | %s |\n", m.Core(), m.Title(), r.BestLevel(),
			r.Created.UTC().Format("2006-01-02"), r.Library, m.OS, m.Arch, m.Go, m.HugePages)
	}
	b.WriteByte('\n')
	for _, p := range plots {
		fmt.Fprintf(&b, "![](%s)\n\n", p)
	}
	b.WriteString("## Lost\n\n")
	for _, l := range lossesOf(reports) {
		l.markdown(&b)
	}
	b.WriteString("## All rows\n\nEach peer's figure, its name, and how many times as fast this library is; of filters the peer's false-positive rate, too.\n\n")
	for _, op := range operations(reports) {
		t := op.table(reports)
		t.markdown(&b)
	}
	return b.String()
}

// lossesOf returns a table of the rows that any machine lost for each kind of peer. A
// machine on which the row was not lost has its ratio, too.
func lossesOf(reports []*Report) (ts []table) {
	for _, by := range rivals {
		t := table{title: "Rows that " + by.who + " was faster in, on any of them", left: 1, head: []string{"row"}}
		for _, r := range reports {
			t.head = append(t.head, fmt.Sprintf("%s: %d lost", r.Machine.Core(), len(r.lostRows(by))))
		}
		for _, op := range operations(reports) {
			for _, l := range op.lines {
				cells, anywhere := []string{op.name(l)}, false
				for _, r := range reports {
					text := ""
					if row := best(r, op, l); row != nil {
						text = ratio(by.ratio(*row))
						if lost(by.ratio(*row)) {
							text, anywhere = "**"+text+"**", true
						}
					}
					cells = append(cells, text)
				}
				if anywhere {
					t.add(cells...)
				}
			}
		}
		ts = append(ts, t)
	}
	return ts
}

// An operation is what one table of the comparison is about, a line what one of
// its rows is about: a size and, for filters, a k.
type operation struct {
	op, param, unit string
	filter          bool
	lines           []line
}

type line struct {
	size int64
	k    int
}

// name is the name of a line's row.
func (o *operation) name(l line) string {
	return Row{Op: o.op, Param: o.param, Size: l.size, K: l.k}.lineName()
}

func (o *operation) table(reports []*Report) table {
	t := table{title: Heading(o.op, o.param), note: opNotes[o.op], left: 1, head: []string{"size"}}
	if o.filter {
		t.left = 2
		t.head = append(t.head, "k, false positives")
	}
	for _, r := range reports {
		core := r.Machine.Core()
		t.head = append(t.head, core+", "+unitName(o.unit), "Go", "C or C++")
	}
	for _, l := range o.lines {
		cells := []string{SizeWords(l.size)}
		if o.filter {
			cells = append(cells, l.filterCell(reports, o))
		}
		for _, r := range reports {
			row := best(r, o, l)
			if row == nil {
				cells = append(cells, "–", "", "")
				continue
			}
			value, _ := row.speed()
			group := r.group(row.Name())
			cells = append(cells, value)
			for _, by := range rivals {
				cells = append(cells, against(group, by.kind, by.ratio(*row)))
			}
		}
		t.add(cells...)
	}
	return t
}

// against says who is the fastest of a kind in a group and how this library compares.
func against(group []Row, kind string, times float64) string {
	i := fastest(group, kind)
	if i < 0 || times == 0 {
		return ""
	}
	value, _ := group[i].speed()
	text := Times(times)
	if lost(times) {
		text = "**" + text + "**"
	}
	name := group[i].Impl
	if group[i].IsFilter() {
		name += ", " + percent(group[i].FPRate)
	}
	return value + " " + name + ", " + text
}

// group returns the rows of a group.
func (r *Report) group(name string) []Row {
	for _, g := range Groups(r.Rows) {
		if g[0].Name() == name {
			return g
		}
	}
	return nil
}

// operations returns what any of the reports has about this library.
func operations(reports []*Report) (ops []*operation) {
	for _, r := range reports {
		for _, row := range r.Rows {
			if row.Kind != Ours || !row.Shown() {
				continue
			}
			i := slices.IndexFunc(ops, func(o *operation) bool { return o.op == row.Op && o.param == row.Param })
			if i < 0 {
				i = len(ops)
				ops = append(ops, &operation{op: row.Op, param: row.Param, unit: row.Unit, filter: row.IsFilter()})
			}
			if l := (line{row.Size, row.K}); !slices.Contains(ops[i].lines, l) {
				ops[i].lines = append(ops[i].lines, l)
			}
		}
	}
	for _, o := range ops {
		slices.SortStableFunc(o.lines, func(a, b line) int {
			if a.size != b.size {
				return int(a.size>>3) - int(b.size>>3)
			}
			return a.k - b.k
		})
	}
	return ops
}

// best returns this library's row at the machine's best level for a line, nil if there
// is none.
func best(r *Report, op *operation, l line) *Row {
	for i, row := range r.Rows {
		if row.Kind == Ours && row.Impl == r.BestLevel() && row.Op == op.op && row.Param == op.param &&
			row.Size == l.size && row.K == l.k && row.Shown() {
			return &r.Rows[i]
		}
	}
	return nil
}

// filterCell says k and the rate, which is the same on every machine.
func (l line) filterCell(reports []*Report, op *operation) string {
	for _, r := range reports {
		if row := best(r, op, l); row != nil {
			return fmt.Sprintf("%d, %s", l.k, percent(row.FPRate))
		}
	}
	return ""
}

// A Line is a row of the comparison for a figure: how many times as fast as the
// fastest peer in Go, and in C or C++, this library is on each machine, NaN where that
// was not measured.
type Line struct {
	Row     Row // what the line is about
	Go, InC []float64
}

// Lines returns the comparison's rows in its order.
func Lines(reports []*Report) (lines []Line) {
	for _, op := range operations(reports) {
		for _, l := range op.lines {
			line := Line{Row: Row{Op: op.op, Param: op.param, Size: l.size, K: l.k, Unit: op.unit, Kind: Ours}}
			for _, r := range reports {
				in := [2]float64{math.NaN(), math.NaN()}
				if row := best(r, op, l); row != nil {
					for i, by := range rivals {
						if times := by.ratio(*row); times > 0 {
							in[i] = times
						}
					}
				}
				line.Go, line.InC = append(line.Go, in[0]), append(line.InC, in[1])
			}
			lines = append(lines, line)
		}
	}
	return lines
}
