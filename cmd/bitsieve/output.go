package main

import (
	"bufio"
	"io"
)

// An outputError is a failure to write to standard output.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// A lineWriter writes lines to standard output. It keeps the first error for
// flush, which returns it as an outputError.
type lineWriter struct {
	w *bufio.Writer
}

func newLineWriter(w io.Writer) *lineWriter {
	return &lineWriter{bufio.NewWriterSize(w, 64<<10)}
}

// write writes whole lines. It completes a last line that lacks its LF, as
// another input's lines may follow.
func (lw *lineWriter) write(lines []byte) {
	_, _ = lw.w.Write(lines) // the writer keeps the error
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		_ = lw.w.WriteByte('\n')
	}
}

// flush is called when all the input at hand has been dealt with, so that no
// line waits for input that may be long in coming.
func (lw *lineWriter) flush() error {
	if err := lw.w.Flush(); err != nil {
		return outputError{err}
	}
	return nil
}

// A stickyWriter keeps the first error of its writer, for those who write to it
// and do not look.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	if s.err == nil {
		s.err = err
	}
	return n, err
}
