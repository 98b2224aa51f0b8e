package measure

import (
	"fmt"

	"github.com/bitsieve/bitsieve/internal/bench/limit"
	"github.com/bitsieve/bitsieve/internal/bench/memory"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// minStream is the size from which a reader's call weighs nothing against its
// work.
const minStream = 8 << 10

// StreamLimits returns the ways to read words in order. The limit is the fastest
// of them.
func StreamLimits(size int64, warm int, words func() []uint64) (cs []Contender) {
	if size < minStream {
		return nil
	}
	for _, r := range limit.Readers() {
		cs = append(cs, Contender{Impl: r.Name, Kind: report.Bound, Warm: warm, Run: func(calls int) {
			p := words()
			for range calls {
				Sink += int(r.Read(p))
			}
		}})
	}
	return cs
}

// ClearLimit returns the time to clear an output, and nothing else.
func ClearLimit[T any](warm int, out func() []T) Contender {
	return Contender{Impl: "clearing the output", Kind: report.Bound, Warm: warm, Run: func(calls int) {
		p := out()
		for range calls {
			clear(p)
		}
	}}
}

// prefetches are the ways in which random lines are prefetched. Which is best
// differs with the size and by CPU; the limit is the fastest of them.
var prefetches = []limit.Prefetch{
	{}, {Ahead: 16}, {Ahead: 32}, {Ahead: 64}, {Ahead: 128}, {Ahead: 192},
	{Ahead: 32, L2: true}, {Ahead: 64, L2: true}, {Ahead: 128, L2: true}, {Ahead: 192, L2: true},
}

// RandomLimits returns contenders that read a random line for each key of a
// batch. where tells, when they run, which memory and which lines.
func RandomLimits(warm int, where func() ([]uint64, []uint32)) (cs []Contender) {
	for _, pf := range prefetches {
		name := "random line"
		if pf.Ahead > 0 {
			name += fmt.Sprintf(", %d ahead", pf.Ahead)
		}
		if pf.L2 {
			name += " into L2"
		}
		var at int
		wake := func() {
			words, lines := where()
			for i := 0; i < len(words); i += limit.LineWords {
				Sink += int(words[i])
			}
			for _, l := range lines {
				Sink += int(l)
			}
		}
		cs = append(cs, Contender{Impl: name, Kind: report.Bound, Warm: warm, Wake: wake, Run: func(calls int) {
			words, lines := where()
			for range calls {
				if at+Batch+limit.MaxAhead > len(lines) {
					at = 0
				}
				Sink += int(limit.RandomLines(words, lines[at:at+Batch+limit.MaxAhead], pf))
				at += Batch
			}
		}})
	}
	return cs
}

// LimitStage measures what memory delivers in order and at random, at sizes of
// each, on small and on huge pages where both can be had. l3 is the size of the
// last cache.
func LimitStage(streams, randoms []int64, l3 int64, smallPages bool) *Stage {
	pages := []string{report.Small}
	if memory.CanChoose && !smallPages {
		pages = append(pages, report.Huge)
	}
	words := make([][]uint64, len(pages))
	var free []func()
	var groups []*Group
	for _, size := range streams {
		g := &Group{Op: report.StreamLimit, Size: size, Unit: report.Bytes, PerCall: float64(size)}
		for i := range pages {
			add(g, pages[i], StreamLimits(size, 1, func() []uint64 { return words[i][:size/8] }))
		}
		groups = append(groups, g)
	}
	for _, size := range randoms {
		g := &Group{Op: report.RandomLimit, Size: size, Unit: report.Keys, PerCall: Batch}
		var lines []uint32
		for i := range pages {
			add(g, pages[i], RandomLimits(WarmBatches(size, l3), func() ([]uint64, []uint32) {
				if lines == nil {
					lines = RandomLines(TestKeys(size), size)
				}
				return words[i][:size/8], lines
			}))
		}
		groups = append(groups, g)
	}
	largest := max(maxOf(streams), maxOf(randoms))
	return &Stage{
		Title:  "limits",
		Need:   int64(len(pages)) * largest,
		Groups: groups,
		Setup: func() error {
			for i := range pages {
				w, f, err := memory.Map(int(largest/8), pages[i] == report.Huge)
				if err != nil {
					return err
				}
				words[i], free = w, append(free, f)
			}
			return nil
		},
		Cleanup: func() {
			clear(words)
			for _, f := range free {
				f()
			}
			free = nil
		},
	}
}

func add(g *Group, pages string, cs []Contender) {
	for _, c := range cs {
		c.Pages = pages
		g.Contenders = append(g.Contenders, c)
	}
}

func maxOf(sizes []int64) (m int64) {
	for _, s := range sizes {
		m = max(m, s)
	}
	return m
}
