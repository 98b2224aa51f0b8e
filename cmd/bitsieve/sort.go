package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const sortDescription = `Prints the different integers of the INPUTs, one on a line, in ascending order.
An integer is a decimal number from 0 to 4294967295 on a line of its own, with
blanks around it perhaps; blank lines are skipped. At any other line nothing is
printed and the exit status is 2.

The integers are kept in a bitmap: memory grows with their spread to 512 MiB at
the most, however many lines there are.

Examples:
  bitsieve sort ids-*.txt >ids.sorted
  cut -d, -f1 orders.csv | bitsieve sort | wc -l`

func (t *tool) sortCommand() *cli.Command {
	return &cli.Command{
		Name:        "sort",
		Usage:       "sort integers and drop doubles",
		ArgsUsage:   "[INPUT...]",
		Description: sortDescription,
		Action: func(_ context.Context, cmd *cli.Command) error {
			ins, err := t.inputs(cmd.Args().Slice())
			if err != nil {
				return err
			}
			if err := apart(t.stdoutUse(), t.usesOf(ins, "an input")...); err != nil {
				return err
			}
			var m bitmap
			if err := t.collect(&m, ins); err != nil {
				return err
			}
			return t.printIntegers(&m)
		},
	}
}

// collect sets the bits of all integers in the inputs.
func (t *tool) collect(m *bitmap, ins []input) error {
	t.startProgress("reading", totalSize(ins), false)
	all, line := uint64(0), uint64(0)
	err := t.eachChunk(ins, parseIntegers, func(c *chunk) error {
		if c.end {
			line = 0
			return c.err
		}
		line += c.count
		all += c.count
		if c.bad != nil {
			return fmt.Errorf("%s:%d: %s is not an integer from 0 to %d", c.in.name, line, quoted(c.bad), uint32(math.MaxUint32))
		}
		return m.setAll(c.values)
	})
	return sayDone(err, "%s read, nothing is printed", plural(all, "line"))
}

// parseIntegers parses the lines of c up to a bad one. Setting bits on the other
// goroutine, many at a time, lets the processor wait for several at once.
func parseIntegers(c *chunk) {
	c.values, c.bad, c.count = c.values[:0], nil, 0
	for text := c.text; len(text) > 0; {
		var number []byte
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			number, text = text[:i], text[i+1:]
		} else {
			number, text = text, nil
		}
		c.count++
		v, ok := parseUint32(number)
		if ok {
			c.values = append(c.values, v)
		} else if number = bytes.TrimSpace(number); len(number) > 0 {
			c.bad = number
			return
		}
	}
}

// parseUint32 parses a decimal number with blanks around it.
func parseUint32(s []byte) (v uint32, ok bool) {
	if len(s) > 0 && (s[0] <= ' ' || s[len(s)-1] <= ' ') {
		s = bytes.TrimSpace(s)
	}
	if len(s) == 0 {
		return 0, false
	}
	var x uint64
	for _, c := range s {
		d := uint64(c - '0')
		if d > 9 {
			return 0, false
		}
		x = x*10 + d
		if x > math.MaxUint32 {
			return 0, false
		}
	}
	return uint32(x), true
}

// quoted renders a bad line for a message.
func quoted(line []byte) string {
	const most = 60
	if len(line) > most {
		return strconv.Quote(string(line[:most])) + "…"
	}
	return strconv.Quote(string(line))
}

// A bitmap is a set of 32-bit integers. Its pages are made when needed.
type bitmap struct {
	pages [1 << (32 - pageShift)]*[pageWords]uint64
	made  int
}

const (
	pageShift = 19 // integers per page, as a power of two: 64 KiB
	pageWords = 1 << pageShift / 64
	// lookPages is how many pages are made between two looks at the memory left.
	lookPages = 256
)

func (m *bitmap) setAll(values []uint32) error {
	for _, v := range values {
		p := m.pages[v>>pageShift]
		if p == nil {
			var err error
			if p, err = m.makePage(v >> pageShift); err != nil {
				return err
			}
		}
		p[v/64%pageWords] |= 1 << (v % 64)
	}
	return nil
}

func (m *bitmap) makePage(i uint32) (*[pageWords]uint64, error) {
	if m.made%lookPages == 0 {
		if err := affordable("to go on", 8*pageWords*lookPages, "sort takes up to 512 MiB"); err != nil {
			return nil, err
		}
	}
	m.made++
	m.pages[i] = new([pageWords]uint64)
	return m.pages[i], nil
}

// printIntegers writes the integers in ascending order.
func (t *tool) printIntegers(m *bitmap) error {
	out := newLineWriter(t.stdout)
	var indices []uint32
	var text []byte
	printed := uint64(0)
	t.startCount("printing", m.made, true)
	for i, p := range m.pages {
		if p == nil {
			continue
		}
		if err := t.interrupted(); err != nil {
			return sayDone(err, "%s printed", plural(printed, "integer"))
		}
		base := uint32(i) << pageShift
		for words := p[:]; len(words) > 0; {
			// A part of a page, whose integers' text fits the cache.
			part := words[:pageWords/16]
			words = words[len(part):]
			indices = bitsieve.AppendIndices32(indices[:0], part)
			text = text[:0]
			for _, v := range indices {
				text = strconv.AppendUint(text, uint64(base+v), 10)
				text = append(text, '\n')
			}
			base += uint32(len(part)) * 64
			printed += uint64(len(indices))
			out.write(text)
		}
		if err := out.flush(); err != nil {
			return err
		}
		t.progress.add(1)
	}
	return nil
}
