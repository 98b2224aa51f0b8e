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
	losses := r.Losses()
	if r.hasPeers() {
		fmt.Fprintf(&b, "Rows at %s that a peer was faster in: %d\n", r.BestLevel(), len(losses))
	}
	for _, l := range losses {
		fmt.Fprintf(&b, "  %s: %s\n", l.Name(), Times(l.VsPeer))
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
	b.WriteByte('\n')
	for _, p := range plots {
		fmt.Fprintf(&b, "![](%s)\n\n", p)
	}
	losses := r.Losses()
	if r.hasPeers() {
		fmt.Fprintf(&b, "## Lost\n\nRows at %s that a peer was faster in: %d.\n\n", r.BestLevel(), len(losses))
	}
	for _, l := range losses {
		fmt.Fprintf(&b, "- `%s`: %s\n", l.Name(), Times(l.VsPeer))
	}
	if len(losses) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("## All rows\n\n")
	for _, t := range r.tables() {
		t.markdown(&b)
	}
	return b.String()
}

func (r *Report) hasPeers() bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Kind == Peer })
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
