package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressDelay is how long work goes on before its progress is shown.
const progressDelay = time.Second

// progress shows on a terminal how far long work is. A nil progress shows
// nothing.
type progress struct {
	bar    *progressbar.ProgressBar
	start  time.Time
	hidden int // bytes that the bar does not know of yet
}

// startProgress shows the progress of reading total bytes from now on, -1 if
// that is unknown, if standard error is a terminal and the lines that the
// command prints do not go to one.
func (t *tool) startProgress(what string, total int64, printsLines bool) {
	t.stopProgress()
	if isTerminal(t.stderr) && !(printsLines && isTerminal(t.stdout)) {
		t.progress = newProgress(t.stderr, what, total)
	}
}

// stopProgress removes the bar, if there is one.
func (t *tool) stopProgress() {
	t.progress.clear()
	t.progress = nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func newProgress(w io.Writer, what string, total int64) *progress {
	if total == 0 {
		total = -1 // /proc's files have no size, and the bar wants one
	}
	p := &progress{start: time.Now(), bar: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowBytes(true),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
		// Otherwise a bar without a total is drawn by a goroutine of its own,
		// across our messages.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)}
	p.bar.StartWithoutRender()
	return p
}

// add reports that n more bytes were read.
func (p *progress) add(n int) {
	if p == nil {
		return
	}
	p.hidden += n
	if time.Since(p.start) >= progressDelay {
		// A terminal that does not take it is no reason to stop.
		_ = p.bar.Add(p.hidden)
		p.hidden = 0
	}
}

// clear removes the bar, to make room for a message. It comes back.
func (p *progress) clear() {
	if p != nil && time.Since(p.start) >= progressDelay {
		_ = p.bar.Clear()
	}
}

// startSteps shows the progress of work of so many steps, if standard error is a
// terminal.
func (t *tool) startSteps(total int) {
	t.stopProgress()
	if isTerminal(t.stderr) {
		t.progress = &progress{bar: progressbar.NewOptions(total,
			progressbar.OptionSetWriter(t.stderr),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
		)}
	}
}

// stepProgress is what measure.Run tells of its steps, on the tool's bar.
type stepProgress struct{ t *tool }

func (s stepProgress) Say(what string) {
	if p := s.t.progress; p != nil {
		p.bar.Describe(what)
	}
}

func (s stepProgress) Step()            { s.t.progress.add(1) }
func (s stepProgress) Note(line string) { s.t.complain(line) }
