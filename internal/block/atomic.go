package block

import (
	"math/bits"
	"sync/atomic"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

// Atomic is a Filter that any number of goroutines add to and test at a time. Bits
// are set by atomic operations on lanes, so that none is lost, and only on lanes in
// which a bit is missing. A key is tested first, by the kernels for tests, which
// also bring its block into the cache: adding what is there costs a test.
//
// The kernels load lanes by vectors. On amd64 and arm64 each aligned 64-bit lane
// of a vector is loaded in one piece, and a bit, once set, stays: so a test finds
// every key whose adding was over, in whatever order its lanes are loaded.
type Atomic Filter

// goLoads has tests load lanes by Go's atomic operations: where there is no
// assembly, and for the race detector, which does not see into it. In other builds
// the generic level loads by plain Go, where the same holds as for vectors.
const goLoads = race.Enabled || !cpu.HasAsm

// atomicKeys is the number of keys that are tested before those of them that are
// missing are added, a multiple of 64. Their blocks stay in the first-level cache
// until then.
const atomicKeys = 256

// An adding is a key on its way into a block: look at each lane, and set while one
// is missing. Each look and each set is one atomic operation, so that a test can
// take those of several goroutines in every order.
//
// The lanes are set in order, so that all who add a key do so in the same one.
// The last set, on the highest lane that was seen missing, is the key's claim: the
// key counts as new if the claim changed its lane. Of several goroutines that add
// one key at a time at most one is told that it was new. Say that A's and B's
// claims both changed their lanes. The lanes differ, as one set completes a lane;
// let A's be the lower one. A saw B's lane complete, so B's claim came before A's.
// But B had completed A's lane by then, or seen it complete: otherwise it would
// have set it on the way up to its claim. So A's claim changed nothing.
//
// And if nobody else sets bits of the key in the meantime, one is told: whoever
// completes the key, in lane L. Its claim is in no higher lane, for that was
// complete by then, set by somebody who sets L before, or saw it complete. So its
// claim is on L, and changed it.
type adding struct {
	masks   Block // the key's bits
	missing uint8 // the lanes that a look saw without all of them, and no set has had
}

// look loads a lane.
func (a *adding) look(b *Block, lane int) {
	left := a.masks[lane&7] &^ atomic.LoadUint64(&b[lane&7])
	a.missing |= uint8((left|-left)>>63) << (lane & 7) // without a branch: it cannot be predicted
}

// set sets the key's bits in the lowest lane that is missing. For the last one,
// the claim, it reports whether one of them was clear.
func (a *adding) set(b *Block) (claimed bool) {
	lane := bits.TrailingZeros8(a.missing) & 7
	a.missing &= a.missing - 1
	if a.missing != 0 {
		atomic.OrUint64(&b[lane], a.masks[lane])
		return false
	}
	return a.masks[lane]&^atomic.OrUint64(&b[lane], a.masks[lane]) != 0
}

// add adds a hash and reports whether it was new.
func (f *Atomic) add(h uint64) (claimed bool) {
	b := &f.Blocks[Index(h, uint64(len(f.Blocks)))]
	var a adding
	Add(&a.masks, h, f.K)
	for lane := range b {
		a.look(b, lane)
	}
	for a.missing != 0 {
		claimed = a.set(b)
	}
	return claimed
}

// AddHash adds a hash.
func (f *Atomic) AddHash(h uint64) {
	if !f.TestHash(h) {
		f.addMissing(h)
	}
}

// AddUint64 adds an integer.
func (f *Atomic) AddUint64(x uint64) {
	if !f.TestUint64(x) {
		f.addMissing(f.Hash.Uint64(x))
	}
}

// TestHash reports whether h may have been added.
func (f *Atomic) TestHash(h uint64) bool {
	if goLoads {
		return f.testLoads(h)
	}
	return testHash((*Filter)(f), h)
}

// TestUint64 reports whether x may have been added.
func (f *Atomic) TestUint64(x uint64) bool {
	if goLoads {
		return f.testLoads(f.Hash.Uint64(x))
	}
	return testUint64((*Filter)(f), x)
}

// TestAndAddHash adds h and reports whether it may have been there before. Of
// several goroutines that add one new hash at a time, exactly one is told that it
// was not, unless another key's bits come in between and none is.
func (f *Atomic) TestAndAddHash(h uint64) bool { return f.TestHash(h) || !f.addMissing(h) }

// addMissing adds a hash that a test has not found.
func (f *Atomic) addMissing(h uint64) (claimed bool) {
	f.declareAdd()
	return f.add(h)
}

// testLoads is testHash by atomic loads.
func (f *Atomic) testLoads(h uint64) bool {
	if (*Filter)(f).Empty() {
		return false
	}
	f.declareTest()
	var b Block
	f.Load(int(Index(h, uint64(len(f.Blocks)))), &b)
	return Test(&b, h, f.K) != 0
}

// Load copies block i by atomic loads.
func (f *Atomic) Load(i int, b *Block) {
	for lane := range b {
		b[lane] = atomic.LoadUint64(&f.Blocks[i][lane])
	}
}

// declareTest and declareAdd tell the race detector of an access to the filter, by
// an atomic access to the first word in place of all: beside others of an Atomic
// it is none, beside those that RaceRead and RaceWrite declare it is a race.

func (f *Atomic) declareTest() {
	if race.Enabled {
		atomic.LoadUint64(&f.Blocks[0][0])
	}
}

func (f *Atomic) declareAdd() {
	(*Filter)(f).check()
	if race.Enabled {
		atomic.OrUint64(&f.Blocks[0][0], 0)
	}
}

// AddHashes adds keys by their hashes.
func (f *Atomic) AddHashes(hashes []uint64) { f.addBatch(hashes, false) }

// AddUint64s adds integers. The filter must have no secret key.
func (f *Atomic) AddUint64s(keys []uint64) { f.addBatch(keys, true) }

// TestHashes is that of Filter.
func (f *Atomic) TestHashes(hashes, hits []uint64) { f.testBatch(hashes, hits, false) }

// TestUint64s is that of Filter.
func (f *Atomic) TestUint64s(keys, hits []uint64) { f.testBatch(keys, hits, true) }

// TestAndAddHashes is that of Filter.
func (f *Atomic) TestAndAddHashes(hashes, hits []uint64) { f.testAndAddBatch(hashes, hits, false) }

// TestAndAddUint64s is that of Filter.
func (f *Atomic) TestAndAddUint64s(keys, hits []uint64) { f.testAndAddBatch(keys, hits, true) }

// testBatch tests hashes or, if mixed is set, integers.
func (f *Atomic) testBatch(keys, hits []uint64, mixed bool) {
	if goLoads {
		f.testBatchLoads(keys, hits, mixed)
		return
	}
	(*Filter)(f).testBatch(keys, hits, mixed)
}

// testBatchLoads is testGeneric by atomic loads.
func (f *Atomic) testBatchLoads(keys, hits []uint64, mixed bool) {
	hits = hits[:(len(keys)+63)/64]
	clear(hits)
	if (*Filter)(f).Empty() {
		return
	}
	var chunk [genericChunk]uint64
	for at := range hits {
		n := min(genericChunk, len(keys))
		for i, x := range keys[:n] {
			if mixed {
				x = hash.Mix(x)
			}
			chunk[i] = x
			if len(f.Blocks) >= genericAhead {
				atomic.LoadUint64(&f.Blocks[Index(x, uint64(len(f.Blocks)))][0])
			}
		}
		for i, h := range chunk[:n] {
			hits[at] |= bit(f.testLoads(h)) << (i & 63)
		}
		keys = keys[n:]
	}
}

// addBatch adds hashes or, if mixed is set, integers.
func (f *Atomic) addBatch(keys []uint64, mixed bool) {
	var hits [atomicKeys / 64]uint64
	for len(keys) > 0 {
		n := min(atomicKeys, len(keys))
		f.testAndAddBatch(keys[:n], hits[:], mixed)
		keys = keys[n:]
	}
}

// testAndAddBatch tests and adds hashes or, if mixed is set, integers.
func (f *Atomic) testAndAddBatch(keys, hits []uint64, mixed bool) {
	if len(keys) > 0 {
		f.declareAdd()
	}
	for len(keys) > 0 {
		n := min(atomicKeys, len(keys))
		f.testBatch(keys[:n], hits, mixed)
		for at := 0; at < n; at += 64 {
			missing := ^hits[at/64]
			if left := n - at; left < 64 {
				missing &= 1<<left - 1
			}
			hits[at/64] |= f.addMissingOf(keys[at:min(at+64, n)], missing, mixed)
		}
		keys, hits = keys[n:], hits[min(atomicKeys/64, len(hits)):]
	}
}

// addMissingOf adds those of at most 64 keys that a test has missed, in order. It
// returns the bits of those that were there by then: a key before it, or another
// goroutine, may have added one since the test.
//
// The blocks are fetched for writing first. The test has fetched them for reading
// only, and to take a line from another core takes longer than all else.
func (f *Atomic) addMissingOf(keys []uint64, missing uint64, mixed bool) (there uint64) {
	var hashes [64]uint64
	n := uint64(len(f.Blocks))
	for left := missing; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		h := keys[i]
		if mixed {
			h = hash.Mix(h)
		}
		hashes[i] = h
		prefetchWrite(&f.Blocks[Index(h, n)])
	}
	for left := missing; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		there |= bit(!f.add(hashes[i])) << (i & 63)
	}
	return there
}

// The verbs for whole filters, beside others. Each word is read, and changed where
// it has to be, by atomic operations.

// Read copies the filter's words from at on to dst.
func (f *Atomic) Read(dst []uint64, at int) {
	src := Flatten(f.Blocks)[at:]
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = atomic.LoadUint64(&src[i])
	}
}

// Or sets the bits of words, as many as the filter has, which may change meanwhile.
func (f *Atomic) Or(words []uint64) {
	dst := Flatten(f.Blocks)[:len(words)]
	for i := range words {
		x := atomic.LoadUint64(&words[i])
		if x&^atomic.LoadUint64(&dst[i]) != 0 {
			atomic.OrUint64(&dst[i], x)
		}
	}
}

// And clears the bits that words lacks, in the same way.
func (f *Atomic) And(words []uint64) {
	dst := Flatten(f.Blocks)[:len(words)]
	for i := range words {
		x := atomic.LoadUint64(&words[i])
		if atomic.LoadUint64(&dst[i])&^x != 0 {
			atomic.AndUint64(&dst[i], x)
		}
	}
}

// Clear clears every bit.
func (f *Atomic) Clear() {
	if (*Filter)(f).Empty() {
		return
	}
	words := Flatten(f.Blocks)
	for i := range words {
		if atomic.LoadUint64(&words[i]) != 0 {
			atomic.StoreUint64(&words[i], 0)
		}
	}
}
