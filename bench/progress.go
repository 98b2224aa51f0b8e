package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows how far the run is, on a terminal only.
type progress struct {
	bar *progressbar.ProgressBar
}

func newProgress(steps int) *progress {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowElapsedTimeOnFinish(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// Say names what is being done.
func (p *progress) Say(what string) {
	if p.bar != nil {
		p.bar.Describe(what)
	}
}

// Step counts one step done.
func (p *progress) Step() {
	if p.bar != nil {
		_ = p.bar.Add(1) // it is only a display
	}
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// Note prints a line that stays.
func (p *progress) Note(line string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(os.Stderr, line)
}
