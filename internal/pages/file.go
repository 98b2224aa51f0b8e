package pages

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// The form that a set has in a file, in words:
//
//	 16  bit i: directory i has members
//	then for each such directory, in order,
//	 16  bit j: page j of it is among those that follow
//	 16  bit j: page j of it is full, and does not follow
//	then the pages, in order, 64 words each
//
// Each part is a multiple of 64 bytes, and so are the places of the pages. An empty
// set is its first 16 words. A writer leaves out empty pages and marks full ones, so
// that equal sets have equal files; a reader does not insist on it, for it would have
// to look into every page.
const (
	topWords  = Dirs / 64
	markWords = DirPages / 64
)

// Counts is how many directories and pages a file has, and members.
type Counts struct{ Dirs, Pages, Members uint64 }

// Encode returns the words of a file, in parts, of which all but the first are the
// pages themselves. Nobody may change the set before they are written.
func (s *Set) Encode() (parts [][]uint64, n Counts) {
	head := make([]uint64, topWords)
	parts = append(parts, nil)
	for i := range s.dirs {
		d := s.dirs[i].Load()
		if d == nil {
			continue
		}
		var marks [2 * markWords]uint64
		stored, full := marks[:markWords], marks[markWords:]
		before := n.Members
		for j := range d {
			p := d[j].Load()
			if p == nil {
				continue
			}
			members := p.Members()
			switch members {
			case 0:
			case pageSize:
				full[j/64] |= 1 << (j % 64)
			default:
				stored[j/64] |= 1 << (j % 64)
				parts = append(parts, p[:])
				n.Pages++
			}
			n.Members += uint64(members)
		}
		if n.Members > before {
			head[i/64] |= 1 << (i % 64)
			head = append(head, marks[:]...)
			n.Dirs++
		}
	}
	parts[0] = head
	return parts, n
}

// Members is Count for a page that nobody changes.
func (p *Page) Members() int {
	if p == FullPage {
		return pageSize
	}
	return popcount.Count(p[:])
}

// Decode replaces the set by that of a file's words, in which its pages then lie. If
// they are not what Encode returns, with these numbers of directories and pages, it
// returns a *format.Error and leaves the set as it was. Nobody else may use the set.
func (s *Set) Decode(words []uint64, n Counts) error {
	if err := check(words, n); err != nil {
		return err
	}
	s.Clear()
	top, marks := words[:topWords], words[topWords:]
	next := marks[2*markWords*n.Dirs:]
	eachBit(top, func(i int) {
		stored, full := marks[:markWords], marks[markWords:2*markWords]
		marks = marks[2*markWords:]
		if bits.OnesCount64(full[0]) == 64 && popcount.Count(full) == DirPages {
			s.dirs[i].Store(FullDir)
			return
		}
		d := new(Dir)
		eachBit(stored, func(j int) {
			d[j].Store((*Page)(next))
			next = next[PageWords:]
		})
		eachBit(full, func(j int) { d[j].Store(FullPage) })
		s.dirs[i].Store(d)
	})
	return nil
}

// check checks that words are those of so many directories and pages.
func check(words []uint64, n Counts) error {
	wrong := func(word uint64, detail string, args ...any) error {
		return format.Errorf(format.ErrHeader, "directory", int64(format.HeaderBytes+8*word), detail, args...)
	}
	if n.Dirs > Dirs || n.Pages > n.Dirs*DirPages {
		return wrong(0, "has %d parts and %d pages", n.Dirs, n.Pages)
	}
	pages := topWords + 2*markWords*n.Dirs // where they begin
	if want := pages + PageWords*n.Pages; uint64(len(words)) != want {
		return wrong(0, "has %d parts and %d pages in %d bytes, want %d", n.Dirs, n.Pages, 8*len(words), 8*want)
	}
	if found := uint64(popcount.Count(words[:topWords])); found != n.Dirs {
		return wrong(0, "has %d parts, the header says %d", found, n.Dirs)
	}
	stored := uint64(0)
	for at := uint64(topWords); at < pages; at += 2 * markWords {
		some := false
		for i := range uint64(markWords) {
			a, b := words[at+i], words[at+markWords+i]
			if a&b != 0 {
				return wrong(at+i, "has pages that are full and follow")
			}
			some = some || a|b != 0
			stored += uint64(bits.OnesCount64(a))
		}
		if !some {
			return wrong(at, "has a part without pages")
		}
	}
	if stored != n.Pages {
		return wrong(0, "has %d pages, the header says %d", stored, n.Pages)
	}
	return nil
}

// eachBit calls f with the indices of the bits set.
func eachBit(words []uint64, f func(i int)) {
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			f(64*i + bits.TrailingZeros64(w))
		}
	}
}

// Clear removes all members, and lets go of their memory. Nobody else may use the set.
func (s *Set) Clear() {
	for i := range s.dirs {
		s.dirs[i].Store(nil)
	}
}
