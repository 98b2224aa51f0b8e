// Package sortmap sorts and compares lists of 32-bit integers by bitmaps: a bit for each
// integer that may occur is set, and the bits are read in order (J. Bentley, "Programming
// Pearls", column 1). What occurs twice is one bit, so that the result is ascending and
// without duplicates.
//
// Setting bits at random is fast only in the caches. So a list that spans more than a
// bitmap of that size is first partitioned by its high bits, and the parts go through
// one small bitmap, one after the other. Where the list is too sparse for either, so
// that most words of the bitmap would be zero, it is sorted by a radix sort. The
// thresholds between the three are in plan.go.
//
// Both make a copy of the list, 4 bytes an integer. A list of more than maxScratch integers
// gets a bitmap of all that it spans, 512 MiB at the most, instead.
package sortmap

import (
	"slices"

	"github.com/bitsieve/bitsieve/internal/decode"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// SortUnique sorts v and removes duplicates, in place. It returns the beginning of v that
// holds the result; what is behind it is undefined.
func SortUnique(v []uint32) []uint32 {
	if len(v) <= smallList {
		slices.Sort(v)
		return slices.Compact(v)
	}
	lo, hi, ascending := bounds(v)
	if ascending {
		return v
	}
	return run(unique, v[:0], v, nil, lo, hi)
}

// Singles returns the integers that occur once in v, ascending, in v's memory.
func Singles(v []uint32) []uint32 { return count2(singles, v) }

// Duplicates returns the integers that occur more than once in v, ascending and once each,
// in v's memory.
func Duplicates(v []uint32) []uint32 { return count2(duplicates, v) }

func count2(op verb, v []uint32) []uint32 {
	if len(v) <= smallList {
		slices.Sort(v)
		return appendRuns(op, v[:0], v)
	}
	lo, hi, ascending := bounds(v)
	if ascending {
		if op == singles {
			return v
		}
		return v[:0]
	}
	return run(op, v[:0], v, nil, lo, hi)
}

// AppendIntersection appends to dst what occurs in both a and b, ascending and once each.
// Like the other two, it has read a and b before it writes, so that they may overlap.
func AppendIntersection(dst, a, b []uint32) []uint32 {
	if len(a) == 0 || len(b) == 0 {
		return dst
	}
	lo, hi, _ := bounds(a)
	lo1, hi1, _ := bounds(b)
	if lo, hi = max(lo, lo1), min(hi, hi1); lo > hi {
		return dst
	}
	return run(intersection, dst, a, b, lo, hi)
}

// AppendDifference appends to dst what occurs in a but not in b, ascending and once each.
func AppendDifference(dst, a, b []uint32) []uint32 {
	if len(a) == 0 {
		return dst
	}
	lo, hi, _ := bounds(a)
	return run(difference, dst, a, b, lo, hi)
}

// AppendUnion appends to dst what occurs in a, in b or in both, ascending and once each.
func AppendUnion(dst, a, b []uint32) []uint32 {
	if len(a) == 0 {
		a, b = b, a
	}
	if len(a) == 0 {
		return dst
	}
	lo, hi, _ := bounds(a)
	if len(b) > 0 {
		lo1, hi1, _ := bounds(b)
		lo, hi = min(lo, lo1), max(hi, hi1)
	}
	return run(union, dst, a, b, lo, hi)
}

// A verb is what becomes of one list or of two.
type verb uint8

const (
	unique verb = iota
	singles
	duplicates
	intersection
	union
	difference
)

// planes is how many bitmaps a verb takes: which integers occur in a, and which of them more
// than once or in b as well.
func (op verb) planes() int {
	if op == unique || op == union {
		return 1
	}
	return 2
}

// bounds returns the least and the greatest integer of v, which must not be empty, and
// whether each is greater than the one before.
func bounds(v []uint32) (lo, hi uint32, ascending bool) {
	i := 1
	for i < len(v) && v[i-1] < v[i] {
		i++
	}
	lo, hi = v[0], v[i-1]
	ascending = i == len(v)
	// Two of each, because each waits for the one before.
	lo1, hi1 := lo, hi
	for ; i+2 <= len(v); i += 2 {
		lo, hi = min(lo, v[i]), max(hi, v[i])
		lo1, hi1 = min(lo1, v[i+1]), max(hi1, v[i+1])
	}
	if i < len(v) {
		lo, hi = min(lo, v[i]), max(hi, v[i])
	}
	return min(lo, lo1), max(hi, hi1), ascending
}

// run appends the result of a verb to dst. Of a and b only what lies from lo to hi counts.
// a and b have been read when dst is written.
func run(op verb, dst, a, b []uint32, lo, hi uint32) []uint32 {
	return runBy(planFor(len(a)+len(b), uint64(hi-lo)+1, op.planes()), op, dst, a, b, lo, hi)
}

func runBy(p plan, op verb, dst, a, b []uint32, lo, hi uint32) []uint32 {
	if p.way == byNothing {
		return inPlace(op, dst, a, b, lo, hi)
	}
	w := pool.Get().(*work)
	switch p.way {
	case byBitmap:
		w.makePlanes(op.planes(), p.words)
		w.mark(op, a, b, lo, hi)
		dst = w.emit(op, dst, lo)
	case byParts:
		dst = w.byParts(op, dst, a, b, lo, hi, p.shift)
	case bySorting:
		dst = w.bySorting(op, dst, a, b, lo, hi)
	}
	w.put() // not deferred: after a panic the bitmaps may not be zero
	return dst
}

// mark sets in the first bitmap the bits of a, and in the second those of what occurs in it
// once more, or in b: bit 0 is lo.
func (w *work) mark(op verb, a, b []uint32, lo, hi uint32) {
	switch op {
	case unique:
		setAll(w.planes[0], a, lo)
	case singles, duplicates:
		setTwice(w.planes[0], w.planes[1], a, lo)
	case union:
		setAll(w.planes[0], a, lo)
		setAll(w.planes[0], b, lo)
	default:
		setWithin(w.planes[0], a, lo, hi)
		setWithin(w.planes[1], b, lo, hi)
	}
}

func setAll(words []uint64, v []uint32, lo uint32) {
	for _, x := range v {
		x -= lo
		words[x/wordBits] |= 1 << (x % wordBits)
	}
}

// setWithin is setAll for what lies from lo to hi.
func setWithin(words []uint64, v []uint32, lo, hi uint32) {
	for _, x := range v {
		if x -= lo; x <= hi-lo {
			words[x/wordBits] |= 1 << (x % wordBits)
		}
	}
}

// setTwice sets the bits of v in once, and in more those that were set there already: a
// counter of two bits for each integer, that stays at its top.
func setTwice(once, more []uint64, v []uint32, lo uint32) {
	more = more[:len(once)]
	for _, x := range v {
		x -= lo
		i, bit := x/wordBits, uint64(1)<<(x%wordBits)
		more[i] |= once[i] & bit
		once[i] |= bit
	}
}

// emit appends the integers that the bitmaps have for a verb, of which bit 0 is base, and
// clears the bitmaps.
func (w *work) emit(op verb, dst []uint32, base uint32) []uint32 {
	p, q := w.planes[0], w.planes[1]
	for len(p) > 0 {
		n := min(len(p), emitWords)
		part, ones := p[:n], 0
		switch op {
		case unique, union:
			ones = popcount.Count(part)
		case singles, difference:
			ones = popcount.AndNotWithCount(part, part, q[:n])
		case intersection:
			ones = popcount.AndWithCount(part, part, q[:n])
		case duplicates:
			part = q[:n]
			ones = popcount.Count(part)
		}
		if ones > 0 {
			end := len(dst) + ones
			dst = slices.Grow(dst, ones)[:end]
			decode.Indices(dst[end-ones:], part, base)
		}
		clear(p[:n])
		p = p[n:]
		if len(q) > 0 {
			clear(q[:n])
			q = q[n:]
		}
		base += wordBits * uint32(n)
	}
	return dst
}

// emitWords is how many words are combined, counted, decoded and cleared together: they stay
// in the first-level cache.
const emitWords = 2048

// byParts partitions the lists by their high bits, and has a bitmap of 2^shift bits for one
// part after the other.
func (w *work) byParts(op verb, dst, a, b []uint32, lo, hi uint32, shift uint) []uint32 {
	w.makePlanes(op.planes(), 1<<shift/wordBits)
	w.makeScratch(len(a) + len(b))
	parts := int((hi-lo)>>shift) + 1
	ends, endsB := w.ends(0, parts), w.ends(1, parts)
	scratchB := w.scratch[len(a):]
	partition(w.scratch, a, lo, hi, shift, ends)
	if len(b) > 0 {
		partition(scratchB, b, lo, hi, shift, endsB)
	}
	at, atB := uint32(0), uint32(0)
	for i, end := range ends {
		endB := endsB[i]
		// Where the result is a part of a, nothing comes of a part that a lacks.
		if at < end || op == union && atB < endB {
			base := lo + uint32(i)<<shift
			w.mark(op, w.scratch[at:end], scratchB[atB:endB], base, base+(1<<shift-1))
			dst = w.emit(op, dst, base)
		}
		at, atB = end, endB
	}
	return dst
}

// partition copies to dst what of v lies from lo to hi, ordered by (x-lo)>>shift, and sets
// ends, which are zero, to where in dst each part ends.
func partition(dst, v []uint32, lo, hi uint32, shift uint, ends []uint32) {
	shift %= 32 // tells the compiler
	for _, x := range v {
		if x -= lo; x <= hi-lo {
			ends[x>>shift]++
		}
	}
	at := uint32(0)
	for i, n := range ends {
		ends[i] = at
		at += n
	}
	for _, x := range v {
		if d := x - lo; d <= hi-lo {
			p := &ends[d>>shift]
			dst[*p] = x
			*p++
		}
	}
}

// inPlace is what is left where there is no memory for anything else. Two lists are not to
// be changed, and are copied all the same.
func inPlace(op verb, dst, a, b []uint32, lo, hi uint32) []uint32 {
	if op.lists() == 1 {
		slices.Sort(a)
		return appendRuns(op, dst, a)
	}
	a, b = within(nil, a, lo, hi), within(nil, b, lo, hi)
	slices.Sort(a)
	slices.Sort(b)
	return appendMerged(op, dst, a, b)
}

// within appends to dst what of v lies from lo to hi.
func within(dst, v []uint32, lo, hi uint32) []uint32 {
	for _, x := range v {
		if x-lo <= hi-lo {
			dst = append(dst, x)
		}
	}
	return dst
}

// affordable reports whether there is memory for so many bytes. The system is asked about no
// less than 64 MiB.
func affordable(bytes uint64) bool {
	if bytes < 64<<20 {
		return true
	}
	left := memory.Left()
	return left == 0 || bytes <= left-left/16
}
