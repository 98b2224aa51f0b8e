package report

import (
	"fmt"
	"slices"
	"strings"
)

// CompareMachines renders reports of several machines side by side as Markdown:
// for each operation and size the best level of this library, the fastest peer,
// and how far apart they are.
func CompareMachines(reports []*Report) string {
	var b strings.Builder
	b.WriteString("# bitsieve on several machines\n\n")
	b.WriteString("| machine | CPU | best level | system | huge pages |\n|---|---|---|---|---|\n")
	for _, r := range reports {
		fmt.Fprintf(&b, "| %s | %s | %s | %s/%s, %s | %s |\n",
			r.Machine.Name, r.Machine.CPU, r.BestLevel(), r.Machine.OS, r.Machine.Arch, r.Machine.Go, r.Machine.HugePages)
	}
	b.WriteString("\nEach cell: bitsieve's fastest level there; times as fast as the fastest peer there; times as long as the limit there.\n\n")
	for _, op := range operations(reports) {
		t := table{title: Heading(op.op, op.param), note: opNotes[op.op], left: 1, head: []string{"size"}}
		if op.filter {
			t.left = 2
			t.head = append(t.head, "k, false positives")
		}
		for _, r := range reports {
			t.head = append(t.head, r.Machine.Name+", "+unitName(op.unit))
		}
		for _, line := range op.lines {
			cells := []string{SizeWords(line.size)}
			if op.filter {
				cells = append(cells, line.filterCell(reports, op))
			}
			for _, r := range reports {
				cells = append(cells, cell(best(r, op, line)))
			}
			t.add(cells...)
		}
		t.markdown(&b)
	}
	return b.String()
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

// best returns this library's fastest row for a line on one machine, nil if
// there is none.
func best(r *Report, op *operation, l line) *Row {
	var found *Row
	for i, row := range r.Rows {
		if row.Kind == Ours && row.Op == op.op && row.Param == op.param && row.Size == l.size && row.K == l.k && row.Shown() &&
			(found == nil || row.NsPerUnit() < found.NsPerUnit()) {
			found = &r.Rows[i]
		}
	}
	return found
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

func cell(row *Row) string {
	if row == nil {
		return "–"
	}
	value, _ := row.speed()
	s := value + " " + row.Impl
	if v := row.versus(); v != "" {
		s += "; " + v
	}
	if v := ratio(row.VsLimit); v != "" {
		s += "; " + v + " limit"
	}
	return s
}
