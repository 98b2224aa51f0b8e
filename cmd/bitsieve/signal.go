package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// grace is how long a command may go on after a signal to say what it has done.
const grace = 2 * time.Second

// An interruptError ends a command that a signal has stopped.
type interruptError struct {
	signal syscall.Signal
	done   string // what was done until then
}

func (e interruptError) Error() string {
	if e.done == "" {
		return "interrupted"
	}
	return "interrupted: " + e.done
}

// status is what a shell gives a process that a signal has ended.
func (e interruptError) status() int { return 128 + int(e.signal) }

// interrupted returns the interruptError if a signal has come.
func (t *tool) interrupted() error {
	if t.ctx.Err() == nil {
		return nil
	}
	return context.Cause(t.ctx)
}

// sayDone adds to an interruptError what was done until then. Other errors it
// leaves alone.
func sayDone(err error, format string, args ...any) error {
	var stopped interruptError
	if errors.As(err, &stopped) {
		stopped.done = fmt.Sprintf(format, args...)
		return stopped
	}
	return err
}

// watchSignals makes the signals that end a program cancel t.ctx, unless they
// were ignored before, as by nohup. Who does not stop by itself in time is ended, as
// by a second signal. The function returned ends the watch.
func (t *tool) watchSignals() (stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	t.ctx = ctx
	signals := make(chan os.Signal, 2)
	for _, s := range endSignals {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-done:
		case s := <-signals:
			e := interruptError{signal: s.(syscall.Signal)}
			cancel(e)
			t.endSaving(e)
			select {
			case <-done:
			case <-signals:
				t.leave(e)
			case <-time.After(grace):
				t.leave(e)
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}

// leave ends the process.
func (t *tool) leave(e interruptError) {
	t.unfinished.remove()
	os.Exit(e.status())
}

// unfinished knows the file that is being written, for a signal to remove.
type unfinished struct {
	mu   sync.Mutex
	find func() []string // the files to remove, nil if nothing is being written
}

// begin says how to find the files to remove until end is called.
func (u *unfinished) begin(find func() []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.find = find
}

func (u *unfinished) end() { u.begin(nil) }

// remove removes the unfinished files, and reports whether there was one.
func (u *unfinished) remove() (found bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.find == nil {
		return false
	}
	for _, path := range u.find() {
		if os.Remove(path) == nil {
			found = true
		}
	}
	return found
}

func (u *unfinished) busy() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.find != nil
}

// endSaving ends the process if it is writing a file, which does not stop by
// itself. A file that is just being created or renamed is waited for.
func (t *tool) endSaving(e interruptError) {
	for range 1000 {
		if !t.unfinished.busy() {
			return
		}
		if t.unfinished.remove() {
			t.complain(e.Error())
			os.Exit(e.status())
		}
		time.Sleep(time.Millisecond)
	}
}
