package bitsieve

import (
	"io"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/model"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// AtomicBlocked is a Blocked that any number of goroutines add to and test at the
// same time, without locks. No key is ever lost: once a method that adds a key has
// returned, every test that begins later finds it, in whatever goroutine, and so
// does one that runs when the key's bits are complete. Bits, sizes, rates and files
// are those of Blocked, byte for byte.
//
// TestAndAdd and its kind decide among goroutines that add one new key at a time:
// at most one of them is told that the key was not there, and exactly one is,
// unless another key's bits get in between. That takes an add, by another goroutine
// and during these very calls, of a key of the same block that sets one of the
// bits that were missing; then it may be that all of them are told that the key
// was there, as with any false positive. Among these goroutines are those that add
// by Add and are told nothing. A Union counts as adding other keys; beside Clear and
// Intersect none of this holds.
//
// A test takes as long as one of Blocked, and so does, in batches, the adding of keys
// that are there. A new key costs an atomic operation for each of its up to eight
// lanes in which a bit is missing, each as long as several tests. So where most keys
// are new and come in batches, the locks of Sharded cost less; and Builder is for
// filters that nobody tests until they are complete.
//
// The methods that can run at the same time as any others are those that add and
// test, Union, Intersect, Clear, Clone, Equal, Fill, FPRate, EstimatedCount, and
// what only tells parameters. Save, WriteTo and their kind need goroutines that do
// not add (save a Clone where they must go on), and Close, ReadFrom and
// UnmarshalBinary need a filter that nobody else uses.
//
// A test that finds a key orders nothing else in memory: data that a goroutine
// stores before it adds a key, for another that finds the key to read, need a lock
// or a channel of their own.
//
// An AtomicBlocked must not be copied. The zero value contains nothing and is there
// to be decoded into; adding to it panics. After Close every use panics.
type AtomicBlocked Blocked

// NewAtomicBlocked returns an empty filter whose false-positive rate is at most p
// once n distinct keys have been added. It is NewBlocked, and Atomic of that.
func NewAtomicBlocked(n uint64, p float64, opts ...Option) (*AtomicBlocked, error) {
	f, err := NewBlocked(n, p, opts...)
	return f.Atomic(), err
}

// NewAtomicBlockedWithSize returns an empty filter of the given number of blocks of
// 64 bytes in which every key sets k bits. See NewBlockedWithSize.
func NewAtomicBlockedWithSize(blocks uint64, k int, opts ...Option) (*AtomicBlocked, error) {
	f, err := NewBlockedWithSize(blocks, k, opts...)
	return f.Atomic(), err
}

// OpenAtomicBlocked opens the file of an AtomicBlocked or a Blocked, which are the
// same. See OpenBlocked.
func OpenAtomicBlocked(path string, opts ...OpenOption) (*AtomicBlocked, error) {
	f, err := OpenBlocked(path, opts...)
	return f.Atomic(), err
}

// ReadAtomicBlocked reads an AtomicBlocked or a Blocked into memory. See ReadBlocked.
func ReadAtomicBlocked(r io.Reader, opts ...OpenOption) (*AtomicBlocked, error) {
	f, err := ReadBlocked(r, opts...)
	return f.Atomic(), err
}

// Atomic returns f as a filter for many goroutines. It costs nothing and copies
// nothing: both are one filter, under two types, and closing one closes both. While
// goroutines use the AtomicBlocked, nobody may use methods of f. There is one
// exception: methods of f that only read can be used while nobody adds. A build with
// the race detector reports what breaks the rule.
func (f *Blocked) Atomic() *AtomicBlocked { return (*AtomicBlocked)(f) }

// Blocked returns f as a filter for one goroutine that adds, or many that test. Both
// are one filter: see Blocked.Atomic.
func (f *AtomicBlocked) Blocked() *Blocked { return (*Blocked)(f) }

// What files hold of it is a Blocked.

func (f *AtomicBlocked) expect() format.Expect { return f.Blocked().expect() }

func (f *AtomicBlocked) content() (format.Header, [][]uint64) { return f.Blocked().content() }

func (f *AtomicBlocked) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	return f.Blocked().adopt(h, words, m, want)
}

func (f *AtomicBlocked) core() *block.Atomic { return (*block.Atomic)(&f.filter) }

func (f *AtomicBlocked) target() target { return target{atomic: f.core()} }

// K returns the number of bits that a key sets.
func (f *AtomicBlocked) K() int { return f.Blocked().K() }

// Blocks returns the number of blocks of 64 bytes.
func (f *AtomicBlocked) Blocks() uint64 { return f.Blocked().Blocks() }

// SizeBytes returns the size of the filter's bits in bytes.
func (f *AtomicBlocked) SizeBytes() uint64 { return f.Blocked().SizeBytes() }

// Capacity returns the number of keys n and the false-positive rate p that the
// filter was sized for by NewAtomicBlocked; both are 0 if its size was given.
func (f *AtomicBlocked) Capacity() (n uint64, p float64) { return f.Blocked().Capacity() }

// Keyed reports whether the filter hashes under a secret key.
func (f *AtomicBlocked) Keyed() bool { return f.Blocked().Keyed() }

// Add adds a key.
func (f *AtomicBlocked) Add(key []byte) { f.core().AddHash(f.filter.Hash.Bytes(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *AtomicBlocked) AddString(s string) { f.core().AddHash(f.filter.Hash.String(s)) }

// AddUint64 adds an integer. It is a key of its own kind, equal to no byte slice and
// no string; but under a secret key it is its eight little-endian bytes.
func (f *AtomicBlocked) AddUint64(x uint64) { f.core().AddUint64(x) }

// AddHash adds a key by its hash. See Blocked.AddHash.
func (f *AtomicBlocked) AddHash(h uint64) { f.core().AddHash(h) }

// Test reports whether key may have been added: false is certain.
func (f *AtomicBlocked) Test(key []byte) bool { return f.core().TestHash(f.filter.Hash.Bytes(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *AtomicBlocked) TestString(s string) bool {
	return f.core().TestHash(f.filter.Hash.String(s))
}

// TestUint64 reports whether x may have been added: false is certain.
func (f *AtomicBlocked) TestUint64(x uint64) bool { return f.core().TestUint64(x) }

// TestHash reports whether a key with the hash h may have been added by AddHash:
// false is certain.
func (f *AtomicBlocked) TestHash(h uint64) bool { return f.core().TestHash(h) }

// TestAndAdd adds key and reports whether it may have been there before. Of several
// goroutines that add one new key at a time, one is told that it was not: the type's
// documentation says exactly what holds.
func (f *AtomicBlocked) TestAndAdd(key []byte) bool {
	return f.core().TestAndAddHash(f.filter.Hash.Bytes(key))
}

// TestAndAddString is TestAndAdd for the bytes of s.
func (f *AtomicBlocked) TestAndAddString(s string) bool {
	return f.core().TestAndAddHash(f.filter.Hash.String(s))
}

// TestAndAddUint64 is TestAndAdd for an integer.
func (f *AtomicBlocked) TestAndAddUint64(x uint64) bool {
	return f.core().TestAndAddHash(f.filter.Hash.Uint64(x))
}

// TestAndAddHash is TestAndAdd for a key by its hash. See Blocked.AddHash.
func (f *AtomicBlocked) TestAndAddHash(h uint64) bool { return f.core().TestAndAddHash(h) }

// AddHashes adds keys by their hashes. See Blocked.AddHash.
func (f *AtomicBlocked) AddHashes(hashes []uint64) { f.core().AddHashes(hashes) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *AtomicBlocked) AddUint64s(keys []uint64) {
	if f.Keyed() {
		addKeys(f.target(), f.filter.Hash, keys)
		return
	}
	f.core().AddUint64s(keys)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *AtomicBlocked) AddStrings(keys []string) { addKeys(f.target(), f.filter.Hash, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *AtomicBlocked) AddBytes(keys [][]byte) { addKeys(f.target(), f.filter.Hash, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits says whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *AtomicBlocked) TestHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (f *AtomicBlocked) TestUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
	}
	return batch(f.target(), keys, hits, testUint64s)
}

// TestStrings is TestHashes for strings.
func (f *AtomicBlocked) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (f *AtomicBlocked) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestAndAddHashes adds keys by their hashes, in order, and returns how many may
// have been there before: in the filter, or earlier in the batch. Bit i of hits
// says whether the key with hashes[i] may have been, as TestAndAddHash would for
// one key after the other: hits is resized to len(hashes) bits and overwritten. It
// may be nil if only the number is wanted.
func (f *AtomicBlocked) TestAndAddHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testAndAddHashes)
}

// TestAndAddUint64s is TestAndAddHashes for integers.
func (f *AtomicBlocked) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
	}
	return batch(f.target(), keys, hits, testAndAddUint64s)
}

// TestAndAddStrings is TestAndAddHashes for strings.
func (f *AtomicBlocked) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// TestAndAddBytes is TestAndAddHashes for byte slices.
func (f *AtomicBlocked) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// doAtomic is target.do for an AtomicBlocked.
func doAtomic(f *block.Atomic, verb batchVerb, keys, hits []uint64) {
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

// Clear removes every key. A key that is added meanwhile may be removed as well.
func (f *AtomicBlocked) Clear() { f.core().Clear() }

// Union adds every key of g to f. It fails with an error that wraps ErrMismatch,
// and leaves f as it was, unless both have the same number of blocks, bits per
// key and hashing. A key that is added to g meanwhile may be left out.
func (f *AtomicBlocked) Union(g *AtomicBlocked) error {
	if err := f.Blocked().match(g.Blocked()); err != nil {
		return err
	}
	f.core().Or(g.Blocked().words())
	return nil
}

// Intersect keeps in f the bits that g has too. Every key that was added to both
// remains, even if it is being added to f meanwhile; another one that is being added
// to f may be removed. See Blocked.Intersect for the rate. Errors are those of Union.
func (f *AtomicBlocked) Intersect(g *AtomicBlocked) error {
	if err := f.Blocked().match(g.Blocked()); err != nil {
		return err
	}
	f.core().And(g.Blocked().words())
	return nil
}

// Clone returns a copy with memory of its own. It has every key whose adding was
// over when Clone began; of those that are added meanwhile, it may have some.
func (f *AtomicBlocked) Clone() *AtomicBlocked {
	c := &AtomicBlocked{n: f.n, p: f.p, noHugePages: f.noHugePages}
	if len(f.filter.Blocks) > 0 {
		c.filter.Init(block.New(f.Blocks(), !f.noHugePages), f.filter.K, f.filter.Hash)
		f.core().Read(c.Blocked().words(), 0)
	}
	return c
}

// readWords is the number of words that are copied to the stack at a time, for the
// kernels to take: 4 KiB.
const readWords = 512

// Equal reports whether f and g have the same Blocks, K, hashing and bits set.
func (f *AtomicBlocked) Equal(g *AtomicBlocked) bool {
	if f.Blocked().match(g.Blocked()) != nil {
		return false
	}
	var a, b [readWords]uint64
	for at, n := 0, len(f.Blocked().words()); at < n; at += readWords {
		m := min(readWords, n-at)
		f.core().Read(a[:m], at)
		g.core().Read(b[:m], at)
		if !equalWords(a[:m], b[:m]) {
			return false
		}
	}
	return true
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole
// filter.
func (f *AtomicBlocked) Fill() float64 {
	if f.filter.Empty() {
		return 0
	}
	var chunk [readWords]uint64
	ones, n := 0, len(f.Blocked().words())
	for at := 0; at < n; at += readWords {
		words := chunk[:min(readWords, n-at)]
		f.core().Read(words, at)
		ones += popcount.Count(words)
	}
	return float64(ones) / (64 * float64(n))
}

// EstimatedCount returns an estimate of the number of distinct keys added. See
// Blocked.EstimatedCount. It reads the whole filter.
func (f *AtomicBlocked) EstimatedCount() uint64 { return f.Blocked().countFrom(f.Fill()) }

// FPRate returns the false-positive rate of the filter as it stands. See
// Blocked.FPRate. It reads the whole filter.
func (f *AtomicBlocked) FPRate() float64 {
	if f.filter.Empty() {
		return 0
	}
	var sum float64
	var b block.Block
	for i := range f.filter.Blocks {
		f.core().Load(i, &b)
		sum += model.HitRate(&b, f.filter.K)
	}
	return sum / float64(len(f.filter.Blocks))
}

// ExpectedFPRate returns the false-positive rate that the model of the blocked
// filter predicts after n distinct keys were added to the empty filter.
func (f *AtomicBlocked) ExpectedFPRate(n uint64) float64 { return f.Blocked().ExpectedFPRate(n) }

// Hash returns the hash by which the filter knows key. See Blocked.Hash.
func (f *AtomicBlocked) Hash(key []byte) uint64 { return f.filter.Hash.Bytes(key) }

// HashString is Hash for the bytes of s.
func (f *AtomicBlocked) HashString(s string) uint64 { return f.filter.Hash.String(s) }

// HashUint64 is Hash for an integer.
func (f *AtomicBlocked) HashUint64(x uint64) uint64 { return f.filter.Hash.Uint64(x) }

// Save writes the filter to a file, in one step, as Blocked.Save does. No goroutine
// may add at the same time.
func (f *AtomicBlocked) Save(path string) error { return f.Blocked().Save(path) }

// Close releases the filter's memory, and the mapping if OpenAtomicBlocked made one.
// No other goroutine may use the filter at the same time, and nobody afterwards:
// testing and adding then panic. Closing twice is allowed.
func (f *AtomicBlocked) Close() error { return f.Blocked().Close() }

// WriteTo writes the filter in the format of Save. It implements io.WriterTo. No
// goroutine may add at the same time.
func (f *AtomicBlocked) WriteTo(w io.Writer) (n int64, err error) { return f.Blocked().WriteTo(w) }

// ReadFrom replaces the filter's contents, as Blocked.ReadFrom does. No other
// goroutine may use the filter at the same time.
func (f *AtomicBlocked) ReadFrom(r io.Reader) (n int64, err error) { return f.Blocked().ReadFrom(r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler.
func (f *AtomicBlocked) MarshalBinary() ([]byte, error) { return f.Blocked().MarshalBinary() }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *AtomicBlocked) AppendBinary(b []byte) ([]byte, error) { return f.Blocked().AppendBinary(b) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *AtomicBlocked) UnmarshalBinary(data []byte) error { return f.Blocked().UnmarshalBinary(data) }
