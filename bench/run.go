package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpulevel"

	"github.com/bitsieve/bitsieve/bench/internal/machine"
	"github.com/bitsieve/bitsieve/bench/internal/report"
)

func run(args []string) error {
	var c choice
	var o outputs
	fs := newFlags("bench")
	c.register(fs)
	o.register(fs)
	small := fs.Bool("nohugepages", false, "give nobody huge pages (Linux)")
	name := fs.String("name", "", "the machine's `NAME` in files and columns; made from the CPU's by default")
	rest, err := parse(fs, args)
	if err != nil {
		return flagError(err)
	}
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	p, re, err := c.plan()
	if err != nil {
		return err
	}
	if p.smallPages = *small; *small {
		if err := machine.DisableHugePages(); err != nil {
			return err
		}
	}
	m := machine.Detect(cpulevel.Available(), *small)
	if *name != "" {
		m.Name = *name
	}
	for _, l := range m.Lines() {
		fmt.Printf("%-10s  %s\n", l[0], l[1])
	}
	fmt.Println()

	r := &report.Report{
		Schema:  report.Schema,
		Created: time.Now().UTC().Truncate(time.Second),
		Library: machine.Commit(),
		Machine: m,
		Settings: report.Settings{
			Quick: c.quick, Rounds: p.rounds, Batch: batch,
			BitsPerKey: benchBitsPerKey, PresentShare: 0.5, Filter: c.filter,
		},
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	if err := measure(ctx, p, re, r); err != nil {
		return err
	}
	fmt.Print(r.Text())
	return o.write(r)
}

// measure fills in the report's rows and rates. When ctx ends, it stops with
// what it has.
func measure(ctx context.Context, p plan, re *regexp.Regexp, r *report.Report) error {
	stages := keep(p.stages(r.Machine), re)
	cases := p.curveCases(re)
	if len(stages) == 0 && len(cases) == 0 {
		return fmt.Errorf("no group matches %q: see bench list", re)
	}
	steps := len(cases)
	for _, s := range stages {
		steps += len(s.Cases)
		for _, g := range s.Groups {
			steps += len(g.Contenders) * p.rounds
		}
	}
	bar := newProgress(steps)
	defer bar.finish()

	meter := newMeter(p.rounds, bar.step)
	var huge int64
	for _, s := range stages {
		if free := machine.AvailableMemory(); free > 0 && free < s.Need {
			bar.note(fmt.Sprintf("skipping %s: needs %.1f GiB of memory, %.1f are free", s.Title, gib(s.Need), gib(free)))
			continue
		}
		bar.say("preparing " + s.Title)
		if err := s.Setup(); err != nil {
			return fmt.Errorf("%s: %w", s.Title, err)
		}
		if err := fillAll(s.Cases, bar.step); err != nil {
			return err
		}
		huge = max(huge, machine.HugeInUse())
		for _, g := range s.Groups {
			if ctx.Err() != nil {
				bar.note("interrupted: what follows is incomplete")
				return nil
			}
			bar.say(g.Name())
			meter.target = p.target(g)
			r.Rows = append(r.Rows, meter.group(g)...)
		}
		s.Cleanup()
		debug.FreeOSMemory()
	}
	if huge > 0 {
		r.Settings.Note = fmt.Sprintf("Up to %.1f GiB of this process's memory lay on huge pages.", gib(huge))
	}
	bar.say("false-positive rates")
	var err error
	r.Rates, err = rates(cases, bar.step)
	return err
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }
