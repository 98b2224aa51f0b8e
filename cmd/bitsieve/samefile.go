package main

import (
	"fmt"
	"os"
)

// A file that is read and written at the same time is lost, or grows without
// end. So the commands look at what they are going to use first.

// A use is a file and what it is used for.
type use struct {
	file os.FileInfo
	name string // for messages
	as   string // such as "a list"
}

// useOf returns the use of a path. A file that is not there is used by nobody
// else.
func useOf(path, as string) use {
	file, err := os.Stat(path)
	if err != nil {
		file = nil
	}
	return use{file, path, as}
}

// usesOf returns the uses of inputs.
func (t *tool) usesOf(ins []input, as string) (uses []use) {
	for _, in := range ins {
		if in.path != "" {
			uses = append(uses, useOf(in.path, as))
			continue
		}
		uses = append(uses, useOfStream(t.stdin, stdinName, as))
	}
	return uses
}

// useOfStream returns the use of standard input or output.
func useOfStream(stream any, name, as string) use {
	if f, ok := stream.(*os.File); ok {
		if file, err := f.Stat(); err == nil {
			return use{file, name, as}
		}
	}
	return use{nil, name, as}
}

// stdoutUse returns the use of standard output.
func (t *tool) stdoutUse() use { return useOfStream(t.stdout, "", "standard output") }

// apart returns an error if what is written is one of the files that are read.
// Only regular files are meant: a terminal is read and written, and so is
// /dev/null.
func apart(written use, read ...use) error {
	if written.file == nil || !written.file.Mode().IsRegular() {
		return nil
	}
	for _, r := range read {
		if r.file != nil && os.SameFile(r.file, written.file) {
			return fmt.Errorf("%s is both %s and %s: nothing was done", r.name, r.as, written.as)
		}
	}
	return nil
}
