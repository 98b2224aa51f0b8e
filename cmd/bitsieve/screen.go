package main

import (
	"context"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const screenDescription = `Prints the lines of the INPUTs that may be in LIST, or with -v those that
certainly are not, as query does with a filter. The filter is built first and
forgotten afterwards; a LIST that is used again is better kept by build. The
exit status is that of query.

P is the part of the unlisted lines that pass for listed. How much of what is
printed is wrong depends on how rare listed lines are too: where a share x of
the lines is listed, up to P(1-x) / (P(1-x) + x) of the lines printed are not:
with P = 0.001 and 0.7% listed, 12%. A lower -p helps. With -exact none is
wrong: the lines of LIST are then kept in memory, each with about 60 bytes
beside its own, and decide what the filter lets pass.

Lines are hashed under a seed drawn at random for every run, so that nobody can
make a line that passes for a listed one. The hash is that of Go's maps
(hash/maphash), which is not cryptographic. With -untrusted it is HighwayHash
under a random key, and screen takes about 2.7 times as long (Intel Sapphire
Rapids, lines of 15 to 20 bytes).

Examples:
  bitsieve screen bad-domains.txt senders.txt
  bitsieve screen -exact -c bad-domains.txt mail.gz`

func (t *tool) screenCommand() *cli.Command {
	var (
		o                queryOptions
		p                = rate(defaultRate)
		exact, untrusted bool
	)
	return &cli.Command{
		Name:        "screen",
		Usage:       "build and query in one: print the lines that may be in a list",
		ArgsUsage:   "[-v] [-c | -q] [-p P] [-exact] LIST [INPUT...]",
		Description: screenDescription,
		Flags: append(o.flags(), rateFlag(&p, rateUsage),
			&cli.BoolFlag{Name: "exact", Usage: "keep the list in memory: no line is taken for listed wrongly", Destination: &exact},
			untrustedFlag(&untrusted)),
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("a LIST is missing")
			}
			list, err := t.inputs(cmd.Args().Slice()[:1])
			if err != nil {
				return err
			}
			q := query{queryOptions: o}
			if err := t.lookAtInputs(&q, cmd.Args().Tail(), t.usesOf(list, "the list")); err != nil {
				return err
			}
			if q.hash, err = runHash(untrusted); err != nil {
				return err
			}
			b := buildOptions{p: float64(p), hash: q.hash}
			if exact {
				q.exact = newLineSet()
				b.also = q.exact.add
			}
			if q.filter, err = t.build(list, b); err != nil {
				return sayDone(err, "nothing is printed")
			}
			return t.query(&q)
		},
	}
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
	return affordable("to go on reading the list", 2*lookEvery, "without -exact the list is not kept")
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
