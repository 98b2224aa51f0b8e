package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// stdinName is how messages call standard input.
const stdinName = "standard input"

// An input is a stream to read lines from.
type input struct {
	name string // for messages
	path string // "" for standard input
	size int64  // what is left to read, -1 if unknown
}

// inputs looks at the inputs named by args, standard input if there are none,
// without opening them. An input that is not there is an error.
func (t *tool) inputs(args []string) ([]input, error) {
	if len(args) == 0 {
		args = []string{"-"}
	}
	ins := make([]input, len(args))
	for i, arg := range args {
		ins[i] = input{name: arg, path: arg, size: -1}
		if arg == "-" {
			ins[i] = input{name: stdinName, size: t.stdinSize()}
			continue
		}
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			ins[i].size = info.Size()
		}
	}
	return ins, nil
}

// stdinSize returns how much is left of standard input if it is a regular file,
// -1 otherwise.
func (t *tool) stdinSize() int64 {
	f, ok := t.stdin.(*os.File)
	if !ok {
		return -1
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	return max(info.Size()-at, 0)
}

// sizeOf returns the size of the inputs named by args, -1 if one's is unknown.
func (t *tool) sizeOf(args []string) int64 {
	ins, err := t.inputs(args)
	if err != nil {
		return -1
	}
	return totalSize(ins)
}

// totalSize returns the size of all inputs, -1 if one's is unknown.
func totalSize(ins []input) (total int64) {
	for _, in := range ins {
		if in.size < 0 {
			return -1
		}
		total += in.size
	}
	return total
}

// eachText calls f with the lines of every input, run by run in order. Runs are
// of whole lines, but for the last line of an input.
func (t *tool) eachText(ins []input, f func(in input, text []byte) error) error {
	for _, in := range ins {
		if err := t.readInput(in, f); err != nil {
			return err
		}
	}
	return nil
}

func (t *tool) readInput(in input, f func(in input, text []byte) error) error {
	r := t.stdin
	if in.path != "" {
		file, err := os.Open(in.path)
		if err != nil {
			return err
		}
		defer file.Close()
		r = file
	}
	t.lines.reset(r)
	for {
		text, err := t.lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return inputError(in, err)
		}
		if err := f(in, text); err != nil {
			return err
		}
		t.progress.add(len(text))
	}
}

// inputError adds the input's name to an error that lacks it.
func inputError(in input, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && in.path != "" {
		return err
	}
	return &fs.PathError{Op: "read", Path: in.name, Err: unwrapPath(err)}
}

func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
