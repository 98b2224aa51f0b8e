package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const dedupDescription = `Prints each line of the INPUTs the first time it is seen, in order, without
waiting for the input to end. A filter remembers the lines, so that a line seen
for the first time may be taken for a double and dropped, with probability P.
It has room for N different lines: at the next one dedup stops with exit status
2, and what is printed until then is right. With status 0 every line was printed
once, but for those that P allows to lose.

Without -n, N is the number of lines of the inputs, which are read once more to
count them; for pipes and compressed files it is 100 million. The filter then
takes up to half of the memory that the machine has left. With P = 1e-6 a line
takes 5 bytes, so 100 million take 480 MiB.

Lines are hashed under a seed drawn at random for every run, so that nobody can
make a line that suppresses another one. The hash is that of Go's maps
(hash/maphash), which is not cryptographic. With -untrusted it is HighwayHash
under a random key, and dedup takes about 2.5 times as long (Intel Sapphire
Rapids, lines of 15 to 20 bytes).

Examples:
  bitsieve dedup names.txt >unique.txt
  bitsieve dedup *.log.gz -n 500M -p 1e-9 | gzip >unique.log.gz`

const (
	// dedupRate is -p's default for dedup: a line dropped wrongly is lost, so it
	// is lower than for lists.
	dedupRate = 1e-6
	// dedupLines is -n's default where the lines cannot be counted.
	dedupLines = 100_000_000
	// dedupPart is the part of the memory that the filter takes without -n.
	dedupPart = 0.5
)

func (t *tool) dedupCommand() *cli.Command {
	var (
		p                         = rate(dedupRate)
		n                         count
		quiet, summary, untrusted bool
	)
	return &cli.Command{
		Name:        "dedup",
		Usage:       "print each line the first time it is seen",
		ArgsUsage:   "[-p P] [-n N] [-summary | -q] [INPUT...]",
		Description: dedupDescription,
		Flags: []cli.Flag{
			rateFlag(&p, "`P` of the new lines may be dropped (default 1e-6)"),
			countFlag(&n, "make room for `N` different lines"),
			&cli.BoolFlag{Name: "summary", Usage: "say at the end on standard error how many lines were read,\n" +
				"printed, and probably dropped wrongly; this is the default\n" +
				"where standard error is a terminal", Destination: &summary},
			&cli.BoolFlag{Name: "q", Usage: "say nothing at the end", Destination: &quiet},
			untrustedFlag(&untrusted),
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			ins, err := t.inputs(cmd.Args().Slice())
			if err != nil {
				return err
			}
			if err := apart(t.stdoutUse(), t.usesOf(ins, "an input")...); err != nil {
				return err
			}
			room := uint64(n)
			if room == 0 {
				if room, err = t.dedupRoom(ins, float64(p)); err != nil {
					return err
				}
			}
			d, err := newDeduper(room, float64(p), untrusted)
			if err != nil {
				return err
			}
			if err := t.dedup(d, ins); err != nil {
				return sayDone(err, "%s", d.summary())
			}
			if t.stopProgress(); !quiet && (summary || isTerminal(t.stderr) && d.read > 0) {
				t.complain(d.summary())
			}
			return nil
		},
	}
}

// dedupRoom returns for how many lines to make room: for all, if that can be
// found out and the memory suffices.
func (t *tool) dedupRoom(ins []input, p float64) (uint64, error) {
	lines, err := t.countLines(ins)
	if err != nil {
		return 0, err
	}
	// An input may grow while it is read.
	room := lines + lines/8 + batchLines
	if lines == 0 {
		room = dedupLines
	}
	return affordableLines(room, p, dedupPart)
}

// countLines returns the number of lines of the inputs, 0 if they cannot be read
// twice or are compressed.
func (t *tool) countLines(ins []input) (n uint64, err error) {
	total := totalSize(ins)
	if total < 0 {
		return 0, nil
	}
	for i := range ins {
		packed, err := t.compressed(&ins[i])
		if packed || err != nil {
			return 0, err
		}
	}
	again, err := t.rewinder(ins)
	if err != nil {
		return 0, err
	}
	t.startProgress("counting", total, false)
	err = t.eachText(ins, func(c *chunk) {}, func(c *chunk) error {
		n += uint64(bytes.Count(c.text, []byte{'\n'})) + 1
		return nil
	})
	if err != nil {
		return 0, sayDone(err, "nothing is printed")
	}
	return n, again()
}

// A deduper sorts out lines that were seen before, and keeps count of what it may
// have got wrong.
type deduper struct {
	filter *bitsieve.Blocked
	hash   lineHash
	room   uint64 // different lines that the filter was made for

	read    uint64
	printed uint64
	lost    float64 // different lines expected to have been dropped
	counted uint64  // lines printed when lost was reckoned

	hits bitsieve.BitSet
}

func newDeduper(room uint64, p float64, untrusted bool) (*deduper, error) {
	hash, err := runHash(untrusted)
	if err != nil {
		return nil, err
	}
	if err := checkFilter(room, p); err != nil {
		return nil, err
	}
	// The last batch may fill the filter further than its lines are printed.
	f, err := bitsieve.NewBlocked(room+min(batchLines, ^room), p)
	if err != nil {
		return nil, err
	}
	return &deduper{filter: f, hash: hash, room: room}, nil
}

func (t *tool) dedup(d *deduper, ins []input) error {
	out := newLineWriter(t.stdout)
	t.startProgress("reading", totalSize(ins), true)
	return t.eachText(ins, d.hash.prepare, func(c *chunk) error {
		full := d.sift(c, out)
		if err := out.flush(); err != nil {
			return err
		}
		if full {
			return fmt.Errorf("%s has more different lines than there is room for: stopped after %s read and %d printed, "+
				"which are right; give -n the number of different lines, as -n %d",
				c.in.name, plural(d.read, "line"), d.printed, 10*d.room)
		}
		return nil
	})
}

// sift writes the lines of c that are new, up to the one that the filter has no
// room for, if there is one. The writer keeps its error.
func (d *deduper) sift(c *chunk, out *lineWriter) (full bool) {
	for at := 0; at < len(c.hashes); at += batchLines {
		hashes := c.hashes[at:min(at+batchLines, len(c.hashes))]
		d.filter.TestAndAddHashes(hashes, &d.hits)
		for start, ok := d.hits.NextClear(0); ok; {
			end, more := d.hits.NextSet(start)
			if !more {
				end = uint(len(hashes))
			}
			if left := d.room - d.printed; uint64(end-start) > left {
				end, full = start+uint(left), true
			}
			d.printed += uint64(end - start)
			out.write(c.lines(at+int(start), at+int(end)))
			if full {
				d.read += uint64(end)
				return true
			}
			start, ok = d.hits.NextClear(end)
		}
		d.read += uint64(len(hashes))
		if d.printed-d.counted > d.room/64 {
			d.reckon()
		}
	}
	return false
}

// reckon brings lost up to date. At a false-positive rate r, r / (1−r) new lines
// are dropped for each that passes.
func (d *deduper) reckon() {
	odds := func(n uint64) float64 {
		r := d.filter.ExpectedFPRate(n)
		return r / max(1-r, 1e-9)
	}
	d.lost += float64(d.printed-d.counted) * (odds(d.counted) + odds(d.printed)) / 2
	d.counted = d.printed
}

func (d *deduper) summary() string {
	d.reckon()
	return fmt.Sprintf("%s read, %d printed, %s expected to have been dropped wrongly",
		plural(d.read, "line"), d.printed, expected(min(d.lost, float64(d.read-d.printed))))
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
