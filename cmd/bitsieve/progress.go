package main

import (
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressDelay is how long work goes on before its progress is shown. Tests
// change it.
var progressDelay = time.Second

// progress shows on a terminal how far long work is. A nil progress shows
// nothing.
type progress struct {
	bar    *progressbar.ProgressBar
	start  time.Time
	hidden int // what the bar does not know of yet
}

// startProgress shows the progress of reading total bytes from now on, -1 if
// that is unknown, if standard error is a terminal and the lines that the
// command prints do not go to one.
func (t *tool) startProgress(what string, total int64, printsLines bool) {
	t.showProgress(what, total, printsLines, progressbar.OptionShowBytes(true), progressbar.OptionUseIECUnits(true))
}

// startCount is startProgress for a number of parts.
func (t *tool) startCount(what string, total int, printsLines bool) {
	t.showProgress(what, int64(total), printsLines)
}

func (t *tool) showProgress(what string, total int64, printsLines bool, more ...progressbar.Option) {
	t.stopProgress()
	if isTerminal(t.stderr) && !(printsLines && isTerminal(t.stdout)) {
		t.progress = newProgress(t.croppedStderr(), what, total, more...)
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

func newProgress(w io.Writer, what string, total int64, more ...progressbar.Option) *progress {
	if total == 0 {
		total = -1 // /proc's files have no size, and the bar wants one
	}
	p := &progress{start: time.Now(), bar: progressbar.NewOptions64(total, append(more,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
		// Otherwise a bar without a total is drawn by a goroutine of its own,
		// across our messages.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)...)}
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
			progressbar.OptionSetWriter(t.croppedStderr()),
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

// A cropper passes lines on up to a width. A line that reaches a terminal's last
// column would wrap, and a return would no longer go to its beginning.
type cropper struct {
	w     io.Writer
	width func() int
}

// croppedStderr returns standard error, which is a terminal, without what it has
// no columns for.
func (t *tool) croppedStderr() io.Writer {
	fd := int(t.stderr.(*os.File).Fd())
	return &cropper{t.stderr, func() int {
		columns, _, err := term.GetSize(fd)
		if err != nil || columns <= 0 {
			columns = 80
		}
		return columns - 1
	}}
}

// Write writes a part of a line that begins at the terminal's first column.
func (c *cropper) Write(b []byte) (int, error) {
	cropped := make([]byte, 0, len(b))
	column, width := 0, c.width()
	for rest := b; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == '\r' || r == '\n' {
			column = -1
		}
		if column < width {
			cropped = append(cropped, rest[:n]...)
		}
		column++
		rest = rest[n:]
	}
	if _, err := c.w.Write(cropped); err != nil {
		return 0, err
	}
	return len(b), nil
}
