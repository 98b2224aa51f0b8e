package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const ipsetQueryDescription = `Prints the lines of the INPUTs whose address is in FILE, or with -v those whose
address is not. The address is the line's first field, or with -f another one;
fields are separated by blanks. A line without an IPv4 address there is not in
the set. Lines are printed as they came, in order, and without waiting for the
input to end. With -c and several INPUTs every count follows the INPUT's name.

FILE may also be a LIST. The exit status is that of grep: 0 if a line was
selected, 1 if none was, 2 on trouble.

Examples:
  bitsieve ipset query bad.ips access.log
  tail -F conn.log | bitsieve ipset query -f 3 bad.ips
  if echo "$ip" | bitsieve ipset query -q bad.ips; then echo refused; fi`

func (t *tool) ipsetQueryCommand() *cli.Command {
	var o queryOptions
	field := fieldNumber(1)
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "v", Usage: "print the lines whose address is not in the set", Destination: &o.invert},
		&cli.BoolFlag{Name: "c", Usage: "print only the number of those lines, for each INPUT", Destination: &o.count},
		&cli.BoolFlag{Name: "q", Usage: "print nothing and stop at the first such line", Destination: &o.quiet},
		&cli.GenericFlag{Name: "f", Usage: "the address is the line's field `N`, from 1 (default 1)", Value: &field},
	}
	return &cli.Command{
		Name:        "query",
		Usage:       "print the lines whose address is in a set, or is not",
		ArgsUsage:   "[-v] [-c | -q] [-f N] FILE [INPUT...]",
		Description: ipsetQueryDescription,
		Flags:       flags,
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("a set's FILE is missing")
			}
			path := cmd.Args().First()
			list, _ := t.lookAt([]string{path}) // if it is not there, readSet says so
			q := query{queryOptions: o, field: int(field)}
			if err := t.lookAtInputs(&q, cmd.Args().Tail(), t.usesOf(list, "the set")); err != nil {
				return err
			}
			if err := stdinOnce(list, "the set", q.ins, "an input"); err != nil {
				return err
			}
			set, err := t.readSet([]string{path}, use{})
			if err != nil {
				return sayDone(err, "nothing is printed")
			}
			defer set.Close()
			q.set = set
			return t.query(&q)
		},
	}
}

// fieldNumber is the value of -f.
type fieldNumber int

func (f *fieldNumber) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return errors.New("a field is a whole number from 1")
	}
	*f = fieldNumber(n)
	return nil
}

func (f *fieldNumber) Get() any       { return int(*f) }
func (f *fieldNumber) String() string { return strconv.Itoa(int(*f)) }

// splitAddresses finds the lines of c and the addresses in their fields.
func (q *query) splitAddresses(c *chunk) {
	c.split()
	c.values, c.known = c.values[:0], c.known[:0]
	for i, line := range c.keys {
		x, ok := parseAddr(nthField(line, q.field))
		c.values = append(c.values, x)
		if i%64 == 0 {
			c.known = append(c.known, 0)
		}
		if ok {
			c.known[i/64] |= 1 << (i % 64)
		}
	}
}

// testAddresses is the work of test for a set of addresses.
func (q *query) testAddresses(c *chunk, at, n int) int {
	q.set.ContainsUint32s(c.values[at:at+n], &q.hits)
	hits := q.hits.Words()
	return bitsieve.AndWithCount(hits, hits, c.known[at/64:])
}

// nthField returns field n, from 1, of a line, empty if there are not so many. Fields
// are separated by blanks.
func nthField(line []byte, n int) []byte {
	for i := 0; ; n-- {
		for i < len(line) && line[i] <= ' ' {
			i++
		}
		start := i
		for i < len(line) && line[i] > ' ' {
			i++
		}
		if n == 1 || i == len(line) {
			if n > 1 {
				start = i
			}
			return line[start:i]
		}
	}
}
