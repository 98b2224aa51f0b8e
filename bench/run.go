package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
	"github.com/bitsieve/bitsieve/internal/cpu"
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
	m := machine.Detect(cpu.Names(), *small)
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
			Quick: c.quick, Brief: c.brief, Rounds: p.rounds, Batch: batch,
			BitsPerKey: benchBitsPerKey, PresentShare: 0.5, Filter: c.filter, Libraries: p.cSources,
		},
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	start := time.Now()
	if err := measureAll(ctx, p, re, r); err != nil {
		return err
	}
	fmt.Print(r.Text())
	fmt.Printf("measured in %v\n", time.Since(start).Round(time.Second))
	return o.write(r)
}

// measureAll fills in the report's rows and rates. When ctx ends, it stops with
// what it has.
func measureAll(ctx context.Context, p plan, re *regexp.Regexp, r *report.Report) error {
	stages := measure.Keep(p.stages(r.Machine), re)
	cases := p.curveCases(re)
	if len(stages) == 0 && len(cases) == 0 {
		return fmt.Errorf("no group matches %q: see bench list", re)
	}
	run := measure.Run{Rounds: p.rounds, KernelTime: p.kernelTime, FilterTime: p.filterTime}
	bar := newProgress(run.Steps(stages) + len(cases))
	defer bar.finish()
	run.Progress = bar
	if err := run.Stages(ctx, stages, r); err != nil {
		if ctx.Err() != nil {
			bar.Note("interrupted: what follows is incomplete")
			return nil
		}
		return err
	}
	bar.Say("false-positive rates")
	var err error
	r.Rates, err = rates(cases, bar.Step)
	return err
}
