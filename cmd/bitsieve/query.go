package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/cmd/bitsieve/internal/foreign"
	"github.com/urfave/cli/v3"
)

const queryDescription = `Prints the lines of the INPUTs that may be in the set that FILE was built from,
or with -v those that certainly are not. FILE may hold any kind of filter; if it
was built with -except, the exceptions are not in the set. Lines are printed as
they came, in order, and without waiting for the input to end. With -c and
several INPUTs every count follows the INPUT's name, as in "senders.txt:12".

FILE may also be what another library wrote: a filter of Guava, bits-and-blooms,
RedisBloom (see convert -h) or Parquet, or a Parquet file, of which a line may
be in the column C if the filter of any row group says so. Keys are the lines'
bytes; in a column of numbers, the numbers that the lines stand for, in one of
dates or times those of days or units since 1970. In a column of fixed length,
hexadecimal digits will do, as of a UUID. A file of Guava's does not say what
its keys are: -funnel does, unless they are strings.

The exit status is that of grep: 0 if a line was selected, 1 if none was, 2 on
trouble.

Examples:
  bitsieve query bad.bsv senders.txt
  tail -F clients.log | bitsieve query -v known.bsv
  bitsieve query -funnel long ids.guava ids.txt
  bitsieve query -column user_id events.parquet ids.txt
  if echo "$host" | bitsieve query -q bad.bsv; then echo refused; fi`

type queryOptions struct {
	invert, count, quiet bool
}

func (o *queryOptions) flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "v", Usage: "print the lines that certainly are not in the set", Destination: &o.invert},
		&cli.BoolFlag{Name: "c", Usage: "print only the number of those lines, for each INPUT", Destination: &o.count},
		&cli.BoolFlag{Name: "q", Usage: "print nothing and stop at the first such line", Destination: &o.quiet},
	}
}

func (t *tool) queryCommand() *cli.Command {
	var (
		o      queryOptions
		choice foreignChoice
	)
	return &cli.Command{
		Name:        "query",
		Usage:       "print the lines that may be in a filter's set, or that are not",
		ArgsUsage:   "[-v] [-c | -q] [-key-file K] [-funnel F] [-column C]\n                      FILE [INPUT...]",
		Description: queryDescription,
		Flags:       append(append(o.flags(), keyFlag()), choice.flags()...),
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("a filter's FILE is missing")
			}
			path := cmd.Args().First()
			opts, err := t.keyOptions(cmd)
			if err != nil {
				return err
			}
			kept := []use{useOf(path, "the filter")}
			if key := cmd.String("key-file"); key != "" {
				kept = append(kept, useOf(key, "the key file"))
			}
			q := query{queryOptions: o}
			if err := t.lookAtInputs(&q, cmd.Args().Tail(), kept); err != nil {
				return err
			}
			if q.hash, err = savedHash(opts); err != nil {
				return err
			}
			done, err := t.openForQuery(&q, path, opts, choice)
			if err != nil {
				return explainKind(path, err)
			}
			defer done()
			return t.query(&q)
		},
	}
}

// A query is a filter and what is asked of it.
type query struct {
	queryOptions
	filter foreign.Lines // such as a bitsieve.Filter
	hash   lineHash      // for a filter that is a *bitsieve.Blocked
	exact  *lineSet      // the lines that are in the set, if false positives are not wanted
	except *lineSet      // the lines that are known not to be, if there are such
	ins    []input

	set   *bitsieve.IPv4Set // instead of the filter: of the addresses in a field
	field int               // from 1

	hashes   []uint64
	hits     bitsieve.BitSet
	read     uint64
	selected uint64
	here     uint64 // selected lines of the input at hand
}

// lookAtInputs sets q's inputs and checks that the output is none of them, nor of
// what else is read.
func (t *tool) lookAtInputs(q *query, args []string, read []use) error {
	q.ins, _ = t.lookAt(args) // an input that is not there is reported when it is read
	if q.quiet {
		return nil // nothing is written
	}
	return apart(t.stdoutUse(), append(read, t.usesOf(q.ins, "an input")...)...)
}

// errEnough ends the reading when the answer is known.
var errEnough = errors.New("enough")

func (t *tool) query(q *query) error {
	var trouble error
	out := newLineWriter(t.stdout)
	t.startProgress("reading", totalSize(q.ins), !q.count && !q.quiet)
	err := t.eachChunk(q.ins, q.prepare, func(c *chunk) error {
		switch {
		case c.err != nil:
			// Like grep, it goes on with the next input.
			t.complain(message(c.err))
			trouble = errReported
			q.here = 0
			return nil
		case c.end:
			return t.finishInput(q, c.in)
		}
		q.sift(c, out)
		if q.quiet && q.selected > 0 {
			return errEnough
		}
		return out.flush()
	})
	switch {
	case errors.Is(err, errEnough):
		return nil
	case err != nil:
		return sayDone(err, "%s read, %d selected", plural(q.read, "line"), q.selected)
	case trouble != nil:
		return trouble
	case q.selected == 0:
		return errNone
	}
	return nil
}

// prepare finds the lines of c. Hashing them takes about as long, and is left to the
// other goroutine; finding addresses takes longer than looking them up.
func (q *query) prepare(c *chunk) {
	if q.set != nil {
		q.splitAddresses(c)
		return
	}
	c.split()
}

// finishInput prints the number of selected lines of an input, if that is wanted.
func (t *tool) finishInput(q *query, in *input) (err error) {
	switch {
	case !q.count || q.quiet:
	case len(q.ins) == 1:
		_, err = fmt.Fprintln(t.stdout, q.here)
	case in.path == "":
		_, err = fmt.Fprintf(t.stdout, "(%s):%d\n", in.name, q.here) // as grep has it
	default:
		_, err = fmt.Fprintf(t.stdout, "%s:%d\n", in.name, q.here)
	}
	q.here = 0
	if err != nil {
		return outputError{err}
	}
	return nil
}

// sift selects lines of c, and writes them if they are wanted.
func (q *query) sift(c *chunk, out *lineWriter) {
	for at := 0; at < len(c.keys); at += batchLines {
		keys := c.keys[at:min(at+batchLines, len(c.keys))]
		n := q.test(c, at, keys)
		if q.invert {
			n = len(keys) - n
		}
		q.read += uint64(len(keys))
		q.selected += uint64(n)
		q.here += uint64(n)
		if n > 0 && !q.count && !q.quiet {
			q.writeSelected(c, at, len(keys), out)
		}
	}
}

// test sets q.hits for keys, which are those of c from at on, and returns how many are
// in the set.
func (q *query) test(c *chunk, at int, keys [][]byte) int {
	if q.set != nil {
		return q.testAddresses(c, at, len(keys))
	}
	n := q.testFilter(keys)
	if q.exact != nil && n > 0 {
		n -= q.exact.confirm(keys, &q.hits)
	}
	if q.except != nil && n > 0 {
		n -= q.except.deny(keys, &q.hits)
	}
	return n
}

// testFilter asks the filter, which for a Blocked is by hashes that need not be its own.
func (q *query) testFilter(keys [][]byte) int {
	f, ok := q.filter.(*bitsieve.Blocked)
	if !ok {
		return q.filter.TestBytes(keys, &q.hits)
	}
	q.hashes = q.hash.appendTo(q.hashes[:0], keys)
	return f.TestHashes(q.hashes, &q.hits)
}

// writeSelected writes the selected ones of the n lines of c from at on.
func (q *query) writeSelected(c *chunk, at, n int, out *lineWriter) {
	next, after := q.hits.NextSet, q.hits.NextClear
	if q.invert {
		next, after = after, next
	}
	for start, ok := next(0); ok; {
		end, more := after(start)
		if !more {
			end = uint(n)
		}
		out.write(c.lines(at+int(start), at+int(end)))
		start, ok = next(end)
	}
}
