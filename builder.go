package bitsieve

import (
	"sync"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/partition"
)

// A Builder adds keys to one filter from several goroutines at once, each by an
// Adder of its own:
//
//	b := bitsieve.NewBuilder(f)
//	for range runtime.GOMAXPROCS(0) {
//		wg.Go(func() {
//			a := b.Adder() // one for each goroutine
//			for key := range keys {
//				a.AddString(key)
//			}
//		})
//	}
//	wg.Wait()
//	n := b.Finish() // f has all n keys
//
// Bits are those of adding the keys one by one, in whatever order and however they are
// spread over Adders.
//
// The filter is divided into up to 1,024 parts. An Adder sorts hashes by part; when some
// thousands of them wait for one, from whichever Adders, whoever brought the last adds
// them all, while the part lies in its core's cache. So no bit is lost, locks are taken
// once for 512 keys, and memory is read and written once for several keys. What goroutines
// share does not grow with their number.
//
// It pays from two goroutines on, for filters that do not fit in caches: on two cores of
// a Sapphire Rapids two goroutines add integers 1.5 times as fast as AddUint64s does at
// 64 MiB, 1.4 times at 1 GiB, and 0.85 times at 4 MiB. One goroutine is faster without a
// Builder. TUNING.md has the figures (Building on all cores), and BenchmarkBuilder in tests
// measures them.
//
// A Builder takes memory for the hashes that wait: a quarter of the filter's size, as
// soon as that many have come, or 4 KiB for each part in filters up to 1 MiB. It can
// be twice as much where the hashes are of few parts, as those of a few keys over and over.
// Each Adder takes 4.6 KiB for each part besides: 300 KiB up to 32 MiB, 600 KiB at 64 MiB,
// 4.6 MiB from 512 MiB on. The garbage collector has it when the Builder is gone.
//
// From the first Adder's first key to Finish, nobody may use the filter in another
// way. A build with the race detector reports it if somebody does.
type Builder struct {
	f   *Blocked
	set *partition.Set

	mu     sync.Mutex
	adders []*Adder
}

// NewBuilder returns a Builder for f.
func NewBuilder(f *Blocked) *Builder {
	return &Builder{f: f, set: partition.New(&f.filter, !f.noHugePages)}
}

// Finish adds what the Adders have collected, on up to GOMAXPROCS goroutines, which have
// ended when it returns, and returns how many keys the Adders have been given. All
// goroutines that add must have stopped: keys that one has added before it failed are in
// the filter. Adders can be used again afterwards, until the next Finish.
func (b *Builder) Finish() (keys uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	writers := make([]*partition.Writer, len(b.adders))
	for i, a := range b.adders {
		writers[i] = a.w
		keys += a.keys
	}
	b.set.Flush(writers)
	return keys
}

// An Adder adds keys for one goroutine; two that share one lose keys, which a build
// with the race detector reports. Keys are in the filter after Flush, or after the
// Builder's Finish. Adding allocates no memory once the Builder has as much as it may
// take. Batches of thousands of keys are added fastest: the methods for one key take
// some nanoseconds more for each.
type Adder struct {
	b    *Builder
	w    *partition.Writer
	keys uint64 // added
}

// Adder returns a new Adder. Any number may exist at a time, and any number of
// goroutines may ask for one.
func (b *Builder) Adder() *Adder {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := &Adder{b: b, w: b.set.Writer(len(b.adders))}
	b.adders = append(b.adders, a)
	return a
}

// Add adds a key.
func (a *Adder) Add(key []byte) { a.AddHash(a.b.f.Hash(key)) }

// AddString adds the bytes of s.
func (a *Adder) AddString(s string) { a.AddHash(a.b.f.HashString(s)) }

// AddUint64 adds an integer.
func (a *Adder) AddUint64(x uint64) { a.AddHash(a.b.f.HashUint64(x)) }

// AddHash adds a key by its hash.
func (a *Adder) AddHash(h uint64) {
	one := [1]uint64{h}
	a.AddHashes(one[:])
}

// AddUint64s adds integers.
func (a *Adder) AddUint64s(keys []uint64) {
	if a.b.f.Keyed() {
		adderChunks(a, keys)
		return
	}
	a.keys += uint64(len(keys))
	a.w.Add(keys, true)
}

// AddStrings adds strings.
func (a *Adder) AddStrings(keys []string) { adderChunks(a, keys) }

// AddBytes adds byte slices.
func (a *Adder) AddBytes(keys [][]byte) { adderChunks(a, keys) }

func adderChunks[K string | []byte | uint64](a *Adder, keys []K) {
	var chunk [chunkKeys]uint64
	for len(keys) > 0 {
		hashes := chunk[:min(chunkKeys, len(keys))]
		hash.Batch(a.b.f.filter.Hash, hashes, keys)
		a.AddHashes(hashes)
		keys = keys[len(hashes):]
	}
}

// AddHashes adds keys by their hashes.
func (a *Adder) AddHashes(hashes []uint64) {
	a.keys += uint64(len(hashes))
	a.w.Add(hashes, false)
}

// Flush puts what the Adder has collected into the filter, and all else that waits in
// the Builder. It goes through all parts: where it is called often, little is left of what
// the Builder gains. The Adder can be used again afterwards.
func (a *Adder) Flush() { a.w.Flush() }
