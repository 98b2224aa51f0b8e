package partition

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// A Writer collects the hashes of one goroutine: a part's go to its stage, which stays in
// the core's cache, and when that is full past the caches to the end of a chunk.
type Writer struct {
	s     *Set
	index int
	free  freeList
	taken []*chunk // scratch memory of drain

	stage *[stageWords]uint64 // the first of as many as there are parts
	n     [maxParts]uint32    // hashes in the stage, fewer than stageKeys between two calls

	stages [][stageWords]uint64
	open   []*chunk
	used   []uint32 // of open, in words
}

// Writer returns a new Writer, the index-th of the Set.
func (s *Set) Writer(index int) *Writer {
	n := len(s.parts)
	w := &Writer{s: s, index: index, open: make([]*chunk, n), used: make([]uint32, n)}
	words := memory.Words(uint64(n*stageWords), s.pool.huge)
	w.stages = unsafe.Slice((*[stageWords]uint64)(unsafe.Pointer(unsafe.SliceData(words))), n)
	w.stage = &w.stages[0]
	w.free.chunks = make([]*chunk, 0, freeKept)
	for p := range w.open {
		w.open[p] = w.free.take(&s.pool)
	}
	return w
}

// maxBatch is the largest number of keys for one call of a kernel, which cannot be
// preempted: 20 µs at 5 ns a key.
const maxBatch = 4096

// Add adds hashes or, if mixed is set, integers, under no secret key.
func (w *Writer) Add(keys []uint64, mixed bool) {
	for len(keys) >= groupKeys {
		n := w.scatter(keys[:min(len(keys)&^(groupKeys-1), maxBatch)], mixed)
		w.closeFull(keys[n-groupKeys:n], mixed)
		keys = keys[n:]
	}
	if len(keys) > 0 {
		w.scatterGeneric(keys, mixed)
		w.closeFull(keys, mixed)
	}
}

// scatterGeneric puts keys into the stages of their parts, until one of these is
// full: then it stops at the end of a group. It returns how many it has taken, which
// is all of the last group's keys, and a multiple of groupKeys if len(keys) is.
func (w *Writer) scatterGeneric(keys []uint64, mixed bool) int {
	blocks, shift := uint64(len(w.s.f.Blocks)), w.s.plan.Shift&63
	for done := 0; done < len(keys); {
		full := uint32(0)
		group := keys[done:min(done+groupKeys, len(keys))]
		for _, h := range group {
			if mixed {
				h = hash.Mix(h)
			}
			p := block.Index(h, blocks) >> shift % maxParts
			n := w.n[p]
			w.stages[p][n] = h
			w.n[p] = n + 1
			full |= n + 1
		}
		done += len(group)
		if full&stageKeys != 0 { // below twice that, so that the bit says so
			return done
		}
	}
	return len(keys)
}

// closeFull empties the stages that the keys have filled. What they have beyond
// stageKeys stays.
func (w *Writer) closeFull(keys []uint64, mixed bool) {
	blocks, shift := uint64(len(w.s.f.Blocks)), w.s.plan.Shift&63
	for _, h := range keys {
		if mixed {
			h = hash.Mix(h)
		}
		p := block.Index(h, blocks) >> shift % maxParts
		if n := w.n[p]; n >= stageKeys {
			w.n[p] = n - stageKeys
			w.empty(int(p))
		}
	}
}

// empty moves the full stage of a part to the end of its open chunk, and gives that to
// the part if it is full.
func (w *Writer) empty(p int) {
	stage, c, used := &w.stages[p], w.open[p], w.used[p]
	last := used+stageKeys == chunkKeys
	stream((*[stageKeys]uint64)(c[used:]), stage, last)
	*(*[groupKeys]uint64)(stage[:]) = [groupKeys]uint64(stage[stageKeys:])
	if used += stageKeys; last {
		w.open[p], used = w.free.take(&w.s.pool), 0
		w.s.put(w, &w.s.parts[p], c)
	}
	w.used[p] = used
}

// Flush adds all that waits, and what w has collected. Several Writers can do so at the
// same time: they begin at different parts.
func (w *Writer) Flush() {
	s := w.s
	for i := range s.parts {
		p := (i + w.index*31*len(s.parts)/64) % len(s.parts)
		pt := &s.parts[p]
		pt.adding.Lock()
		s.drain(pt, &w.free, &w.taken)
		w.addOpen(p)
		pt.adding.Unlock()
	}
}

// addOpen adds what w has collected for part p, whose lock adding the caller holds.
func (w *Writer) addOpen(p int) {
	n, used := w.n[p], w.used[p]
	if n+used == 0 {
		return
	}
	w.n[p], w.used[p] = 0, 0
	w.s.add(w.open[p][:used])
	w.s.add(w.stages[p][:n])
}

// Flush adds all that waits and what the writers have collected, on all cores. Nobody
// may use the writers meanwhile.
func (s *Set) Flush(writers []*Writer) {
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		var free freeList
		var taken []*chunk
		for {
			p := int(next.Add(1)) - 1
			if p >= len(s.parts) {
				break
			}
			pt := &s.parts[p]
			pt.adding.Lock()
			s.drain(pt, &free, &taken)
			for _, w := range writers {
				w.addOpen(p)
			}
			pt.adding.Unlock()
		}
		s.pool.put(free.chunks)
	}
	for range min(runtime.GOMAXPROCS(0), len(s.parts)) - 1 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work()
		}()
	}
	work()
	wg.Wait()
}
