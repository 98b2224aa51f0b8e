package bitsieve

import (
	"fmt"
	"io"
	"math"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/counters"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
)

// Counting is a filter from which keys can be removed: a counting Bloom filter (Fan,
// Cao, Almeida, Broder, Summary cache, 1998) with counters of four bits, all of a
// key's in one block of two cache lines. At the same rate it takes four times the
// memory of a Blocked or a little more: 41 bits per key at 1 %, 67 at 0.1 %.
//
// Adding a key counts its counters up, removing it counts them down, and a key may
// be present if none of its counters is 0. A key may be added several times, and is
// gone when it has been removed as often.
//
// Remove only what was added. If a key that never was passes the test, by chance as
// any false positive does, its counters are other keys': Remove takes them away, and
// the filter may then deny keys that it holds. Remove of a key that does not pass
// changes nothing.
//
// A counter stops at 15 and stays there for good, since nobody knows how many keys
// it stands for. Keys remain present for ever whose counters are all full, which
// costs false positives and never makes a false negative. Saturated says how many
// counters are full: next to none where keys are added once, in a filter that holds
// no more than it was sized for; all of its own for a key that was added 15 times.
//
// Any number of goroutines may test and count at the same time while none adds or
// removes. Adding and removing need exclusive access. No method that adds, tests,
// counts or removes allocates memory, but for growing a result's BitSet.
//
// A Counting must not be copied. The zero value contains nothing and is there to be
// decoded into; adding to it panics. After Close every use panics.
type Counting struct {
	filter counters.Filter

	n uint64  // the number of keys it was sized for, 0 if sized explicitly
	p float64 // the false-positive rate it was sized for, likewise

	mapping     *format.Mapping // the file that the blocks lie in, nil for memory of our own
	noHugePages bool            // for memory of our own
}

// NewCounting returns an empty filter whose false-positive rate is at most p while it
// holds no more than n distinct keys. What NewBlocked says of n, p, the size, the
// options and the errors holds here too.
func NewCounting(n uint64, p float64, opts ...Option) (*Counting, error) {
	blocks, k, err := model.SizeCounting(n, p)
	if err != nil {
		return nil, err
	}
	f, err := NewCountingWithSize(blocks, k, opts...)
	if err != nil {
		return nil, err
	}
	f.n, f.p = n, p
	return f, nil
}

// NewCountingWithSize returns an empty filter of the given number of blocks of 128
// bytes in which every key has k counters, 1 <= k <= 16. Errors are those of
// NewBlockedWithSize.
func NewCountingWithSize(blocks uint64, k int, opts ...Option) (*Counting, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	if k < counters.MinK || k > counters.MaxK {
		return nil, fmt.Errorf("%w: k = %d, want %d to %d", ErrParameter, k, counters.MinK, counters.MaxK)
	}
	const maxCounting = memory.MaxBytes / counters.Bytes
	if blocks < 1 || blocks > maxCounting {
		return nil, fmt.Errorf("%w: %d blocks, want 1 to %d", ErrParameter, blocks, uint64(maxCounting))
	}
	if err := memory.Check(blocks * counters.Bytes); err != nil {
		return nil, err
	}
	f := &Counting{noHugePages: o.noHugePages}
	f.filter = counters.Filter{Blocks: counters.New(blocks, !o.noHugePages), K: k, Hash: h}
	return f, nil
}

// K returns the number of counters that a key has. For K > 8 some keys have fewer:
// where two of a key's places coincide, it has one counter there, which counts it once.
func (f *Counting) K() int { return f.filter.K }

// Blocks returns the number of blocks of 128 bytes.
func (f *Counting) Blocks() uint64 { return uint64(len(f.filter.Blocks)) }

// SizeBytes returns the size of the filter's counters in bytes.
func (f *Counting) SizeBytes() uint64 { return f.Blocks() * counters.Bytes }

// Capacity returns the number of keys n and the false-positive rate p that the
// filter was sized for by NewCounting; both are 0 if its size was given.
func (f *Counting) Capacity() (n uint64, p float64) { return f.n, f.p }

// Keyed reports whether the filter hashes under a secret key.
func (f *Counting) Keyed() bool { return f.filter.Hash.Keyed() }

// Hash returns the hash by which the filter knows key: AddHash(Hash(key)) and
// Add(key) are the same. It is that of Blocked.Hash.
func (f *Counting) Hash(key []byte) uint64 { return f.filter.Hash.Bytes(key) }

// HashString is Hash for the bytes of s.
func (f *Counting) HashString(s string) uint64 { return f.filter.Hash.String(s) }

// HashUint64 is Hash for an integer: AddHash(HashUint64(x)) and AddUint64(x) are
// the same.
func (f *Counting) HashUint64(x uint64) uint64 { return f.filter.Hash.Uint64(x) }

// Add adds a key: once more, if it is there already.
func (f *Counting) Add(key []byte) { f.AddHash(f.filter.Hash.Bytes(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Counting) AddString(s string) { f.AddHash(f.filter.Hash.String(s)) }

// AddUint64 adds an integer. It is a key of its own kind, equal to no byte slice and
// no string; but under a secret key it is its eight little-endian bytes.
func (f *Counting) AddUint64(x uint64) { f.AddHash(f.filter.Hash.Uint64(x)) }

// AddHash adds a key by its hash, which must be uniform in all of its 64 bits: see
// Blocked.AddHash.
func (f *Counting) AddHash(h uint64) { f.filter.AddHash(h) }

// Test reports whether key may be present: false is certain.
func (f *Counting) Test(key []byte) bool { return f.TestHash(f.filter.Hash.Bytes(key)) }

// TestString reports whether s may be present: false is certain.
func (f *Counting) TestString(s string) bool { return f.TestHash(f.filter.Hash.String(s)) }

// TestUint64 reports whether x may be present: false is certain.
func (f *Counting) TestUint64(x uint64) bool { return f.TestHash(f.filter.Hash.Uint64(x)) }

// TestHash reports whether a key with the hash h may be present: false is certain.
func (f *Counting) TestHash(h uint64) bool { return f.filter.TestHash(h) }

// TestAndAdd adds key and reports whether it may have been there before. Where it
// was, it is there once more.
func (f *Counting) TestAndAdd(key []byte) bool { return f.TestAndAddHash(f.filter.Hash.Bytes(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Counting) TestAndAddString(s string) bool { return f.TestAndAddHash(f.filter.Hash.String(s)) }

// TestAndAddUint64 adds x and reports whether it may have been there before.
func (f *Counting) TestAndAddUint64(x uint64) bool { return f.TestAndAddHash(f.filter.Hash.Uint64(x)) }

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Counting) TestAndAddHash(h uint64) bool { return f.filter.TestAndAddHash(h) }

// Remove takes key out once, and reports whether it did: false says that the key is
// certainly not there, and nothing changed. The key must have been added: see
// Counting for what happens otherwise.
func (f *Counting) Remove(key []byte) bool { return f.RemoveHash(f.filter.Hash.Bytes(key)) }

// RemoveString is Remove for the bytes of s.
func (f *Counting) RemoveString(s string) bool { return f.RemoveHash(f.filter.Hash.String(s)) }

// RemoveUint64 is Remove for an integer.
func (f *Counting) RemoveUint64(x uint64) bool { return f.RemoveHash(f.filter.Hash.Uint64(x)) }

// RemoveHash is Remove for a key that was added by its hash.
func (f *Counting) RemoveHash(h uint64) bool { return f.filter.RemoveHash(h) }

// Count returns an estimate of how often key was added and not removed, the smallest
// of its counters: never less than the truth, but that 15 stands for 15 or more.
func (f *Counting) Count(key []byte) uint { return f.CountHash(f.filter.Hash.Bytes(key)) }

// CountString is Count for the bytes of s.
func (f *Counting) CountString(s string) uint { return f.CountHash(f.filter.Hash.String(s)) }

// CountUint64 is Count for an integer.
func (f *Counting) CountUint64(x uint64) uint { return f.CountHash(f.filter.Hash.Uint64(x)) }

// CountHash is Count for a key that was added by its hash.
func (f *Counting) CountHash(h uint64) uint { return uint(f.filter.CountHash(h)) }

func (f *Counting) target() target { return target{counting: &f.filter} }

// doCounting is target.do for a Counting.
func doCounting(f *counters.Filter, verb batchVerb, hashes, hits []uint64) {
	switch verb {
	case addHashes:
		f.AddHashes(hashes)
	case testHashes:
		f.TestHashes(hashes, hits)
	case testAndAddHashes:
		f.TestAndAddHashes(hashes, hits)
	case removeHashes:
		f.RemoveHashes(hashes, hits)
	}
}

// AddHashes adds keys by their hashes. See AddHash.
func (f *Counting) AddHashes(hashes []uint64) { f.filter.AddHashes(hashes) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Counting) AddUint64s(keys []uint64) { addKeys(f.target(), f.filter.Hash, keys) }

// AddStrings adds strings. It is faster than adding one by one.
func (f *Counting) AddStrings(keys []string) { addKeys(f.target(), f.filter.Hash, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Counting) AddBytes(keys [][]byte) { addKeys(f.target(), f.filter.Hash, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits says whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Counting) TestHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (f *Counting) TestUint64s(keys []uint64, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestStrings is TestHashes for strings.
func (f *Counting) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (f *Counting) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestAndAddHashes adds keys by their hashes, in order, and returns how many may
// have been there before: in the filter, or earlier in the batch. Bit i of hits
// says whether the key with hashes[i] may have been. hits is as in TestHashes.
func (f *Counting) TestAndAddHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testAndAddHashes)
}

// TestAndAddUint64s is TestAndAddHashes for integers.
func (f *Counting) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// TestAndAddStrings is TestAndAddHashes for strings.
func (f *Counting) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// TestAndAddBytes is TestAndAddHashes for byte slices.
func (f *Counting) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// RemoveHashes removes keys by their hashes, in order, and returns how many it did
// remove. Bit i of hits says whether the key with hashes[i] was: see Remove. hits is
// as in TestHashes.
func (f *Counting) RemoveHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, removeHashes)
}

// RemoveUint64s is RemoveHashes for integers.
func (f *Counting) RemoveUint64s(keys []uint64, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, removeHashes)
}

// RemoveStrings is RemoveHashes for strings.
func (f *Counting) RemoveStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, removeHashes)
}

// RemoveBytes is RemoveHashes for byte slices.
func (f *Counting) RemoveBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, removeHashes)
}

// Clear removes every key.
func (f *Counting) Clear() {
	if f.filter.Empty() {
		return
	}
	f.filter.RaceWrite()
	memory.Clear(f.words())
}

// Union adds every key of g to f, as often as g has it. It fails with an error that
// wraps ErrMismatch, and leaves f as it was, unless both have the same number of
// blocks, counters per key and hashing. Afterwards f is the filter that adding both
// sets of keys to it would have made.
func (f *Counting) Union(g *Counting) error {
	if err := f.match(g); err != nil {
		return err
	}
	f.filter.RaceWrite()
	g.filter.RaceRead()
	counters.AddAll(f.words(), g.words())
	return nil
}

// Intersect leaves in f the smaller of each of its counters and g's. Every key that
// is in both remains, as often as in the one that has it less often; what Blocked
// says of the false-positive rate holds here too. Errors are those of Union.
func (f *Counting) Intersect(g *Counting) error {
	if err := f.match(g); err != nil {
		return err
	}
	f.filter.RaceWrite()
	g.filter.RaceRead()
	counters.MinAll(f.words(), g.words())
	return nil
}

// match returns an error that says in what f and g differ, nil if their counters
// mean the same.
func (f *Counting) match(g *Counting) error {
	switch {
	case f.Blocks() != g.Blocks():
		return fmt.Errorf("%w: %d and %d blocks", ErrMismatch, f.Blocks(), g.Blocks())
	case f.filter.K != g.filter.K:
		return fmt.Errorf("%w: %d and %d counters per key", ErrMismatch, f.filter.K, g.filter.K)
	case !f.filter.Hash.Equal(g.filter.Hash):
		return fmt.Errorf("%w: hashed under different keys", ErrMismatch)
	}
	return nil
}

// Clone returns a copy with memory of its own.
func (f *Counting) Clone() *Counting {
	f.filter.RaceRead()
	c := &Counting{n: f.n, p: f.p, noHugePages: f.noHugePages}
	c.filter.K, c.filter.Hash = f.filter.K, f.filter.Hash
	if len(f.filter.Blocks) > 0 {
		c.filter.Blocks = counters.New(f.Blocks(), !f.noHugePages)
		memory.Copy(c.words(), f.words())
	}
	return c
}

// Equal reports whether f and g have the same Blocks, K, hashing and counters.
func (f *Counting) Equal(g *Counting) bool {
	return f.match(g) == nil && equalWords(f.words(), g.words())
}

// Blocked returns a filter of half the size that answers as f does at the moment,
// for every key: where tests are many, and keys change no more or are sent to
// somebody who only tests. It has as many blocks, of 64 bytes, the same K and hashing,
// and two bits set for each counter that is not 0. So its FPRate and Fill are f's,
// but its EstimatedCount is about twice f's, its ExpectedFPRate is that of a filter
// that keys are added to, and its Capacity is 0. It takes the union of other
// snapshots of filters alike, and more keys, at the rate of any Blocked.
//
// Errors are those of NewBlockedWithSize.
func (f *Counting) Blocked() (*Blocked, error) {
	f.filter.Empty() // panics if f is closed
	b, err := newBlocked(f.Blocks(), f.filter.K, f.filter.Hash, !f.noHugePages)
	if err != nil {
		return nil, err
	}
	f.filter.RaceRead()
	counters.Snapshot(b.filter.Blocks, f.filter.Blocks)
	return b, nil
}

// Saturated returns the number of counters that are full, of Blocks × 256. It reads
// the whole filter.
func (f *Counting) Saturated() uint64 {
	f.filter.RaceRead()
	return uint64(counters.Saturated(f.words()))
}

// Fill returns the fraction of counters that are not 0, 0 to 1. It reads the whole
// filter.
func (f *Counting) Fill() float64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	words := f.words()
	return float64(counters.NotZero(words)) / (16 * float64(len(words)))
}

// EstimatedCount returns the maximum-likelihood estimate of the number of distinct
// keys in the filter, from the number of counters that are not 0: see
// Blocked.EstimatedCount. A filter without a counter of 0 gives math.MaxUint64. It
// reads the whole filter.
func (f *Counting) EstimatedCount() uint64 {
	if f.filter.Empty() {
		return 0
	}
	zero := 1 - f.Fill()
	if zero <= 0 {
		return math.MaxUint64
	}
	perKey := math.Log1p(-model.CounterRate(f.filter.K) / float64(len(f.filter.Blocks)))
	n := math.Round(math.Log(zero) / perKey)
	if n >= math.MaxUint64 {
		return math.MaxUint64
	}
	return uint64(n)
}

// FPRate returns the false-positive rate of the filter as it stands: the probability
// that a key which is not in it passes. It is computed exactly, from the number of
// counters that are not 0 in each lane of each block. It reads the whole filter, at
// some tens of nanoseconds a block.
func (f *Counting) FPRate() float64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	var sum float64
	var bits block.Block
	for i := range f.filter.Blocks {
		counters.Occupied(&bits, &f.filter.Blocks[i])
		sum += model.HitRate(&bits, f.filter.K)
	}
	return sum / float64(len(f.filter.Blocks))
}

// ExpectedFPRate returns the false-positive rate that the model of the filter
// predicts while it holds n distinct keys. Unlike FPRate it does not look at the
// counters, and takes the same time for every size. Under an eighth of a counter per
// key it is 1.
func (f *Counting) ExpectedFPRate(n uint64) float64 {
	if f.filter.Empty() {
		return 0
	}
	load := float64(n) / float64(len(f.filter.Blocks))
	if load > model.MaxLoad {
		return 1
	}
	mean, _ := model.CountingRate(load, f.filter.K)
	return min(mean+model.Collisions(n), 1)
}

// words returns the words of the filter, in order, without copying them.
func (f *Counting) words() []uint64 { return counters.Flatten(f.filter.Blocks) }

// A Counting's file. What the methods of Blocked of the same names say of files holds
// here too.

// Save writes the filter to a file, as Blocked.Save does.
func (f *Counting) Save(path string) error { return format.Save(path, f.WriteTo) }

// OpenCounting opens a file that Save or WriteTo made. Options, errors and the mapping
// are those of OpenBlocked.
func OpenCounting(path string, opts ...OpenOption) (*Counting, error) {
	return openStored[Counting](path, opts)
}

// ReadCounting reads a filter, as written by WriteTo or Save, into memory, as
// ReadBlocked does.
func ReadCounting(r io.Reader, opts ...OpenOption) (*Counting, error) {
	return readStored[Counting](r, opts)
}

// Close releases the filter's memory, and the mapping if OpenCounting made one. No
// other goroutine may use the filter at the same time, and nobody afterwards: every
// use then panics. Closing twice is allowed.
func (f *Counting) Close() error {
	m := f.mapping
	f.filter.Close()
	f.mapping = nil
	return m.Close()
}

// WriteTo writes the filter in the format of Save. It implements io.WriterTo. A
// filter that is closed or was never made is an error. No goroutine may add to the
// filter or remove from it at the same time.
func (f *Counting) WriteTo(w io.Writer) (n int64, err error) { return writeTo(f, w) }

// ReadFrom replaces the filter's contents by a filter that WriteTo or Save wrote,
// with its own size and K, as Blocked.ReadFrom does.
func (f *Counting) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(f, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler, by which encoding/gob takes filters too.
func (f *Counting) MarshalBinary() ([]byte, error) { return appendBinary(f, nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Counting) AppendBinary(b []byte) ([]byte, error) { return appendBinary(f, b) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Counting) UnmarshalBinary(data []byte) error { return unmarshal(f, data) }

func (f *Counting) expect() format.Expect {
	return format.Expect{Kind: format.Counting, Hash: f.filter.Hash, NoHugePages: f.noHugePages}
}

func (f *Counting) content() (format.Header, [][]uint64) {
	if len(f.filter.Blocks) == 0 {
		return format.Header{}, nil
	}
	f.filter.RaceRead()
	h := format.NewHeader(format.Counting, f.filter.K, f.filter.Hash)
	h.Items = f.EstimatedCount()
	h.Capacity, h.Rate = f.n, f.p
	return h, [][]uint64{f.words()}
}

func (f *Counting) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	if len(words)%counters.Words != 0 {
		return format.Errorf(ErrHeader, "block count", format.BlocksOffset, "is %d, want an even number for kind %v", h.Blocks, h.Kind)
	}
	err := f.Close()
	f.filter = counters.Filter{Blocks: counters.View(words), K: int(h.K), Hash: want.Hash}
	f.mapping, f.noHugePages = m, want.NoHugePages
	f.n, f.p = h.Capacity, h.Rate
	return err
}
