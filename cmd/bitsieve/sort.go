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
			var m bitmap
			if err := t.collect(&m, ins); err != nil {
				return err
			}
			t.stopProgress()
			return m.print(newLineWriter(t.stdout))
		},
	}
}

// collect sets the bits of all integers in the inputs.
func (t *tool) collect(m *bitmap, ins []input) error {
	t.startProgress("reading", totalSize(ins), false)
	for i := range ins {
		line := uint64(0)
		err := t.eachText(ins[i:i+1], func(in input, text []byte) error {
			for len(text) > 0 {
				var number []byte
				if i := bytes.IndexByte(text, '\n'); i >= 0 {
					number, text = text[:i], text[i+1:]
				} else {
					number, text = text, nil
				}
				line++
				v, ok := parseUint32(number)
				if ok {
					m.set(v)
				} else if number = bytes.TrimSpace(number); len(number) > 0 {
					return fmt.Errorf("%s:%d: %s is not an integer from 0 to %d", in.name, line, quoted(number), uint32(math.MaxUint32))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
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
}

const (
	pageShift = 19 // integers per page, as a power of two: 64 KiB
	pageWords = 1 << pageShift / 64
)

func (m *bitmap) set(v uint32) {
	p := &m.pages[v>>pageShift]
	if *p == nil {
		*p = new([pageWords]uint64)
	}
	(*p)[v/64%pageWords] |= 1 << (v % 64)
}

// print writes the integers in ascending order.
func (m *bitmap) print(out *lineWriter) error {
	var indices []uint32
	var text []byte
	for i, p := range m.pages {
		if p == nil {
			continue
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
			if err := out.write(text); err != nil {
				return err
			}
		}
	}
	return out.flush()
}
