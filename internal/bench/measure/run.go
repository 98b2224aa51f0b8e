package measure

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// A Progress is told how far a run is.
type Progress interface {
	Say(what string)  // what is being done
	Step()            // one of Run.Steps is done
	Note(line string) // what is to stay on the screen
}

// A Run measures stages one after the other.
type Run struct {
	Rounds     int
	KernelTime time.Duration // of one measurement
	FilterTime time.Duration // of one whose unit is keys: filters and random lines
	Progress   Progress
}

// Steps returns the number of steps that Stages reports.
func (r Run) Steps(stages []*Stage) (steps int) {
	for _, s := range stages {
		steps += s.Fills
		for _, g := range s.Groups {
			steps += len(g.Contenders) * r.Rounds
		}
	}
	return steps
}

// Stages measures stages and appends the rows to a report. Those that need more
// memory than is free are skipped. When ctx ends, it stops with what it has and
// returns ctx's error.
func (r Run) Stages(ctx context.Context, stages []*Stage, to *report.Report) error {
	meter := NewMeter(r.Rounds, r.Progress.Step)
	var huge int64
	defer func() {
		if huge > 0 {
			to.Settings.Note = fmt.Sprintf("Up to %.1f GiB of this process's memory lay on huge pages.", gib(huge))
		}
	}()
	for _, s := range stages {
		if free := machine.AvailableMemory(); free > 0 && free < s.Need {
			r.Progress.Note(fmt.Sprintf("skipping %s: needs %.1f GiB of memory, %.1f are free", s.Title, gib(s.Need), gib(free)))
			continue
		}
		r.Progress.Say("preparing " + s.Title)
		if err := s.Setup(); err != nil {
			return fmt.Errorf("%s: %w", s.Title, err)
		}
		if s.Fill != nil {
			if err := s.Fill(r.Progress.Step); err != nil {
				return err
			}
		}
		huge = max(huge, machine.HugeInUse())
		for _, g := range s.Groups {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.Progress.Say(g.Name())
			meter.Target = r.KernelTime
			if g.Unit == report.Keys {
				meter.Target = r.FilterTime
			}
			to.Rows = append(to.Rows, meter.Group(g)...)
		}
		s.Cleanup()
		debug.FreeOSMemory()
	}
	return nil
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }
