package bitsieve

import (
	"io"
	"math"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/stages"
)

// Scalable is a Bloom filter for a number of keys that nobody knows beforehand: its
// false-positive rate is at most p however many are added (Almeida, Baquero,
// Preguiça, Hutchison: Scalable Bloom filters, 2007).
//
// It is a row of Blocked filters, its stages. Adding goes to the newest one; when
// that has the keys it was sized for, a larger one follows, of a lower rate, so that
// the sum of all rates stays at most p. Stages double up to 2^24 keys, and have half
// as many as there are so far from there on. The rate of the first is p/8, that of
// each further one 7/8 of the one before.
//
// A test looks at one stage after the other, the newest first, until one has the key:
// one cache miss for each stage that has not. Batches take to each stage only the keys
// that are still undecided. Adding is test-and-add: a key that some stage has, or
// seems to have, is not added again, so that repeated keys take no room.
//
// For n keys it takes, in the mean over n, 1.9 times the memory of NewBlocked(n, p) at
// p = 1e-6 and 2.4 times at 1 %, and up to 3 and 3.6 times just after a stage was added:
// for the lower rates, and for the room that the newest stage has left. Whoever knows
// the number of keys, if only within a factor of two, is better off with NewBlocked.
//
// Any number of goroutines may test at the same time while none adds. Adding needs
// exclusive access. No method that adds or tests allocates memory, but for the stage
// that follows a full one, and for growing a result's BitSet.
//
// Two of them cannot be united: the union's rate would be the sum of the two, and
// exceed what was asked for.
//
// A Scalable must not be copied. The zero value contains nothing and is there to be
// decoded into; adding to it panics. After Close every use panics.
type Scalable struct {
	filter stages.Filter
	n      uint64 // as given to NewScalable

	mapping *format.Mapping // the file that the first stages lie in, or nil
}

var _ Filter = (*Scalable)(nil)

// ErrFull is wrapped by what Scalable.Err returns.
var ErrFull = stages.ErrFull

// defaultScalable is the number of keys of a first stage about which nothing was
// said: 82 KB at 1 %, 330 KB at 1e-6.
const defaultScalable = 1 << 16

// NewScalable returns an empty filter whose false-positive rate is at most p, however
// many distinct keys are added. n is how many keys to expect, and is the size of the
// first stage; 0 means that nothing is known, and counts as 65,536.
//
// p is at least 8e-12 and below 1; and p/8, the rate of the first stage, above
// n / 2^64, at which 64-bit hashes collide. Another value is an error that wraps
// ErrParameter. For the same reasons low rates limit the number of keys: 1e-8 to
// some 1,900 million, 1e-9 to 380 million, 1e-10 to 75 million. Err and Grow tell. The size depends on the arguments and the keys alone, on every
// machine.
//
// The options are WithKey and WithoutHugePages.
func NewScalable(n uint64, p float64, opts ...Option) (*Scalable, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	first := n
	if n == 0 {
		first = defaultScalable
	}
	f := &Scalable{n: n}
	if err := f.filter.Init(first, p, h, !o.noHugePages); err != nil {
		return nil, err
	}
	return f, nil
}

// K returns the number of bits that a new key sets: that of the newest stage.
func (f *Scalable) K() int {
	if len(f.filter.Stages) == 0 {
		return 0
	}
	return f.newest().Filter.K
}

func (f *Scalable) newest() *stages.Stage { return &f.filter.Stages[len(f.filter.Stages)-1] }

// Keyed reports whether the filter hashes under a secret key.
func (f *Scalable) Keyed() bool { return f.filter.Hash.Keyed() }

// Capacity returns n and p as they were given to NewScalable.
func (f *Scalable) Capacity() (n uint64, p float64) { return f.n, f.filter.P }

// SizeBytes returns the size of the bits of all stages in bytes, one that Grow made
// in advance included.
func (f *Scalable) SizeBytes() uint64 { return f.filter.Bytes() }

// Added returns the number of keys that were new when they were added: exactly,
// unlike EstimatedCount, but without those that were wrongly taken for ones seen
// before.
func (f *Scalable) Added() uint64 { return f.filter.Keys() }

// Room returns how many new keys can be added before a stage has to be allocated.
func (f *Scalable) Room() uint64 { return f.filter.Room() }

// Grow makes room for n more keys in advance, so that adding them allocates nothing.
// Where there is too little, it makes the next stage: of the size that it would have
// anyway (see NextStage), or as large as n demands.
//
// A size that the machine's free memory cannot hold is an error that wraps ErrMemory;
// stages of less than 1 GiB (128 MiB on 32-bit machines) are not checked for that. If the
// filter's rate allows no more keys, the error wraps ErrParameter. The filter is as it
// was then.
func (f *Scalable) Grow(n uint64) error { return f.filter.Grow(n) }

// Err returns nil as long as the filter keeps its promise, the rate p. A stage that
// has to follow may be refused for the reasons that Grow names. No key is lost then:
// the newest stage goes on beyond its capacity, and the rate rises, which FPRate and
// ExpectedFPRate tell. Err returns an error that wraps ErrFull and the reason. Stages are
// tried again from time to time, but the error stays until Clear.
func (f *Scalable) Err() error { return f.filter.Full }

// A Stage describes one of the filters that a Scalable is made of.
type Stage struct {
	Capacity  uint64  // keys that it was sized for
	Added     uint64  // keys that it has; more than Capacity only if Err is not nil
	Rate      float64 // its part of p: the false-positive rate at Capacity keys
	K         int     // bits that a key sets
	SizeBytes uint64  // of its bits
}

// Stages describes the stages, the oldest first.
func (f *Scalable) Stages() []Stage {
	list := make([]Stage, len(f.filter.Stages))
	for i := range list {
		s := &f.filter.Stages[i]
		list[i] = Stage{s.Capacity, s.Keys, s.Rate, s.Filter.K, uint64(len(s.Filter.Blocks)) * block.Bytes}
	}
	return list
}

// NextStage describes the stage that follows when the newest is full. It is an error
// that wraps ErrParameter if the filter's rate allows none.
func (f *Scalable) NextStage() (Stage, error) {
	n, rate, blocks, k, err := f.filter.Next()
	return Stage{Capacity: n, Rate: rate, K: k, SizeBytes: blocks * block.Bytes}, err
}

// Add adds a key, unless it seems to be there.
func (f *Scalable) Add(key []byte) { f.AddHash(f.filter.Hash.Bytes(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Scalable) AddString(s string) { f.AddHash(f.filter.Hash.String(s)) }

// AddUint64 adds an integer. It is a key of its own kind, equal to no byte slice and
// no string; but under a secret key it is its eight little-endian bytes.
func (f *Scalable) AddUint64(x uint64) { f.AddHash(f.filter.Hash.Uint64(x)) }

// AddHash adds a key by its hash, as Blocked.AddHash does.
func (f *Scalable) AddHash(h uint64) { f.filter.TestAndAddHash(h) }

// Test reports whether key may have been added: false is certain.
func (f *Scalable) Test(key []byte) bool { return f.TestHash(f.filter.Hash.Bytes(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *Scalable) TestString(s string) bool { return f.TestHash(f.filter.Hash.String(s)) }

// TestUint64 reports whether x may have been added: false is certain.
func (f *Scalable) TestUint64(x uint64) bool { return f.TestHash(f.filter.Hash.Uint64(x)) }

// TestHash reports whether a key with the hash h may have been added by AddHash:
// false is certain.
func (f *Scalable) TestHash(h uint64) bool { return f.filter.TestHash(h) }

// TestAndAdd adds key and reports whether it may have been there before.
func (f *Scalable) TestAndAdd(key []byte) bool { return f.TestAndAddHash(f.filter.Hash.Bytes(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Scalable) TestAndAddString(s string) bool {
	return f.TestAndAddHash(f.filter.Hash.String(s))
}

// TestAndAddUint64 adds x and reports whether it may have been there before.
func (f *Scalable) TestAndAddUint64(x uint64) bool {
	return f.TestAndAddHash(f.filter.Hash.Uint64(x))
}

// TestAndAddHash adds h and reports whether it may have been there before.
func (f *Scalable) TestAndAddHash(h uint64) bool { return f.filter.TestAndAddHash(h) }

// Hash returns the hash by which the filter knows key, which is that of Blocked.Hash.
func (f *Scalable) Hash(key []byte) uint64 { return f.filter.Hash.Bytes(key) }

// HashString is Hash for the bytes of s.
func (f *Scalable) HashString(s string) uint64 { return f.filter.Hash.String(s) }

// HashUint64 is Hash for an integer.
func (f *Scalable) HashUint64(x uint64) uint64 { return f.filter.Hash.Uint64(x) }

func (f *Scalable) target() target { return target{scalable: &f.filter} }

// doScalable is target.do for a Scalable.
func doScalable(f *stages.Filter, verb batchVerb, keys, hits []uint64) {
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

// AddHashes adds keys by their hashes, in order. See AddHash.
func (f *Scalable) AddHashes(hashes []uint64) { f.filter.AddHashes(hashes) }

// AddUint64s adds integers. It is faster than adding one by one.
func (f *Scalable) AddUint64s(keys []uint64) {
	if f.Keyed() {
		addKeys(f.target(), f.filter.Hash, keys)
		return
	}
	f.filter.AddUint64s(keys)
}

// AddStrings adds strings. It is faster than adding one by one.
func (f *Scalable) AddStrings(keys []string) { addKeys(f.target(), f.filter.Hash, keys) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Scalable) AddBytes(keys [][]byte) { addKeys(f.target(), f.filter.Hash, keys) }

// TestHashes tests keys by their hashes and returns how many may be present.
// Bit i of hits says whether the key with hashes[i] may be: hits is resized to
// len(hashes) bits and overwritten. It may be nil if only the number is wanted.
func (f *Scalable) TestHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (f *Scalable) TestUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
	}
	return batch(f.target(), keys, hits, testUint64s)
}

// TestStrings is TestHashes for strings.
func (f *Scalable) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (f *Scalable) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testHashes)
}

// TestAndAddHashes adds keys by their hashes, in order, and returns how many may
// have been there before: in the filter, or earlier in the batch. Bit i of hits
// says whether the key with hashes[i] may have been, as TestAndAddHash would for
// one key after the other: hits is resized to len(hashes) bits and overwritten. It
// may be nil if only the number is wanted.
func (f *Scalable) TestAndAddHashes(hashes []uint64, hits *BitSet) int {
	return batch(f.target(), hashes, hits, testAndAddHashes)
}

// TestAndAddUint64s is TestAndAddHashes for integers.
func (f *Scalable) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	if f.Keyed() {
		return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
	}
	return batch(f.target(), keys, hits, testAndAddUint64s)
}

// TestAndAddStrings is TestAndAddHashes for strings.
func (f *Scalable) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// TestAndAddBytes is TestAndAddHashes for byte slices.
func (f *Scalable) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(f.target(), f.filter.Hash, keys, hits, testAndAddHashes)
}

// Clear removes every key and every stage but the first, whose memory it keeps.
func (f *Scalable) Clear() { f.filter.Clear() }

// Clone returns a copy with memory of its own, without the stage that Grow may have
// made in advance.
func (f *Scalable) Clone() *Scalable { return &Scalable{filter: f.filter.Clone(), n: f.n} }

// Equal reports whether f and g were made with the same arguments, and have the same
// stages with the same bits set.
func (f *Scalable) Equal(g *Scalable) bool {
	a, b := f.filter.Stages, g.filter.Stages
	if f.n != g.n || f.filter.P != g.filter.P || !f.filter.Hash.Equal(g.filter.Hash) || len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Capacity != b[i].Capacity || a[i].Rate != b[i].Rate || a[i].Keys != b[i].Keys ||
			a[i].Filter.K != b[i].Filter.K || !equalWords(a[i].Words(), b[i].Words()) {
			return false
		}
	}
	return true
}

// Fill returns the fraction of bits that are set in all stages, 0 to 1. It reads the
// whole filter.
func (f *Scalable) Fill() float64 {
	var set, all float64
	for i := range f.filter.Stages {
		s := &f.filter.Stages[i]
		if s.Filter.Empty() {
			return 0
		}
		s.Filter.RaceRead()
		set += float64(popcount.Count(s.Words()))
		all += 64 * float64(len(s.Words()))
	}
	return set / max(all, 1)
}

// EstimatedCount returns an estimate of the number of distinct keys added: Added, and
// the Losses that are expected.
func (f *Scalable) EstimatedCount() uint64 {
	return f.Added() + uint64(math.Round(min(f.Losses(), 1<<62)))
}

// Losses returns how many of the distinct keys added are expected to have been taken
// for ones seen before, and so not been counted by Added. It is the sum, over all keys
// that were added, of the odds r / (1−r) at the false-positive rate r that the model
// predicts for the stages as they were at that time. It does not look at the bits.
func (f *Scalable) Losses() float64 {
	if len(f.filter.Stages) == 0 || f.newest().Filter.Empty() { // panics if f is closed
		return 0
	}
	return f.filter.Losses()
}

// FPRate returns the false-positive rate of the filter as it stands: the probability
// that a key whose hash is uniform passes one of the stages, computed from the bits
// set as by Blocked.FPRate, for stages that err independently of each other. It reads
// the whole filter, at some tens of nanoseconds a block.
func (f *Scalable) FPRate() float64 { return f.filter.FPRate() }

// ExpectedFPRate returns the false-positive rate that the model of the blocked filter
// predicts after n distinct keys, in the stages that there are and in those that
// would follow. It does not look at the bits. For each stage it takes some tens of
// microseconds.
func (f *Scalable) ExpectedFPRate(n uint64) float64 { return f.filter.ExpectedFPRate(n) }

// Save writes the filter to a file, as Blocked.Save does. The file has the stages as
// complete files of Blocked filters one after the other.
func (f *Scalable) Save(path string) error { return format.Save(path, f.WriteTo) }

// OpenScalable opens a file that Save or WriteTo made. Options, errors and the mapping
// are those of OpenBlocked: what is added, in stages from the file too, stays private.
func OpenScalable(path string, opts ...OpenOption) (*Scalable, error) {
	return openStored[Scalable](path, opts)
}

// ReadScalable reads a filter, as written by WriteTo or Save, into memory, as
// ReadBlocked does.
func ReadScalable(r io.Reader, opts ...OpenOption) (*Scalable, error) {
	return readStored[Scalable](r, opts)
}

// Close releases the filter's memory, and the mapping if OpenScalable made one. No
// other goroutine may use the filter at the same time, and nobody afterwards. Closing
// twice is allowed.
func (f *Scalable) Close() error {
	m := f.mapping
	f.filter.Close()
	f.mapping = nil
	return m.Close()
}

// WriteTo writes the filter in the format of Save. It implements io.WriterTo. A filter
// that is closed or was never made is an error. No goroutine may add to the filter at
// the same time.
func (f *Scalable) WriteTo(w io.Writer) (n int64, err error) { return writeTo(f, w) }

// ReadFrom replaces the filter's contents by a filter that WriteTo or Save wrote, as
// Blocked.ReadFrom does.
func (f *Scalable) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(f, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler, by which encoding/gob takes filters too.
func (f *Scalable) MarshalBinary() ([]byte, error) { return appendBinary(f, nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (f *Scalable) AppendBinary(b []byte) ([]byte, error) { return appendBinary(f, b) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// filter. It implements encoding.BinaryUnmarshaler.
func (f *Scalable) UnmarshalBinary(data []byte) error { return unmarshal(f, data) }

func (f *Scalable) expect() format.Expect {
	return format.Expect{Kind: format.Scalable, Hash: f.filter.Hash, NoHugePages: len(f.filter.Stages) > 0 && !f.filter.Huge}
}

// content puts n and p where a header has them, and the number of stages and the
// number of keys in the newest into the first two integers by kind.
func (f *Scalable) content() (format.Header, [][]uint64) {
	if len(f.filter.Stages) == 0 || len(f.filter.Stages[0].Filter.Blocks) == 0 {
		return format.Header{}, nil
	}
	h := format.NewHeader(format.Scalable, f.K(), f.filter.Hash)
	h.Items, h.Capacity, h.Rate = f.EstimatedCount(), f.n, f.filter.P
	h.Extra[0], h.Extra[1] = uint64(len(f.filter.Stages)), f.newest().Keys
	var payload [][]uint64
	for i := range f.filter.Stages {
		s := &f.filter.Stages[i]
		s.Filter.RaceRead()
		inner := format.NewHeader(format.Blocked, s.Filter.K, f.filter.Hash)
		inner.Items, inner.Capacity, inner.Rate = s.Keys, s.Capacity, s.Rate
		parts, err := format.Embed(inner, s.Words())
		if err != nil {
			return format.Header{}, nil // a stage without bits, which there is none of
		}
		payload = append(payload, parts...)
	}
	return h, payload
}

func (f *Scalable) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	list, err := splitStages(h, words, want.Hash)
	if err != nil {
		return err
	}
	err = f.Close()
	f.filter.Adopt(list, h.Rate, want.Hash, !want.NoHugePages)
	f.n, f.mapping = h.Capacity, m
	return err
}

// splitStages returns the stages in a file's payload. Errors are of type *FormatError.
func splitStages(h *format.Header, words []uint64, hasher hash.Hasher) ([]stages.Stage, error) {
	const extraOffset = 88 // of the first of a header's integers by kind
	wrong := func(field string, offset int64, text string, args ...any) ([]stages.Stage, error) {
		return nil, format.Errorf(ErrHeader, field, offset, text, args...)
	}
	if n := h.Extra[0]; n < 1 || n > stages.MaxStages {
		return wrong("stages", extraOffset, "are %d, want 1 to %d", n, stages.MaxStages)
	}
	if !(h.Rate >= stages.MinP) {
		return wrong("design rate", 64, "is %v, want %v or more", h.Rate, stages.MinP)
	}
	list := make([]stages.Stage, 0, h.Extra[0])
	rates, keys := 0.0, uint64(0)
	for rest, at := words, int64(format.HeaderBytes); len(list) < int(h.Extra[0]); {
		part, more, err := format.Split(rest, at)
		if err != nil {
			return nil, err
		}
		in := &part.Header
		switch {
		case in.Kind != format.Blocked:
			return wrong("stage's kind", at, "is %v, want %v", in.Kind, format.Blocked)
		case in.Hash != h.Hash || in.KeyCheck != h.KeyCheck:
			return wrong("stage's hash", at, "is not that of the whole filter")
		case in.Capacity == 0 || in.Capacity > stages.MaxKeys || in.Items > stages.MaxKeys:
			return wrong("stage's keys", at, "are %d of %d", in.Items, in.Capacity)
		case in.Rate <= 0:
			return wrong("stage's rate", at, "is %v", in.Rate)
		}
		s := stages.Stage{Capacity: in.Capacity, Rate: in.Rate, Keys: in.Items}
		s.Filter.Init(block.View(part.Words), int(in.K), hasher)
		list = append(list, s)
		rates, keys = rates+in.Rate, in.Items
		at += 8 * int64(len(rest)-len(more))
		rest = more
		if len(list) == int(h.Extra[0]) && len(rest) > 0 {
			return wrong("stages", extraOffset, "are %d, and %d bytes follow the last", len(list), 8*len(rest))
		}
	}
	newest := &list[len(list)-1].Filter
	switch {
	case keys != h.Extra[1]:
		return wrong("keys of the newest stage", extraOffset+8, "are %d, and %d in its own header", h.Extra[1], keys)
	case int(h.K) != newest.K:
		return wrong("k", 20, "is %d, and %d in the newest stage", h.K, newest.K)
	case rates > h.Rate*(1+1e-9):
		return wrong("design rate", 64, "is %v, and that of all stages %v", h.Rate, rates)
	}
	return list, nil
}
