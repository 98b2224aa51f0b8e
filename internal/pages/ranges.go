package pages

import (
	"math/bits"
	"sync/atomic"
)

// What looks at many integers in a row. Bounds are inclusive, first <= last, and as
// uint64 an integer may be 2^32, the one after the last.

// next returns the least integer that is from or greater and a member, or is none if
// want is false; 2^32 if there is no such integer.
func (s *Set) next(from uint64, want bool) uint64 {
	for from < end {
		switch d := s.dirs[from/dirSize].Load(); {
		case d == nil && want, d == FullDir && !want:
			from = from/dirSize*dirSize + dirSize
		case d == nil, d == FullDir:
			return from
		default:
			var found bool
			if from, found = d.next(from, want); found {
				return from
			}
		}
	}
	return end
}

// next looks from an integer of the directory to its last. If it finds nothing it
// returns the one after that.
func (d *Dir) next(from uint64, want bool) (at uint64, found bool) {
	stop := from/dirSize*dirSize + dirSize
	for from < stop {
		switch p := d[from/pageSize%DirPages].Load(); {
		case p == nil && want, p == FullPage && !want:
			from = from/pageSize*pageSize + pageSize
		case p == nil, p == FullPage:
			return from, true
		default:
			if from, found = p.next(from, want); found {
				return from, true
			}
		}
	}
	return stop, false
}

func (p *Page) next(from uint64, want bool) (at uint64, found bool) {
	flip := uint64(0)
	if !want {
		flip = ^flip
	}
	i := from / 64 % PageWords
	if w := (atomic.LoadUint64(&p[i]) ^ flip) >> (from % 64); w != 0 {
		return from + uint64(bits.TrailingZeros64(w)), true
	}
	base := from / pageSize * pageSize
	for i++; i < PageWords; i++ {
		if w := atomic.LoadUint64(&p[i]) ^ flip; w != 0 {
			return base + 64*i + uint64(bits.TrailingZeros64(w)), true
		}
	}
	return base + pageSize, false
}

// Ranges calls yield with the longest runs of members, in ascending order, until it
// returns false.
func (s *Set) Ranges(yield func(first, last uint32) bool) {
	for at := s.next(0, true); at < end; {
		stop := s.next(at, false)
		if !yield(uint32(at), uint32(stop-1)) {
			return
		}
		at = s.next(stop, true)
	}
}

// Prefixes calls yield with the fewest prefixes, by their first integer and their
// length in bits, that have exactly the members, in ascending order, until it returns
// false.
//
// Prefixes are nested or apart, so that each range can be taken for itself, and in it
// always the largest one that begins where the last has ended.
func (s *Set) Prefixes(yield func(first uint32, length int) bool) {
	s.Ranges(func(first, last uint32) bool {
		return prefixes(first, last, yield)
	})
}

func prefixes(first, last uint32, yield func(first uint32, length int) bool) bool {
	for x := uint64(first); x <= uint64(last); {
		aligned := bits.TrailingZeros32(uint32(x)) // 32 for 0
		fits := bits.Len64(uint64(last)-x+1) - 1
		n := min(aligned, fits)
		if !yield(uint32(x), 32-n) {
			return false
		}
		x += 1 << n
	}
	return true
}

// All calls yield with the members in ascending order until it returns false.
func (s *Set) All(yield func(x uint32) bool) {
	for i := range s.dirs {
		d := s.dirs[i].Load()
		if d == nil {
			continue
		}
		for j := range d {
			if p := d[j].Load(); p != nil && !p.all(uint32(i*dirSize+j*pageSize), yield) {
				return
			}
		}
	}
}

func (p *Page) all(base uint32, yield func(x uint32) bool) bool {
	for i := range p {
		for w := atomic.LoadUint64(&p[i]); w != 0; w &= w - 1 {
			if !yield(base + uint32(64*i+bits.TrailingZeros64(w))) {
				return false
			}
		}
	}
	return true
}

// ContainsRange reports whether every integer of a range is a member.
func (s *Set) ContainsRange(first, last uint32) bool {
	return s.next(uint64(first), false) > uint64(last)
}

// OverlapsRange reports whether some integer of a range is a member.
func (s *Set) OverlapsRange(first, last uint32) bool {
	return s.next(uint64(first), true) <= uint64(last)
}

// CountRange returns the number of members in a range.
func (s *Set) CountRange(first, last uint32) (n uint64) {
	for at, stop := uint64(first), uint64(last)+1; at < stop; {
		next := min(stop, at/dirSize*dirSize+dirSize)
		switch d := s.dirs[at/dirSize].Load(); d {
		case nil:
		case FullDir:
			n += next - at
		default:
			n += d.countRange(at, next)
		}
		at = next
	}
	return n
}

// countRange counts the members from at on, and below stop, which lies in the
// directory or is its end.
func (d *Dir) countRange(at, stop uint64) (n uint64) {
	for at < stop {
		next := min(stop, at/pageSize*pageSize+pageSize)
		switch p := d[at/pageSize%DirPages].Load(); {
		case p == nil:
		case p == FullPage:
			n += next - at
		case next-at == pageSize:
			n += uint64(p.Count())
		default:
			eachMask(at, next, func(i int, mask uint64) {
				n += uint64(bits.OnesCount64(atomic.LoadUint64(&p[i]) & mask))
			})
		}
		at = next
	}
	return n
}

// eachMask calls f with the words of a page that the integers from at on, and below
// stop, lie in, and with the bits that are theirs. They must lie in one page.
func eachMask(at, stop uint64, f func(i int, mask uint64)) {
	for at < stop {
		next := min(stop, at/64*64+64)
		f(int(at/64%PageWords), ^uint64(0)>>(64-(next-at))<<(at%64))
		at = next
	}
}

// AddRange adds the integers of a range. Goroutines may add and look up meanwhile.
func (s *Set) AddRange(first, last uint32) {
	for at, stop := uint64(first), uint64(last)+1; at < stop; {
		next := min(stop, at/dirSize*dirSize+dirSize)
		slot := &s.dirs[at/dirSize]
		if next-at == dirSize {
			slot.Store(FullDir)
		} else if d := fetch(slot); d != FullDir {
			d.addRange(at, next)
		}
		at = next
	}
}

func (d *Dir) addRange(at, stop uint64) {
	for at < stop {
		next := min(stop, at/pageSize*pageSize+pageSize)
		slot := &d[at/pageSize%DirPages]
		if next-at == pageSize {
			slot.Store(FullPage)
		} else if p := fetch(slot); p != FullPage {
			eachMask(at, next, func(i int, mask uint64) { or(&p[i], mask) })
		}
		at = next
	}
}

// RemoveRange removes the integers of a range. Nobody else may use the set.
func (s *Set) RemoveRange(first, last uint32) {
	for at, stop := uint64(first), uint64(last)+1; at < stop; {
		next := min(stop, at/dirSize*dirSize+dirSize)
		i := int(at / dirSize)
		if next-at == dirSize {
			s.SetDir(i, nil)
		} else if s.Dir(i) != nil {
			s.OwnDir(i).removeRange(at, next)
		}
		at = next
	}
}

func (d *Dir) removeRange(at, stop uint64) {
	for at < stop {
		next := min(stop, at/pageSize*pageSize+pageSize)
		i := int(at / pageSize % DirPages)
		if next-at == pageSize {
			d[i].Store(nil)
		} else if d[i].Load() != nil {
			p := d.OwnPage(i)
			eachMask(at, next, func(i int, mask uint64) { p[i] &^= mask })
		}
		at = next
	}
}

// Size returns the number of directories and pages that take memory: all but the
// full ones, which all sets share.
func (s *Set) Size() (dirs, pages int) {
	for i := range s.dirs {
		d := s.dirs[i].Load()
		if d == nil || d == FullDir {
			continue
		}
		dirs++
		for j := range d {
			if p := d[j].Load(); p != nil && p != FullPage {
				pages++
			}
		}
	}
	return dirs, pages
}
