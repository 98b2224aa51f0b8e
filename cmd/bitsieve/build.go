package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const buildDescription = `Makes a filter from the lines of all LISTs and writes it to FILE, which is
replaced in one step when the filter is complete. Empty lines are skipped;
doubles do no harm.

The filter is made to measure: regular files are read twice, the first time to
count their lines; for a pipe, 8 bytes a line are kept until its end. With -n
everything is read once and nothing is kept.

Examples:
  bitsieve build -o bad.bsv bad-domains.txt
  sort -u *.log | bitsieve build -o seen.bsv -p 1e-6
  bitsieve build -o ids.bsv -key-file secret.key -n 50e6 ids-*.txt`

// defaultRate is -p's default for lists: 15 bits a line.
const defaultRate = 0.001

const rateUsage = "`P` of the lines that are not in the list may be taken for\n" +
	"members (default 0.001, or 0.1%)"

func (t *tool) buildCommand() *cli.Command {
	var (
		out string
		p   = rate(defaultRate)
		n   count
	)
	return &cli.Command{
		Name:        "build",
		Usage:       "make a filter from lists of lines",
		ArgsUsage:   "-o FILE [-p P] [-n N] [-key-file K] [LIST...]",
		Description: buildDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write the filter to `FILE`; - is standard output", Destination: &out},
			rateFlag(&p, rateUsage),
			countFlag(&n, "make room for `N` lines, instead of as many as there are"),
			keyFlag(),
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			if out == "" {
				return usagef("-o is missing: the file to write the filter to")
			}
			opts, err := keyOptions(cmd)
			if err != nil {
				return err
			}
			ins, err := t.inputs(cmd.Args().Slice())
			if err != nil {
				return err
			}
			if err := notAnInput(out, ins); err != nil {
				return err
			}
			f, err := t.build(ins, uint64(n), float64(p), opts)
			if err != nil {
				return err
			}
			t.stopProgress()
			if out == "-" {
				_, err = f.WriteTo(t.stdout)
				return err
			}
			return f.Save(out)
		},
	}
}

// notAnInput guards a list from being replaced by its own filter.
func notAnInput(out string, ins []input) error {
	o, err := os.Stat(out)
	if err != nil || !o.Mode().IsRegular() {
		return nil
	}
	for _, in := range ins {
		if in.path == "" {
			continue
		}
		if i, err := os.Stat(in.path); err == nil && os.SameFile(o, i) {
			return fmt.Errorf("%s is both a list and the file to write", out)
		}
	}
	return nil
}

func (t *tool) build(ins []input, n uint64, p float64, opts []bitsieve.Option) (*bitsieve.Blocked, error) {
	total := totalSize(ins)
	if n == 0 && total < 0 {
		return t.buildFromPipe(ins, p, opts)
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
	f, err := bitsieve.NewBlocked(n, p, opts...)
	if err != nil {
		return nil, err
	}
	if twice != nil {
		if err := twice(); err != nil {
			return nil, err
		}
	}
	t.startProgress("adding", total, false)
	added := uint64(0)
	err = t.eachBatch(ins, func(b *batch) error {
		f.AddBytes(b.keys)
		added += uint64(len(b.keys))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if added > n {
		if now := f.FPRate(); now > p {
			t.complain(fmt.Sprintf("the lists have %s, more than the %d that the filter was made for: "+
				"%.2g of other lines pass, not %g", plural(added, "line"), n, now, p))
		}
	}
	return f, nil
}

// buildFromPipe is for input that cannot be read twice: it keeps the keys'
// hashes until it knows how many there are.
func (t *tool) buildFromPipe(ins []input, p float64, opts []bitsieve.Option) (*bitsieve.Blocked, error) {
	hasher, err := bitsieve.NewBlockedWithSize(1, 1, opts...)
	if err != nil {
		return nil, err
	}
	// Slabs, because a growing slice is copied again and again, and for a while
	// there are two of it.
	const slabSize = 1 << 20
	var slabs [][]uint64
	var n uint64
	t.startProgress("reading", totalSize(ins), false)
	err = t.eachBatch(ins, func(b *batch) error {
		for _, key := range b.keys {
			if n%slabSize == 0 {
				slabs = append(slabs, make([]uint64, 0, slabSize))
			}
			last := &slabs[len(slabs)-1]
			*last = append(*last, hasher.Hash(key))
			n++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f, err := bitsieve.NewBlocked(n, p, opts...)
	if err != nil {
		return nil, err
	}
	for _, hashes := range slabs {
		f.AddHashes(hashes)
	}
	return f, nil
}

// eachBatch calls f with all keys of the inputs.
func (t *tool) eachBatch(ins []input, f func(b *batch) error) error {
	var b batch
	return t.eachText(ins, func(_ input, text []byte) error {
		for len(text) > 0 {
			text = b.cut(text)
			b.dropEmpty()
			if err := f(&b); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tool) countKeys(ins []input) (n uint64, err error) {
	err = t.eachBatch(ins, func(b *batch) error {
		n += uint64(len(b.keys))
		return nil
	})
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
