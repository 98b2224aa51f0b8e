// Command bench measures bitsieve against other libraries and against what this
// machine's memory can deliver. See README.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

const usage = `Usage:
  bench [-quick | -brief] [-run REGEX] [outputs]
                                          measure, and print tables
  bench render FILE.json [outputs]        render an earlier run again
  bench compare A.json B.json ...         several machines side by side, as Markdown
  bench targets A.json B.json ...         the project's aims, and which rows miss them where
  bench list [-quick] [-run REGEX]        names of all groups of rows
  bench family [-quick] [-run REGEX]      every type against its nearest peers, as Markdown
  bench calibrate                         the library's thresholds against this machine

Everything is interleaved: each round measures every contender once. A full run
takes less than half an hour, -brief ten minutes, -quick less than two. Run it on a machine
that does nothing else.
`

func main() {
	if err := dispatch(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func dispatch(args []string) error {
	command := "run"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	switch command {
	case "run":
		return run(args)
	case "list":
		return list(args)
	case "render":
		return render(args)
	case "compare":
		return compare(args)
	case "targets":
		return targets(args)
	case "family":
		return familyCommand(args)
	case "calibrate":
		return calibrate(args)
	}
	fmt.Fprint(os.Stderr, usage)
	return fmt.Errorf("unknown command %q", command)
}

// choice is the part of the command line that says what to measure.
type choice struct {
	quick  bool
	brief  bool
	filter string
	rounds int
	peers  []string // files
}

func (c *choice) register(fs *flag.FlagSet) {
	fs.BoolVar(&c.quick, "quick", false, "fewer sizes and rounds: less than two minutes")
	fs.BoolVar(&c.brief, "brief", false, "all sizes, fewer and shorter rounds: about ten minutes with four libraries in C")
	fs.StringVar(&c.filter, "run", "", "measure only the groups whose name matches `REGEX`, such as 'Test/size=4MiB'")
	fs.IntVar(&c.rounds, "rounds", 0, "number of rounds, `N` >= 5")
	fs.Func("peer", "measure the C or C++ library in the shared object `FILE`, too; once for each (-tags cbench)", func(file string) error {
		c.peers = append(c.peers, file)
		return nil
	})
}

// plan returns the plan and what it selects groups by.
func (c choice) plan() (plan, *regexp.Regexp, error) {
	p := fullPlan()
	switch {
	case c.quick && c.brief:
		return p, nil, fmt.Errorf("-quick or -brief, not both")
	case c.quick:
		p = quickPlan()
	case c.brief:
		p = briefPlan()
	}
	if c.rounds != 0 {
		if c.rounds < 5 {
			return p, nil, fmt.Errorf("%d rounds say little about the spread: at least 5", c.rounds)
		}
		p.rounds = c.rounds
	}
	re, err := regexp.Compile(c.filter)
	if err == nil {
		err = p.loadPeers(c.peers)
	}
	return p, re, err
}

func newFlags(command string) *flag.FlagSet {
	fs := flag.NewFlagSet(command, flag.ContinueOnError)
	fs.Usage = func() {
		fmt.Fprint(os.Stderr, usage, "\nFlags:\n")
		fs.PrintDefaults()
	}
	return fs
}

// parse parses flags, which may stand among the other arguments.
func parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest, args = append(rest, fs.Arg(0)), fs.Args()[1:]
	}
}

func list(args []string) error {
	var c choice
	fs := newFlags("bench list")
	c.register(fs)
	if _, err := parse(fs, args); err != nil {
		return flagError(err)
	}
	p, re, err := c.plan()
	if err != nil {
		return err
	}
	for _, s := range measure.Keep(p.stages(machine.Detect(cpu.Names(), false)), re) {
		for _, g := range s.Groups {
			fmt.Println(g.Name())
		}
	}
	return nil
}

func render(args []string) error {
	var o outputs
	fs := newFlags("bench render")
	o.register(fs)
	files, err := parse(fs, args)
	if err != nil {
		return flagError(err)
	}
	if len(files) != 1 {
		return fmt.Errorf("render takes one file, got %d", len(files))
	}
	r, err := report.ReadFile(files[0])
	if err != nil {
		return err
	}
	if o == (outputs{}) {
		fmt.Print(r.Text())
	}
	return o.write(r)
}

// readReports parses the flags and reads the files that are named.
func readReports(fs *flag.FlagSet, args []string) (reports []*report.Report, err error) {
	files, err := parse(fs, args)
	if err != nil {
		return nil, err
	}
	if len(files) < 1 {
		return nil, fmt.Errorf("%s takes the JSON files of at least one run", fs.Name())
	}
	for _, f := range files {
		r, err := report.ReadFile(f)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// flagError is nil for -h, which is no failure.
func flagError(err error) error {
	if err == flag.ErrHelp {
		return nil
	}
	return err
}
