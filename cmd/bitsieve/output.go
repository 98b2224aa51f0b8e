package main

import (
	"bufio"
	"io"
)

// An outputError is a failure to write to standard output.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// A lineWriter writes lines to standard output. Its errors are outputErrors.
type lineWriter struct {
	w *bufio.Writer
}

func newLineWriter(w io.Writer) *lineWriter {
	return &lineWriter{bufio.NewWriterSize(w, 64<<10)}
}

// write writes whole lines. It completes a last line that lacks its LF, as
// another input's lines may follow.
func (lw *lineWriter) write(lines []byte) error {
	_, err := lw.w.Write(lines)
	if err == nil && len(lines) > 0 && lines[len(lines)-1] != '\n' {
		err = lw.w.WriteByte('\n')
	}
	return asOutputError(err)
}

// flush is called when all the input at hand has been dealt with, so that no
// line waits for input that may be long in coming.
func (lw *lineWriter) flush() error { return asOutputError(lw.w.Flush()) }

func asOutputError(err error) error {
	if err == nil {
		return nil
	}
	return outputError{err}
}
