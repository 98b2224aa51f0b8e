package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const buildDescription = `Makes a filter from the lines of all LISTs and writes it to FILE, which is
replaced in one step when the filter is complete. Empty lines are skipped;
doubles do no harm.

The filter is made to measure: regular files are read twice, the first time to
count their lines; for a pipe, 8 bytes a line are kept until its end. With -n
everything is read once and nothing is kept.

With -except the lines of GOOD are exceptions: no query finds them in the set.
Only those are kept in FILE that the filter would take for listed ones, about P
of them. A line of GOOD that is in a LIST too stays in the set. Such lines are
reported, and the exit status is 0 all the same.

Examples:
  bitsieve build -o bad.bsv bad-domains.txt
  bitsieve build -o bad.bsv -except good-domains.txt bad-domains.txt
  sort -u *.log | bitsieve build -o seen.bsv -p 1e-6
  bitsieve build -o ids.bsv -key-file secret.key -n 50e6 ids-*.txt`

// defaultRate is -p's default for lists: 15 bits a line.
const defaultRate = 0.001

const rateUsage = "`P` of the lines that are not in the list may be taken for\n" +
	"members (default 0.001, or 0.1%)"

func (t *tool) buildCommand() *cli.Command {
	var (
		out, except string
		p           = rate(defaultRate)
		n           count
	)
	return &cli.Command{
		Name:        "build",
		Usage:       "make a filter from lists of lines",
		ArgsUsage:   "-o FILE [-p P] [-n N] [-except GOOD] [-key-file K]\n                      [LIST...]",
		Description: buildDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write the filter to `FILE`; - is standard output", Destination: &out},
			rateFlag(&p, rateUsage),
			countFlag(&n, "make room for `N` lines, instead of as many as there are"),
			exceptFlag(&except),
			keyFlag(),
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			if out == "" {
				return usagef("-o is missing: the file to write the filter to")
			}
			opts, err := t.keyOptions(cmd)
			if err != nil {
				return err
			}
			ins, err := t.inputs(cmd.Args().Slice())
			if err != nil {
				return err
			}
			if err := areLines(ins); err != nil {
				return err
			}
			good, err := t.exceptInput(except, ins)
			if err != nil {
				return err
			}
			written := useOf(out, "the file to write")
			if out == "-" {
				written = t.stdoutUse()
			}
			read := append(t.usesOf(ins, "a list"), t.usesOf(good, "the list of exceptions")...)
			if key := cmd.String("key-file"); key != "" {
				read = append(read, useOf(key, "the key file"))
			}
			if err := apart(written, read...); err != nil {
				return err
			}
			hash, err := savedHash(opts)
			if err != nil {
				return err
			}
			b := buildOptions{n: uint64(n), p: float64(p), hash: hash, filter: opts}
			f, err := t.buildExcept(ins, good, b)
			if err != nil {
				return sayDone(err, "%s is not written", out)
			}
			t.stopProgress()
			if out == "-" {
				_, err = f.WriteTo(t.stdout)
				return err
			}
			return t.save(f, out)
		},
	}
}

// buildExcept is build with a list of exceptions, if good is not nil.
func (t *tool) buildExcept(ins, good []input, b buildOptions) (bitsieve.Filter, error) {
	if good == nil {
		return t.build(ins, b)
	}
	exceptions, err := t.readExceptions(good)
	if err != nil {
		return nil, err
	}
	var both conflicts
	b.also = both.watch(exceptions, nil)
	f, err := t.build(ins, b)
	if err != nil {
		return nil, err
	}
	t.report(&both)
	return whitelist(f, exceptions), nil
}

// buildOptions say how to make a filter.
type buildOptions struct {
	n      uint64  // lines to make room for, 0 for as many as there are
	p      float64 // the false-positive rate
	hash   lineHash
	filter []bitsieve.Option
	also   func(c *chunk) error // called once with all lines, if not nil
}

// keep does with a chunk's lines what is wanted beside the filter.
func (b *buildOptions) keep(c *chunk) error {
	if b.also == nil {
		return nil
	}
	return b.also(c)
}

// build makes a filter of the lines of ins.
func (t *tool) build(ins []input, b buildOptions) (*bitsieve.Blocked, error) {
	total, n := totalSize(ins), b.n
	if n == 0 && total < 0 {
		return t.buildFromPipe(ins, b)
	}
	var twice func() error
	if n == 0 {
		// Reading from where standard input starts, not from the file's start.
		var err error
		if twice, err = t.rewinder(ins); err != nil {
			return nil, err
		}
		t.startProgress("counting", total, false)
		if n, err = t.countKeys(ins); err != nil {
			return nil, err
		}
	}
	f, err := newFilter(n, b.p, b.filter...)
	if err != nil {
		return nil, err
	}
	if twice != nil {
		if err := twice(); err != nil {
			return nil, err
		}
	}
	t.startProgress("adding", total, false)
	added, err := t.addLines(f, ins, b)
	if err != nil {
		return nil, err
	}
	if added > n {
		if now := f.FPRate(); now > b.p {
			t.complain(fmt.Sprintf("the lists have %s, more than the %d that the filter was made for: "+
				"%.2g of other lines pass, not %g", plural(added, "line"), n, now, b.p))
		}
	}
	return f, nil
}

// addLines adds the lines of ins to f, on all cores where nothing else is wanted of
// them, and returns how many there are.
func (t *tool) addLines(f *bitsieve.Blocked, ins []input, b buildOptions) (added uint64, err error) {
	workers := runtime.GOMAXPROCS(0)
	if workers == 1 || b.also != nil {
		err = t.eachText(ins, b.hash.prepareFull, func(c *chunk) error {
			f.AddHashes(c.hashes)
			added += uint64(len(c.hashes))
			return b.keep(c)
		})
		return added, err
	}
	builder := bitsieve.NewBuilder(f)
	adders := make([]*bitsieve.Adder, workers)
	for i := range adders {
		adders[i] = builder.Adder()
	}
	err = t.eachTextAnyOrder(ins, workers, func(worker int, c *chunk) error {
		b.hash.prepareFull(c)
		adders[worker].AddHashes(c.hashes)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return builder.Finish(), nil
}

// buildFromPipe is for input that cannot be read twice: it keeps the keys'
// hashes until it knows how many there are.
func (t *tool) buildFromPipe(ins []input, b buildOptions) (*bitsieve.Blocked, error) {
	// Slabs, because a growing slice is copied again and again, and for a while
	// there are two of it.
	const slabSize = 1 << 20
	var slabs [][]uint64
	var n uint64
	t.startProgress("reading", totalSize(ins), false)
	err := t.eachText(ins, b.hash.prepareFull, func(c *chunk) error {
		for hashes := c.hashes; len(hashes) > 0; {
			if n%slabSize == 0 {
				if err := affordable("reading a list of unknown length", 8*slabSize, "give -n, and nothing is kept"); err != nil {
					return err
				}
				slabs = append(slabs, make([]uint64, 0, slabSize))
			}
			last := &slabs[len(slabs)-1]
			now := hashes[:min(len(hashes), slabSize-len(*last))]
			*last = append(*last, now...)
			n += uint64(len(now))
			hashes = hashes[len(now):]
		}
		return b.keep(c)
	})
	if err != nil {
		return nil, err
	}
	f, err := newFilter(n, b.p, b.filter...)
	if err != nil {
		return nil, err
	}
	for _, hashes := range slabs {
		if err := t.interrupted(); err != nil {
			return nil, err
		}
		f.AddHashes(hashes)
	}
	return f, nil
}

// countKeys returns the number of lines that are not empty.
func (t *tool) countKeys(ins []input) (n uint64, err error) {
	counts := make([]uint64, runtime.GOMAXPROCS(0))
	err = t.eachTextAnyOrder(ins, len(counts), func(worker int, c *chunk) error {
		lines := uint64(0)
		eachFull(c.text, func([]byte) { lines++ })
		counts[worker] += lines
		return nil
	})
	for _, lines := range counts {
		n += lines
	}
	return n, err
}

// rewinder returns a function that sets standard input, if it is among ins,
// back to where it is now.
func (t *tool) rewinder(ins []input) (func() error, error) {
	for _, in := range ins {
		if in.path != "" {
			continue
		}
		f := t.stdin.(*os.File) // its size is known
		at, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		return func() error {
			_, err := f.Seek(at, io.SeekStart)
			return err
		}, nil
	}
	return func() error { return nil }, nil
}
