package bitsieve

import (
	"fmt"
	"math"
	"math/bits"
)

// Blocked is a cache-line-blocked Bloom filter: a key touches one block of 64
// bytes, so that a lookup costs one cache miss at the most. It never forgets a
// key that was added, and takes a key that was not for present with a
// probability, the false-positive rate, that its size sets. The layout is
// described in blocked_generic.go and is the same on every architecture.
//
// Any number of goroutines may test at the same time while none adds. Adding
// needs exclusive access. No method that adds or tests allocates memory, but
// for growing a result's BitSet.
//
// A Blocked must not be copied, and its zero value is not usable: make one with
// NewBlocked, NewBlockedWithSize or OpenBlocked.
type Blocked struct {
	blocks []block
	k      int
	hash   hasher
	one    single // what follows from k and hash, by setK

	n uint64  // the number of keys it was sized for, 0 if sized explicitly
	p float64 // the false-positive rate it was sized for, likewise

	mapping []byte // the file that blocks lies in, nil for memory of our own
}

// An Option changes how a filter is made or opened.
type Option func(*options)

type options struct {
	key          []byte
	skipChecksum bool
}

// WithKey makes a filter hash its keys by HighwayHash-64 under a secret key of
// KeySize bytes, so that nobody who lacks the key can craft colliding keys.
// Hashing is slower than the default, XXH3, whose collisions anybody can
// compute. The key is copied.
func WithKey(key []byte) Option {
	return func(o *options) { o.key = append([]byte{}, key...) }
}

func applyOptions(opts []Option) (o options) {
	for _, f := range opts {
		f(&o)
	}
	return o
}

// NewBlocked returns an empty filter whose false-positive rate is at most p once
// n distinct keys have been added. It takes the fewest bits that the model of
// the blocked filter allows, with a margin of three standard deviations for the
// luck of the keys, and the best number of bits per key for them.
//
// p is at least 1e-12 and below 1; another value is an error that wraps
// ErrParameter. n = 0 counts as 1.
func NewBlocked(n uint64, p float64, opts ...Option) (*Blocked, error) {
	blocks, k, err := sizeBlocked(n, p)
	if err != nil {
		return nil, err
	}
	f, err := NewBlockedWithSize(blocks, k, opts...)
	if err != nil {
		return nil, err
	}
	f.n, f.p = n, p
	return f, nil
}

// NewBlockedWithSize returns an empty filter of the given number of blocks of 64
// bytes in which every key sets k bits, 1 <= k <= 16. Parameters out of range,
// and sizes that the address space cannot hold, are errors that wrap
// ErrParameter.
func NewBlockedWithSize(blocks uint64, k int, opts ...Option) (*Blocked, error) {
	h, err := newHasher(applyOptions(opts).key)
	if err != nil {
		return nil, err
	}
	return newBlocked(blocks, k, h)
}

// maxBlocks bounds a filter to 2^46 bytes on 64-bit machines, which is within
// what Go's allocator can address, and to 2^30 bytes on 32-bit ones.
const maxBlocks = 1 << (24 + 16*(bits.UintSize>>6))

func newBlocked(blocks uint64, k int, h hasher) (*Blocked, error) {
	if err := checkBlocked(blocks, k); err != nil {
		return nil, err
	}
	f := &Blocked{blocks: newBlocks(blocks), hash: h}
	f.setK(k)
	return f, nil
}

// setK sets k and what follows from it. The hashing must have been set.
func (f *Blocked) setK(k int) { f.k, f.one = k, newSingle(k, f.hash) }

func checkBlocked(blocks uint64, k int) error {
	if k < minK || k > maxK {
		return fmt.Errorf("%w: k = %d, want %d to %d", ErrParameter, k, minK, maxK)
	}
	if blocks < 1 || blocks > maxBlocks {
		return fmt.Errorf("%w: %d blocks, want 1 to %d", ErrParameter, blocks, uint64(maxBlocks))
	}
	return nil
}

// K returns the number of bits that a key sets.
func (f *Blocked) K() int { return f.k }

// Blocks returns the number of blocks of 64 bytes.
func (f *Blocked) Blocks() uint64 { return uint64(len(f.blocks)) }

// SizeBytes returns the size of the filter's bits in bytes.
func (f *Blocked) SizeBytes() uint64 { return f.Blocks() * blockBytes }

// Capacity returns the number of keys n and the false-positive rate p that the
// filter was sized for by NewBlocked; both are 0 if its size was given.
func (f *Blocked) Capacity() (n uint64, p float64) { return f.n, f.p }

// Keyed reports whether the filter hashes under a secret key.
func (f *Blocked) Keyed() bool { return f.hash.key != nil }

// Add adds a key.
func (f *Blocked) Add(key []byte) { f.AddHash(f.hash.bytes(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Blocked) AddString(s string) { f.AddHash(f.hash.string(s)) }

// AddUint64 adds an integer. It is a key of its own kind: no byte slice and no
// string is equal to it.
func (f *Blocked) AddUint64(x uint64) {
	f.raceWrite()
	addUint64(f, x)
}

// AddHash adds a key by its hash, which must be uniform in all of its 64 bits:
// the output of a good 64-bit hash function, not a counter and not a 32-bit
// value. A secret key given by WithKey plays no part.
func (f *Blocked) AddHash(h uint64) {
	f.raceWrite()
	addHash(f, h)
}

// Test reports whether key may have been added: false is certain.
func (f *Blocked) Test(key []byte) bool { return f.TestHash(f.hash.bytes(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *Blocked) TestString(s string) bool { return f.TestHash(f.hash.string(s)) }

// TestUint64 reports whether x may have been added: false is certain.
func (f *Blocked) TestUint64(x uint64) bool {
	f.raceRead()
	return testUint64(f, x)
}

// TestHash reports whether a key with the hash h may have been added by AddHash:
// false is certain.
func (f *Blocked) TestHash(h uint64) bool {
	f.raceRead()
	return testHash(f, h)
}

// TestAndAdd adds key and reports whether it may have been there before.
func (f *Blocked) TestAndAdd(key []byte) bool { return f.TestAndAddHash(f.hash.bytes(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Blocked) TestAndAddString(s string) bool { return f.TestAndAddHash(f.hash.string(s)) }

// TestAndAddUint64 adds x and reports whether it may have been there before.
func (f *Blocked) TestAndAddUint64(x uint64) bool { return f.TestAndAddHash(f.hash.uint64(x)) }

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Blocked) TestAndAddHash(h uint64) bool {
	raceWriteBlocks(f.blocks)
	if testHash(f, h) {
		return true
	}
	addHash(f, h)
	return false
}

// Clear removes every key.
func (f *Blocked) Clear() {
	raceWriteBlocks(f.blocks)
	clear(f.blocks)
}

// Union adds every key of g to f. It fails with an error that wraps ErrMismatch,
// and leaves f as it was, unless both have the same number of blocks, bits per
// key and hashing. Afterwards f is the filter that adding both sets of keys to
// it would have made.
func (f *Blocked) Union(g *Blocked) error {
	if err := f.match(g); err != nil {
		return err
	}
	raceWriteBlocks(f.blocks)
	raceReadBlocks(g.blocks)
	a := flatten(f.blocks)
	orWords(a, a, flatten(g.blocks))
	return nil
}

// Intersect keeps in f the bits that g has too. Every key that was added to both
// remains; the false-positive rate is at most the lower one of the two before,
// but higher than that of a filter made from the common keys alone. Errors are
// those of Union.
func (f *Blocked) Intersect(g *Blocked) error {
	if err := f.match(g); err != nil {
		return err
	}
	raceWriteBlocks(f.blocks)
	raceReadBlocks(g.blocks)
	a := flatten(f.blocks)
	andWords(a, a, flatten(g.blocks))
	return nil
}

// match returns an error that says in what f and g differ, nil if their bits
// mean the same.
func (f *Blocked) match(g *Blocked) error {
	switch {
	case len(f.blocks) != len(g.blocks):
		return fmt.Errorf("%w: %d and %d blocks", ErrMismatch, len(f.blocks), len(g.blocks))
	case f.k != g.k:
		return fmt.Errorf("%w: %d and %d bits per key", ErrMismatch, f.k, g.k)
	case !f.hash.equal(g.hash):
		return fmt.Errorf("%w: hashed under different keys", ErrMismatch)
	}
	return nil
}

// Clone returns a copy with memory of its own.
func (f *Blocked) Clone() *Blocked {
	raceReadBlocks(f.blocks)
	c := &Blocked{blocks: newBlocks(uint64(len(f.blocks))), k: f.k, hash: f.hash, one: f.one, n: f.n, p: f.p}
	copy(c.blocks, f.blocks)
	return c
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole
// filter.
func (f *Blocked) Fill() float64 {
	raceReadBlocks(f.blocks)
	words := flatten(f.blocks)
	return float64(countWords(words)) / (64 * float64(len(words)))
}

// EstimatedCount returns the maximum-likelihood estimate of the number of
// distinct keys added, from the number of bits set (Swamidass and Baldi,
// Mathematical correction for fingerprint similarity measures, 2007). A filter
// with every bit set gives math.MaxUint64. It reads the whole filter.
func (f *Blocked) EstimatedCount() uint64 {
	clear := 1 - f.Fill()
	if clear <= 0 {
		return math.MaxUint64
	}
	perKey := math.Log1p(-bitRate(f.k) / float64(len(f.blocks)))
	n := math.Round(math.Log(clear) / perKey)
	if n >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(n)
}

// FPRate returns the false-positive rate of the filter as it stands: the exact
// probability that a key whose hash is uniform passes it, computed from the
// bits set in each lane of each block. It reads the whole filter, at some tens
// of nanoseconds a block.
func (f *Blocked) FPRate() float64 {
	raceReadBlocks(f.blocks)
	var sum float64
	for i := range f.blocks {
		sum += hitRate(&f.blocks[i], f.k)
	}
	return sum / float64(len(f.blocks))
}

// raceRead and raceWrite declare an access to f's blocks. In a build without the
// detector they cost nothing, while f.blocks for an argument checks f for nil.
func (f *Blocked) raceRead() {
	if raceEnabled {
		raceReadBlocks(f.blocks)
	}
}

func (f *Blocked) raceWrite() {
	if raceEnabled {
		raceWriteBlocks(f.blocks)
	}
}

// raceReadBlocks and raceWriteBlocks declare an access to a filter to the race
// detector, by its first word in place of all: the detector need not see which
// block a key touches to see that one goroutine adds while another tests.
func raceReadBlocks(b []block) {
	if raceEnabled && len(b) > 0 {
		raceReadWords(b[0][:1])
	}
}

func raceWriteBlocks(b []block) {
	if raceEnabled && len(b) > 0 {
		raceWriteWords(b[0][:1])
	}
}
