package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/bench/tune"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/urfave/cli/v3"
)

const benchDescription = `Measures how fast bitsieve is on this machine, in less than half a minute:
bitset kernels and filters at several sizes, with the kernels of every level
that the CPU has, and beside each what the machine's memory allows. Run it while
nothing else does.

All contenders of a row take turns, round after round. Shown are the median and
the range; how many times as fast as the same without assembly a level is ("vs
generic"); and how many times as long as the limit it takes: a loop that only
reads the operands in order, for Decode one that only clears the output, for
filters one that reads one random line of memory a key. And also has to write,
which its limit does not.

Filters hold 10 bits per key, and half of the keys tested are present. The
false-positive rate is measured. The directory bench/ of bitsieve's source
compares all of this with other libraries, and renders and compares the JSON
that this command writes.

With -tune it measures instead which values are the best here of those that the
kernels are tuned by, such as how far ahead they prefetch, and prints them as a
row of the table in internal/cpu of bitsieve's source.

Examples:
  bitsieve bench
  bitsieve bench -tune
  bitsieve bench -run '^Test' -sizes 1MiB,1GiB
  bitsieve bench -json - >here.json`

func (t *tool) benchCommand() *cli.Command {
	plan := shortPlan()
	var json, filter, sizes string
	var tuning bool
	timing := tune.Timing{Span: 200 * time.Microsecond, Rounds: 1000, Total: 3 * time.Minute}
	return &cli.Command{
		Name:        "bench",
		Usage:       "measure how fast this machine is",
		ArgsUsage:   "[-run REGEX] [-sizes LIST] [-json FILE]",
		Description: benchDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "run", Usage: "measure only what matches `REGEX`, such as ^Test/size=4MiB", Destination: &filter},
			&cli.StringFlag{Name: "sizes", Usage: "of operands and filters: a `LIST` such as 8KiB,1GiB, instead\n" +
				"of 8KiB,256KiB,4MiB and 256KiB,4MiB,64MiB", Destination: &sizes},
			&cli.StringFlag{Name: "json", Usage: "write all measurements to `FILE`; - is standard output, in\n" +
				"place of the tables", Destination: &json},
			&cli.BoolFlag{Name: "tune", Usage: "measure a row of tuning", Destination: &tuning},
			&cli.DurationFlag{Name: "time", Usage: "what -tune takes, about: a `DURATION` such as 10m", Value: timing.Total, Destination: &timing.Total},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return usagef("no arguments are taken")
			}
			if tuning {
				if cmd.IsSet("run") || cmd.IsSet("sizes") || cmd.IsSet("json") {
					return usagef("-tune goes with -time only")
				}
				return t.tune(ctx, knobs(), timing)
			}
			if cmd.IsSet("time") {
				return usagef("-time goes with -tune only")
			}
			if sizes != "" {
				list, err := parseSizes(sizes)
				if err != nil {
					return err
				}
				plan.kernelSizes, plan.filterSizes = list, list
			}
			re, err := regexp.Compile(filter)
			if err != nil {
				return usagef("-run: %v", err)
			}
			return t.bench(ctx, plan, re, json)
		},
	}
}

// benchPlan says what is measured and how long.
type benchPlan struct {
	rounds      int
	kernelTime  time.Duration // of one measurement
	filterTime  time.Duration
	kernelSizes []int64 // bytes of one operand
	filterSizes []int64 // bytes
	trials      uint64  // absent keys to measure false-positive rates with
}

func shortPlan() benchPlan {
	return benchPlan{
		rounds:      9,
		kernelTime:  3 * time.Millisecond,
		filterTime:  10 * time.Millisecond,
		kernelSizes: []int64{8 << 10, 256 << 10, 4 << 20},
		filterSizes: []int64{256 << 10, 4 << 20, 64 << 20},
		trials:      4e6,
	}
}

// The sizes that -sizes takes: one line at least, and what fits no machine at
// the most.
const (
	leastBenchSize = 64
	mostBenchSize  = 1 << 38
)

// parseSizes parses a list of sizes such as 8KiB,64MiB.
func parseSizes(list string) (sizes []int64, err error) {
	for _, s := range strings.Split(list, ",") {
		n, err := parseSize(s)
		if err != nil {
			return nil, usagef("-sizes: %v", err)
		}
		if n > mostBenchSize {
			return nil, usagef("-sizes: %s is not a size that fits a machine", s)
		}
		if n%leastBenchSize != 0 {
			return nil, usagef("-sizes: %s is not a multiple of %d bytes", s, leastBenchSize)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// bench measures, and prints tables or writes JSON.
func (t *tool) bench(ctx context.Context, plan benchPlan, re *regexp.Regexp, json string) error {
	stages := measure.Keep(plan.stages(), re)
	if len(stages) == 0 {
		return usagef("-run: nothing matches %q", re)
	}
	var file *os.File
	if json != "" && json != "-" {
		var err error
		if file, err = os.Create(json); err != nil { // now, not after all the work
			return err
		}
		defer file.Close()
	}
	m := machine.Detect(cpu.Names(), false)
	if json != "-" {
		for _, l := range append(m.Lines(), [2]string{"in use", bitsieve.Acceleration()}) {
			if _, err := fmt.Fprintf(t.stdout, "%-10s  %s\n", l[0], l[1]); err != nil {
				return err
			}
		}
	}
	r := &report.Report{
		Schema:  report.Schema,
		Created: time.Now().UTC().Truncate(time.Second),
		Library: buildVersion(),
		Machine: m,
		Settings: report.Settings{
			Quick: true, Rounds: plan.rounds, Batch: measure.Batch,
			BitsPerKey: benchBitsPerKey, PresentShare: 0.5, Filter: re.String(),
		},
	}
	run := measure.Run{Rounds: plan.rounds, KernelTime: plan.kernelTime, FilterTime: plan.filterTime, Progress: stepProgress{t}}
	t.startSteps(run.Steps(stages))
	if err := run.Stages(ctx, stages, r); err != nil {
		return err
	}
	t.stopProgress()
	if json == "-" {
		return r.WriteJSON(t.stdout)
	}
	if file != nil {
		if err := r.WriteJSON(file); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(t.stdout, "\n%s", strings.TrimSuffix(r.Text(), "\n"))
	return err
}
