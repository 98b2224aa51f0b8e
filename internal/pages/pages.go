// Package pages keeps sets of 32-bit integers as bitmaps in pages, which are made as
// members come. Any number of goroutines may add and look up without locks.
//
// A set is a tree of three floors: a table of directories, each a table of pages,
// each a bitmap of 512 bytes. What is absent is a nil pointer. What has every integer
// is a pointer to the one full page or the one full directory, which nobody writes, so
// that 0 to 2^32-1 takes no more memory than nothing.
//
// While goroutines add, a pointer changes from nil to what is not nil, or to what is
// full, and a bit from 0 to 1; everything else is for a goroutine that has the set for
// itself. So an adder that holds a page which meanwhile gave way to the full one loses
// nothing: its bit is in that one too.
package pages

import (
	"math/bits"
	"sync/atomic"

	"github.com/bitsieve/bitsieve/internal/popcount"
)

// The floors of the tree. A page of 512 bytes is a compromise between sets whose
// members lie far apart, each with a page of its own, and the pointers: 8 MiB of them
// for 512 MiB of pages. TUNING.md has the figures for other sizes.
const (
	pageBits = 12 // an integer's place in its page: the low 12 bits
	dirBits  = 10 // the page's place in its directory
	topBits  = 32 - pageBits - dirBits

	PageWords = 1 << pageBits / 64
	DirPages  = 1 << dirBits
	Dirs      = 1 << topBits

	pageSize = 1 << pageBits // integers in a page
	dirSize  = pageSize * DirPages
	end      = 1 << 32 // the integer after the last

	// PageBytes is the size of a page.
	PageBytes = 8 * PageWords
)

// A Page is the bitmap of 4,096 integers in a row.
type Page [PageWords]uint64

// A Dir is a table of pages.
type Dir [DirPages]atomic.Pointer[Page]

// A Set is a set of 32-bit integers. Its zero value is empty, and ready to use.
type Set struct {
	dirs [Dirs]atomic.Pointer[Dir]
}

// FullPage and FullDir have every integer. Nobody writes to them: whoever adds finds
// the bit set, and whoever removes asks for what is private first.
var (
	FullPage = func() *Page {
		p := new(Page)
		for i := range p {
			p[i] = ^uint64(0)
		}
		return p
	}()
	FullDir = privateFullDir()
)

func privateFullDir() *Dir {
	d := new(Dir)
	for i := range d {
		d[i].Store(FullPage)
	}
	return d
}

// Dir returns directory i, nil if it has no members.
func (s *Set) Dir(i int) *Dir { return s.dirs[i].Load() }

// SetDir replaces directory i. Nobody else may use the set.
func (s *Set) SetDir(i int, d *Dir) { s.dirs[i].Store(d) }

// OwnDir returns directory i for a caller that changes its pages' pointers, and has the
// set for itself.
func (s *Set) OwnDir(i int) *Dir {
	switch d := s.dirs[i].Load(); d {
	case nil:
		d = new(Dir)
		s.dirs[i].Store(d)
		return d
	case FullDir:
		d = privateFullDir()
		s.dirs[i].Store(d)
		return d
	default:
		return d
	}
}

// OwnPage returns page i of d, which is not FullDir, for a caller that writes its words
// and has the set for itself. The page must not be nil.
func (d *Dir) OwnPage(i int) *Page {
	p := d[i].Load()
	if p == FullPage {
		p = p.Clone()
		d[i].Store(p)
	}
	return p
}

// Clone returns a copy of the page.
func (p *Page) Clone() *Page {
	c := new(Page)
	*c = *p
	return c
}

// Add adds x, and reports whether it was absent. Of several goroutines that add the
// same integer at the same time, one is told that it was.
func (s *Set) Add(x uint32) bool {
	p := s.find(x)
	if p == nil {
		p = s.page(x)
	}
	return or(&p[x/64%PageWords], 1<<(x%64))
}

// find returns the page of x, nil if it is not there.
func (s *Set) find(x uint32) *Page {
	d := s.dirs[x>>(pageBits+dirBits)].Load()
	if d == nil {
		return nil
	}
	return d[x>>pageBits%DirPages].Load()
}

// or sets the bits of mask in w, and reports whether all of them were 0. What is set
// already is not written, so that the cache line stays shared with other processors.
func or(w *uint64, mask uint64) bool {
	if atomic.LoadUint64(w)&mask == mask {
		return false
	}
	return atomic.OrUint64(w, mask)&mask == 0
}

// page returns the page of x, and makes it if it is not there. Of two goroutines that
// make it at the same time, one's is taken by both.
func (s *Set) page(x uint32) *Page {
	d := fetch(&s.dirs[x>>(pageBits+dirBits)])
	return fetch(&d[x>>pageBits%DirPages])
}

func fetch[T any](slot *atomic.Pointer[T]) *T {
	if p := slot.Load(); p != nil {
		return p
	}
	slot.CompareAndSwap(nil, new(T))
	return slot.Load()
}

// Contains reports whether x is a member.
func (s *Set) Contains(x uint32) bool {
	p := s.find(x)
	return p != nil && atomic.LoadUint64(&p[x/64%PageWords])>>(x%64)&1 != 0
}

// tile is how many integers of a batch are looked up before the first is added: an
// atomic write waits for what was begun before it, and would keep the processor from
// fetching the next one's cache line meanwhile.
const tile = 64

// AddAll adds integers, and returns how many of them were absent, doubles once.
func (s *Set) AddAll(xs []uint32) (added int) {
	var words [tile]*uint64
	for len(xs) > 0 {
		now := xs[:min(len(xs), tile)]
		xs = xs[len(now):]
		missing := uint64(0) // bit i: now[i] was absent when it was looked up
		for i, x := range now {
			p := s.find(x)
			if p == nil {
				p = s.page(x)
			}
			w := &p[x/64%PageWords]
			words[i%tile] = w
			missing |= (^atomic.LoadUint64(w) >> (x % 64) & 1) << (i % tile)
		}
		for ; missing != 0; missing &= missing - 1 {
			i := bits.TrailingZeros64(missing)
			if or(words[i%tile], 1<<(now[i]%64)) {
				added++
			}
		}
	}
	return added
}

// ContainsAll sets bit i of hits to whether xs[i] is a member, and the bits after the
// last to 0, in as many words as they take. It returns the number of members.
func (s *Set) ContainsAll(xs []uint32, hits []uint64) (n int) {
	for len(xs) > 0 {
		now := xs[:min(len(xs), 64)]
		xs = xs[len(now):]
		word := uint64(0)
		for i, x := range now {
			if p := s.find(x); p != nil {
				word |= (atomic.LoadUint64(&p[x/64%PageWords]) >> (x % 64) & 1) << (i % 64)
			}
		}
		n += bits.OnesCount64(word)
		if len(hits) > 0 {
			hits[0] = word
			hits = hits[1:]
		}
	}
	return n
}

// Remove removes x, and reports whether it was there. Nobody else may use the set.
func (s *Set) Remove(x uint32) bool {
	if !s.Contains(x) {
		return false
	}
	p := s.OwnDir(int(x >> (pageBits + dirBits))).OwnPage(int(x >> pageBits % DirPages))
	p[x/64%PageWords] &^= 1 << (x % 64)
	return true
}

// load copies the page, in which goroutines may add at the same time.
func (p *Page) load(c *Page) {
	for i := range p {
		c[i] = atomic.LoadUint64(&p[i])
	}
}

// Count returns the number of members of a page to which goroutines may add.
func (p *Page) Count() int {
	if p == FullPage {
		return pageSize
	}
	var c Page
	p.load(&c)
	return popcount.Count(c[:])
}
