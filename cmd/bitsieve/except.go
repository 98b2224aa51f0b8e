package main

import (
	"fmt"
	"strings"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

// Exceptions: lines that are known to be good, and are not to pass for listed ones.

func exceptFlag(path *string) cli.Flag {
	return &cli.StringFlag{Name: "except", Usage: "the lines of `GOOD`, - for standard input, never pass, but for\n" +
		"those that are listed as well", Destination: path}
}

// exceptInput returns the list of exceptions as the one input that it is, nil without
// one.
func (t *tool) exceptInput(path string, lists []input) ([]input, error) {
	if path == "" {
		return nil, nil
	}
	good, err := t.inputs([]string{path})
	if err == nil {
		err = stdinOnce(lists, "the list", good, "its exceptions")
	}
	if err == nil {
		err = areLines(good)
	}
	return good, err
}

// readExceptions returns the lines that are not empty of a list of exceptions.
func (t *tool) readExceptions(good []input) (*lineSet, error) {
	set := newLineSet()
	t.startProgress("reading exceptions", totalSize(good), false)
	err := t.eachText(good, (*chunk).splitFull, set.add)
	return set, err
}

// conflicts are the lines that are both listed and exceptions. They are listed.
type conflicts struct {
	n     int
	first []string
}

// maxConflicts is how many of them are named.
const maxConflicts = 3

// watch returns a function that removes the lines of a chunk from the exceptions, and
// then calls also if it is not nil.
func (b *conflicts) watch(exceptions *lineSet, also func(c *chunk) error) func(c *chunk) error {
	return func(c *chunk) error {
		for _, key := range c.keys {
			if exceptions.remove(key) {
				if b.n++; b.n <= maxConflicts {
					b.first = append(b.first, fmt.Sprintf("%.100q", key))
				}
			}
		}
		if also == nil {
			return nil
		}
		return also(c)
	}
}

// report complains of conflicts, if there are any.
func (t *tool) report(b *conflicts) {
	if b.n == 0 {
		return
	}
	names := strings.Join(b.first, ", ")
	if b.n > maxConflicts {
		names += ", …"
	}
	t.complain(fmt.Sprintf("warning: %s of the exceptions also listed, and no exception: %s", plural(uint64(b.n), "line"), names))
}

// whitelist returns a filter with the exceptions that it needs.
func whitelist(f bitsieve.Filter, exceptions *lineSet) bitsieve.Filter {
	w := bitsieve.NewWhitelist(f)
	for line := range exceptions.lines {
		if f.TestString(line) {
			w.ExceptString(line)
		}
	}
	return w
}

// A lineSet is a set of lines.
type lineSet struct {
	lines map[string]struct{}
	size  int // bytes taken since memory was looked at
}

func newLineSet() *lineSet { return &lineSet{lines: make(map[string]struct{})} }

const (
	// lineOverhead is about what a line takes beside its bytes.
	lineOverhead = 60
	// lookEvery is how many bytes are taken between two looks at what is left.
	lookEvery = 64 << 20
)

// add adds the lines of c.
func (s *lineSet) add(c *chunk) error {
	for _, key := range c.keys {
		if _, known := s.lines[string(key)]; !known {
			s.lines[string(key)] = struct{}{}
			s.size += len(key) + lineOverhead
		}
	}
	if s.size < lookEvery {
		return nil
	}
	s.size = 0
	return affordable("to go on reading the list", 2*lookEvery, "without -exact and -except no list is kept")
}

// confirm removes the hits that are not in the set and returns their number.
func (s *lineSet) confirm(keys [][]byte, hits *bitsieve.BitSet) (wrong int) {
	for i, ok := hits.NextSet(0); ok; i, ok = hits.NextSet(i + 1) {
		if _, found := s.lines[string(keys[i])]; !found {
			hits.Clear(i)
			wrong++
		}
	}
	return wrong
}

// deny removes the hits that are in the set and returns their number.
func (s *lineSet) deny(keys [][]byte, hits *bitsieve.BitSet) (denied int) {
	for i, ok := hits.NextSet(0); ok; i, ok = hits.NextSet(i + 1) {
		if _, found := s.lines[string(keys[i])]; found {
			hits.Clear(i)
			denied++
		}
	}
	return denied
}

// remove removes a line and reports whether it was there.
func (s *lineSet) remove(line []byte) bool {
	_, found := s.lines[string(line)]
	delete(s.lines, string(line))
	return found
}
