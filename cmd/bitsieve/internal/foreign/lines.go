package foreign

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bitsieve/bitsieve"
)

// A Funnel is how a line becomes a key. Guava's word for it is the command's.
type Funnel int

const (
	Usual  Funnel = iota // what is usual for the filter
	String               // the line's bytes, which are UTF-8
	Chars                // its UTF-16 code units
	Int                  // a decimal integer of 32 bits
	Long                 // a decimal integer of 64 bits
)

var funnels = []string{Usual: "", String: "string", Chars: "chars", Int: "int", Long: "long"}

func (f Funnel) String() string { return funnels[f] }

// ParseFunnel returns the funnel of a name. "bytes" is another one for "string".
func ParseFunnel(name string) (Funnel, error) {
	if name == "bytes" {
		return String, nil
	}
	for f, s := range funnels {
		if s == name && s != "" {
			return Funnel(f), nil
		}
	}
	return Usual, fmt.Errorf("there is no funnel %q; there are %s and bytes", name, strings.Join(funnels[1:], ", "))
}

// asString returns s, of whose lines the bytes are the keys, if the choice allows.
func asString(c Choice, what string, s Lines) (Lines, error) {
	if c.Funnel != Usual && c.Funnel != String {
		return nil, fmt.Errorf("the keys of %s are bytes: there is no funnel %q for it", what, c.Funnel)
	}
	return s, nil
}

// converted are lines that stand for values of type T. A line that does not stand
// for one is in no set.
type converted[T any] struct {
	parse func(line []byte) (T, bool)
	test  func(values []T, hits *bitsieve.BitSet) int

	values []T
	lines  []uint // of which these are the values
	hits   bitsieve.BitSet
}

func (c *converted[T]) TestBytes(lines [][]byte, hits *bitsieve.BitSet) int {
	c.values, c.lines = c.values[:0], c.lines[:0]
	for i, line := range lines {
		if v, ok := c.parse(line); ok {
			c.values, c.lines = append(c.values, v), append(c.lines, uint(i))
		}
	}
	n := c.test(c.values, &c.hits)
	empty(hits, len(lines))
	for i := range c.hits.EachSet() {
		hits.Set(c.lines[i])
	}
	return n
}

// empty makes hits a set of length n with no member.
func empty(hits *bitsieve.BitSet, n int) {
	if hits.Len() != uint(n) {
		*hits = *bitsieve.NewBitSet(uint(n))
		return
	}
	hits.ClearAll()
}

// integer returns a parser of decimal integers of so many bits.
func integer[T int32 | int64](bits int) func(line []byte) (T, bool) {
	return func(line []byte) (T, bool) {
		x, err := strconv.ParseInt(string(line), 10, bits)
		return T(x), err == nil
	}
}

// some reports whether one of several filters may have a line.
type some struct {
	filters []Lines
	hits    bitsieve.BitSet
}

func (s *some) TestBytes(lines [][]byte, hits *bitsieve.BitSet) int {
	empty(hits, len(lines))
	for _, f := range s.filters {
		f.TestBytes(lines, &s.hits)
		hits.InPlaceUnion(&s.hits)
	}
	return int(hits.Count())
}
