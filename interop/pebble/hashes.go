package pebble

import "sync"

// chunkHashes is the number of hashes that are allocated at a time.
const chunkHashes = 16 << 10

type chunk[H uint32 | uint64] [chunkHashes]H

// hashes are those of a table's keys, which wait until their number is known, and with it the filter's
// size.
type hashes[H uint32 | uint64] struct {
	n    int         // how many
	last H           // the last one, if n > 0
	open *chunk[H]   // the one being filled, nil if n = 0
	full []*chunk[H] // those before it
}

var (
	chunks32 = sync.Pool{New: func() any { return new(chunk[uint32]) }}
	chunks64 = sync.Pool{New: func() any { return new(chunk[uint64]) }}
)

// pool is where chunks come from.
func (c *hashes[H]) pool() *sync.Pool {
	if ^H(0)>>31 == 1 {
		return &chunks32
	}
	return &chunks64
}

// add adds a hash, unless it is the last one again: the versions of one key follow each other, and take
// no more space than one.
func (c *hashes[H]) add(h H) {
	if h == c.last && c.n > 0 {
		return
	}
	i := c.n % chunkHashes
	if i == 0 {
		c.next()
	}
	c.open[i] = h
	c.last = h
	c.n++
}

// next puts an empty chunk in the place of a full one.
func (c *hashes[H]) next() {
	if c.open != nil {
		c.full = append(c.full, c.open)
	}
	c.open = c.pool().Get().(*chunk[H])
}

// drain calls f for all hashes, in order, and leaves none.
func (c *hashes[H]) drain(f func(part []H)) {
	if c.n == 0 {
		return
	}
	for i, full := range c.full {
		f(full[:])
		c.pool().Put(full)
		c.full[i] = nil
	}
	f(c.open[:(c.n-1)%chunkHashes+1])
	c.pool().Put(c.open)
	*c = hashes[H]{full: c.full[:0]}
}
