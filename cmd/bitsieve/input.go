package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
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
	ins, missing := t.lookAt(args)
	if missing != nil {
		return nil, missing
	}
	return ins, nil
}

// lookAt is inputs for commands that go on when an input is not there: it
// returns all of them, and the first error.
func (t *tool) lookAt(args []string) (ins []input, missing error) {
	if len(args) == 0 {
		args = []string{"-"}
	}
	ins = make([]input, len(args))
	for i, arg := range args {
		ins[i] = input{name: arg, path: arg, size: -1}
		if arg == "-" {
			ins[i] = input{name: stdinName, size: t.stdinSize()}
			continue
		}
		info, err := os.Stat(arg)
		switch {
		case err != nil && missing == nil:
			missing = err
		case err == nil && info.Mode().IsRegular():
			ins[i].size = info.Size()
		}
	}
	return ins, missing
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

// stdinOnce returns an error if standard input is to be read as two things: there would
// be nothing left for the second.
func stdinOnce(first []input, asFirst string, second []input, asSecond string) error {
	isStdin := func(in input) bool { return in.path == "" }
	if slices.ContainsFunc(first, isStdin) && slices.ContainsFunc(second, isStdin) {
		return usagef("standard input cannot be both %s and %s", asFirst, asSecond)
	}
	return nil
}

// inputError adds the input's name to an error that lacks it.
func inputError(in *input, err error) error {
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
