package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// familyCommand measures every type of the family against its peers and prints
// Markdown tables.
func familyCommand(args []string) error {
	fs := newFlags("bench family")
	quick := fs.Bool("quick", false, "fewer sizes and rounds")
	filter := fs.String("run", "", "only the families whose name matches `REGEX`, such as 'Counting/size=4MiB'")
	rounds := fs.Int("rounds", 0, "number of rounds, `N` >= 5")
	markdown := fs.String("md", "", "write to `FILE` as well")
	rest, err := parse(fs, args)
	if err != nil {
		return flagError(err)
	}
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	re, err := regexp.Compile(*filter)
	if err != nil {
		return err
	}
	m := machine.Detect(cpu.Names(), false)
	l3 := int64(m.L3)
	if l3 == 0 {
		l3 = defaultL3
	}
	p := fullFamilyPlan(l3)
	if *quick {
		p = quickFamilyPlan(l3)
	}
	if *rounds != 0 {
		if *rounds < 5 {
			return fmt.Errorf("%d rounds say little about the spread: at least 5", *rounds)
		}
		p.rounds = *rounds
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, func() { os.Exit(130) }) // tables that are done have been printed

	var text strings.Builder
	out := io.MultiWriter(os.Stdout, &text)
	fmt.Fprintf(out, "%s, %d cores; commit %s; medians of %d interleaved rounds, with their range\n",
		m.Title(), m.Cores, machine.Commit(), p.rounds)
	last := ""
	heading := func(name, title string) {
		if name != last {
			fmt.Fprintf(out, "\n### %s\n\n%s\n", name, title)
			last = name
		}
	}
	err = measureFamilies(p, re, func(r *familyRun) {
		heading(r.name, r.title)
		fmt.Fprint(out, "\n", r.markdown())
	})
	if err != nil {
		return err
	}
	p.sizes = slices.DeleteFunc(slices.Clone(p.sizes), func(size int64) bool {
		return !re.MatchString(familyName("SortUnique", size))
	})
	if len(p.sizes) > 0 {
		heading("SortUnique", "uint32 in random order to sorted ones, each once; ns an integer.")
		fmt.Fprint(out, "\n", sortFamily(p))
	}
	if last == "" {
		return fmt.Errorf("no family matches %q", *filter)
	}
	if *markdown != "" {
		return writeFile(*markdown, text.String())
	}
	return nil
}

// markdown returns the run's table: a row for each member.
func (r *familyRun) markdown() string {
	head := []string{fmt.Sprintf("%s, %d keys", report.SizeWords(r.size), r.n)}
	for _, t := range r.tasks {
		head = append(head, t.String())
	}
	error := "false positives"
	if r.weight != nil {
		error = "counts"
	}
	head = append(head, error, "bytes a key")
	var rows [][]string
	for _, m := range r.runs {
		name := m.name
		if m.kind == report.Ours {
			name = "**" + name + "**"
		}
		row := []string{name}
		for _, t := range r.tasks {
			row = append(row, cell(m.samples[t]))
		}
		rows = append(rows, append(row, m.error, report.Significant(m.bytes)))
	}
	return table(head, rows)
}

// cell writes nanoseconds a key: the median, and the range.
func cell(s report.Samples) string {
	if len(s) == 0 {
		return ""
	}
	lo, hi := s.Range()
	return fmt.Sprintf("%s (%s–%s)", report.Significant(s.Median()), report.Significant(lo), report.Significant(hi))
}

func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	rule := []string{"---"}
	for range head[1:] {
		rule = append(rule, "---:")
	}
	line(rule)
	for _, r := range rows {
		line(r)
	}
	return b.String()
}
