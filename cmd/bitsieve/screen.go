package main

import (
	"context"

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
beside its own, and decide what the filter lets pass. With -except the lines of
GOOD do not pass, but for those that are in LIST too: these are reported.

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
		except           string
	)
	return &cli.Command{
		Name:        "screen",
		Usage:       "build and query in one: print the lines that may be in a list",
		ArgsUsage:   "[-v] [-c | -q] [-p P] [-exact] [-except GOOD]\n                       LIST [INPUT...]",
		Description: screenDescription,
		Flags: append(o.flags(), rateFlag(&p, rateUsage),
			&cli.BoolFlag{Name: "exact", Usage: "keep the list in memory: no line is taken for listed wrongly", Destination: &exact},
			exceptFlag(&except), untrustedFlag(&untrusted)),
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("a LIST is missing")
			}
			list, err := t.inputs(cmd.Args().Slice()[:1])
			if err != nil {
				return err
			}
			if err := areLines(list); err != nil {
				return err
			}
			good, err := t.exceptInput(except, list)
			if err != nil {
				return err
			}
			q := query{queryOptions: o}
			read := append(t.usesOf(list, "the list"), t.usesOf(good, "the list of exceptions")...)
			if err := t.lookAtInputs(&q, cmd.Args().Tail(), read); err != nil {
				return err
			}
			if err := stdinOnce(list, "the list", q.ins, "an input"); err != nil {
				return err
			}
			if err := stdinOnce(good, "the exceptions", q.ins, "an input"); err != nil {
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
			var both conflicts
			if good != nil {
				if q.except, err = t.readExceptions(good); err != nil {
					return sayDone(err, "nothing is printed")
				}
				b.also = both.watch(q.except, b.also)
			}
			if q.filter, err = t.build(list, b); err != nil {
				return sayDone(err, "nothing is printed")
			}
			t.report(&both)
			return t.query(&q)
		},
	}
}
