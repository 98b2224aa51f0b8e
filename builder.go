package bitsieve

import (
	"math/bits"
	"sync"
)

// A Builder adds keys to one filter from several goroutines at once, each by an
// Adder of its own:
//
//	b := bitsieve.NewBuilder(f)
//	for range runtime.GOMAXPROCS(0) {
//		wg.Go(func() {
//			a := b.Adder()
//			defer a.Flush()
//			for key := range keys {
//				a.AddString(key)
//			}
//		})
//	}
//	wg.Wait() // f has all the keys
//
// The filter is divided into parts. An Adder collects the hashes for each part,
// and when it has some hundreds of them takes the part's lock and adds them by
// the batch kernel. So no bit is lost, and locks are taken rarely and briefly.
//
// For one goroutine, AddUint64s is the faster way: sorting the hashes by part
// costs half as much as adding them. At 64 MiB and 1 GiB on a Zen 4, one Adder takes
// 9.6 and 11 ns per uint64, two on two cores 5.6 and 8.4, and AddUint64s alone 5.2
// to 7 (BenchmarkBuilder); strings and slices gain sooner, for their hashing is
// spread as well. What did not help: longer runs, which find several keys for a
// line and a page of their part, but take more memory traffic to write and read
// than they save; fewer parts.
//
// From the first Adder's first key to the last one's Flush, nobody may use the
// filter in another way.
type Builder struct {
	f     *Blocked
	shift int // a block's index, shifted right by it, is its part
	locks [adderParts]partLock
}

const (
	adderParts  = 64
	adderBuffer = 512 // hashes kept for a part
)

// partLock keeps neighbouring locks out of each other's cache lines.
type partLock struct {
	sync.Mutex
	_ [120]byte
}

// NewBuilder returns a Builder for f.
func NewBuilder(f *Blocked) *Builder {
	return &Builder{f: f, shift: partShift(f.Blocks())}
}

// partShift returns by how much to shift the index of one of the given number of
// blocks for it to be below adderParts.
func partShift(blocks uint64) int {
	return max(bits.Len64(blocks-1)-bits.Len(adderParts-1), 0)
}

// An Adder adds keys for one goroutine. Keys are in the filter after Flush. It
// takes 257 KiB of memory; adding allocates none.
type Adder struct {
	b      *Builder
	counts [adderParts]uint32
	hashes [adderParts][adderBuffer]uint64
}

// Adder returns a new Adder. Any number may exist at a time.
func (b *Builder) Adder() *Adder { return &Adder{b: b} }

// Add, AddString, AddUint64 and AddHash add a key as the methods of Blocked of
// the same names do.
func (a *Adder) Add(key []byte) { a.AddHash(a.b.f.hash.bytes(key)) }

// AddString adds the bytes of s.
func (a *Adder) AddString(s string) { a.AddHash(a.b.f.hash.string(s)) }

// AddUint64 adds an integer.
func (a *Adder) AddUint64(x uint64) { a.AddHash(a.b.f.hash.uint64(x)) }

// AddHash adds a key by its hash.
func (a *Adder) AddHash(h uint64) {
	one := [1]uint64{h}
	a.AddHashes(one[:])
}

// AddUint64s adds integers.
func (a *Adder) AddUint64s(keys []uint64) {
	if a.b.f.Keyed() {
		adderTiles(a, keys)
		return
	}
	var tile [genericTile]uint64
	for len(keys) > 0 {
		t := mixTile(&tile, keys)
		a.AddHashes(t)
		keys = keys[len(t):]
	}
}

// AddStrings adds strings.
func (a *Adder) AddStrings(keys []string) { adderTiles(a, keys) }

// AddBytes adds byte slices.
func (a *Adder) AddBytes(keys [][]byte) { adderTiles(a, keys) }

func adderTiles[K string | []byte | uint64](a *Adder, keys []K) {
	var tile [tileKeys]uint64
	for len(keys) > 0 {
		t := tile[:min(tileKeys, len(keys))]
		hashTile(a.b.f.hash, t, keys)
		a.AddHashes(t)
		keys = keys[len(t):]
	}
}

// AddHashes adds keys by their hashes.
func (a *Adder) AddHashes(hashes []uint64) {
	blocks, shift := uint64(len(a.b.f.blocks)), a.b.shift&63
	for _, h := range hashes {
		p := blockIndex(h, blocks) >> shift % adderParts
		n := a.counts[p] % adderBuffer
		a.hashes[p][n] = h
		a.counts[p] = n + 1
		if n+1 == adderBuffer {
			a.flush(int(p))
		}
	}
}

// Flush puts what the Adder has collected into the filter. The Adder can be used
// again afterwards.
func (a *Adder) Flush() {
	for p := range a.counts {
		a.flush(p)
	}
}

func (a *Adder) flush(p int) {
	n := int(a.counts[p])
	if n == 0 {
		return
	}
	a.counts[p] = 0
	f, lock := a.b.f, &a.b.locks[p]
	lock.Lock()
	defer lock.Unlock()
	if raceEnabled {
		// The kernels declare an access to the whole filter, which is not true
		// of a part.
		addHashesGeneric(f.blocks, f.k, a.hashes[p][:n])
		return
	}
	addHashes(f.blocks, f.k, a.hashes[p][:n])
}
