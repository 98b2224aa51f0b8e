package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const dedupDescription = `Prints each line of the INPUTs the first time it is seen, in order, without
waiting for the input to end. A filter remembers the lines, so that a line seen
for the first time may be taken for a double and dropped, with probability P.
With status 0 every line was printed once, but for those that P allows to lose.

The filter grows with the number of different lines. With P = 1e-6 a line takes
7 to 15 bytes, 50 million take 400 to 500 MB. When the machine has no memory
left for it to grow, dedup stops at the next new line, with exit status 2, and
what is printed until then is right.

With -n the filter has its final size from the beginning: room for N different
lines, at the next one dedup stops in the same way. It is faster, and with P =
1e-6 a line takes 5 bytes.

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
	// dedupFirst is the least number of lines of the first stage without -n: 6 MB
	// at 1e-6. Where the inputs' size is known, it is one for every dedupBytes: few
	// stages are faster than many.
	dedupFirst = 1 << 20
	dedupBytes = 64
	// dedupPart is the part of the memory that this stage takes at most.
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
			countFlag(&n, "make room for `N` different lines from the start"),
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
			d, err := newDeduper(uint64(n), firstStage(totalSize(ins)), float64(p), untrusted)
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

// A deduper sorts out lines that were seen before, and keeps count of what it may
// have got wrong.
type deduper struct {
	// One of the two remembers the lines: fixed with -n, growing without.
	fixed   *bitsieve.Blocked
	growing *bitsieve.Scalable
	hash    lineHash
	n       uint64 // different lines that fixed has room for

	read    uint64
	printed uint64
	lost    float64 // different lines expected to have been dropped by fixed
	counted uint64  // lines printed when lost was reckoned

	hits bitsieve.BitSet
}

// firstStage returns the number of lines of the first stage for inputs of the given
// size, negative if it is unknown.
func firstStage(size int64) uint64 { return uint64(max(dedupFirst, size/dedupBytes)) }

// newDeduper returns a deduper for n different lines. If n is 0, it is for any number,
// and first is that of the first stage.
func newDeduper(n, first uint64, p float64, untrusted bool) (*deduper, error) {
	hash, err := runHash(untrusted)
	if err != nil {
		return nil, err
	}
	d := &deduper{hash: hash, n: n}
	if n > 0 {
		d.fixed, err = newFilter(n, p)
		return d, err
	}
	first, err = affordableLines(first, p, dedupPart)
	if err != nil {
		return nil, err
	}
	d.growing, err = bitsieve.NewScalable(first, p)
	return d, err
}

func (t *tool) dedup(d *deduper, ins []input) error {
	out := newLineWriter(t.stdout)
	t.startProgress("reading", totalSize(ins), true)
	return t.eachText(ins, d.hash.prepare, func(c *chunk) error {
		full := d.sift(c, out)
		if err := out.flush(); err != nil {
			return err
		}
		if full != nil {
			return fmt.Errorf("%s has more different lines than there is room for: stopped after %s read and %d printed, "+
				"which are right; %w", c.in.name, plural(d.read, "line"), d.printed, full)
		}
		return nil
	})
}

// sift writes the lines of c that are new, up to the first one that there is no room
// for. If there is one, it returns why. The writer keeps its error.
func (d *deduper) sift(c *chunk, out *lineWriter) error {
	for at := 0; at < len(c.hashes); {
		hashes, full := d.fitting(c.hashes[at:min(at+batchLines, len(c.hashes))])
		if len(hashes) == 0 {
			return full
		}
		if d.fixed != nil {
			d.fixed.TestAndAddHashes(hashes, &d.hits)
		} else {
			d.growing.TestAndAddHashes(hashes, &d.hits)
		}
		for start, ok := d.hits.NextClear(0); ok; {
			end, more := d.hits.NextSet(start)
			if !more {
				end = uint(len(hashes))
			}
			d.printed += uint64(end - start)
			out.write(c.lines(at+int(start), at+int(end)))
			start, ok = d.hits.NextClear(end)
		}
		d.read += uint64(len(hashes))
		if d.printed-d.counted > d.n/64 {
			d.reckon()
		}
		at += len(hashes)
	}
	return nil
}

// fitting returns the first of the hashes, as many as there is room for whatever they
// are. If these are none, full says why.
func (d *deduper) fitting(hashes []uint64) (fit []uint64, full error) {
	room, full := d.room(uint64(len(hashes)))
	if uint64(len(hashes)) <= room {
		return hashes, nil
	}
	if d.fixed != nil {
		d.fixed.TestHashes(hashes, &d.hits)
	} else {
		d.growing.TestHashes(hashes, &d.hits)
	}
	for i, ok := d.hits.NextClear(0); ok; i, ok = d.hits.NextClear(i + 1) {
		if room == 0 {
			return hashes[:i], full
		}
		room--
	}
	return hashes, nil
}

// room returns how many more different lines can be remembered. If these are fewer
// than want, full says why.
func (d *deduper) room(want uint64) (room uint64, full error) {
	if d.fixed != nil {
		if room = d.n - d.printed; room >= want {
			return room, nil
		}
		return room, fmt.Errorf("give -n the number of different lines, as -n %d", 10*d.n)
	}
	if room = d.growing.Room(); room >= want {
		return room, nil
	}
	next, err := d.growing.NextStage()
	if err != nil {
		return room, errors.New("a higher -p allows more")
	}
	need := next.SizeBytes
	if os.Getenv(memoryEnv) != "" {
		need += d.growing.SizeBytes() // it says how much there is for all
	}
	if err := affordable("a filter for more", float64(need), "with -n or a higher -p it takes less"); err != nil {
		return room, err
	}
	if err := d.growing.Grow(want); err != nil {
		return room, err
	}
	return d.growing.Room(), nil
}

// reckon brings lost up to date. At a false-positive rate r, r / (1−r) new lines
// are dropped for each that passes.
func (d *deduper) reckon() {
	if d.fixed == nil {
		return // growing reckons for itself
	}
	odds := func(n uint64) float64 {
		r := d.fixed.ExpectedFPRate(n)
		return r / max(1-r, 1e-9)
	}
	d.lost += float64(d.printed-d.counted) * (odds(d.counted) + odds(d.printed)) / 2
	d.counted = d.printed
}

func (d *deduper) summary() string {
	d.reckon()
	lost := d.lost
	if d.growing != nil {
		lost = d.growing.Losses()
	}
	return fmt.Sprintf("%s read, %d printed, %s expected to have been dropped wrongly",
		plural(d.read, "line"), d.printed, expected(min(lost, float64(d.read-d.printed))))
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
