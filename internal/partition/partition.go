// Package partition adds the hashes of many goroutines to one blocked filter, sorted
// by where they go: one pass of a radix partitioning in front of internal/block's batch
// kernels, with write-combining in software as in Satish et al., Fast sort on CPUs and
// GPUs (2010).
//
// A block's index is the high half of hash × blocks, so the index shifted right
// divides the filter into parts of consecutive blocks. Each goroutine has a Writer,
// which puts every hash on the stage of its part, a small buffer that stays in the
// core's cache, and full stages past the caches into a chunk. Full chunks go to the
// part, and whoever brings the one that makes enough of them adds them all. Nobody else
// adds to that part meanwhile, so that plain loads and stores do; and the part lies in
// that core's cache, so that a line comes from memory once for several keys, and not
// once for each.
//
// What goroutines share is a part's lock and list, for one chunk of 512 keys at a
// time, the chunks, and the lines of the filter. None of it grows with the number of
// goroutines: TestModel reckons it for 1 to 64.
package partition

import (
	"math/bits"
	"sync"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

const (
	// chunkKeys is the number of hashes in a chunk: a page of them.
	chunkKeys = 512
	// stageKeys is the number of hashes that go to a chunk together, a power of two.
	stageKeys = 64
	// groupKeys is the number of keys between two looks for full stages: a stage has
	// room for as many more.
	groupKeys  = 8
	stageWords = stageKeys + groupKeys

	// minParts keeps goroutines out of each other's way in small filters.
	minParts = 64
	maxParts = 1024

	// partBytes is the size of a part, as long as maxParts allow: it fits in the
	// second-level cache of every core that internal/cpu knows.
	partBytes = 512 << 10
	// keysPerBlock is how many keys for each block of a part wait before they are added:
	// at 8 bytes each a quarter of the filter's size.
	keysPerBlock = 2

	mixMul   = hash.MixMul // for the kernels
	mixFirst = hash.MixFirst
)

// A chunk holds hashes of one part. It is full when it goes to the part.
type chunk [chunkKeys]uint64

// A Plan says how a filter is divided.
type Plan struct {
	Parts int  // 1 to maxParts
	Shift uint // a block's index, shifted right by it, is its part
	Drain int  // chunks of a part that are added together
}

// PlanFor returns the Plan for a filter of the given number of blocks, 1 or more.
func PlanFor(blocks uint64) Plan {
	blocks = max(blocks, 1)
	limit := uint64(min(max(blocks/(partBytes/block.Bytes), minParts), maxParts))
	shift := uint(max(bits.Len64(blocks-1)-bits.Len64(limit-1), 0))
	keys := uint64(keysPerBlock) << shift
	return Plan{
		Parts: int((blocks-1)>>shift) + 1,
		Shift: shift,
		Drain: int(max(keys/chunkKeys, 1)),
	}
}

// A Set is the parts of a filter.
type Set struct {
	f     *block.Filter
	plan  Plan
	parts []part
	pool  pool

	raceMu sync.Mutex // held by add in builds with the race detector
}

// A part is some of the filter's blocks and the hashes that wait for it. Neighbours
// are kept out of each other's cache lines.
type part struct {
	list    sync.Mutex
	waiting []*chunk // guarded by list

	adding sync.Mutex // held by who adds to the blocks; taken before list
	_      [88]byte
}

// New returns the Set of a filter with blocks. Its memory is on huge pages if huge is
// set. Nobody else may use the filter from the first hash to Flush.
func New(f *block.Filter, huge bool) *Set {
	s := &Set{f: f, plan: PlanFor(uint64(len(f.Blocks))), pool: pool{huge: huge, size: smallSlab}}
	if len(f.Blocks) >= slabBytes/block.Bytes {
		s.pool.size = slabBytes
	}
	s.parts = make([]part, s.plan.Parts)
	return s
}

// put gives a full chunk to a part and adds what waits there if it is enough. If it
// is another goroutine that adds, the chunk is left to wait, as long as there are no
// more than twice as many.
func (s *Set) put(w *Writer, p *part, c *chunk) {
	p.list.Lock()
	p.waiting = append(p.waiting, c)
	n := len(p.waiting)
	p.list.Unlock()
	switch {
	case n < s.plan.Drain:
		return
	case n >= 2*s.plan.Drain:
		p.adding.Lock()
	case !p.adding.TryLock():
		return
	}
	s.drain(p, &w.free, &w.taken)
	p.adding.Unlock()
}

// drain adds what waits for a part, whose lock adding the caller holds, and puts the
// chunks among the free ones. taken is scratch memory.
func (s *Set) drain(p *part, free *freeList, taken *[]*chunk) {
	p.list.Lock()
	chunks := p.waiting
	p.waiting = (*taken)[:0]
	p.list.Unlock()
	*taken = chunks
	if len(chunks) == 0 {
		return
	}
	for _, c := range chunks {
		s.add(c[:])
		free.put(&s.pool, c)
	}
	clear(chunks)
}

// add adds hashes of a part, whose lock adding the caller holds. The race detector is told
// of a write to the filter, ordered after those of other Writers and before and after
// nothing else; in its builds one goroutine adds at a time.
func (s *Set) add(hashes []uint64) {
	if race.Enabled {
		s.raceMu.Lock()
		defer s.raceMu.Unlock()
		s.f.RaceWrite()
	}
	s.f.AddPart(hashes)
}
