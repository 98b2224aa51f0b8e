package bitsieve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/keyset"
)

// Whitelist is a filter with exceptions: keys that are known not to be in the set,
// and for which it answers false even where the filter that it wraps would take them
// for present. It is the classic remedy for the false positives of a black list that
// would hurt most.
//
// The exceptions are kept as they are, in a hash table, so that no other key is ever
// denied. A string of n bytes takes n + 7.8 to 11.3 bytes, an integer 12.2 to 18.3, and
// what a slice has to spare while it grows; see Trim for keeping fewer. Only keys that
// the filter takes for present are looked up among them; adding looks up every key.
//
// Adding wins: a key that is added although it is on the list is taken off it, and
// passes from then on. That is a conflict, and Conflicts reports it. The Whitelist
// cannot know what was added to the filter before the exception was made, or without
// going through the Whitelist. So exceptions come first, and only a key that was
// certainly not added may be excepted later.
//
// What the filter may do concurrently, the Whitelist may too: any number of
// goroutines may test at the same time, and add where the filter lets them. Making
// exceptions, Trim and Clear need exclusive access. No method that adds or tests
// allocates memory, but for growing a result's BitSet.
//
// A Whitelist must not be copied. The zero value is there to be decoded into; other
// uses of it panic. After Close every use panics.
type Whitelist struct {
	filter Filter
	list   keyset.Set
	apart  bool // the filter takes no integer for the same key as some bytes
}

// NewWhitelist returns a filter that answers as f does, and as yet has no exceptions.
// f is the Whitelist's from now on, and to be used through it.
func NewWhitelist(f Filter) *Whitelist { return &Whitelist{filter: f, apart: integersApart(f)} }

var _ Filter = (*Whitelist)(nil)

// integersApart reports whether an integer is equal to no byte slice for f. Of a type
// that is not known it says no, as for a Bloom: an exception for an integer is one for
// its eight bytes then.
func integersApart(f Filter) bool {
	switch f := f.(type) {
	case *Whitelist:
		return f.apart
	case stored:
		is := f.expect()
		return is.Kind != format.Whitelist && hashedApart(is.Kind, is.Hash.Keyed())
	}
	return false
}

// hashedApart is integersApart for a filter that is no Whitelist: a secret key hashes
// integers as their bytes.
func hashedApart(kind format.Kind, keyed bool) bool { return kind != format.Bloom && !keyed }

// Filter returns the filter that is wrapped.
func (w *Whitelist) Filter() Filter { return w.filter }

// Except makes an exception of key, which must not have been added: Test answers false
// for it, until it is added. A key of which it is known that it was added, by an
// earlier conflict, is not excepted. The key is copied. Except panics when the
// exceptions exceed 4 GiB.
func (w *Whitelist) Except(key []byte) { w.list.Add(key) }

// ExceptString is Except for the bytes of s.
func (w *Whitelist) ExceptString(s string) { w.list.Add(hash.KeyBytes(s)) }

// ExceptUint64 is Except for an integer. Whether that is an exception for its eight
// little-endian bytes too depends on the filter: it is for a Bloom, and under a secret
// key.
func (w *Whitelist) ExceptUint64(x uint64) {
	if w.apart {
		w.list.AddUint64(x)
		return
	}
	b := bytesOf(x)
	w.list.Add(b[:])
}

// ExceptBytes makes exceptions of keys.
func (w *Whitelist) ExceptBytes(keys [][]byte) { exceptAll(w, keys) }

// ExceptStrings makes exceptions of keys.
func (w *Whitelist) ExceptStrings(keys []string) { exceptAll(w, keys) }

// ExceptUint64s makes exceptions of keys.
func (w *Whitelist) ExceptUint64s(keys []uint64) { exceptAll(w, keys) }

// Exceptions returns the keys that are on the list: byte strings in lexical order, and
// integers in ascending order. Where integers are the same keys as their bytes, they
// are among the byte strings.
func (w *Whitelist) Exceptions() (keys [][]byte, integers []uint64) {
	return copied(w.list.Keys(false))
}

// Conflicts returns the keys that were added while they were on the list, in the order
// of Exceptions. They are kept until Clear, at no further cost, and are not written to
// files.
func (w *Whitelist) Conflicts() (keys [][]byte, integers []uint64) { return copied(w.list.Keys(true)) }

// ExceptionCount returns the number of keys that are on the list.
func (w *Whitelist) ExceptionCount() int { return w.list.Len() }

// ConflictCount returns the number of keys that were added while they were on the list.
func (w *Whitelist) ConflictCount() int { return w.list.Taken() }

// ExceptionBytes returns how much memory the list takes, in bytes.
func (w *Whitelist) ExceptionBytes() uint64 { return w.list.SizeBytes() }

// Trim drops the exceptions for which the filter as it stands answers false anyway, and
// returns how many those were. It is for filters that get no more keys: of n exceptions
// at a false-positive rate of p, about n·p remain. Keys that are added afterwards may
// make a false positive, or no conflict, of what was dropped.
func (w *Whitelist) Trim() int {
	before := w.list.Len()
	w.list.Keep(func(key []byte) bool {
		// Eight bytes may stand for an integer.
		return w.filter.Test(key) || !w.apart && len(key) == 8 && w.filter.TestUint64(binary.LittleEndian.Uint64(key))
	}, w.filter.TestUint64)
	return before - w.list.Len()
}

// Add adds a key. If it is on the list, it is taken off: see Conflicts.
func (w *Whitelist) Add(key []byte) {
	w.filter.Add(key)
	// In this order, so that no other goroutine's Test sees a key come and go.
	w.list.Take(key)
}

// AddString is Add for the bytes of s.
func (w *Whitelist) AddString(s string) {
	w.filter.AddString(s)
	w.list.Take(hash.KeyBytes(s))
}

// AddUint64 is Add for an integer.
func (w *Whitelist) AddUint64(x uint64) {
	w.filter.AddUint64(x)
	takeOff(w, x)
}

// Test reports whether key may have been added: false is certain. It is false for keys
// on the list.
func (w *Whitelist) Test(key []byte) bool { return w.filter.Test(key) && !w.list.Has(key) }

// TestString is Test for the bytes of s.
func (w *Whitelist) TestString(s string) bool {
	return w.filter.TestString(s) && !w.list.Has(hash.KeyBytes(s))
}

// TestUint64 is Test for an integer.
func (w *Whitelist) TestUint64(x uint64) bool { return w.filter.TestUint64(x) && !isListed(w, x) }

// TestAndAdd adds key and reports whether it may have been there before: false for a
// key that was on the list, which Add takes off.
func (w *Whitelist) TestAndAdd(key []byte) bool {
	return decide(w, key, w.filter.TestAndAdd(key))
}

// TestAndAddString is TestAndAdd for the bytes of s.
func (w *Whitelist) TestAndAddString(s string) bool {
	return decide(w, s, w.filter.TestAndAddString(s))
}

// TestAndAddUint64 is TestAndAdd for an integer.
func (w *Whitelist) TestAndAddUint64(x uint64) bool {
	return decide(w, x, w.filter.TestAndAddUint64(x))
}

// AddBytes adds byte slices.
func (w *Whitelist) AddBytes(keys [][]byte) {
	w.filter.AddBytes(keys)
	takeOffAll(w, keys)
}

// AddStrings adds strings.
func (w *Whitelist) AddStrings(keys []string) {
	w.filter.AddStrings(keys)
	takeOffAll(w, keys)
}

// AddUint64s adds integers.
func (w *Whitelist) AddUint64s(keys []uint64) {
	w.filter.AddUint64s(keys)
	takeOffAll(w, keys)
}

// TestBytes tests byte slices and returns how many may be present. Bit i of hits says
// whether keys[i] may be: hits is resized to len(keys) bits and overwritten. It may be
// nil if only the number is wanted.
func (w *Whitelist) TestBytes(keys [][]byte, hits *BitSet) int { return testListed(w, keys, hits) }

// TestStrings is TestBytes for strings.
func (w *Whitelist) TestStrings(keys []string, hits *BitSet) int { return testListed(w, keys, hits) }

// TestUint64s is TestBytes for integers.
func (w *Whitelist) TestUint64s(keys []uint64, hits *BitSet) int { return testListed(w, keys, hits) }

// TestAndAddBytes adds byte slices, in order, and returns how many may have been there
// before: in the filter, or earlier in the batch. Bit i of hits says whether keys[i]
// may have been, as TestAndAdd would for one key after the other: hits is resized to
// len(keys) bits and overwritten. It may be nil if only the number is wanted.
func (w *Whitelist) TestAndAddBytes(keys [][]byte, hits *BitSet) int {
	return testAndAddListed(w, keys, hits)
}

// TestAndAddStrings is TestAndAddBytes for strings.
func (w *Whitelist) TestAndAddStrings(keys []string, hits *BitSet) int {
	return testAndAddListed(w, keys, hits)
}

// TestAndAddUint64s is TestAndAddBytes for integers.
func (w *Whitelist) TestAndAddUint64s(keys []uint64, hits *BitSet) int {
	return testAndAddListed(w, keys, hits)
}

// Clear removes every key from the filter. The exceptions stay, and those that were
// taken off by a conflict are back: no key has been added now.
func (w *Whitelist) Clear() {
	w.filter.Clear()
	w.list.Restore()
}

// K returns the number of bits that a key sets in the filter.
func (w *Whitelist) K() int { return w.filter.K() }

// Keyed reports whether the filter hashes under a secret key.
func (w *Whitelist) Keyed() bool { return w.filter.Keyed() }

// Capacity returns what the filter was sized for, 0 and 0 if its size was given.
func (w *Whitelist) Capacity() (n uint64, p float64) { return w.filter.Capacity() }

// SizeBytes returns the size of the filter's bits in bytes. See ExceptionBytes for the
// exceptions.
func (w *Whitelist) SizeBytes() uint64 { return w.filter.SizeBytes() }

// Fill returns the fraction of the filter's bits that are set.
func (w *Whitelist) Fill() float64 { return w.filter.Fill() }

// FPRate returns the false-positive rate of the filter as it stands, for keys that are
// not on the list.
func (w *Whitelist) FPRate() float64 { return w.filter.FPRate() }

// ExpectedFPRate returns the one that is expected after n distinct keys.
func (w *Whitelist) ExpectedFPRate(n uint64) float64 { return w.filter.ExpectedFPRate(n) }

// EstimatedCount returns an estimate of the number of distinct keys added.
func (w *Whitelist) EstimatedCount() uint64 { return w.filter.EstimatedCount() }

// Clone returns a copy with memory of its own, conflicts included. It panics if the
// filter is of a type of another package.
func (w *Whitelist) Clone() *Whitelist {
	c := NewWhitelist(cloneFilter(w.filter))
	c.list.Copy(&w.list)
	return c
}

func cloneFilter(f Filter) Filter {
	switch f := f.(type) {
	case *Blocked:
		return f.Clone()
	case *Bloom:
		return f.Clone()
	case *AtomicBlocked:
		return f.Clone()
	case *Counting:
		return f.Clone()
	case *Scalable:
		return f.Clone()
	case *Sharded:
		return f.Clone()
	case *Spectral:
		return f.Clone()
	case *Whitelist:
		return f.Clone()
	}
	panic(fmt.Sprintf("bitsieve: Clone of a Whitelist over a %T", f))
}

// Equal reports whether w and v wrap equal filters of the same type and have the same
// exceptions. It is false if the filter is of a type of another package.
func (w *Whitelist) Equal(v *Whitelist) bool {
	return equalFilters(w.filter, v.filter) && w.list.Equal(&v.list)
}

func equalFilters(f, g Filter) bool {
	switch f := f.(type) {
	case *Blocked:
		return equalAs(f, g)
	case *Bloom:
		return equalAs(f, g)
	case *AtomicBlocked:
		return equalAs(f, g)
	case *Counting:
		return equalAs(f, g)
	case *Scalable:
		return equalAs(f, g)
	case *Sharded:
		return equalAs(f, g)
	case *Spectral:
		return equalAs(f, g)
	case *Whitelist:
		return equalAs(f, g)
	}
	return false
}

func equalAs[F any, P interface {
	*F
	Equal(*F) bool
}](f P, g Filter) bool {
	h, ok := g.(P)
	return ok && f.Equal(h)
}

// Batches: the filter's own, and then a look at the list for each key that passed, or
// that was added.

// scratchHits has results of which only the number is wanted, of countKeys keys at the
// most. They cannot lie on the stack, for the filter's methods are called through an
// interface.
var scratchHits = sync.Pool{New: func() any { return new(BitSet) }}

func testListed[K string | []byte | uint64](w *Whitelist, keys []K, hits *BitSet) (n int) {
	if hits == nil && w.list.Len() > 0 {
		return counted(w, keys, testListed)
	}
	n = testBatch(w.filter, keys, hits)
	if n == 0 || w.list.Len() == 0 {
		return n
	}
	for i, ok := hits.NextSet(0); ok; i, ok = hits.NextSet(i + 1) {
		if isListed(w, keys[i]) {
			hits.Clear(i)
			n--
		}
	}
	return n
}

func testAndAddListed[K string | []byte | uint64](w *Whitelist, keys []K, hits *BitSet) int {
	if w.list.Empty() {
		return testAndAddBatch(w.filter, keys, hits)
	}
	if hits == nil {
		return counted(w, keys, testAndAddListed)
	}
	n := testAndAddBatch(w.filter, keys, hits)
	for i, key := range keys {
		was := hits.Test(uint(i))
		switch is := decide(w, key, was); {
		case was && !is:
			hits.Clear(uint(i))
			n--
		case is && !was:
			hits.Set(uint(i))
			n++
		}
	}
	return n
}

// counted does what test does, chunk by chunk, without results but their number.
func counted[K string | []byte | uint64](w *Whitelist, keys []K, test func(*Whitelist, []K, *BitSet) int) (n int) {
	hits := scratchHits.Get().(*BitSet)
	for len(keys) > 0 {
		chunk := keys[:min(countKeys, len(keys))]
		n += test(w, chunk, hits)
		keys = keys[len(chunk):]
	}
	scratchHits.Put(hits)
	return n
}

// takeOffAll takes keys off the list that were added.
func takeOffAll[K string | []byte | uint64](w *Whitelist, keys []K) {
	if w.list.Len() == 0 {
		return
	}
	for _, key := range keys {
		takeOff(w, key)
	}
}

// decide takes a key off the list that was added, and returns whether it may have been
// there before where the filter says present. Of a key that was ever on the list that
// is certain: whoever takes it off was the first to add it, even where another
// goroutine was the first to reach the filter.
func decide[K string | []byte | uint64](w *Whitelist, key K, present bool) bool {
	taken, before := takeOff(w, key)
	return before || present && !taken
}

func exceptAll[K string | []byte | uint64](w *Whitelist, keys []K) {
	keyset.Reserve(&w.list, keys)
	for _, key := range keys {
		switch key := any(key).(type) {
		case string:
			w.ExceptString(key)
		case []byte:
			w.Except(key)
		case uint64:
			w.ExceptUint64(key)
		}
	}
}

func isListed[K string | []byte | uint64](w *Whitelist, key K) bool {
	switch key := any(key).(type) {
	case string:
		return w.list.Has(hash.KeyBytes(key))
	case []byte:
		return w.list.Has(key)
	case uint64:
		if w.apart {
			return w.list.HasUint64(key)
		}
		b := bytesOf(key)
		return w.list.Has(b[:])
	}
	panic("unreachable")
}

// takeOff takes a key off the list. It reports whether it was there, and whether it had
// been taken off before.
func takeOff[K string | []byte | uint64](w *Whitelist, key K) (taken, before bool) {
	switch key := any(key).(type) {
	case string:
		return w.list.Take(hash.KeyBytes(key))
	case []byte:
		return w.list.Take(key)
	case uint64:
		if w.apart {
			return w.list.TakeUint64(key)
		}
		b := bytesOf(key)
		return w.list.Take(b[:])
	}
	panic("unreachable")
}

func testBatch[K string | []byte | uint64](f Filter, keys []K, hits *BitSet) int {
	switch keys := any(keys).(type) {
	case []string:
		return f.TestStrings(keys, hits)
	case [][]byte:
		return f.TestBytes(keys, hits)
	case []uint64:
		return f.TestUint64s(keys, hits)
	}
	panic("unreachable")
}

func testAndAddBatch[K string | []byte | uint64](f Filter, keys []K, hits *BitSet) int {
	switch keys := any(keys).(type) {
	case []string:
		return f.TestAndAddStrings(keys, hits)
	case [][]byte:
		return f.TestAndAddBytes(keys, hits)
	case []uint64:
		return f.TestAndAddUint64s(keys, hits)
	}
	panic("unreachable")
}

func bytesOf(x uint64) (b [8]byte) {
	binary.LittleEndian.PutUint64(b[:], x)
	return b
}

func copied(keys [][]byte, integers []uint64) ([][]byte, []uint64) {
	for i, key := range keys {
		keys[i] = append([]byte{}, key...)
	}
	return keys, integers
}

// A Whitelist's file. What the methods of Blocked of the same names say of files holds
// here too. A filter of a type of another package, or a Whitelist over another one,
// cannot be written: that is an error that wraps errors.ErrUnsupported.

// Save writes the filter and its exceptions to a file, as Blocked.Save does.
func (w *Whitelist) Save(path string) error { return format.Save(path, w.WriteTo) }

// OpenWhitelist opens a file that Save or WriteTo made, whatever filter it wraps. An
// AtomicBlocked comes back as the Blocked that its file is, but for ReadFrom and
// UnmarshalBinary of a Whitelist over one. Options, errors and the mapping are those of
// OpenBlocked; the exceptions are read into memory.
func OpenWhitelist(path string, opts ...OpenOption) (*Whitelist, error) {
	return openStored[Whitelist](path, opts)
}

// ReadWhitelist reads a Whitelist, as written by WriteTo or Save, into memory, as
// ReadBlocked does.
func ReadWhitelist(r io.Reader, opts ...OpenOption) (*Whitelist, error) {
	return readStored[Whitelist](r, opts)
}

// Close closes the filter and releases the exceptions.
func (w *Whitelist) Close() error {
	w.list.Clear()
	if w.filter == nil {
		return nil
	}
	return w.filter.Close()
}

// WriteTo writes the filter and its exceptions in the format of Save. It implements
// io.WriterTo.
func (w *Whitelist) WriteTo(to io.Writer) (n int64, err error) {
	if err := w.writable(); err != nil {
		return 0, err
	}
	return writeTo(w, to)
}

// ReadFrom replaces the filter and its exceptions by those that WriteTo or Save wrote,
// of whatever kind the filter is, and closes the one that it had. It takes no byte from
// r past their end. If the filter read was made with WithKey, the one that it replaces
// must have the same key. A Blocked that replaces an AtomicBlocked becomes one: their
// files are the same. Errors are those of OpenWhitelist, and leave w as it was.
func (w *Whitelist) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(w, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler, by which encoding/gob takes filters too.
func (w *Whitelist) MarshalBinary() ([]byte, error) { return w.AppendBinary(nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (w *Whitelist) AppendBinary(b []byte) ([]byte, error) {
	if err := w.writable(); err != nil {
		return b, err
	}
	return appendBinary(w, b)
}

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the
// exceptions. It implements encoding.BinaryUnmarshaler.
func (w *Whitelist) UnmarshalBinary(data []byte) error { return unmarshal(w, data) }

// writable returns an error unless files can hold the filter.
func (w *Whitelist) writable() error {
	f, ok := w.filter.(stored)
	if w.filter != nil && !ok || ok && f.expect().Kind == format.Whitelist {
		return fmt.Errorf("%w: a file of a Whitelist over a %T", errors.ErrUnsupported, w.filter)
	}
	return nil
}

func (w *Whitelist) expect() format.Expect {
	want := format.Expect{Kind: format.Whitelist}
	if f, ok := w.filter.(stored); ok {
		inner := f.expect()
		want.Hash, want.NoHugePages = inner.Hash, inner.NoHugePages
	}
	return want
}

// content returns the file of the filter as a part of another, and the exceptions. The
// header is that of the filter, whose Extra says how many those are: Size's fields.
func (w *Whitelist) content() (format.Header, [][]uint64) {
	f, ok := w.filter.(stored)
	if !ok {
		return format.Header{}, nil
	}
	h, parts := f.content()
	if parts == nil {
		return h, nil
	}
	parts, err := format.Embed(h, parts...)
	if err != nil {
		return h, nil
	}
	words, size := w.list.Encode()
	h.Kind, h.Bits = format.Whitelist, 0
	h.Extra = [4]uint64{size.Keys, size.Ints, size.Bytes}
	return h, append(parts, words)
}

func (w *Whitelist) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	part, rest, err := format.Split(words, format.HeaderBytes)
	if err != nil {
		return err
	}
	f, err := innerFilter(h, &part.Header)
	if err != nil {
		return err
	}
	at := int64(format.HeaderBytes + 8*(len(words)-len(rest)))
	apart := hashedApart(part.Header.Kind, part.Header.Hash.Keyed())
	list, err := decodeExceptions(h, rest, at, apart)
	if err != nil {
		return err
	}
	if err := f.adopt(&part.Header, part.Words, m, want); err != nil {
		return err
	}
	inner := f.(Filter)
	if b, ok := inner.(*Blocked); ok {
		if _, ok := w.filter.(*AtomicBlocked); ok {
			inner = b.Atomic()
		}
	}
	if w.filter != nil {
		err = w.filter.Close()
	}
	w.filter, w.apart = inner, apart
	w.list.Move(list)
	return err
}

// innerFilter returns a new filter of the type that the file inside a Whitelist's holds.
// What both headers say must be the same: the outer one's has been checked against
// the secret key.
func innerFilter(outer, inner *format.Header) (stored, error) {
	f := storedOf(inner.Kind)
	if _, ok := f.(Filter); !ok || inner.Kind == format.Whitelist {
		return nil, format.Errorf(ErrKind, "kind", format.HeaderBytes, "a %v in a %v", inner.Kind, outer.Kind)
	}
	same := *inner
	same.Kind, same.Bits, same.Extra = outer.Kind, outer.Bits, outer.Extra
	same.Blocks, same.PayloadSum = outer.Blocks, outer.PayloadSum
	if same != *outer {
		return nil, format.Errorf(ErrHeader, "inner header", format.HeaderBytes, "differs from the outer one")
	}
	return f, nil
}

// decodeExceptions returns the exceptions that words hold, which are at the given place
// of the file.
func decodeExceptions(h *format.Header, words []uint64, at int64, apart bool) (*keyset.Set, error) {
	size := keyset.Size{Keys: h.Extra[0], Ints: h.Extra[1], Bytes: h.Extra[2]}
	if size.Ints > 0 && !apart {
		return nil, format.Errorf(ErrHeader, "exceptions", at, "%d of %d are integers, which this filter takes for their bytes", size.Ints, size.Keys)
	}
	list, err := keyset.Decode(words, size)
	var fault *keyset.Fault
	switch {
	case errors.As(err, &fault):
		return nil, format.Errorf(ErrHeader, "exceptions", at+fault.Offset, "%s", fault.Detail)
	case err != nil:
		return nil, format.Errorf(err, "exceptions", at, "%d bytes", 8*len(words))
	case uint64(len(words))-size.Words() >= block.Words:
		return nil, format.Errorf(ErrTrailingData, "exceptions", at+8*int64(size.Words()), "%d words follow", uint64(len(words))-size.Words())
	}
	return list, nil
}
