package bitsieve

// Views: filters and sets that are tested where their serialised bytes lie. To open
// one takes tens of nanoseconds, however large it is: nothing is copied, allocated or
// read but the header.
//
// A view is a small value, to be copied freely. It holds on to the bytes, which must
// not change while it is in use; any number of goroutines may use one. The bytes may
// lie at any address, in a page, a message or a mapping, and the machine may have
// either byte order. The zero value of each contains nothing.

import (
	"encoding/binary"
	"iter"
	"math"
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/compat"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/model"
	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// viewOf is format.View under options.
func viewOf(data []byte, kind format.Kind, opts []OpenOption) (h format.Header, payload []byte, key hash.Hasher, err error) {
	if len(opts) > 0 { // options take memory
		if key, err = hash.New(applyOpenOptions(opts).key); err != nil {
			return h, nil, key, err
		}
	}
	h, payload, err = format.View(data, format.Expect{Kind: kind, Hash: key})
	return h, payload, key, err
}

// BlockedView is a Blocked in the bytes of its file. Its methods do what those of
// Blocked do.
type BlockedView struct {
	filter block.Bits
	sum    uint64 // the payload's checksum as stored
	n      uint64
	p      float64
}

// ViewBlocked returns a view of the filter in data: the bytes that MarshalBinary,
// WriteTo or Save of a Blocked or an AtomicBlocked made, of which none may follow. It
// keeps data, of which it reads the header only.
//
// The header's checksum and fields are checked, and its size against that of data;
// what is wrong is a *FormatError, as from OpenBlocked. The payload's checksum is
// checked by Verify. The option is WithKey, for a filter that was made with it: a
// missing, a wrong and an unneeded key are errors that wrap ErrKey. Without an option
// nothing is allocated; WithKey has its copy of the key.
func ViewBlocked(data []byte, opts ...OpenOption) (BlockedView, error) {
	h, payload, key, err := viewOf(data, format.Blocked, opts)
	if err != nil {
		return BlockedView{}, err
	}
	return BlockedView{block.Bits{Bytes: payload, K: int(h.K), Hash: key}, h.PayloadSum, h.Capacity, h.Rate}, nil
}

// Verify reads all of the filter and compares its checksum with the one in the
// header: a filter that has lost a bit denies keys that it holds. An error is a
// *FormatError that wraps ErrChecksum.
func (v BlockedView) Verify() error {
	if len(v.filter.Bytes) == 0 {
		return nil
	}
	return format.Verify(v.filter.Bytes, v.sum)
}

// K returns the number of bits that a key sets.
func (v BlockedView) K() int { return v.filter.K }

// Blocks returns the number of blocks of 64 bytes.
func (v BlockedView) Blocks() uint64 { return v.filter.Blocks() }

// SizeBytes returns the size of the filter's bits in bytes.
func (v BlockedView) SizeBytes() uint64 { return uint64(len(v.filter.Bytes)) }

// Capacity returns the number of keys n and the false-positive rate p that the filter
// was sized for; both are 0 if its size was given.
func (v BlockedView) Capacity() (n uint64, p float64) { return v.n, v.p }

// Keyed reports whether the filter hashes under a secret key.
func (v BlockedView) Keyed() bool { return v.filter.Hash.Keyed() }

// Bits returns the filter's blocks, not a copy: what TestBlocks takes.
func (v BlockedView) Bits() []byte { return v.filter.Bytes }

// Hash returns the hash by which the filter knows key: see Blocked.Hash.
func (v BlockedView) Hash(key []byte) uint64 { return v.filter.Hash.Bytes(key) }

// HashString is Hash for the bytes of s.
func (v BlockedView) HashString(s string) uint64 { return v.filter.Hash.String(s) }

// HashUint64 is Hash for an integer.
func (v BlockedView) HashUint64(x uint64) uint64 { return v.filter.Hash.Uint64(x) }

// Test reports whether key may have been added: false is certain.
func (v BlockedView) Test(key []byte) bool { return v.filter.TestHash(v.filter.Hash.Bytes(key)) }

// TestString reports whether s may have been added: false is certain.
func (v BlockedView) TestString(s string) bool { return v.filter.TestHash(v.filter.Hash.String(s)) }

// TestUint64 reports whether x may have been added: false is certain.
func (v BlockedView) TestUint64(x uint64) bool { return v.filter.TestHash(v.filter.Hash.Uint64(x)) }

// TestHash reports whether a key with the hash h may have been added by AddHash:
// false is certain.
func (v BlockedView) TestHash(h uint64) bool { return v.filter.TestHash(h) }

func (v BlockedView) target() target { return target{bits: v.filter} }

// TestHashes tests keys by their hashes and returns how many may be present. Bit i of
// hits says whether the key with hashes[i] may be: hits is resized to len(hashes) bits
// and overwritten. It may be nil if only the number is wanted.
func (v BlockedView) TestHashes(hashes []uint64, hits *BitSet) int {
	return batch(v.target(), hashes, hits, testHashes)
}

// TestUint64s is TestHashes for integers.
func (v BlockedView) TestUint64s(keys []uint64, hits *BitSet) int {
	if v.Keyed() {
		return testKeys(v.target(), v.filter.Hash, keys, hits, testHashes)
	}
	return batch(v.target(), keys, hits, testUint64s)
}

// TestStrings is TestHashes for strings.
func (v BlockedView) TestStrings(keys []string, hits *BitSet) int {
	return testKeys(v.target(), v.filter.Hash, keys, hits, testHashes)
}

// TestBytes is TestHashes for byte slices.
func (v BlockedView) TestBytes(keys [][]byte, hits *BitSet) int {
	return testKeys(v.target(), v.filter.Hash, keys, hits, testHashes)
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole filter.
func (v BlockedView) Fill() float64 {
	if len(v.filter.Bytes) == 0 {
		return 0
	}
	return float64(popcount.Bytes(v.filter.Bytes)) / (8 * float64(len(v.filter.Bytes)))
}

// EstimatedCount returns an estimate of the number of distinct keys added, as
// Blocked.EstimatedCount does. It reads the whole filter.
func (v BlockedView) EstimatedCount() uint64 {
	if len(v.filter.Bytes) == 0 {
		return 0
	}
	return estimateBlocked(v.Fill(), v.Blocks(), v.filter.K)
}

// FPRate returns the false-positive rate of the filter as it stands, as Blocked.FPRate
// does. It reads the whole filter, at some tens of nanoseconds a block.
func (v BlockedView) FPRate() float64 {
	blocks := v.Blocks()
	if blocks == 0 {
		return 0
	}
	var sum float64
	var b block.Block
	for i := range blocks {
		v.filter.Block(i, &b)
		sum += model.HitRate(&b, v.filter.K)
	}
	return sum / float64(blocks)
}

// ExpectedFPRate returns the false-positive rate that is expected after n distinct
// keys: see Blocked.ExpectedFPRate.
func (v BlockedView) ExpectedFPRate(n uint64) float64 {
	if len(v.filter.Bytes) == 0 {
		return 0
	}
	return BlockedRate(v.Blocks(), v.filter.K, n)
}

// BloomView is a standard filter in bytes: those of github.com/bits-and-blooms/bloom
// v3, or a Bloom's file. Its methods do what those of Bloom do.
type BloomView struct {
	bits   rounds.Bits
	length uint64 // of bits: those from there on are not set
	div    rounds.Divisor
	k      int
	hash   hash.Hasher
	sum    uint64 // the payload's checksum as stored
	file   bool   // there is one
	n      uint64
	p      float64
}

// ViewBloom returns a view of the filter that data begin with, as written by
// MarshalBinary, WriteTo or GobEncode of the BloomFilter of
// github.com/bits-and-blooms/bloom v3, or of dropin/bloom; or of a filter's whole file,
// of which nothing may follow, as by MarshalBinary, WriteTo or Save of a Bloom. The
// two cannot be mistaken for each other. It keeps data, of which it reads the header.
//
// What is wrong is a *FormatError. In bits-and-blooms' bytes m, k and the length of
// the bitset must agree, as for dropin/bloom, and the data must be as long as that
// length says. There is no checksum to them. A Bloom's file is checked as by
// ViewBlocked, and WithKey is for it alone: with other data it is an error that wraps
// ErrKey. Without an option nothing is allocated.
func ViewBloom(data []byte, opts ...OpenOption) (BloomView, error) {
	if !format.IsFile(data) {
		return viewPeerBloom(data, opts)
	}
	h, payload, key, err := viewOf(data, format.Bloom, opts)
	if err != nil {
		return BloomView{}, err
	}
	return BloomView{
		bits: rounds.Bits{Bytes: payload, Flip: rounds.LittleEndian}, length: h.Bits,
		div: rounds.NewDivisor(h.Bits), k: int(h.K), hash: key,
		sum: h.PayloadSum, file: true, n: h.Capacity, p: h.Rate,
	}, nil
}

// peerHeader is the length in bytes of m and k before the bitset.
const peerHeader = 16

func viewPeerBloom(data []byte, opts []OpenOption) (v BloomView, err error) {
	if len(opts) > 0 {
		key, err := hash.New(applyOpenOptions(opts).key)
		if err == nil {
			err = format.CheckUnkeyed(key)
		}
		if err != nil {
			return v, err
		}
	}
	if len(data) < peerHeader {
		return v, format.Errorf(ErrTruncated, "header", int64(len(data)), "is %d bytes, want %d", len(data), peerHeader)
	}
	set, err := viewBitSet(data, peerHeader)
	if err != nil {
		return v, err
	}
	m, k := binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:])
	// A filter made without bits has m = 1 and a bitset of none.
	if m == 0 || m > max(uint64(set.length), 1) {
		return v, format.Errorf(ErrHeader, "m", 0, "is %d for a bitset of %d bits", m, set.length)
	}
	if k > maxBloomK {
		return v, format.Errorf(ErrHeader, "k", 8, "is %d, want 0 to %d", k, maxBloomK)
	}
	return BloomView{bits: set.bits, length: uint64(set.length), div: rounds.NewDivisor(m), k: int(k)}, nil
}

// Verify reads all of a Bloom's file and compares its checksum with the one in the
// header. An error is a *FormatError that wraps ErrChecksum. The bytes of
// bits-and-blooms have no checksum: for them it returns nil.
func (v BloomView) Verify() error {
	if !v.file {
		return nil
	}
	return format.Verify(v.bits.Bytes, v.sum)
}

// Bits returns m, the number of bits that keys are spread over.
func (v BloomView) Bits() uint64 { return v.div.M }

// K returns the number of bits that a key sets.
func (v BloomView) K() int { return v.k }

// Capacity returns the number of keys n and the false-positive rate p that a Bloom's
// file says it was sized for; both are 0 for other data, and if its size was given.
func (v BloomView) Capacity() (n uint64, p float64) { return v.n, v.p }

// SizeBytes returns the size of the filter's bits in bytes.
func (v BloomView) SizeBytes() uint64 { return uint64(len(v.bits.Bytes)) }

// Keyed reports whether the filter hashes under a secret key.
func (v BloomView) Keyed() bool { return v.hash.Keyed() }

// Test reports whether key may have been added: false is certain.
func (v BloomView) Test(key []byte) bool { return v.testHash(v.hash.Wide(key)) }

// TestString reports whether s may have been added: false is certain.
func (v BloomView) TestString(s string) bool { return v.testHash(v.hash.Wide(hash.KeyBytes(s))) }

// TestUint64 reports whether x, its eight little-endian bytes, may have been added:
// false is certain.
func (v BloomView) TestUint64(x uint64) bool { return v.testHash(v.hash.WideUint64(x)) }

// short reports whether some of the m bits are missing: all, of a filter without bits.
func (v *BloomView) short() bool { return v.div.M-1 >= v.length }

// testHash is Bloom.testHash.
func (v *BloomView) testHash(h hash.Wide) bool {
	if v.short() {
		return v.div.M != 0 && v.k == 0
	}
	s, d, k := v.bits, v.div, uint64(v.k)
	y, z := h.H2, h.H3
	i := uint64(0)
	for ; i+1 < k; i += 2 {
		if s.At(d.Mod(h.H0+i*y))&s.At(d.Mod(h.H1+(i+1)*z)) == 0 {
			return false
		}
		y, z = z, y
	}
	return i == k || s.At(d.Mod(h.H0+i*y)) != 0
}

// TestLocations reports whether the bits at all of the locations are set, as
// Bloom.TestLocations does for BloomLocations.
func (v BloomView) TestLocations(locations []uint64) bool {
	for _, x := range locations {
		if v.short() || v.bits.At(v.div.Mod(x)) == 0 {
			return false
		}
	}
	return true
}

// TestStrings tests strings and returns how many may be present. Bit i of hits says
// whether keys[i] may be: hits is resized to len(keys) bits and overwritten. It may be
// nil if only the number is wanted.
func (v BloomView) TestStrings(keys []string, hits *BitSet) int { return testBloomView(v, keys, hits) }

// TestBytes is TestStrings for byte slices.
func (v BloomView) TestBytes(keys [][]byte, hits *BitSet) int { return testBloomView(v, keys, hits) }

// TestUint64s is TestStrings for integers.
func (v BloomView) TestUint64s(keys []uint64, hits *BitSet) int { return testBloomView(v, keys, hits) }

// testBloomView is testBloom for a view.
func testBloomView[K string | []byte | uint64](v BloomView, keys []K, hits *BitSet) (n int) {
	out := resizeHits(hits, len(keys))
	if len(keys) >= rounds.MinKeys && v.k > 0 && !v.short() {
		return testBloomViewRounds(v, keys, out)
	}
	for i, key := range keys {
		if v.testHash(wideOf(v.hash, key)) {
			n++
			setHit(out, i)
		}
	}
	return n
}

func testBloomViewRounds[K string | []byte | uint64](v BloomView, keys []K, out []uint64) (hits int) {
	var b rounds.Batch
	for len(keys) > 0 {
		n := rounds.Fill(&b, v.hash, keys)
		hits += b.TestBits(v.bits, v.div, uint64(v.k), n, out)
		keys, out = keys[n:], out[min(rounds.Size/64, len(out)):]
	}
	return hits
}

// BitSet returns a view of the filter's bits. Its length is usually Bits.
func (v BloomView) BitSet() BitSetView { return BitSetView{v.bits, uint(v.length)} }

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole filter.
func (v BloomView) Fill() float64 {
	if v.div.M == 0 {
		return 0
	}
	return min(float64(v.BitSet().Count())/float64(v.div.M), 1)
}

// FPRate returns the false-positive rate of the filter as it stands: Fill^K. It reads
// the whole filter.
func (v BloomView) FPRate() float64 {
	if v.div.M == 0 {
		return 0
	}
	return math.Pow(v.Fill(), float64(v.k))
}

// EstimatedCount returns an estimate of the number of distinct keys added, as
// Bloom.EstimatedCount does. It reads the whole filter.
func (v BloomView) EstimatedCount() uint64 {
	if v.div.M == 0 {
		return 0
	}
	return estimateBloom(v.Fill(), v.div.M, v.k)
}

// ExpectedFPRate returns the false-positive rate that is expected after n distinct
// keys: BloomRate.
func (v BloomView) ExpectedFPRate(n uint64) float64 {
	if v.div.M == 0 {
		return 0
	}
	return BloomRate(v.div.M, v.k, n)
}

// BitSetView is a BitSet in bytes. Its methods do what those of BitSet do.
type BitSetView struct {
	bits   rounds.Bits
	length uint
}

// ViewBitSet returns a view of the set whose binary form data begin with, as
// BitSet.UnmarshalBinary takes it: that of github.com/bits-and-blooms/bitset, in the
// byte order that is set for the process, big-endian unless changed. It keeps data, of
// which it reads the length only. Data that are too short for it give a *FormatError
// that wraps ErrTruncated, a length that the machine's uint does not hold one that
// wraps ErrHeader.
func ViewBitSet(data []byte) (BitSetView, error) { return viewBitSet(data, 0) }

// viewBitSet is ViewBitSet for a set that begins at an offset.
func viewBitSet(data []byte, offset int) (v BitSetView, err error) {
	p := data[offset:]
	if len(p) < wordBytes {
		return v, format.Errorf(ErrTruncated, "length", int64(len(data)), "has %d bytes, want %d", len(p), wordBytes)
	}
	length, flip := binary.BigEndian.Uint64(p), uint64(rounds.BigEndian)
	if compat.IsLittleEndian() {
		length, flip = binary.LittleEndian.Uint64(p), rounds.LittleEndian
	}
	if length > math.MaxUint {
		return v, format.Errorf(ErrHeader, "length", int64(offset), "is %d bits, which this machine cannot hold", length)
	}
	p = p[wordBytes:]
	words := wordsFor(uint(length))
	if words > len(p)/wordBytes {
		return v, format.Errorf(ErrTruncated, "words", int64(offset+wordBytes), "have %d bytes, want %d words for %d bits", len(p), words, length)
	}
	n := words * wordBytes
	return BitSetView{rounds.Bits{Bytes: p[:n:n], Flip: flip}, uint(length)}, nil
}

// Len returns the length of the set in bits.
func (v BitSetView) Len() uint { return v.length }

// Test reports whether bit i is set. Bits from Len on are not.
func (v BitSetView) Test(i uint) bool { return i < v.length && v.bits.At(uint64(i)) != 0 }

// last returns the last word without the bits past the length, which nobody promises
// to be zeros. There must be a word.
func (v BitSetView) last() uint64 {
	return v.bits.Word(len(v.bits.Bytes)/wordBytes-1) & (math.MaxUint64 >> (-v.length % wordBits))
}

// Count returns the number of bits that are set. It reads the whole set.
func (v BitSetView) Count() uint {
	if v.length == 0 {
		return 0
	}
	whole := len(v.bits.Bytes) - wordBytes
	return uint(popcount.Bytes(v.bits.Bytes[:whole]) + bits.OnesCount64(v.last()))
}

// Any reports whether a bit is set.
func (v BitSetView) Any() bool {
	_, ok := v.NextSet(0)
	return ok
}

// None reports whether no bit is set.
func (v BitSetView) None() bool { return !v.Any() }

// NextSet returns the first set bit from i on, and false if there is none.
func (v BitSetView) NextSet(i uint) (uint, bool) {
	if i >= v.length {
		return 0, false
	}
	last := int((v.length - 1) / wordBits)
	at := int(i / wordBits)
	keep := uint64(math.MaxUint64) << (i % wordBits)
	for ; at < last; at++ {
		if w := v.bits.Word(at) & keep; w != 0 {
			return uint(at)*wordBits + uint(bits.TrailingZeros64(w)), true
		}
		keep = math.MaxUint64
	}
	if w := v.last() & keep; w != 0 {
		return uint(last)*wordBits + uint(bits.TrailingZeros64(w)), true
	}
	return 0, false
}

// EachSet returns an iterator over the set bits, in ascending order.
func (v BitSetView) EachSet() iter.Seq[uint] {
	return func(yield func(uint) bool) {
		for i, ok := v.NextSet(0); ok; i, ok = v.NextSet(i + 1) {
			if !yield(i) {
				return
			}
		}
	}
}
