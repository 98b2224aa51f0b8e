package bitsieve

import (
	"fmt"
	"io"

	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
	"github.com/bitsieve/bitsieve/internal/spectral"
)

// Spectral is a cache-line-blocked spectral Bloom filter: it knows about how often
// each key was added. Count is never too low, and mostly exact. A key has k
// counters of 8, 16 or 32 bits in one block of 1, 2 or 4 cache lines; its count is
// the smallest of them, and adding it raises only those that are (Cohen and Matias,
// Spectral Bloom Filters, 2003: minimum selection and minimal increase). The layout
// is described in internal/spectral and is the same on every architecture.
//
// A counter that is full stays full: a Count of 255, 65,535 or 4,294,967,295, by
// the width of the counters, means at least that. Saturated tells how many are.
//
// The counts of a filter depend on the order in which keys were added, a little:
// two filters that hold the same need not be Equal. Keys cannot be removed. What
// lets keys lie in one block costs accuracy. Ten million additions of keys by
// Zipf's law, in two counters for each different key, with k = 4, beside counters
// chosen freely over all memory:
//
//	               mean error     99 % within    exact          largest error
//	exponent 1.0   0.35 (0.29)    2 (2)          70 % (73 %)    476 (46)
//	exponent 1.1   0.35 (0.29)    2 (2)          70 % (73 %)    532 (36)
//	exponent 1.5   0.58 (0.35)    4 (2)          69 % (72 %)    5696 (67)
//
// The largest errors are those of rare keys that happen to share all counters with
// one of the most frequent keys: each further counter of a key makes that eight
// times as rare, and so does eight times the memory.
//
// Any number of goroutines may count and test at the same time while none adds.
// Adding needs exclusive access. No method that adds, counts or tests allocates
// memory, but for growing a result's BitSet.
//
// A Spectral must not be copied. The zero value contains nothing and is there to
// be decoded into; adding to it panics. After Close every use panics.
type Spectral struct {
	filter spectral.Filter

	n uint64  // the number of keys it was sized for, 0 if sized explicitly
	p float64 // the rate it was sized for, likewise

	mapping     *format.Mapping // the file that the blocks lie in, nil for memory of our own
	noHugePages bool            // for memory of our own
}

// NewSpectral returns an empty filter, with counters of 8, 16 or 32 bits, in which
// a key that was not added has a count with probability p at most, once n distinct
// keys have been added, however often each. The count of a key that was added is
// too high with probability p at most, as that takes other keys that share all of
// its counters. The filter takes the fewest counters that the model allows, with a
// margin of three standard deviations for variation between key sets, and the best
// number of counters per key for them: 5.2 a key for 10 %, 12.4 for 1 %, 25 for
// 0.1 %, 99 for 1e-5.
//
// p is at least 1e-6 and below 1; another value, and other counters, are errors
// that wrap ErrParameter. n = 0 counts as 1. The size depends on n, p and bits
// alone, on every machine. Options are those of NewBlocked.
//
// Where an error of one or two in a count does no harm, as for the most frequent of
// many keys, fewer counters do: give their number to NewSpectralWithSize, with
// k = 4, and ask ErrorBound.
func NewSpectral(n uint64, p float64, bits int, opts ...Option) (*Spectral, error) {
	blocks, k, err := model.SizeSpectral(n, p)
	if err != nil {
		return nil, err
	}
	f, err := NewSpectralWithSize(blocks, k, bits, opts...)
	if err != nil {
		return nil, err
	}
	f.n, f.p = n, p
	return f, nil
}

// NewSpectralWithSize returns an empty filter of the given number of blocks of 64
// counters of 8, 16 or 32 bits, in which every key has k counters, 1 <= k <= 8.
// Parameters out of range, and sizes that the address space cannot hold, are errors
// that wrap ErrParameter; sizes that the machine's free memory cannot hold wrap
// ErrMemory.
func NewSpectralWithSize(blocks uint64, k, bits int, opts ...Option) (*Spectral, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	switch {
	case k < spectral.MinK || k > spectral.MaxK:
		return nil, fmt.Errorf("%w: k = %d, want %d to %d", ErrParameter, k, spectral.MinK, spectral.MaxK)
	case !spectral.ValidBits(bits):
		return nil, fmt.Errorf("%w: counters of %d bits, want 8, 16 or 32", ErrParameter, bits)
	}
	if most := memory.MaxBytes / spectral.BlockBytes(bits); blocks < 1 || blocks > most {
		return nil, fmt.Errorf("%w: %d blocks, want 1 to %d", ErrParameter, blocks, most)
	}
	if err := memory.Check(blocks * spectral.BlockBytes(bits)); err != nil {
		return nil, err
	}
	f := &Spectral{noHugePages: o.noHugePages}
	f.filter.Init(spectral.New(blocks, bits, !o.noHugePages), bits, k, h, 0)
	return f, nil
}

// K returns the number of counters that a key has.
func (f *Spectral) K() int { return f.filter.K }

// CounterBits returns the width of a counter in bits: 8, 16 or 32.
func (f *Spectral) CounterBits() int { return f.filter.Bits }

// Blocks returns the number of blocks of 64 counters.
func (f *Spectral) Blocks() uint64 { return f.filter.Blocks }

// SizeBytes returns the size of the counters in bytes.
func (f *Spectral) SizeBytes() uint64 { return 8 * uint64(len(f.filter.Words)) }

// Capacity returns the number of keys n and the rate p that the filter was sized
// for by NewSpectral; both are 0 if its size was given.
func (f *Spectral) Capacity() (n uint64, p float64) { return f.n, f.p }

// Keyed reports whether the filter hashes under a secret key.
func (f *Spectral) Keyed() bool { return f.filter.Hash.Keyed() }

// Add adds a key, once.
func (f *Spectral) Add(key []byte) { f.filter.AddHash(f.filter.Hash.Bytes(key), 1) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Spectral) AddString(s string) { f.filter.AddHash(f.filter.Hash.String(s), 1) }

// AddUint64 adds an integer. It is a key of its own kind, equal to no byte slice and
// no string; but under a secret key it is its eight little-endian bytes.
func (f *Spectral) AddUint64(x uint64) { f.filter.AddHash(f.filter.Hash.Uint64(x), 1) }

// AddHash adds a key by its hash, which must be uniform in all of its 64 bits:
// the output of a good 64-bit hash function, not a counter and not a 32-bit
// value. A secret key given by WithKey plays no part.
func (f *Spectral) AddHash(h uint64) { f.filter.AddHash(h, 1) }

// AddN adds a key n times, as n calls of Add would.
func (f *Spectral) AddN(key []byte, n uint64) { f.filter.AddHash(f.filter.Hash.Bytes(key), n) }

// AddStringN is AddN for the bytes of s.
func (f *Spectral) AddStringN(s string, n uint64) { f.filter.AddHash(f.filter.Hash.String(s), n) }

// AddUint64N is AddN for an integer.
func (f *Spectral) AddUint64N(x, n uint64) { f.filter.AddHash(f.filter.Hash.Uint64(x), n) }

// AddHashN is AddN for a key by its hash.
func (f *Spectral) AddHashN(h, n uint64) { f.filter.AddHash(h, n) }

// AddCount adds a key, once, and returns its Count afterwards.
func (f *Spectral) AddCount(key []byte) uint64 { return f.AddCountHash(f.filter.Hash.Bytes(key)) }

// AddCountString is AddCount for the bytes of s.
func (f *Spectral) AddCountString(s string) uint64 { return f.AddCountHash(f.filter.Hash.String(s)) }

// AddCountUint64 is AddCount for an integer.
func (f *Spectral) AddCountUint64(x uint64) uint64 { return f.AddCountHash(f.filter.Hash.Uint64(x)) }

// AddCountHash is AddCount for a key by its hash.
func (f *Spectral) AddCountHash(h uint64) uint64 {
	_, count := f.filter.AddHash(h, 1)
	return count
}

// Count returns how often key was added, or more: never less, but for a counter
// that is full. See ErrorBound.
func (f *Spectral) Count(key []byte) uint64 { return f.filter.CountHash(f.filter.Hash.Bytes(key)) }

// CountString is Count for the bytes of s.
func (f *Spectral) CountString(s string) uint64 { return f.filter.CountHash(f.filter.Hash.String(s)) }

// CountUint64 is Count for an integer.
func (f *Spectral) CountUint64(x uint64) uint64 { return f.filter.CountHash(f.filter.Hash.Uint64(x)) }

// CountHash is Count for a key by its hash.
func (f *Spectral) CountHash(h uint64) uint64 { return f.filter.CountHash(h) }

// Test reports whether key may have been added: false is certain.
func (f *Spectral) Test(key []byte) bool { return f.Count(key) > 0 }

// TestString reports whether s may have been added: false is certain.
func (f *Spectral) TestString(s string) bool { return f.CountString(s) > 0 }

// TestUint64 reports whether x may have been added: false is certain.
func (f *Spectral) TestUint64(x uint64) bool { return f.CountUint64(x) > 0 }

// TestHash reports whether a key with the hash h may have been added: false is
// certain.
func (f *Spectral) TestHash(h uint64) bool { return f.filter.CountHash(h) > 0 }

// TestAndAdd adds key, once, and reports whether it may have been there before.
func (f *Spectral) TestAndAdd(key []byte) bool { return f.TestAndAddHash(f.filter.Hash.Bytes(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Spectral) TestAndAddString(s string) bool {
	return f.TestAndAddHash(f.filter.Hash.String(s))
}

// TestAndAddUint64 adds x and reports whether it may have been there before.
func (f *Spectral) TestAndAddUint64(x uint64) bool {
	return f.TestAndAddHash(f.filter.Hash.Uint64(x))
}

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Spectral) TestAndAddHash(h uint64) bool {
	before, _ := f.filter.AddHash(h, 1)
	return before > 0
}

// Hash returns the hash by which the filter knows key: AddHash(Hash(key)) and
// Add(key) are the same. It is the same in all filters, Blocked ones too, that have
// the same secret key or none.
func (f *Spectral) Hash(key []byte) uint64 { return f.filter.Hash.Bytes(key) }

// HashString is Hash for the bytes of s.
func (f *Spectral) HashString(s string) uint64 { return f.filter.Hash.String(s) }

// HashUint64 is Hash for an integer.
func (f *Spectral) HashUint64(x uint64) uint64 { return f.filter.Hash.Uint64(x) }

// Total returns the number of additions, each of the n of AddN counted; after
// Intersect it is an upper bound. It stops at math.MaxUint64.
func (f *Spectral) Total() uint64 { return f.filter.Total }

// Saturated returns the number of counters that are full. It reads the whole
// filter.
func (f *Spectral) Saturated() uint64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	return f.filter.Above(f.filter.Max() - 1)
}

// ErrorBound returns the smallest e for which a key that was never added has a
// Count above e with probability 1 − q at most, 0 <= q <= 1: by how much counts
// are too high, but for one key in 1,000 if q is 0.999. It is computed from the
// counters, not estimated; the probability is over keys whose hashes are uniform.
//
// The same e holds for keys that were added: the expected part of them whose Count
// is too high by more than e is 1 − q at most. For to leave a key out lowers no
// counter by more than the key's additions, so that its Count is too high by no
// more than the Count it would have if it had never been added. It does not hold
// for keys that were chosen by their counts: of a million keys, a thousand may be
// beyond what 0.999 says, and those with the highest counts are more likely to be.
// Nor does it after Intersect.
//
// It reads the whole filter several times, at some tens of nanoseconds a block.
func (f *Spectral) ErrorBound(q float64) uint64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	return f.filter.Quantile(max(1-q, 0))
}

// Clear removes every key.
func (f *Spectral) Clear() {
	if f.filter.Empty() {
		return
	}
	f.filter.RaceWrite()
	f.filter.Clear()
}

// Union adds the counts of g to those of f, up to what a counter holds: they are
// never too low afterwards either, but may be higher than if the keys of both had
// been added to one filter. It fails with an error that wraps ErrMismatch, and
// leaves f as it was, unless both have the same number of blocks, counters per key,
// width of counters and hashing.
func (f *Spectral) Union(g *Spectral) error { return f.combine(g, (*spectral.Filter).Sum) }

// Intersect makes the count of each key the lesser of those in f and g, or more.
// Errors are those of Union.
func (f *Spectral) Intersect(g *Spectral) error { return f.combine(g, (*spectral.Filter).Least) }

func (f *Spectral) combine(g *Spectral, how func(f, g *spectral.Filter)) error {
	if err := f.match(g); err != nil {
		return err
	}
	f.filter.RaceWrite()
	g.filter.RaceRead()
	how(&f.filter, &g.filter)
	return nil
}

// match returns an error that says in what f and g differ, nil if their counters
// mean the same.
func (f *Spectral) match(g *Spectral) error {
	switch {
	case f.filter.Blocks != g.filter.Blocks:
		return fmt.Errorf("%w: %d and %d blocks", ErrMismatch, f.filter.Blocks, g.filter.Blocks)
	case f.filter.K != g.filter.K:
		return fmt.Errorf("%w: %d and %d counters per key", ErrMismatch, f.filter.K, g.filter.K)
	case f.filter.Bits != g.filter.Bits:
		return fmt.Errorf("%w: counters of %d and of %d bits", ErrMismatch, f.filter.Bits, g.filter.Bits)
	case !f.filter.Hash.Equal(g.filter.Hash):
		return fmt.Errorf("%w: hashed under different keys", ErrMismatch)
	}
	return nil
}

// Clone returns a copy with memory of its own.
func (f *Spectral) Clone() *Spectral {
	f.filter.RaceRead()
	c := &Spectral{n: f.n, p: f.p, noHugePages: f.noHugePages}
	if g := &f.filter; len(g.Words) > 0 {
		c.filter.Init(spectral.New(g.Blocks, g.Bits, !f.noHugePages), g.Bits, g.K, g.Hash, g.Total)
		memory.Copy(c.filter.Words, g.Words)
	}
	return c
}

// Equal reports whether f and g have the same Blocks, K, CounterBits, hashing,
// counters and Total.
func (f *Spectral) Equal(g *Spectral) bool {
	return f.match(g) == nil && f.filter.Total == g.filter.Total && equalWords(f.filter.Words, g.filter.Words)
}

// Fill returns the fraction of counters that are above 0, 0 to 1. It reads the
// whole filter.
func (f *Spectral) Fill() float64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	return float64(f.filter.Above(0)) / (spectral.Counters * float64(f.filter.Blocks))
}

// EstimatedCount returns the maximum-likelihood estimate of the number of distinct
// keys added, from the number of counters above 0. A filter without a counter that
// is 0 gives math.MaxUint64. It reads the whole filter.
func (f *Spectral) EstimatedCount() uint64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	return f.filter.Distinct()
}

// FPRate returns the exact probability that a key which was never added has a
// count, for a uniform hash and the counters as they are. It reads the whole
// filter, at some tens of nanoseconds a block.
func (f *Spectral) FPRate() float64 {
	if f.filter.Empty() {
		return 0
	}
	f.filter.RaceRead()
	return f.filter.Exceed(0)
}

// ExpectedFPRate returns the FPRate that the model predicts after n distinct keys
// were added to the empty filter. It does not look at the counters.
func (f *Spectral) ExpectedFPRate(n uint64) float64 {
	if f.filter.Empty() {
		return 0
	}
	mean, _ := model.SpectralRate(float64(n)/float64(f.filter.Blocks), f.filter.K)
	return min(mean+model.Collisions(n), 1)
}

// Batches. See batch.go.

// AddHashes adds keys by their hashes, in order, each once. See AddHash.
func (f *Spectral) AddHashes(hashes []uint64) { f.filter.AddHashes(hashes) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Spectral) AddUint64s(keys []uint64) {
	if f.Keyed() {
		addKeys(f.target(), f.filter.Hash, keys)
		return
	}
	f.filter.AddUint64s(keys)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Spectral) AddStrings(keys []string) { addKeys(f.target(), f.filter.Hash, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Spectral) AddBytes(keys [][]byte) { addKeys(f.target(), f.filter.Hash, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits says whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Spectral) TestHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (f *Spectral) TestUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
	}
	return batch(f.target(), keys, hits, testUint64s)
}

// TestStrings is TestHashes for strings.
func (f *Spectral) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (f *Spectral) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestAndAddHashes adds keys by their hashes, in order, and returns how many may
// have been there before: in the filter, or earlier in the batch. Bit i of hits
// says whether the key with hashes[i] may have been: hits is resized to len(hashes)
// bits and overwritten. It may be nil if only the number is wanted.
func (f *Spectral) TestAndAddHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testAndAddHashes)
}

// TestAndAddUint64s is TestAndAddHashes for integers.
func (f *Spectral) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
	}
	return batch(f.target(), keys, hits, testAndAddUint64s)
}

// TestAndAddStrings is TestAndAddHashes for strings.
func (f *Spectral) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// TestAndAddBytes is TestAndAddHashes for byte slices.
func (f *Spectral) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// CountHashes sets counts[i] to the Count of the key with hashes[i], for every i.
// counts has at least the length of hashes, or CountHashes panics. It may be hashes
// itself.
func (f *Spectral) CountHashes(hashes, counts []uint64) { f.filter.CountHashes(hashes, counts) }

// CountUint64s is CountHashes for integers.
func (f *Spectral) CountUint64s(keys, counts []uint64) {
	if f.Keyed() {
		countKeyBatch(f, keys, counts)
		return
	}
	f.filter.CountUint64s(keys, counts)
}

// CountStrings is CountHashes for strings.
func (f *Spectral) CountStrings(keys []string, counts []uint64) { countKeyBatch(f, keys, counts) }

// CountBytes is CountHashes for byte slices.
func (f *Spectral) CountBytes(keys [][]byte, counts []uint64) { countKeyBatch(f, keys, counts) }

// countKeyBatch hashes all keys into counts, which then become the counts.
func countKeyBatch[K string | []byte | uint64](f *Spectral, keys []K, counts []uint64) {
	counts = counts[:len(keys):len(counts)]
	hash.Batch(f.filter.Hash, counts, keys)
	f.filter.CountHashes(counts, counts)
}

// AddCountHashes adds keys by their hashes, in order, each once, and sets counts[i]
// to the Count of the key with hashes[i] right after its addition. counts has at
// least the length of hashes, or AddCountHashes panics. It may be hashes itself.
func (f *Spectral) AddCountHashes(hashes, counts []uint64) { f.filter.AddCountHashes(hashes, counts) }

// AddCountUint64s is AddCountHashes for integers.
func (f *Spectral) AddCountUint64s(keys, counts []uint64) {
	if f.Keyed() {
		addCountKeyBatch(f, keys, counts)
		return
	}
	f.filter.AddCountUint64s(keys, counts)
}

// AddCountStrings is AddCountHashes for strings.
func (f *Spectral) AddCountStrings(keys []string, counts []uint64) {
	addCountKeyBatch(f, keys, counts)
}

// AddCountBytes is AddCountHashes for byte slices.
func (f *Spectral) AddCountBytes(keys [][]byte, counts []uint64) {
	addCountKeyBatch(f, keys, counts)
}

func addCountKeyBatch[K string | []byte | uint64](f *Spectral, keys []K, counts []uint64) {
	counts = counts[:len(keys):len(counts)]
	hash.Batch(f.filter.Hash, counts, keys)
	f.filter.AddCountHashes(counts, counts)
}

func (f *Spectral) target() target { return target{spectral: &f.filter} }

// doSpectral is target.do for a Spectral.
func doSpectral(f *spectral.Filter, verb batchVerb, keys, hits []uint64) {
	switch verb {
	case addHashes:
		f.AddHashes(keys)
	case testHashes:
		f.TestHashes(keys, hits)
	case testUint64s:
		f.TestUint64s(keys, hits)
	case testAndAddHashes:
		f.TestAndAddHashes(keys, hits)
	case testAndAddUint64s:
		f.TestAndAddUint64s(keys, hits)
	}
}

// Files. See file.go.

// Save writes the filter to a file, in one step, as Blocked.Save.
func (f *Spectral) Save(path string) error { return format.Save(path, f.WriteTo) }

// OpenSpectral opens a file that Save or WriteTo made, as OpenBlocked.
func OpenSpectral(path string, opts ...OpenOption) (*Spectral, error) {
	return openStored[Spectral](path, opts)
}

// ReadSpectral reads a filter, as written by WriteTo or Save, into memory, as
// ReadBlocked.
func ReadSpectral(r io.Reader, opts ...OpenOption) (*Spectral, error) {
	return readStored[Spectral](r, opts)
}

// Close releases the filter's memory, and the mapping if OpenSpectral made one.
// No other goroutine may use the filter at the same time, and nobody afterwards:
// that panics. Closing twice is allowed.
func (f *Spectral) Close() error {
	m := f.mapping
	f.filter.Close()
	f.mapping = nil
	return m.Close()
}

// WriteTo writes the filter in the format of Save. It implements io.WriterTo. A
// filter that is closed or was never made is an error. No goroutine may add to the
// filter at the same time.
func (f *Spectral) WriteTo(w io.Writer) (n int64, err error) { return writeTo(f, w) }

// ReadFrom replaces the filter's contents by a filter that WriteTo or Save wrote,
// as Blocked.ReadFrom.
func (f *Spectral) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(f, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler.
func (f *Spectral) MarshalBinary() ([]byte, error) { return appendBinary(f, nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Spectral) AppendBinary(b []byte) ([]byte, error) { return appendBinary(f, b) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Spectral) UnmarshalBinary(data []byte) error { return unmarshal(f, data) }

func (f *Spectral) expect() format.Expect {
	return format.Expect{Kind: format.Spectral, Hash: f.filter.Hash, NoHugePages: f.noHugePages}
}

// In the header of a Spectral's file Extra[0] is the width of the counters in bits
// and Extra[1] the number of additions.
func (f *Spectral) content() (format.Header, [][]uint64) {
	if len(f.filter.Words) == 0 {
		return format.Header{}, nil
	}
	f.filter.RaceRead()
	h := format.NewHeader(format.Spectral, f.filter.K, f.filter.Hash)
	h.Items = f.EstimatedCount()
	h.Capacity, h.Rate = f.n, f.p
	h.Extra[0], h.Extra[1] = uint64(f.filter.Bits), f.filter.Total
	return h, [][]uint64{f.filter.Words}
}

// Where the header has what adopt looks at: internal/format.
const (
	spectralOffsetBlocks = 40
	spectralOffsetBits   = 88
)

func (f *Spectral) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	bits := h.Extra[0]
	switch {
	case bits > 32 || !spectral.ValidBits(int(bits)):
		return format.Errorf(ErrHeader, "counter width", spectralOffsetBits, "is %d bits, want 8, 16 or 32", bits)
	case uint64(len(words))%bits != 0:
		return format.Errorf(ErrHeader, "block count", spectralOffsetBlocks, "is %d, no whole number of blocks of %d bytes",
			h.Blocks, spectral.BlockBytes(int(bits)))
	}
	err := f.Close()
	f.filter.Init(words, int(bits), int(h.K), want.Hash, h.Extra[1])
	f.mapping, f.noHugePages = m, want.NoHugePages
	f.n, f.p = h.Capacity, h.Rate
	return err
}
