package main

import (
	"context"
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const dedupDescription = `Prints each line of the INPUTs the first time it is seen, in order, without
waiting for the input to end. Memory does not grow with the input: a filter
remembers the lines, so that a line seen for the first time may be taken for a
double and dropped. How many lines may have been lost so is said at the end, on
standard error, and if there are more different lines than the filter has room
for, that is said too, when it happens.

Examples:
  bitsieve dedup names.txt >unique.txt
  zcat *.log.gz | bitsieve dedup -n 100e6 -p 1e-9 | gzip >unique.log.gz`

const (
	// dedupRate is -p's default for dedup: a line dropped wrongly is lost, so it
	// is lower than for lists.
	dedupRate = 1e-6
	// dedupLines is -n's default. With dedupRate it takes about 48 MiB.
	dedupLines = 10_000_000
)

func (t *tool) dedupCommand() *cli.Command {
	var (
		p     = rate(dedupRate)
		n     count
		quiet bool
	)
	return &cli.Command{
		Name:        "dedup",
		Usage:       "print each line the first time it is seen",
		ArgsUsage:   "[-p P] [-n N] [-q] [INPUT...]",
		Description: dedupDescription,
		Flags: []cli.Flag{
			rateFlag(&p, "`P` of the new lines may be dropped, while the lines are\n"+
				"no more than N (default 1e-6)"),
			countFlag(&n, "make room for `N` different lines (default 10 million, or\n"+
				"fewer if the inputs are too short to have them)"),
			&cli.BoolFlag{Name: "q", Usage: "say nothing at the end", Destination: &quiet},
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			ins, err := t.inputs(cmd.Args().Slice())
			if err != nil {
				return err
			}
			room := uint64(n)
			if room == 0 {
				room = dedupLines
				if total := totalSize(ins); total >= 0 {
					// A line is a byte at the least, and a last one nothing.
					room = min(room, uint64(total)+uint64(len(ins)))
				}
			}
			d, err := newDeduper(room, float64(p))
			if err != nil {
				return err
			}
			if err := t.dedup(d, ins); err != nil {
				return err
			}
			if !quiet {
				t.stopProgress()
				t.complain(d.summary())
			}
			return nil
		},
	}
}

// A deduper tells lines seen for the first time from doubles, and keeps count of
// what it may have got wrong.
type deduper struct {
	filter *bitsieve.Blocked
	room   uint64  // different lines that the filter was made for
	p      float64 // the rate until then

	read    uint64
	printed uint64
	lost    float64 // different lines expected to have been dropped
	rate    float64 // the false-positive rate
	counted uint64  // lines printed when lost and rate were reckoned

	hashes []uint64
	hits   bitsieve.BitSet
}

func newDeduper(room uint64, p float64) (*deduper, error) {
	f, err := bitsieve.NewBlocked(room, p)
	if err != nil {
		return nil, err
	}
	return &deduper{filter: f, room: room, p: p}, nil
}

func (t *tool) dedup(d *deduper, ins []input) error {
	var b batch
	out := newLineWriter(t.stdout)
	t.startProgress("reading", totalSize(ins), true)
	return t.eachText(ins, func(in input, text []byte) error {
		for len(text) > 0 {
			text = b.cut(text)
			outgrown := d.printed > d.room
			if err := d.sift(&b, out.write); err != nil {
				return err
			}
			if !outgrown && d.printed > d.room {
				t.complain(fmt.Sprintf("%s: more than %d different lines, which is all that the filter was made for: "+
					"from here on more new lines are dropped than -p says; use a higher -n", in.name, d.room))
			}
		}
		return out.flush()
	})
}

// sift calls write with the lines of b that are new.
func (d *deduper) sift(b *batch, write func([]byte) error) error {
	d.hashes = d.hashes[:0]
	for _, key := range b.keys {
		d.hashes = append(d.hashes, d.filter.Hash(key))
	}
	// Those present before the batch are settled, and the others' blocks are on
	// their way to the cache.
	d.filter.TestHashes(d.hashes, &d.hits)
	for i, ok := d.hits.NextClear(0); ok; i, ok = d.hits.NextClear(i + 1) {
		if d.filter.TestAndAddHash(d.hashes[i]) {
			continue
		}
		d.printed++
		if d.printed-d.counted > d.room/64 {
			d.reckon()
		}
		if err := write(b.line(int(i))); err != nil {
			return err
		}
	}
	d.read += uint64(len(b.keys))
	return nil
}

// reckon brings lost and rate up to date. At a false-positive rate r, r / (1−r)
// new lines are dropped for each that passes. The rate is that of a filter to
// which all different lines were added: adding those dropped would change no bit.
func (d *deduper) reckon() {
	n := float64(d.printed - d.counted)
	d.counted = d.printed
	odds := func(r float64) float64 { return r / max(1-r, 1e-9) }
	before := odds(d.rate)
	after := odds(d.filter.ExpectedFPRate(d.counted + uint64(d.lost+n*before)))
	d.lost += n * (before + after) / 2
	d.rate = d.filter.ExpectedFPRate(d.counted + uint64(d.lost))
}

func (d *deduper) summary() string {
	d.reckon()
	lost := expected(min(d.lost, float64(d.read-d.printed)))
	if d.rate > 0.5 {
		// Of the lines dropped since the last ones passed nothing is known.
		lost = "at least " + lost
	}
	s := fmt.Sprintf("%s read, %d printed, %s expected to have been dropped wrongly",
		plural(d.read, "line"), d.printed, lost)
	if d.printed > d.room {
		s += fmt.Sprintf("; there are more different lines than the %d that the filter was made for: "+
			"it now drops %.2g of the new lines, not %g", d.room, d.rate, d.p)
	}
	return s
}

// expected renders an expected number of lines.
func expected(x float64) string {
	switch {
	case x < 1e-6:
		return "fewer than 0.000001"
	case x < 100:
		return fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("%.0f", x)
}
