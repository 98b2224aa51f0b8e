package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const visitorsDescription = `Prints for each day in access LOGs, in order, how many different IPv4 addresses
its lines begin with, and at the end how many there are on all days together:

  2026-11-21	1892
  2026-11-22	2044
  total	3310

A line is of the Common or the Combined Log Format, as Apache and nginx write
it: it begins with the address and has the day in brackets, as in
192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512
Days are those of the log's own time zone. Lines may be in any order, and a LOG
may be compressed. The counts are exact: a day takes 512 bytes for every 4096
addresses in a row that have visitors, 520 MiB at the most.

IPv6 visitors have many addresses each, and so are counted by network: with
-ipv6 a third column has the number of different /64 networks, each of which
takes about 60 bytes of memory. Without it such lines are left out. Lines left
out, and lines that are none of a log, are counted, and reported at the end on
standard error; if all lines are none of a log, the exit status is 2.

Examples:
  bitsieve visitors access.log
  bitsieve visitors -ipv6 /var/log/nginx/access.log*`

func (t *tool) visitorsCommand() *cli.Command {
	var six bool
	return &cli.Command{
		Name:        "visitors",
		Usage:       "count the different addresses in an access log, by day",
		ArgsUsage:   "[-ipv6] [LOG...]",
		Description: visitorsDescription,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "ipv6", Usage: "count IPv6 networks too, in a third column", Destination: &six},
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			ins, err := t.inputs(cmd.Args().Slice())
			if err != nil {
				return err
			}
			if err := apart(t.stdoutUse(), t.usesOf(ins, "a log")...); err != nil {
				return err
			}
			g := newGuestBook(six)
			if err := t.readLogs(g, ins); err != nil {
				return sayDone(err, "%s read, nothing is printed", plural(g.lines, "line"))
			}
			t.stopProgress()
			if err := t.printVisitors(g); err != nil {
				return err
			}
			return t.reportOthers(g)
		},
	}
}

// A day is a date as 10000 year + 100 month + day, which is in order.
type day uint32

func (d day) String() string { return fmt.Sprintf("%04d-%02d-%02d", d/10000, d/100%100, d%100) }

// Visits are the lines of a chunk of an access log. The IPv4 addresses are its values.
type visits struct {
	runs     []visitRun
	networks []network
	six      uint64 // lines with IPv6 addresses
	strange  uint64 // lines that are none of a log
	first    uint64 // number of the first such line, from 1
}

// A visitRun is lines in a row that are of one day: the values up to an index.
type visitRun struct {
	day day
	end int
}

// A network is a /64 that was seen on a day.
type network struct {
	day    day
	prefix [8]byte
}

// parseVisits parses the lines of an access log.
func parseVisits(c *chunk) {
	v := &c.visits
	*v = visits{runs: v.runs[:0], networks: v.networks[:0]}
	c.values, c.count = c.values[:0], 0
	for text := c.text; len(text) > 0; {
		var line []byte
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			line, text = text, nil
		}
		c.count++
		if !v.parse(c, line) {
			if v.strange++; v.strange == 1 {
				v.first = c.count
				c.bad = line
			}
		}
	}
}

// parse parses a line. It reports whether it is one of a log.
func (v *visits) parse(c *chunk, line []byte) bool {
	x, n := parseIPv4(line)
	var other netip.Addr
	if n == 0 {
		// Names of hosts have no colon.
		if n = bytes.IndexByte(line, ' '); n < 2 || n > 60 || bytes.IndexByte(line[:n], ':') < 0 {
			return false
		}
		var err error
		if other, err = netip.ParseAddr(string(line[:n])); err != nil {
			return false
		}
		if other.Is4In6() {
			x, other = ipv4Value(other), netip.Addr{}
		}
	}
	if n == len(line) || line[n] != ' ' {
		return false
	}
	d, ok := findDay(line[n:])
	if !ok {
		return false
	}
	if other.IsValid() {
		v.six++
		b := other.As16()
		v.networks = append(v.networks, network{d, [8]byte(b[:8])})
		return true
	}
	c.values = append(c.values, x)
	if n := len(v.runs); n > 0 && v.runs[n-1].day == d {
		v.runs[n-1].end = len(c.values)
	} else {
		v.runs = append(v.runs, visitRun{d, len(c.values)})
	}
	return true
}

// findDay returns the first day in brackets: a user's name may have a bracket too.
func findDay(line []byte) (d day, ok bool) {
	for {
		i := bytes.IndexByte(line, '[')
		if i < 0 {
			return 0, false
		}
		line = line[i+1:]
		if d, ok = parseDay(line); ok {
			return d, true
		}
	}
}

const dayForm = "02/Jan/2006:"

// parseDay parses what begins as "21/Nov/2026:".
func parseDay(text []byte) (d day, ok bool) {
	if len(text) < len(dayForm) || text[2] != '/' || text[6] != '/' || text[11] != ':' {
		return 0, false
	}
	month := monthOf([3]byte(text[3:6]))
	number := day(0)
	for _, i := range [...]int{7, 8, 9, 10} {
		number = 10*number + day(text[i]-'0')
		ok = ok || text[i]-'0' > 9
	}
	date := 10*day(text[0]-'0') + day(text[1]-'0')
	if ok || text[0]-'0' > 9 || text[1]-'0' > 9 || month == 0 || date == 0 || date > 31 {
		return 0, false
	}
	return 10000*number + 100*month + date, true
}

func monthOf(name [3]byte) day {
	for i, m := range [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"} {
		if string(name[:]) == m {
			return day(i + 1)
		}
	}
	return 0
}

// A guestBook has the visitors of each day, and of all.
type guestBook struct {
	days map[day]*guests
	all  guests
	six  bool // networks are wanted

	lines   uint64
	left    uint64 // lines of IPv6 visitors that are not counted
	strange uint64 // lines that are none of a log
	where   string // the first of them

	added int // addresses since memory was looked at
}

// Guests are the visitors of a day.
type guests struct {
	set      bitsieve.IPv4Set
	n        uint64 // addresses in set
	networks map[[8]byte]struct{}
}

func newGuestBook(six bool) *guestBook {
	return &guestBook{days: map[day]*guests{}, six: six, all: guests{networks: map[[8]byte]struct{}{}}}
}

func (t *tool) readLogs(g *guestBook, ins []input) error {
	t.startProgress("reading", totalSize(ins), false)
	line := uint64(0)
	return t.eachChunk(ins, parseVisits, func(c *chunk) error {
		if c.end {
			line = 0
			return c.err
		}
		if g.strange == 0 && c.visits.strange > 0 {
			g.where = fmt.Sprintf("%s:%d: %s", c.in.name, line+c.visits.first, quoted(c.bad))
		}
		line += c.count
		g.lines += c.count
		return g.add(c)
	})
}

// add adds the visitors of a chunk's lines.
func (g *guestBook) add(c *chunk) error {
	v := &c.visits
	g.strange += v.strange
	start := 0
	for _, run := range v.runs {
		values := c.values[start:run.end]
		start = run.end
		guests := g.of(run.day)
		n := guests.set.AddUint32s(values)
		guests.n += uint64(n)
		g.all.n += uint64(g.all.set.AddUint32s(values))
		g.added += 2 * n
	}
	if !g.six {
		g.left += v.six
	} else {
		for _, n := range v.networks {
			g.of(n.day).networks[n.prefix] = struct{}{}
			g.all.networks[n.prefix] = struct{}{}
		}
		g.added += len(v.networks) / 4
	}
	if g.added < lookAddresses {
		return nil
	}
	g.added = 0
	return affordable("to go on", 512*lookAddresses, "fewer days at a time take less")
}

// of returns the guests of a day.
func (g *guestBook) of(d day) *guests {
	if g.days[d] == nil {
		g.days[d] = &guests{networks: map[[8]byte]struct{}{}}
	}
	return g.days[d]
}

func (t *tool) printVisitors(g *guestBook) error {
	out := newLineWriter(t.stdout)
	line := func(name string, of *guests) {
		text := fmt.Appendf(nil, "%s\t%d", name, of.n)
		if g.six {
			text = fmt.Appendf(text, "\t%d", len(of.networks))
		}
		out.write(text)
	}
	for _, d := range slices.Sorted(maps.Keys(g.days)) {
		line(d.String(), g.days[d])
	}
	line("total", &g.all)
	return out.flush()
}

// reportOthers says how many lines were not counted.
func (t *tool) reportOthers(g *guestBook) error {
	if g.left > 0 {
		t.complain(plural(g.left, "line") + " of IPv6 visitors left out; -ipv6 counts them")
	}
	if g.strange > 0 {
		t.complain(fmt.Sprintf("%s left out that %s of an access log by address; the first is %s",
			plural(g.strange, "line"), map[bool]string{true: "is not", false: "are not"}[g.strange == 1], g.where))
	}
	if g.strange > 0 && g.strange == g.lines {
		return errReported
	}
	return nil
}
