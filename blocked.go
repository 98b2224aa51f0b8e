package bitsieve

import (
	"fmt"
	"math"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// Blocked is a cache-line-blocked Bloom filter: a key touches one block of 64
// bytes, so that a lookup costs one cache miss at the most. It never forgets a
// key that was added, and takes a key that was not for present with a
// probability, the false-positive rate, that its size sets. The layout is
// described in internal/block and is the same on every architecture.
//
// Any number of goroutines may test at the same time while none adds. Adding
// needs exclusive access. No method that adds or tests allocates memory, but
// for growing a result's BitSet.
//
// A Blocked must not be copied. The zero value contains nothing and is there to be
// decoded into; adding to it panics. After Close every use panics.
type Blocked struct {
	filter block.Filter

	n uint64  // the number of keys it was sized for, 0 if sized explicitly
	p float64 // the false-positive rate it was sized for, likewise

	mapping     *format.Mapping // the file that the blocks lie in, nil for memory of our own
	noHugePages bool            // for memory of our own
}

// NewBlocked returns an empty filter whose false-positive rate is at most p once
// n distinct keys have been added. It takes the fewest bits that the model of
// the blocked filter allows, with a margin of three standard deviations for
// variation between key sets, and the best number of bits per key for them.
//
// p is at least 1e-12 and below 1, and above n / 2^64, the rate at which 64-bit
// hashes collide; another value is an error that wraps ErrParameter. n = 0 counts
// as 1. The size depends on n and p alone, on every machine.
//
// On Linux, a filter of 2 MiB and more asks for huge pages, on the Go heap. The
// memory keeps them when the filter is gone: see WithoutHugePages. The other
// options are WithKey and WithFolds.
func NewBlocked(n uint64, p float64, opts ...Option) (*Blocked, error) {
	blocks, k, err := sizeBlocked(n, p, 1, opts)
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
// ErrParameter; sizes that the machine's free memory cannot hold wrap ErrMemory.
func NewBlockedWithSize(blocks uint64, k int, opts ...Option) (*Blocked, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	return newBlocked(blocks, k, h, !o.noHugePages)
}

// maxBlocks is what the address space takes.
const maxBlocks = memory.MaxBytes / block.Bytes

func newBlocked(blocks uint64, k int, h hash.Hasher, huge bool) (*Blocked, error) {
	if err := checkBlocked(blocks, k); err != nil {
		return nil, err
	}
	if err := memory.Check(blocks * block.Bytes); err != nil {
		return nil, err
	}
	f := &Blocked{noHugePages: !huge}
	f.filter.Init(block.New(blocks, huge), k, h)
	return f, nil
}

func checkBlocked(blocks uint64, k int) error {
	if k < block.MinK || k > block.MaxK {
		return fmt.Errorf("%w: k = %d, want %d to %d", ErrParameter, k, block.MinK, block.MaxK)
	}
	if blocks < 1 || blocks > maxBlocks {
		return fmt.Errorf("%w: %d blocks, want 1 to %d", ErrParameter, blocks, uint64(maxBlocks))
	}
	return nil
}

// K returns the number of bits that a key sets.
func (f *Blocked) K() int { return f.filter.K }

// Blocks returns the number of blocks of 64 bytes.
func (f *Blocked) Blocks() uint64 { return uint64(len(f.filter.Blocks)) }

// SizeBytes returns the size of the filter's bits in bytes.
func (f *Blocked) SizeBytes() uint64 { return f.Blocks() * block.Bytes }

// Capacity returns the number of keys n and the false-positive rate p that the
// filter was sized for by NewBlocked; both are 0 if its size was given.
func (f *Blocked) Capacity() (n uint64, p float64) { return f.n, f.p }

// Keyed reports whether the filter hashes under a secret key.
func (f *Blocked) Keyed() bool { return f.filter.Hash.Keyed() }

// Add adds a key.
func (f *Blocked) Add(key []byte) { f.filter.AddHash(f.filter.Hash.Bytes(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Blocked) AddString(s string) { f.filter.AddHash(f.filter.Hash.String(s)) }

// AddUint64 adds an integer. It is a key of its own kind, equal to no byte slice and
// no string; but under a secret key it is its eight little-endian bytes.
func (f *Blocked) AddUint64(x uint64) { f.filter.AddUint64(x) }

// AddHash adds a key by its hash, which must be uniform in all of its 64 bits:
// the output of a good 64-bit hash function, not a counter and not a 32-bit
// value. A secret key given by WithKey plays no part.
func (f *Blocked) AddHash(h uint64) { f.filter.AddHash(h) }

// Test reports whether key may have been added: false is certain.
func (f *Blocked) Test(key []byte) bool { return f.filter.TestHash(f.filter.Hash.Bytes(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *Blocked) TestString(s string) bool { return f.filter.TestHash(f.filter.Hash.String(s)) }

// TestUint64 reports whether x may have been added: false is certain.
func (f *Blocked) TestUint64(x uint64) bool { return f.filter.TestUint64(x) }

// TestHash reports whether a key with the hash h may have been added by AddHash:
// false is certain.
func (f *Blocked) TestHash(h uint64) bool { return f.filter.TestHash(h) }

// TestAndAdd adds key and reports whether it may have been there before.
func (f *Blocked) TestAndAdd(key []byte) bool { return f.TestAndAddHash(f.filter.Hash.Bytes(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Blocked) TestAndAddString(s string) bool { return f.TestAndAddHash(f.filter.Hash.String(s)) }

// TestAndAddUint64 adds x and reports whether it may have been there before.
func (f *Blocked) TestAndAddUint64(x uint64) bool { return f.TestAndAddHash(f.filter.Hash.Uint64(x)) }

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Blocked) TestAndAddHash(h uint64) bool { return f.filter.TestAndAddHash(h) }

// AddHashes adds keys by their hashes. See AddHash.
func (f *Blocked) AddHashes(hashes []uint64) { f.filter.AddHashes(hashes) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Blocked) AddUint64s(keys []uint64) {
	if f.Keyed() {
		addKeys(f.target(), f.filter.Hash, keys)
		return
	}
	f.filter.AddUint64s(keys)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Blocked) AddStrings(keys []string) { addKeys(f.target(), f.filter.Hash, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Blocked) AddBytes(keys [][]byte) { addKeys(f.target(), f.filter.Hash, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits says whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Blocked) TestHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (f *Blocked) TestUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
	}
	return batch(f.target(), keys, hits, testUint64s)
}

// TestStrings is TestHashes for strings.
func (f *Blocked) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (f *Blocked) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestAndAddHashes adds keys by their hashes, in order, and returns how many may
// have been there before: in the filter, or earlier in the batch. Bit i of hits
// says whether the key with hashes[i] may have been, as TestAndAddHash would for
// one key after the other: hits is resized to len(hashes) bits and overwritten. It
// may be nil if only the number is wanted.
func (f *Blocked) TestAndAddHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testAndAddHashes)
}

// TestAndAddUint64s is TestAndAddHashes for integers.
func (f *Blocked) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
	}
	return batch(f.target(), keys, hits, testAndAddUint64s)
}

// TestAndAddStrings is TestAndAddHashes for strings.
func (f *Blocked) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// TestAndAddBytes is TestAndAddHashes for byte slices.
func (f *Blocked) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// Clear removes every key.
func (f *Blocked) Clear() {
	if f.filter.Empty() {
		return
	}
	f.filter.RaceWrite()
	memory.Clear(f.words())
}

// Union adds every key of g to f. It fails with an error that wraps ErrMismatch,
// and leaves f as it was, unless both have the same number of blocks, bits per
// key and hashing. Afterwards f is the filter that adding both sets of keys to
// it would have made.
func (f *Blocked) Union(g *Blocked) error {
	if err := f.match(g); err != nil {
		return err
	}
	f.filter.RaceWrite()
	g.filter.RaceRead()
	a := f.words()
	orWords(a, a, g.words())
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
	f.filter.RaceWrite()
	g.filter.RaceRead()
	a := f.words()
	andWords(a, a, g.words())
	return nil
}

// match returns an error that says in what f and g differ, nil if their bits
// mean the same.
func (f *Blocked) match(g *Blocked) error {
	switch {
	case len(f.filter.Blocks) != len(g.filter.Blocks):
		return fmt.Errorf("%w: %d and %d blocks", ErrMismatch, len(f.filter.Blocks), len(g.filter.Blocks))
	case f.filter.K != g.filter.K:
		return fmt.Errorf("%w: %d and %d bits per key", ErrMismatch, f.filter.K, g.filter.K)
	case !f.filter.Hash.Equal(g.filter.Hash):
		return fmt.Errorf("%w: hashed under different keys", ErrMismatch)
	}
	return nil
}

// Clone returns a copy with memory of its own.
func (f *Blocked) Clone() *Blocked {
	f.filter.RaceRead()
	c := &Blocked{n: f.n, p: f.p, noHugePages: f.noHugePages}
	if len(f.filter.Blocks) > 0 {
		c.filter.Init(block.New(f.Blocks(), !f.noHugePages), f.filter.K, f.filter.Hash)
		memory.Copy(c.words(), f.words())
	}
	return c
}

// Equal reports whether f and g have the same Blocks, K, hashing and bits set.
func (f *Blocked) Equal(g *Blocked) bool {
	return f.match(g) == nil && equalWords(f.words(), g.words())
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole
// filter.
func (f *Blocked) Fill() float64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	words := f.words()
	return float64(popcount.Count(words)) / (64 * float64(len(words)))
}

// EstimatedCount returns the maximum-likelihood estimate of the number of
// distinct keys added, from the number of bits set (Swamidass and Baldi,
// Mathematical correction for fingerprint similarity measures, 2007). A filter
// with every bit set gives math.MaxUint64. It reads the whole filter.
func (f *Blocked) EstimatedCount() uint64 {
	return f.countFrom(f.Fill())
}

// countFrom is EstimatedCount for a given Fill.
func (f *Blocked) countFrom(fill float64) uint64 {
	if f.filter.Empty() {
		return 0
	}
	return estimateBlocked(fill, f.Blocks(), f.filter.K)
}

// estimateBlocked is EstimatedCount for a filter of so many blocks.
func estimateBlocked(fill float64, blocks uint64, k int) uint64 {
	clear := 1 - fill
	if clear <= 0 {
		return math.MaxUint64
	}
	perKey := math.Log1p(-model.BitRate(k) / float64(blocks))
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
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	return model.AddHitRates(0, f.filter.Blocks, f.filter.K) / float64(len(f.filter.Blocks))
}

// words returns the words of the filter, in order, without copying them.
func (f *Blocked) words() []uint64 { return block.Flatten(f.filter.Blocks) }

// Hash returns the hash by which the filter knows key: AddHash(Hash(key)) and
// Add(key) are the same. A key that is looked up in several filters, or more
// than once, need only be hashed once. The hash is the same in all filters
// without a secret key, and in all filters with the same one.
func (f *Blocked) Hash(key []byte) uint64 { return f.filter.Hash.Bytes(key) }

// HashString is Hash for the bytes of s.
func (f *Blocked) HashString(s string) uint64 { return f.filter.Hash.String(s) }

// HashUint64 is Hash for an integer: AddHash(HashUint64(x)) and AddUint64(x) are
// the same.
func (f *Blocked) HashUint64(x uint64) uint64 { return f.filter.Hash.Uint64(x) }

// ExpectedFPRate returns the false-positive rate that the model of the blocked
// filter predicts after n distinct keys were added to the empty filter. Unlike
// FPRate it does not look at the bits, and takes the same time for every size.
// Under a quarter of a bit per key it is 1.
func (f *Blocked) ExpectedFPRate(n uint64) float64 {
	if f.filter.Empty() {
		return 0
	}
	return model.ExpectedRate(float64(n), f.Blocks(), f.filter.K)
}
