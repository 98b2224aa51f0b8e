package bitsieve

// Sorting by bitmap, and what follows from it: which integers of a list occur once, which
// more often, what two lists have in common. internal/sortmap does the work on lists;
// CountMap takes what comes in pieces.

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/bitsieve/bitsieve/internal/decode"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/pext"
	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/sortmap"
)

// SortUnique sorts values in place, removes duplicates, and returns the beginning of values
// that holds the result. What is behind it is undefined.
//
// It takes time linear in len(values): by setting bits and reading them in order where
// the values lie close enough together, by a radix sort otherwise. Its working memory is
// 4 MiB or less where they lie within 2^25 of each other and not too sparse, otherwise 4
// bytes a value, and 512 MiB at the most. Small working memory is kept for later
// calls. If the system has not enough of it left, values are sorted by comparisons, in
// place.
//
// Any number of goroutines may sort lists of their own at once.
func SortUnique(values []uint32) []uint32 { return sortmap.SortUnique(values) }

// Singles returns the values that occur exactly once in values, in ascending order, in the
// memory of values, whose other contents are undefined then. Time and memory are those of
// SortUnique, but for twice the bitmap. See [CountMap] for values that come in pieces.
func Singles(values []uint32) []uint32 { return sortmap.Singles(values) }

// Duplicates returns the values that occur more than once in values, each once and in ascending
// order, under the conditions of Singles.
func Duplicates(values []uint32) []uint32 { return sortmap.Duplicates(values) }

// IntersectLists appends to dst the values that are in both a and b, in ascending order and
// each once, and returns the extended slice. The lists may have any order and duplicates.
// They are not changed, unless dst has room in their memory: it may, for they have been
// read by then.
//
// Time is linear in len(a) + len(b), and working memory is that of SortUnique for a list
// of as many values, but for twice the bitmap: 1 GiB at the most.
func IntersectLists(dst, a, b []uint32) []uint32 { return sortmap.AppendIntersection(dst, a, b) }

// UnionLists appends to dst the values that are in a, in b or in both, under the conditions of
// IntersectLists.
func UnionLists(dst, a, b []uint32) []uint32 { return sortmap.AppendUnion(dst, a, b) }

// DifferenceLists appends to dst the values that are in a but not in b, under the conditions of
// IntersectLists.
func DifferenceLists(dst, a, b []uint32) []uint32 { return sortmap.AppendDifference(dst, a, b) }

// ErrOverflow is wrapped when a counter would have to count further than it can.
var ErrOverflow = errors.New("bitsieve: a counter is full")

// CountMap counts how often each 32-bit integer was added, in a counter of 2, 4, 8 or 16 bits
// for each that there may be: with 2 bits it tells which of any number of integers came
// once and which more often, with more it sorts a list with duplicates. A counter that is
// full stays full; what it has missed is counted by Missed, and AppendSorted fails.
//
// Counters are made in pages of 2^18 as values come, so that a map takes 2^15 times its
// bits in bytes for each page, 1 GiB at the most for 2 bits and 8 GiB for 16.
//
// Any number of goroutines may read one map; a writer must be alone. A map comes from
// NewCountMap: the zero value has no counters, and using it panics.
type CountMap struct {
	width  uint       // of a counter, in bits
	pages  [][]uint64 // nil, or countPage counters
	made   int        // pages
	added  uint64     // values
	missed uint64     // values that found their counter full
}

const (
	countShift = 18
	countPage  = 1 << countShift
	// countAsk is how many bytes of pages are made between two questions what memory is left.
	countAsk = 64 << 20
)

// NewCountMap returns an empty map with counters of the given number of bits, which is 2, 4, 8
// or 16; otherwise the error wraps ErrParameter.
func NewCountMap(bits int) (*CountMap, error) {
	switch bits {
	case 2, 4, 8, 16:
		return &CountMap{width: uint(bits), pages: make([][]uint64, 1<<32/countPage)}, nil
	}
	return nil, fmt.Errorf("%w: counters of %d bits, 2, 4, 8 and 16 are possible", ErrParameter, bits)
}

// Max returns up to what a counter counts, 2^bits - 1.
func (m *CountMap) Max() int { return 1<<m.width - 1 }

// Add counts each of the values once more. If the system has no memory left for another
// page, the error wraps ErrMemory, and the values before the one at fault have been
// counted.
func (m *CountMap) Add(values ...uint32) error {
	width, top := m.width, uint64(1)<<m.width-1
	perWord := uint(bits.TrailingZeros(wordBits / width)) // as a power of two
	for n, v := range values {
		page := m.pages[v>>countShift]
		if page == nil {
			var err error
			if page, err = m.makePage(v >> countShift); err != nil {
				m.added += uint64(n)
				return err
			}
		}
		i := v % countPage
		w := &page[i>>perWord]
		at := uint(i) * width % wordBits
		if *w>>at&top == top {
			m.missed++
			continue
		}
		*w += 1 << at
	}
	m.added += uint64(len(values))
	return nil
}

func (m *CountMap) makePage(i uint32) ([]uint64, error) {
	words := countPage / wordBits * int(m.width)
	if m.made%(countAsk/(wordBytes*words)) == 0 {
		if left := memory.Left(); left != 0 && left < countAsk {
			return nil, fmt.Errorf("%w: counters take %d bytes, and %d are left", ErrMemory, m.SizeBytes(), left)
		}
	}
	m.made++
	m.pages[i] = make([]uint64, words)
	return m.pages[i], nil
}

// Count returns how often v was added, or Max if that is less.
func (m *CountMap) Count(v uint32) int {
	page := m.pages[v>>countShift]
	if page == nil {
		return 0
	}
	return m.counter(page, v)
}

// counter returns the counter of v in its page.
func (m *CountMap) counter(page []uint64, v uint32) int {
	at := uint64(v%countPage) * uint64(m.width)
	return int(page[at/wordBits] >> (at % wordBits) & (1<<m.width - 1))
}

// Missed returns how many additions found their counter full.
func (m *CountMap) Missed() uint64 { return m.missed }

// SizeBytes returns the size of the counters that there are.
func (m *CountMap) SizeBytes() uint64 {
	return uint64(m.made) * countPage / 8 * uint64(m.width)
}

// Clear sets all counters to 0 and lets go of their memory.
func (m *CountMap) Clear() {
	clear(m.pages)
	m.made, m.added, m.missed = 0, 0, 0
}

// AppendSorted appends to dst each value as often as it was added, in ascending order: all
// that was added, sorted. If a counter has missed additions, dst is returned as it is
// with an error that wraps ErrOverflow.
func (m *CountMap) AppendSorted(dst []uint32) ([]uint32, error) {
	if m.missed > 0 {
		return dst, fmt.Errorf("%w: %d bits count to %d, and %d values are missed", ErrOverflow, m.width, m.Max(), m.missed)
	}
	dst = slices.Grow(dst, int(m.added))
	for v, n := range m.EachCount() {
		for range n {
			dst = append(dst, v)
		}
	}
	return dst, nil
}

// EachCount returns an iterator over the values that were added, in ascending order, each with
// its Count. The map must not change during the iteration.
func (m *CountMap) EachCount() iter.Seq2[uint32, int] {
	return func(yield func(uint32, int) bool) {
		var f countFold
		f.init(m.width, countAny)
		for i, page := range m.pages {
			base := uint32(i) << countShift
			for rest := page; len(rest) > 0; {
				var selected []uint64
				selected, rest = f.next(rest)
				for x, w := range selected {
					for ; w != 0; w &= w - 1 {
						v := base + uint32(x*wordBits+bits.TrailingZeros64(w))
						if !yield(v, m.counter(page, v)) {
							return
						}
					}
				}
				base += uint32(len(selected)) * wordBits
			}
		}
	}
}

// AppendDistinct appends to dst the values that were added, each once and in ascending order.
func (m *CountMap) AppendDistinct(dst []uint32) []uint32 { return m.appendSelected(dst, countAny) }

// AppendSingles appends to dst the values that were added exactly once, in ascending order.
func (m *CountMap) AppendSingles(dst []uint32) []uint32 { return m.appendSelected(dst, countOne) }

// AppendDuplicates appends to dst the values that were added more than once, each once and in
// ascending order.
func (m *CountMap) AppendDuplicates(dst []uint32) []uint32 { return m.appendSelected(dst, countMore) }

func (m *CountMap) appendSelected(dst []uint32, which countTest) []uint32 {
	var f countFold
	f.init(m.width, which)
	for i, page := range m.pages {
		base := uint32(i) << countShift
		for len(page) > 0 {
			var selected []uint64
			selected, page = f.next(page)
			end := len(dst) + popcount.Count(selected)
			if end > len(dst) {
				at := len(dst)
				dst = slices.Grow(dst, end-at)[:end]
				decode.Indices(dst[at:], selected, base)
			}
			base += uint32(len(selected)) * wordBits
		}
	}
	return dst
}

// A countTest selects counters.
type countTest uint8

const (
	countAny  countTest = iota // not 0
	countOne                   // 1
	countMore                  // more than 1
)

// foldWords is how many words of counters are tested at a time.
const foldWords = 256

// A countFold turns words of counters into words of one bit a counter.
type countFold struct {
	width    uint
	which    countTest
	lowest   uint64 // of each counter
	mask     [foldWords]uint64
	folded   [foldWords]uint64
	selected [foldWords / 2]uint64
}

func (f *countFold) init(width uint, which countTest) {
	f.width, f.which, f.lowest = width, which, ^uint64(0)/(1<<width-1)
	for i := range f.mask {
		f.mask[i] = f.lowest
	}
}

// next returns a bit for each of the first counters of page, set if the test selects it, and
// the rest of the page.
func (f *countFold) next(page []uint64) (selected, rest []uint64) {
	for i, w := range page[:foldWords] {
		if w == 0 { // most, where values are few
			f.folded[i] = 0
			continue
		}
		switch f.which {
		case countAny:
			w = anyBit(w, f.width)
		case countOne:
			w = ^anyBit(w^f.lowest, f.width)
		case countMore:
			w = anyBit(w&^f.lowest, f.width)
		}
		f.folded[i] = w
	}
	n := foldWords / int(f.width)
	pext.Extract(f.selected[:n], f.folded[:], f.mask[:])
	return f.selected[:n], page[foldWords:]
}

// anyBit sets the lowest bit of each counter of which any bit is set.
func anyBit(w uint64, width uint) uint64 {
	w |= w >> 1
	if width > 2 {
		w |= w >> 2
	}
	if width > 4 {
		w |= w >> 4
	}
	if width > 8 {
		w |= w >> 8
	}
	return w
}
