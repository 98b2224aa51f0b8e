package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/bitsieve/bitsieve"
	"github.com/urfave/cli/v3"
)

const topDescription = `Prints the K most frequent lines of the INPUTs with their counts, as uniq -c
does, the most frequent first. Lines of equal counts stand in the order of their
bytes, and the last place goes to the first of them. Memory does not grow with
the input: the lines are counted in a filter of SIZE, and only those that may be
printed are kept, however long they are. After an interrupt top prints those of
the lines read so far.

No count is too low. One is too high where a line shares all its counters with
others: the summary says by how much at the most, but for one in 1,000 of the
different lines, which is found by probing the filter as it is at the end.
Every line that occurs more often than the last count printed is in the list. A
larger SIZE makes counts better. A count of 4294967295 means at least that.

Lines are hashed under a seed drawn at random for every run, so that nobody can
make lines that count for others. The hash is that of Go's maps (hash/maphash),
which is not cryptographic. With -untrusted it is HighwayHash under a random
key.

Examples:
  bitsieve top access.log
  cut -d' ' -f1 *.log | bitsieve top -n 100 -size 1GiB`

const (
	topLines = 10
	topSize  = 64 << 20
	// maxTopLines is the largest -n.
	maxTopLines = 1_000_000
	// topCounters is the number of a line's counters. With 4, one of 10 million
	// rare lines shares all of them with a frequent one every few runs.
	topCounters = 5
	// topBits is their width, topBlock the size of a block of them in bytes.
	topBits  = 32
	topBlock = 64 * topBits / 8
	// topQuantile is the part of different lines for which the bound on errors is.
	topQuantile = 0.999
	// topProbes is the number of hashes by which that is found.
	topProbes = 1 << 18
)

// byteCount is the value of -size.
type byteCount int64

func (b *byteCount) Set(s string) error {
	v, err := parseSize(s)
	if err != nil {
		return err
	}
	*b = byteCount(v)
	return nil
}

func (b *byteCount) Get() any       { return int64(*b) }
func (b *byteCount) String() string { return size(uint64(*b)) }

func (t *tool) topCommand() *cli.Command {
	var (
		n                         = count(topLines)
		memory                    = byteCount(topSize)
		quiet, summary, untrusted bool
	)
	return &cli.Command{
		Name:        "top",
		Usage:       "print the most frequent lines with their counts",
		ArgsUsage:   "[-n K] [-size SIZE] [-summary | -q] [INPUT...]",
		Description: topDescription,
		Flags: []cli.Flag{
			countFlag(&n, "print `K` lines (default 10)"),
			&cli.GenericFlag{Name: "size", Usage: "count in `SIZE` of memory, as 1GiB (default 64MiB)", Value: &memory},
			&cli.BoolFlag{Name: "summary", Usage: "say at the end on standard error how many lines were read and\n" +
				"how good the counts are; this is the default where standard\n" +
				"error is a terminal", Destination: &summary},
			&cli.BoolFlag{Name: "q", Usage: "say nothing at the end", Destination: &quiet},
			untrustedFlag(&untrusted),
		},
		Action: func(_ context.Context, cmd *cli.Command) error {
			if n > maxTopLines {
				return usagef("-n is at most %d", maxTopLines)
			}
			ins, err := t.inputs(cmd.Args().Slice())
			if err != nil {
				return err
			}
			if err := apart(t.stdoutUse(), t.usesOf(ins, "an input")...); err != nil {
				return err
			}
			r, err := newRanking(int(n), uint64(memory), untrusted)
			if err != nil {
				return err
			}
			err = t.top(r, ins)
			if err != nil && t.interrupted() == nil {
				return err
			}
			t.stopProgress()
			list := r.list()
			if printErr := t.printRanking(list); printErr != nil {
				return printErr
			}
			if err != nil {
				return sayDone(err, "%s", r.summary(list))
			}
			if !quiet && (summary || isTerminal(t.stderr) && r.read > 0) {
				t.complain(r.summary(list))
			}
			return nil
		},
	}
}

func (t *tool) top(r *ranking, ins []input) error {
	t.startProgress("reading", totalSize(ins), false)
	return t.eachText(ins, r.hash.prepare, func(c *chunk) error {
		r.count(c)
		return nil
	})
}

func (t *tool) printRanking(list []ranked) error {
	out := newLineWriter(t.stdout)
	for _, e := range list {
		_, _ = fmt.Fprintf(out.w, "%7d ", e.count) // the writer keeps the error
		out.write(append(e.line, '\n'))
	}
	return out.flush()
}

// A ranking counts lines and knows the most frequent ones.
type ranking struct {
	filter *bitsieve.Spectral
	hash   lineHash
	room   int // lines to print
	read   uint64

	// best holds the most frequent lines as a heap whose root is the first to give
	// way. An entry's count is what it was when last looked at: it may be too low,
	// but that of the root is brought up to date before it gives way. So lines in
	// the list cost no more than to see that they are.
	best   []ranked
	ranked map[uint64]struct{} // the hashes of best

	counts []uint64
}

// A ranked line is one that may be printed.
type ranked struct {
	hash, count uint64
	line        []byte
}

// before reports whether a comes before b in the list.
func (a *ranked) before(b *ranked) bool { return beats(a.count, a.line, b) }

// beats reports whether a line with a count comes before b in the list.
func beats(count uint64, line []byte, b *ranked) bool {
	return count > b.count || count == b.count && bytes.Compare(line, b.line) < 0
}

func newRanking(room int, memory uint64, untrusted bool) (*ranking, error) {
	hash, err := runHash(untrusted)
	if err != nil {
		return nil, err
	}
	if err := affordable("counting", float64(memory), "a lower -size takes less"); err != nil {
		return nil, err
	}
	f, err := bitsieve.NewSpectralWithSize(max(memory/topBlock, 1), topCounters, topBits)
	if err != nil {
		return nil, err
	}
	return &ranking{filter: f, hash: hash, room: room, ranked: map[uint64]struct{}{}, counts: make([]uint64, batchLines)}, nil
}

// count adds the lines of c.
func (r *ranking) count(c *chunk) {
	r.read += uint64(len(c.hashes))
	for at := 0; at < len(c.hashes); at += batchLines {
		hashes := c.hashes[at:min(at+batchLines, len(c.hashes))]
		r.filter.AddCountHashes(hashes, r.counts)
		for i, h := range hashes {
			if n := r.counts[i]; len(r.best) < r.room || n >= r.best[0].count {
				r.enter(h, n, c.keys[at+i])
			}
		}
	}
}

// enter puts a line that has a count into the list, if it is among the most
// frequent and not there yet.
func (r *ranking) enter(h, n uint64, line []byte) {
	if len(r.best) == r.room && !beats(n, line, &r.best[0]) {
		return
	}
	if _, ok := r.ranked[h]; ok {
		return
	}
	if len(r.best) < r.room {
		r.best = append(r.best, ranked{h, n, bytes.Clone(line)})
		r.ranked[h] = struct{}{}
		r.up(len(r.best) - 1)
		return
	}
	root := &r.best[0]
	for now := r.filter.CountHash(root.hash); now > root.count; now = r.filter.CountHash(root.hash) {
		root.count = now
		r.down(0)
	}
	if !beats(n, line, root) {
		return
	}
	delete(r.ranked, root.hash)
	r.ranked[h] = struct{}{}
	*root = ranked{h, n, append(reuse(root.line, len(line)), line...)}
	r.down(0)
}

// reuse returns a buffer for n bytes: b, unless it is too large to be kept for that.
func reuse(b []byte, n int) []byte {
	if cap(b) > 4*n+1024 {
		return nil
	}
	return b[:0]
}

// up and down bring the entry at i to its place in the heap.

func (r *ranking) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !r.best[parent].before(&r.best[i]) {
			return
		}
		r.best[i], r.best[parent] = r.best[parent], r.best[i]
		i = parent
	}
}

func (r *ranking) down(i int) {
	for {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(r.best); child++ {
			if r.best[last].before(&r.best[child]) {
				last = child
			}
		}
		if last == i {
			return
		}
		r.best[i], r.best[last] = r.best[last], r.best[i]
		i = last
	}
}

// list returns the most frequent lines, in order.
func (r *ranking) list() []ranked {
	list := slices.Clone(r.best)
	for i := range list {
		list[i].count = r.filter.CountHash(list[i].hash)
	}
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.count, a.count), bytes.Compare(a.line, b.line))
	})
	return list
}

// errorBound returns by how much counts are too high at the most, for topQuantile
// of the different lines: the Spectral's ErrorBound from the counts of random
// hashes, which were never added. That takes the same time for every size. A
// margin of four standard deviations keeps it from being too low by chance.
func (r *ranking) errorBound() uint64 {
	counts := make([]uint64, topProbes)
	for i := range counts {
		counts[i] = rand.Uint64()
	}
	r.filter.CountHashes(counts, counts)
	slices.Sort(counts)
	beyond := (1 - topQuantile) * topProbes
	return counts[topProbes-1-int(beyond-4*math.Sqrt(beyond))]
}

func (r *ranking) summary(list []ranked) string {
	text := fmt.Sprintf("%s read", plural(r.read, "line"))
	if r.read == 0 {
		return text
	}
	if len(list) < r.room {
		text += ", all different ones are listed"
	} else {
		text += fmt.Sprintf(", every one that occurs more than %s is listed", plural(list[len(list)-1].count, "time"))
	}
	e := r.errorBound()
	if e == 0 {
		text += fmt.Sprintf("; no count is too high, for %g %% of the different lines", 100*topQuantile)
	} else {
		text += fmt.Sprintf("; no count is too high by more than %d, for %g %% of the different lines", e, 100*topQuantile)
	}
	if len(list) == r.room && e >= list[len(list)-1].count {
		text += "; the end of the list may be wrong: a larger -size makes it better"
	}
	return text
}
