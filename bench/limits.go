package main

import (
	"fmt"

	"github.com/bitsieve/bitsieve/bench/internal/limit"
	"github.com/bitsieve/bitsieve/bench/internal/memory"
	"github.com/bitsieve/bitsieve/bench/internal/report"
)

// minStream is the size from which a reader's call weighs nothing against its
// work.
const minStream = 8 << 10

// streamLimits returns the ways to read words in order. The limit is the fastest
// of them.
func streamLimits(size int64, warm int, words func() []uint64) (cs []Contender) {
	if size < minStream {
		return nil
	}
	for _, r := range limit.Readers() {
		cs = append(cs, Contender{Impl: r.Name, Kind: report.Bound, Warm: warm, Run: func(calls int) {
			p := words()
			for range calls {
				sink += int(r.Read(p))
			}
		}})
	}
	return cs
}

// aheads are the distances at which random lines are prefetched. Which is best
// differs with the size; the limit is the fastest of them.
var aheads = []int{0, 8, 16, 32, 64}

// randomLimits returns contenders that read a random line for each key of a
// batch. where tells, when they run, which memory and which lines.
func randomLimits(warm int, where func() ([]uint64, []uint32)) (cs []Contender) {
	for _, ahead := range aheads {
		name := "random line"
		if ahead > 0 {
			name = fmt.Sprintf("random line, %d ahead", ahead)
		}
		var at int
		wake := func() {
			words, lines := where()
			for i := 0; i < len(words); i += limit.LineWords {
				sink += int(words[i])
			}
			for _, l := range lines {
				sink += int(l)
			}
		}
		cs = append(cs, Contender{Impl: name, Kind: report.Bound, Warm: warm, Wake: wake, Run: func(calls int) {
			words, lines := where()
			for range calls {
				if at+batch+limit.MaxAhead > len(lines) {
					at = 0
				}
				sink += int(limit.RandomLines(words, lines[at:at+batch+limit.MaxAhead], ahead))
				at += batch
			}
		}})
	}
	return cs
}

// limitStage measures what memory delivers in order and at random, on small and
// on huge pages where both can be had.
func limitStage(streams, randoms []int64, l3 int64, smallPages bool) *Stage {
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
			g.add(pages[i], streamLimits(size, 1, func() []uint64 { return words[i][:size/8] }))
		}
		groups = append(groups, g)
	}
	for _, size := range randoms {
		g := &Group{Op: report.RandomLimit, Size: size, Unit: report.Keys, PerCall: batch}
		var lines []uint32
		for i := range pages {
			g.add(pages[i], randomLimits(warmBatches(size, l3), func() ([]uint64, []uint32) {
				if lines == nil {
					lines = randomLines(testKeys(size), size)
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

func (g *Group) add(pages string, cs []Contender) {
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
