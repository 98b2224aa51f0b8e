package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const ipsetDescription = `Keeps exact sets of IPv4 addresses: no false positives, and a question is
answered by one look at a bitmap. A set takes up to 520 MiB of memory, 512 bytes
for every 4096 addresses in a row that has members, and nothing for those that
are there as a whole.

A LIST has an address on a line (192.0.2.1), a prefix (192.0.2.0/24) or a range
(192.0.2.1-192.0.2.9), with blanks around it perhaps; # and ; begin a comment,
and empty lines are skipped. Bits of a prefix after its length are ignored. An
IPv4 address may be written as an IPv6 one (::ffff:192.0.2.1); at any other line
nothing is done and the exit status is 2. Wherever a LIST is wanted, a FILE that
build wrote will do, unless it is compressed or comes through a pipe, and the
other way round.`

const ipsetBuildDescription = `Writes the set of the addresses in all LISTs to FILE, which is replaced in one
step. query maps it and looks up at once. bitsieve ipset -h says what a LIST is.

Examples:
  bitsieve ipset build -o bad.ips drop.txt edrop.txt
  curl -s https://example.org/bad.txt | bitsieve ipset build -o bad.ips
  bitsieve ipset build -o all.ips monday.ips tuesday.ips`

const ipsetCountDescription = `Prints how many different addresses the LISTs have together.

Example:
  bitsieve ipset count bad.ips drop.txt`

const ipsetPrefixesDescription = `Prints the fewest prefixes that cover exactly the addresses of the LISTs, one on
a line, in ascending order.

Examples:
  bitsieve ipset prefixes addresses.txt >prefixes.txt
  bitsieve ipset prefixes -ranges bad.ips`

func (t *tool) ipsetCommand() *cli.Command {
	return &cli.Command{
		Name:        "ipset",
		Usage:       "keep sets of IPv4 addresses, and look lines up in them",
		ArgsUsage:   "COMMAND [OPTION...] [ARGUMENT...]",
		Description: ipsetDescription,
		Commands: []*cli.Command{
			t.ipsetBuildCommand(),
			t.ipsetQueryCommand(),
			t.ipsetCountCommand(),
			t.ipsetPrefixesCommand(),
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			if !cmd.Args().Present() {
				return usagef("which of build, query, count and prefixes?")
			}
			return t.unknownCommand(cmd)
		},
	}
}

func (t *tool) ipsetBuildCommand() *cli.Command {
	var out string
	return &cli.Command{
		Name:        "build",
		Usage:       "make a set of the addresses in lists",
		ArgsUsage:   "-o FILE [LIST...]",
		Description: ipsetBuildDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write the set to `FILE`; - is standard output", Destination: &out},
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			if out == "" {
				return usagef("-o is missing: the file to write the set to")
			}
			written := useOf(out, "the file to write")
			if out == "-" {
				written = t.stdoutUse()
			}
			set, err := t.readSet(cmd.Args().Slice(), written)
			if err != nil {
				return sayDone(err, "%s is not written", out)
			}
			defer set.Close()
			t.stopProgress()
			if out == "-" {
				_, err = set.WriteTo(t.stdout)
				return err
			}
			return t.save(set, out)
		},
	}
}

func (t *tool) ipsetCountCommand() *cli.Command {
	return &cli.Command{
		Name:        "count",
		Usage:       "count the different addresses in lists",
		ArgsUsage:   "[LIST...]",
		Description: ipsetCountDescription,
		Action: func(_ context.Context, cmd *cli.Command) error {
			set, err := t.readSet(cmd.Args().Slice(), t.stdoutUse())
			if err != nil {
				return sayDone(err, "nothing is printed")
			}
			defer set.Close()
			if _, err := fmt.Fprintln(t.stdout, set.Count()); err != nil {
				return outputError{err}
			}
			return nil
		},
	}
}

func (t *tool) ipsetPrefixesCommand() *cli.Command {
	var ranges bool
	return &cli.Command{
		Name:        "prefixes",
		Usage:       "print the fewest prefixes for the addresses in lists",
		ArgsUsage:   "[-ranges] [LIST...]",
		Description: ipsetPrefixesDescription,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "ranges", Usage: "print the longest ranges instead, as 192.0.2.1-192.0.2.9",
				Destination: &ranges},
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			set, err := t.readSet(cmd.Args().Slice(), t.stdoutUse())
			if err != nil {
				return sayDone(err, "nothing is printed")
			}
			defer set.Close()
			t.stopProgress()
			return t.printSet(set, ranges)
		},
	}
}

// printSet writes the prefixes or the ranges of a set.
func (t *tool) printSet(set *bitsieve.IPv4Set, ranges bool) (err error) {
	out := newLineWriter(t.stdout)
	printed := uint64(0)
	var text []byte
	flush := func() bool {
		out.write(text)
		text = text[:0]
		if err = out.flush(); err == nil {
			err = sayDone(t.interrupted(), "%s printed", plural(printed, "line"))
		}
		return err == nil
	}
	line := func() bool {
		text = append(text, '\n')
		printed++
		return len(text) < 32<<10 || flush()
	}
	if ranges {
		for first, last := range set.Ranges() {
			if text = first.AppendTo(text); first != last {
				text = last.AppendTo(append(text, '-'))
			}
			if !line() {
				return err
			}
		}
	} else {
		for p := range set.Prefixes() {
			if text = p.AppendTo(text); !line() {
				return err
			}
		}
	}
	flush()
	return err
}

// readSet returns the addresses of all LISTs, having checked that what will be written
// is none of them.
func (t *tool) readSet(args []string, written use) (*bitsieve.IPv4Set, error) {
	ins, err := t.inputs(args)
	if err != nil {
		return nil, err
	}
	if err := apart(written, t.usesOf(ins, "a list")...); err != nil {
		return nil, err
	}
	set := new(bitsieve.IPv4Set)
	var lists []input
	for i, in := range ins {
		saved, err := isSaved(in.path)
		if err != nil {
			return nil, err
		}
		if !saved {
			lists = append(lists, in)
			continue
		}
		t.mapped = in.path
		other, err := bitsieve.OpenIPv4Set(in.path)
		if errors.Is(err, bitsieve.ErrKind) {
			return nil, fmt.Errorf("%s holds a filter of lines, not a set of addresses: query looks lines up in it", in.path)
		}
		if err != nil {
			return nil, err
		}
		if i == 0 {
			set = other // adding to it does not change the file
			continue
		}
		set.Union(other)
		if err := other.Close(); err != nil {
			return nil, err
		}
	}
	return set, t.addLists(set, lists)
}

// lookAddresses is how many addresses are added between two looks at the memory left:
// 64 MiB, if each has a page of its own.
const lookAddresses = 1 << 17

// addLists adds the addresses in lists.
func (t *tool) addLists(set *bitsieve.IPv4Set, ins []input) error {
	t.startProgress("reading", totalSize(ins), false)
	line, added := uint64(0), 0
	return t.eachChunk(ins, parseAddresses, func(c *chunk) error {
		if c.end {
			line = 0
			return c.err
		}
		if line += c.count; bytes.HasPrefix(c.bad, []byte(savedHead)) && line == 1 {
			return fmt.Errorf("%s: a set that build wrote is read from a file, not from a pipe, and not compressed", c.in.name)
		} else if c.bad != nil {
			return fmt.Errorf("%s:%d: %s is not an IPv4 address, a prefix or a range", c.in.name, line, quoted(c.bad))
		}
		for _, s := range c.spans {
			if err := set.AddRange(ipv4Addr(s.first), ipv4Addr(s.last)); err != nil {
				return err
			}
			added += 2 // the pages that it begins and ends in
		}
		added += set.AddUint32s(c.values)
		if added < lookAddresses {
			return nil
		}
		added = 0
		return affordable("to go on", 512*lookAddresses, "a set of addresses takes up to 520 MiB")
	})
}

// A span is a range of addresses, as integers.
type span struct{ first, last uint32 }

// parseAddresses parses the lines of c up to a bad one. As with integers, adding is left
// to the other goroutine.
func parseAddresses(c *chunk) {
	c.values, c.spans, c.bad, c.count = c.values[:0], c.spans[:0], nil, 0
	for text := c.text; len(text) > 0; {
		var line []byte
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			line, text = text, nil
		}
		c.count++
		if x, n := parseIPv4(line); n > 0 && n == len(line) {
			c.values = append(c.values, x)
			continue
		}
		if i := bytes.IndexAny(line, "#;"); i >= 0 {
			line = line[:i]
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		s, ok := parseSpan(line)
		switch {
		case !ok:
			c.bad = line
			return
		case s.first == s.last:
			c.values = append(c.values, s.first)
		default:
			c.spans = append(c.spans, s)
		}
	}
}

// parseSpan parses an address, a prefix or a range.
func parseSpan(text []byte) (s span, ok bool) {
	if first, last, found := bytes.Cut(text, []byte{'-'}); found {
		a, okA := parseAddr(bytes.TrimSpace(first))
		b, okB := parseAddr(bytes.TrimSpace(last))
		return span{a, b}, okA && okB && a <= b
	}
	if i := bytes.IndexByte(text, '/'); i >= 0 {
		if x, n := parseIPv4(text[:i]); n > 0 && n == i {
			length, ok := parseUint32(text[i+1:])
			return prefixSpan(x, int(min(length, 33))), ok && length <= 32 && isDigits(text[i+1:])
		}
		p, err := netip.ParsePrefix(string(text))
		if err != nil || !p.Addr().Is4In6() || p.Bits() < 96 {
			return s, false
		}
		return prefixSpan(ipv4Value(p.Addr()), p.Bits()-96), true
	}
	x, ok := parseAddr(text)
	return span{x, x}, ok
}

func isDigits(text []byte) bool {
	return len(text) > 0 && text[0] > ' ' && (text[0] != '0' || len(text) == 1)
}

func prefixSpan(x uint32, length int) span {
	host := uint32(math.MaxUint32 >> min(length, 32))
	return span{x &^ host, x | host}
}

// parseAddr parses an IPv4 address, whether in an IPv6 one or not.
func parseAddr(text []byte) (x uint32, ok bool) {
	if x, n := parseIPv4(text); n > 0 && n == len(text) {
		return x, true
	}
	if bytes.IndexByte(text, ':') < 0 {
		return 0, false
	}
	a, err := netip.ParseAddr(string(text))
	if err != nil || !a.Is4In6() {
		return 0, false
	}
	return ipv4Value(a), true
}

func ipv4Addr(x uint32) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(x >> 24), byte(x >> 16), byte(x >> 8), byte(x)})
}

func ipv4Value(a netip.Addr) uint32 {
	b := a.Unmap().As4()
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// parseIPv4 parses the address that text begins with and returns how long it is, 0 if
// there is none. As for package netip, numbers have no zeros in front.
func parseIPv4(text []byte) (x uint32, n int) {
	for part := range 4 {
		if part > 0 {
			if n >= len(text) || text[n] != '.' {
				return 0, 0
			}
			n++
		}
		start, v := n, uint32(0)
		for ; n < len(text) && n < start+3; n++ {
			d := uint32(text[n] - '0')
			if d > 9 {
				break
			}
			v = 10*v + d
		}
		if n == start || v > 255 || text[start] == '0' && n > start+1 {
			return 0, 0
		}
		x = x<<8 | v
	}
	if n < len(text) && text[n]-'0' <= 9 {
		return 0, 0 // a longer number
	}
	return x, n
}
