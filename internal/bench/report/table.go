package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A table is what the text and the Markdown form have in common.
type table struct {
	title, note string
	head        []string
	left        int // so many columns at the left hold words, the others numbers
	rows        [][]string
	breaks      map[int]bool // rows with a gap in front of them
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// gap sets the next row off from those above.
func (t *table) gap() {
	if t.breaks == nil {
		t.breaks = map[int]bool{}
	}
	t.breaks[len(t.rows)] = len(t.rows) > 0
}

// text renders the table with aligned columns.
func (t *table) text(b *strings.Builder) {
	width := make([]int, len(t.head))
	for _, r := range append([][]string{t.head}, t.rows...) {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	line := func(r []string) {
		var l strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i < t.left {
				l.WriteString("  " + c + pad)
			} else {
				l.WriteString("  " + pad + c)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	b.WriteString(t.title + "\n")
	if t.note != "" {
		b.WriteString(t.note + "\n")
	}
	line(t.head)
	for i, r := range t.rows {
		if t.breaks[i] {
			b.WriteByte('\n')
		}
		line(r)
	}
	b.WriteByte('\n')
}

// markdown renders the table under a heading.
func (t *table) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "### %s\n\n", t.title)
	if t.note != "" {
		b.WriteString(t.note + "\n\n")
	}
	line := func(r []string) { b.WriteString("| " + strings.Join(r, " | ") + " |\n") }
	line(t.head)
	rule := make([]string, len(t.head))
	for i := range rule {
		rule[i] = "---:"
		if i < t.left {
			rule[i] = "---"
		}
	}
	line(rule)
	for _, r := range t.rows {
		escaped := make([]string, len(r))
		for i, c := range r {
			escaped[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		line(escaped)
	}
	b.WriteByte('\n')
}

// tables returns all of a report's tables.
func (r *Report) tables() []table {
	var ts []table
	if t := r.limitTable(); len(t.rows) > 0 {
		ts = append(ts, t)
	}
	for _, groups := range r.byOperation() {
		if t := r.speedTable(groups); len(t.rows) > 0 {
			ts = append(ts, t)
		}
	}
	if t := r.rateTable(); len(t.rows) > 0 {
		ts = append(ts, t)
	}
	return ts
}

// byOperation returns the groups of each operation and parameter, in order of
// appearance, without those of limits.
func (r *Report) byOperation() (ops [][][]Row) {
	index := map[string]int{}
	for _, g := range Groups(r.Rows) {
		if isLimit(g[0].Op) {
			continue
		}
		name := g[0].Op + "/" + g[0].Param
		i, ok := index[name]
		if !ok {
			i = len(ops)
			index[name] = i
			ops = append(ops, nil)
		}
		ops[i] = append(ops[i], g)
	}
	return ops
}

func isLimit(op string) bool { return op == StreamLimit || op == RandomLimit }

// speedTable compares the contenders of one operation at all its sizes.
func (r *Report) speedTable(groups [][]Row) table {
	first := groups[0][0]
	t := table{title: Heading(first.Op, first.Param), note: opNotes[first.Op], left: 2, head: []string{"size", "contender"}}
	filters := first.Unit == Keys
	if filters {
		t.head = append(t.head, "k", "bits/key", "false positives")
	}
	t.head = append(t.head, unitName(first.Unit), "range", "vs best peer", "vs C", "vs generic", "time / limit")
	for _, g := range groups {
		t.gap()
		size := SizeWords(g[0].Size)
		for _, row := range Published(g) {
			cells := []string{size, row.title()}
			if filters {
				k, bits, rate := "", "", ""
				if row.Kind != Bound {
					k, bits, rate = fmt.Sprint(row.K), Significant(row.BitsPerKey), percent(row.FPRate)
				}
				cells = append(cells, k, bits, rate)
			}
			value, span := row.speed()
			cells = append(cells, value, span, row.versus(), ratio(row.VsC), ratio(row.VsGeneric), ratio(row.VsLimit))
			t.add(cells...)
		}
	}
	t.dropEmpty()
	return t
}

// dropEmpty removes number columns that have nothing in any row.
func (t *table) dropEmpty() {
	for c := len(t.head) - 1; c >= t.left; c-- {
		empty := !slices.ContainsFunc(t.rows, func(r []string) bool { return r[c] != "" })
		if !empty {
			continue
		}
		t.head = slices.Delete(t.head, c, c+1)
		for i := range t.rows {
			t.rows[i] = slices.Delete(t.rows[i], c, c+1)
		}
	}
}

// Published returns the rows of a group that are published: of the limit's variants,
// the fastest.
func Published(group []Row) []Row {
	limit := fastest(group, Bound)
	var rows []Row
	for i, r := range group {
		if r.Shown() && (r.Kind != Bound || i == limit) {
			rows = append(rows, r)
		}
	}
	return rows
}

func (r Row) title() string {
	switch r.Kind {
	case Ours:
		return "bitsieve " + r.Impl
	case Bound:
		return "limit: " + r.Impl
	}
	return r.Impl
}

func unitName(unit string) string {
	if unit == Bytes {
		return "GB/s"
	}
	return "ns/" + unit
}

// speed returns the median and the range in the row's unit.
func (r Row) speed() (median, span string) {
	lo, hi := r.Samples.Range()
	if r.Unit == Bytes {
		lo, hi = r.PerCall/hi, r.PerCall/lo
		return Significant(r.GBps()), Significant(lo) + " … " + Significant(hi)
	}
	return Significant(r.NsPerUnit()), Significant(lo/r.PerCall) + " … " + Significant(hi/r.PerCall)
}

func (r Row) versus() string {
	if r.Lost() {
		return ratio(r.VsPeer) + " lost"
	}
	return ratio(r.VsPeer)
}

// ratio writes a ratio that may be missing.
func ratio(x float64) string {
	if x == 0 {
		return ""
	}
	return Times(x)
}

// limitTable shows what memory delivers.
func (r *Report) limitTable() table {
	t := table{
		title: "Limits of this machine",
		note:  "Loops that read and do nothing else, the fastest of several: in order, and one word of each of many random lines of 64 bytes.",
		left:  3,
		head:  []string{"size", "fits", "pages", "in order, GB/s", "random line, ns"},
	}
	type place struct {
		size  int64
		pages string
	}
	cells := map[place]*[2]string{}
	var order []place
	for _, g := range Groups(r.Rows) {
		if !isLimit(g[0].Op) {
			continue
		}
		for _, pages := range []string{Small, Huge} {
			rows := slices.DeleteFunc(slices.Clone(g), func(row Row) bool { return row.Pages != pages })
			i := fastest(rows, Bound)
			if i < 0 {
				continue
			}
			p := place{g[0].Size, pages}
			if cells[p] == nil {
				cells[p] = new([2]string)
				order = append(order, p)
			}
			column := 0
			if g[0].Op == RandomLimit {
				column = 1
			}
			value, _ := rows[i].speed()
			cells[p][column] = value
		}
	}
	slices.SortStableFunc(order, func(a, b place) int { return int(a.size>>6) - int(b.size>>6) })
	for _, p := range order {
		t.add(SizeWords(p.size), r.Machine.CacheOf(p.size), p.pages, cells[p][0], cells[p][1])
	}
	t.dropEmpty()
	return t
}

// rateTable shows the false-positive rates.
func (r *Report) rateTable() table {
	t := table{
		title: "False-positive rate by bits per key",
		note:  "Measured with keys that were never added, in filters at their load. In brackets: k.",
		left:  1,
		head:  []string{"bits/key"},
	}
	column := map[string]int{}
	var row []string
	last := 0.0
	for _, rate := range r.Rates {
		name := rate.Series()
		if _, ok := column[name]; !ok {
			column[name] = len(t.head)
			t.head = append(t.head, name)
		}
	}
	for _, rate := range r.Rates {
		bits := rate.BitsPerKey
		if row == nil || bits > last*1.02 {
			row = make([]string, len(t.head))
			row[0] = Significant(bits)
			t.rows = append(t.rows, row)
			last = bits
		}
		row[column[rate.Series()]] = fmt.Sprintf("%s (%d)", percent(rate.FPRate()), rate.K)
	}
	return t
}

// Series is the name under which rates at several numbers of bits per key belong
// together: that of the filter, and for ours whether k is fixed.
func (r Rate) Series() string {
	if r.FixedK {
		return fmt.Sprintf("%s, k = %d", r.Filter, r.K)
	}
	return r.Filter
}
