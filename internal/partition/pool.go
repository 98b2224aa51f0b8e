package partition

import (
	"sync"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/memory"
)

const (
	// slabBytes is the size of the runs of chunks that are allocated together for filters
	// of as much and more, for which memory.Words finds whole huge pages. Smaller filters
	// have smallSlab. What is not used of either is not touched.
	slabBytes = 16 << 20
	smallSlab = 1 << 20
	// freeKept is the number of free chunks that a goroutine keeps, and moveChunks
	// how many go to and from the pool at a time.
	freeKept   = 2 * moveChunks
	moveChunks = 32
)

// A pool holds the free chunks of a Set. It never shrinks.
type pool struct {
	mu   sync.Mutex
	free []*chunk
	slab []chunk // never used so far
	size int     // bytes of a slab
	huge bool
}

// take appends moveChunks chunks to dst.
func (p *pool) take(dst []*chunk) []*chunk {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n >= moveChunks {
		dst = append(dst, p.free[n-moveChunks:]...)
		p.free = p.free[:n-moveChunks]
		return dst
	}
	if len(p.slab) < moveChunks {
		p.slab = newSlab(p.size, p.huge)
	}
	for i := range moveChunks {
		dst = append(dst, &p.slab[i])
	}
	p.slab = p.slab[moveChunks:]
	return dst
}

func (p *pool) put(chunks []*chunk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, chunks...)
}

func newSlab(size int, huge bool) []chunk {
	n := size / int(unsafe.Sizeof(chunk{}))
	words := memory.Words(uint64(size)/8, huge)
	return unsafe.Slice((*chunk)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// A freeList is the free chunks of one goroutine: of 64 goroutines each goes to the
// pool, and its lock, once in 32 chunks at the most.
type freeList struct{ chunks []*chunk }

func (l *freeList) take(p *pool) *chunk {
	if len(l.chunks) == 0 {
		l.chunks = p.take(l.chunks)
	}
	n := len(l.chunks) - 1
	c := l.chunks[n]
	l.chunks = l.chunks[:n]
	return c
}

func (l *freeList) put(p *pool, c *chunk) {
	l.chunks = append(l.chunks, c)
	if n := len(l.chunks); n >= freeKept {
		p.put(l.chunks[n-moveChunks:])
		l.chunks = l.chunks[:n-moveChunks]
	}
}
