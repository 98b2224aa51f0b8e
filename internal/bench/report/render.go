package report

import (
	"fmt"
	"slices"
	"strings"
)

// Text renders the report for a terminal.
func (r *Report) Text() string {
	var b strings.Builder
	for _, t := range r.tables() {
		t.text(&b)
	}
	for _, l := range r.losses() {
		fmt.Fprintf(&b, "%s: %d\n", l.title, len(l.rows))
		for _, row := range l.rows {
			fmt.Fprintf(&b, "  %s\n", row)
		}
	}
	return b.String()
}

// Markdown renders the report as a page. plots are paths of images to show,
// relative to the page.
func (r *Report) Markdown(plots []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# bitsieve on %s\n\n", r.Machine.CPU)
	fmt.Fprintf(&b, "Made by `go run .` in `bench/` on %s", r.Created.UTC().Format("2006-01-02"))
	if r.Library != "" {
		fmt.Fprintf(&b, ", commit %s", r.Library)
	}
	fmt.Fprintf(&b, ". %s\n\n", r.Settings.sentence())
	for _, l := range r.Machine.Lines() {
		fmt.Fprintf(&b, "- %s: %s\n", l[0], l[1])
	}
	for _, l := range r.Settings.Libraries {
		fmt.Fprintf(&b, "- in C or C++: %s\n", l)
	}
	b.WriteByte('\n')
	for _, p := range plots {
		fmt.Fprintf(&b, "![](%s)\n\n", p)
	}
	losses := r.losses()
	if len(losses) > 0 {
		b.WriteString("## Lost\n\n")
	}
	for _, l := range losses {
		fmt.Fprintf(&b, "%s: %d.\n\n", l.title, len(l.rows))
		for _, row := range l.rows {
			fmt.Fprintf(&b, "- %s\n", row)
		}
		if len(l.rows) > 0 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("## All rows\n\n")
	for _, t := range r.tables() {
		t.markdown(&b)
	}
	return b.String()
}

// A rival is a kind of peer that rows are lost to.
type rival struct {
	kind, who string
	ratio     func(Row) float64
}

var rivals = [...]rival{
	{Peer, "a Go library or loop", func(row Row) float64 { return row.VsPeer }},
	{C, "C or C++", func(row Row) float64 { return row.VsC }},
}

// lossList is the rows of the best level that one kind of peer was faster in.
type lossList struct {
	title string
	rows  []string
}

// losses returns a list for each kind of peer that took part.
func (r *Report) losses() (lists []lossList) {
	for _, by := range rivals {
		if !slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Kind == by.kind }) {
			continue
		}
		l := lossList{title: fmt.Sprintf("Rows at %s that %s was faster in", r.BestLevel(), by.who)}
		for _, row := range r.lostRows(by) {
			l.rows = append(l.rows, row.lineName()+": "+Times(by.ratio(row)))
		}
		lists = append(lists, l)
	}
	return lists
}

// lostRows returns the rows of the best level that a rival was faster in.
func (r *Report) lostRows(by rival) (rows []Row) {
	for _, row := range r.Rows {
		if row.Kind == Ours && row.Impl == r.BestLevel() && row.Shown() && lost(by.ratio(row)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// lineName is the group's name, and k of a filter.
func (r Row) lineName() string {
	if r.K > 0 {
		return r.Name() + fmt.Sprintf(" k=%d", r.K)
	}
	return r.Name()
}

func (s Settings) sentence() string {
	text := fmt.Sprintf("Each contender was measured once a round, in random order, %d rounds; shown are the median, "+
		"the range, and ratios taken within the rounds. \"vs best peer\" is how many times as fast as the fastest peer, "+
		"\"vs generic\" as fast as the same without assembly, \"time / limit\" how many times as long as only reading the same memory. Filters hold %s bits per key.",
		s.Rounds, Significant(s.BitsPerKey))
	if s.Note != "" {
		text += " " + s.Note
	}
	return text
}
