package bitsieve

import (
	"encoding"
	"errors"
	"io"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
)

// Filter is what the filters of this package have in common: changing from one to
// another is a change of the constructor. The methods of a type say more.
//
// Keys are byte slices, strings and integers: AddString(s) and Add([]byte(s)) are
// the same, and whether an integer equals some byte slice depends on the type, and on
// whether there is a secret key. The methods that test report whether a key may have
// been added: false is certain. Those that test and add report whether it may have
// been there before.
//
// Batches are faster than one key at a time, and give the same answers as the keys
// one after the other. They return how many keys may be (may have been) present. Bit
// i of hits says whether keys[i] may: hits is resized to len(keys) bits and
// overwritten, or nil if only the number is wanted.
type Filter interface {
	Add(key []byte)
	AddString(s string)
	AddUint64(x uint64)
	Test(key []byte) bool
	TestString(s string) bool
	TestUint64(x uint64) bool
	TestAndAdd(key []byte) bool
	TestAndAddString(s string) bool
	TestAndAddUint64(x uint64) bool

	AddBytes(keys [][]byte)
	AddStrings(keys []string)
	AddUint64s(keys []uint64)
	TestBytes(keys [][]byte, hits *BitSet) int
	TestStrings(keys []string, hits *BitSet) int
	TestUint64s(keys []uint64, hits *BitSet) int
	TestAndAddBytes(keys [][]byte, hits *BitSet) int
	TestAndAddStrings(keys []string, hits *BitSet) int
	TestAndAddUint64s(keys []uint64, hits *BitSet) int

	// Clear removes every key.
	Clear()

	// K returns the number of bits that a key sets.
	K() int
	// Keyed reports whether keys are hashed under a secret key.
	Keyed() bool
	// Capacity returns what the filter was sized for, 0 and 0 if its size was given.
	Capacity() (n uint64, p float64)
	// SizeBytes returns the size of the filter's bits in bytes.
	SizeBytes() uint64
	// Fill returns the fraction of bits that are set.
	Fill() float64
	// FPRate returns the false-positive rate of the filter as it stands.
	FPRate() float64
	// ExpectedFPRate returns the one that is expected after n distinct keys.
	ExpectedFPRate(n uint64) float64
	// EstimatedCount returns an estimate of the number of distinct keys added.
	EstimatedCount() uint64

	// Save writes the filter to a file, in one step.
	Save(path string) error
	// Close releases the filter's memory.
	Close() error
	io.WriterTo
	io.ReaderFrom
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// family holds a filter to what an interface without type parameters cannot say.
type family[F any] interface {
	*F
	Filter
	Union(g *F) error
	Intersect(g *F) error
	Clone() *F
	Equal(g *F) bool
}

func isFamily[F any, P family[F]]() {}

var _ = func() {
	isFamily[Blocked]()
	isFamily[AtomicBlocked]()
	isFamily[Sharded]()
	isFamily[Bloom]()
	isFamily[Spectral]()
	isFamily[Counting]()
}

// An Option changes how a filter is made. Every Option is an OpenOption too.
//
//	                   make: New…   open: Open…, Read…
//	WithKey                ✓             ✓
//	WithoutHugePages       ✓             ✓
//	WithFolds              ✓
//	WithoutChecksum                      ✓
type Option interface {
	OpenOption
	make(*options)
}

// An OpenOption changes how a filter's file is opened or read. What is one
// without being an Option does not compile where a filter is made.
type OpenOption interface {
	open(*options)
}

type options struct {
	key          []byte
	skipChecksum bool
	noHugePages  bool
	folds        int
}

// makeOption is an option for making and opening, openOption one for opening only.
type (
	makeOption func(*options)
	openOption func(*options)
)

func (f makeOption) make(o *options) { f(o) }
func (f makeOption) open(o *options) { f(o) }
func (f openOption) open(o *options) { f(o) }

// WithKey makes a filter hash its keys by HighwayHash under a secret key of
// KeySize bytes, so that nobody who lacks the key can craft colliding keys.
// Hashing is slower than the default, whose collisions anybody can compute. The
// key is copied. A filter's file can only be opened with the key that the filter
// was made with.
func WithKey(key []byte) Option {
	key = append([]byte{}, key...)
	return makeOption(func(o *options) { o.key = key })
}

// WithoutHugePages leaves the filter's memory as the Go runtime has it, and that
// of its clones and of what is read into it. By default the kernel is asked, on
// Linux and from 2 MiB on, to put it on huge pages, without which a probe of a
// large filter waits for the page table as often as for the data.
//
// The memory belongs to Go's heap, and the advice outlives the filter: what the
// runtime later keeps there lies on huge pages as well, so that a process which
// makes and drops large filters may hold more memory than its small objects need.
// A program that minds gives this option; one whose filters live as long as it
// does has no reason to.
func WithoutHugePages() Option {
	return makeOption(func(o *options) { o.noHugePages = true })
}

// WithFolds makes NewBlocked, NewAtomicBlocked and NewSharded round the number of
// blocks up to a multiple of 2^n, so that Fold can halve the filter n times. The
// number of halvings is at least 0, and at most 57; another one, and a size out of
// range, are errors that wrap ErrParameter. Where a size is given, for other filters,
// and for opening a file, the option means nothing.
func WithFolds(n int) Option {
	return makeOption(func(o *options) { o.folds = n })
}

// WithoutChecksum skips the payload's checksum. Opening a mapped file then costs
// the same for any size, as the payload is read from disk page by page when keys
// are tested; but damage to it goes unnoticed, and a filter with a bit lost denies
// keys that it holds. The header is always checked.
func WithoutChecksum() OpenOption {
	return openOption(func(o *options) { o.skipChecksum = true })
}

func applyOptions(opts []Option) (o options) {
	for _, f := range opts {
		f.make(&o)
	}
	return o
}

func applyOpenOptions(opts []OpenOption) (o options) {
	for _, f := range opts {
		f.open(&o)
	}
	return o
}

// KeySize is the length in bytes of the secret key that WithKey takes.
const KeySize = hash.KeySize

// Errors that constructors and set operations wrap with the value at fault.
// Test for them with errors.Is.
var (
	// ErrParameter is wrapped when a size, a number of hash functions or a
	// false-positive rate is out of range.
	ErrParameter = model.ErrParameter
	// ErrKey is wrapped when a secret key has the wrong length, is missing, or
	// is not the one that a filter was made with.
	ErrKey = hash.ErrKey
	// ErrMemory is wrapped when a filter to be read is larger than the memory
	// that the system has for it.
	ErrMemory = memory.ErrMemory
	// ErrMismatch is wrapped when two filters that differ in size, number of
	// hash functions or hashing meet in one operation.
	ErrMismatch = errors.New("bitsieve: filters do not match")
)
