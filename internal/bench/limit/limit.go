// Package limit measures what this machine's memory can deliver at best, with
// loops that do nothing but read. What a filter or a bitset kernel reaches is
// judged against these, in the same run.
package limit

// A Reader is one way to read memory in order. Which is the fastest differs
// between caches and main memory, and from CPU to CPU: the limit is the best of
// them.
type Reader struct {
	Name string
	// Read reads all of p but the last len(p) mod ReadWords words, and returns
	// a mix of them that keeps the reads alive.
	Read func(p []uint64) uint64
}

// ReadWords is the number of 64-bit words that Readers read at a time.
const ReadWords = 64

// LineWords is the number of 64-bit words in what RandomLines calls a line: 64
// bytes, which is a cache line on most CPUs and half of one on some.
const LineWords = 8

// MaxAhead bounds the distance at which RandomLines prefetches.
const MaxAhead = 256

// A Prefetch says how RandomLines looks ahead.
type Prefetch struct {
	// Ahead is how many lines before its turn a line is prefetched, at most
	// MaxAhead. 0 is no prefetch.
	Ahead int
	// L2 tells to prefetch into L2 instead of L1: which of them has more misses
	// under way at a time differs by CPU.
	L2 bool
}

// RandomLines reads one word of each line of p that lines[:len(lines)-MaxAhead]
// names, in that order, and returns a mix of them. It is what a perfect filter of
// one line per key would cost: no hashing, no test, only the misses.
//
// Every element of lines must be below len(p)/LineWords.
func RandomLines(p []uint64, lines []uint32, pf Prefetch) uint64 {
	n := len(lines) - MaxAhead
	if n <= 0 || len(p) == 0 {
		return 0
	}
	ahead := min(pf.Ahead, MaxAhead)
	switch {
	case ahead <= 0:
		return randomLines(&p[0], &lines[0], n)
	case pf.L2:
		return randomLinesAheadL2(&p[0], &lines[0], n, ahead)
	}
	return randomLinesAhead(&p[0], &lines[0], n, ahead)
}

// readGo is the portable Reader: four sums, so that no read waits for another.
func readGo(p []uint64) uint64 {
	var a, b, c, d uint64
	for len(p) >= ReadWords {
		q := (*[ReadWords]uint64)(p)
		for i := 0; i < ReadWords; i += 4 {
			a |= q[i]
			b |= q[i+1]
			c |= q[i+2]
			d |= q[i+3]
		}
		p = p[ReadWords:]
	}
	return a | b | c | d
}
