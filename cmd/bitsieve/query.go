package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const queryDescription = `Prints the lines of the INPUTs that may be in the set that FILE was built from,
or with -v those that certainly are not. Lines are printed as they came, in
order, and without waiting for the input to end.

The exit status is that of grep: 0 if a line was selected, 1 if none was, 2 on
trouble.

Examples:
  bitsieve query bad.bsv senders.txt
  tail -F clients.log | bitsieve query -v known.bsv
  if echo "$host" | bitsieve query -q bad.bsv; then echo refused; fi`

const screenDescription = `Prints the lines of the INPUTs that may be in LIST, or with -v those that
certainly are not, as query does with a filter. The filter is built first and
forgotten afterwards; a LIST that is used again is better kept by build. The
exit status is that of query.

Example:
  bitsieve screen bad-domains.txt senders.txt`

type queryOptions struct {
	invert, count, quiet bool
}

func (o *queryOptions) flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "v", Usage: "print the lines that certainly are not in the set", Destination: &o.invert},
		&cli.BoolFlag{Name: "c", Usage: "print only the number of those lines", Destination: &o.count},
		&cli.BoolFlag{Name: "q", Usage: "print nothing and stop at the first such line", Destination: &o.quiet},
	}
}

func (t *tool) queryCommand() *cli.Command {
	var o queryOptions
	return &cli.Command{
		Name:        "query",
		Usage:       "print the lines that may be in a filter's set, or that are not",
		ArgsUsage:   "[-v] [-c | -q] [-key-file K] FILE [INPUT...]",
		Description: queryDescription,
		Flags:       append(o.flags(), keyFlag()),
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("a filter's FILE is missing")
			}
			opts, err := keyOptions(cmd)
			if err != nil {
				return err
			}
			f, err := bitsieve.OpenBlocked(cmd.Args().First(), opts...)
			if err != nil {
				return err
			}
			defer f.Close()
			return t.query(f, cmd.Args().Tail(), o)
		},
	}
}

func (t *tool) screenCommand() *cli.Command {
	var (
		o queryOptions
		p = rate(defaultRate)
	)
	return &cli.Command{
		Name:        "screen",
		Usage:       "build and query in one: print the lines that may be in a list",
		ArgsUsage:   "[-v] [-c | -q] [-p P] LIST [INPUT...]",
		Description: screenDescription,
		Flags:       append(o.flags(), rateFlag(&p, rateUsage)),
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("a LIST is missing")
			}
			list, err := t.inputs(cmd.Args().Slice()[:1])
			if err != nil {
				return err
			}
			f, err := t.build(list, 0, float64(p), nil)
			if err != nil {
				return err
			}
			return t.query(f, cmd.Args().Tail(), o)
		},
	}
}

// errEnough ends the reading when the answer is known.
var errEnough = errors.New("enough")

func (t *tool) query(f *bitsieve.Blocked, args []string, o queryOptions) error {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var (
		b        batch
		hits     bitsieve.BitSet
		selected uint64
		out      = newLineWriter(t.stdout)
		trouble  error
	)
	visit := func(_ input, text []byte) error {
		for len(text) > 0 {
			text = b.cut(text)
			n := f.TestBytes(b.keys, &hits)
			if o.invert {
				n = len(b.keys) - n
			}
			selected += uint64(n)
			switch {
			case n > 0 && o.quiet:
				return errEnough
			case n > 0 && !o.count:
				if err := writeSelected(out, &b, &hits, o.invert); err != nil {
					return err
				}
			}
		}
		return out.flush()
	}
	t.startProgress("reading", t.sizeOf(args), !o.count && !o.quiet)
	// Like grep, it goes on with the next input after one that cannot be read.
	for _, arg := range args {
		ins, err := t.inputs([]string{arg})
		if err == nil {
			err = t.eachText(ins, visit)
		}
		var output outputError
		switch {
		case errors.Is(err, errEnough):
			return nil
		case errors.As(err, &output):
			return err
		case err != nil:
			t.complain(message(err))
			trouble = errReported
		}
	}
	if o.count {
		if _, err := fmt.Fprintln(t.stdout, selected); err != nil {
			return err
		}
	}
	switch {
	case trouble != nil:
		return trouble
	case selected == 0:
		return errNone
	}
	return nil
}

// writeSelected writes the lines that hits has, or lacks if invert is set.
func writeSelected(out *lineWriter, b *batch, hits *bitsieve.BitSet, invert bool) error {
	next, after := hits.NextSet, hits.NextClear
	if invert {
		next, after = after, next
	}
	for start, ok := next(0); ok; {
		end, more := after(start)
		if !more {
			end = uint(len(b.keys))
		}
		if err := out.write(b.lines(int(start), int(end))); err != nil {
			return err
		}
		start, ok = next(end)
	}
	return nil
}
