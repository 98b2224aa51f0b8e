package bitsieve

import (
	"fmt"
	"math"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// Bloom is the standard Bloom filter: a key sets k bits anywhere among m. It
// never forgets a key that was added, and takes a key that was not for present
// with a probability, the false-positive rate, that m and k set. At the same
// rate it is the smallest of the filters here, by a tenth to a half of Blocked's
// size, and the slowest: a lookup waits for up to k cache lines.
//
// Hashing and layout are those of github.com/bits-and-blooms/bloom v3, unless
// WithKey is given; package dropin/bloom has its names and serialised forms.
// Without a secret key, whoever chooses the keys can make them collide.
//
// Any number of goroutines may test at the same time while none adds. Adding
// needs exclusive access. No method that adds or tests allocates memory, but for
// growing a result's BitSet.
//
// A Bloom must not be copied. The zero value contains nothing and is there to be
// decoded into; adding to it panics. After Close every use panics.
type Bloom struct {
	bits BitSet
	div  rounds.Divisor // by m, which may differ from the length of bits
	k    int
	hash hash.Hasher

	n uint64  // the number of keys it was sized for, 0 if sized explicitly
	p float64 // the false-positive rate it was sized for, likewise

	mapping     *format.Mapping // the file that the bits lie in, nil for memory of our own
	noHugePages bool            // of that memory
	closed      bool
}

// empty reports whether the filter has no bits and so contains nothing. It panics
// if it has been closed.
func (f *Bloom) empty() bool {
	if f.div.M != 0 {
		return false
	}
	if f.closed {
		panic("bitsieve: use of a closed filter")
	}
	return true
}

const (
	// maxBloomBits is what Go's allocator can address, as for Blocked.
	maxBloomBits = maxBlocks * block.Bytes * 8
	// maxBloomK is the largest k of a filter: 65 times what the lowest rate asks
	// for. Adding one key with a k that a hostile stream claims could take forever.
	maxBloomK = 1 << 16
)

// NewBloom returns an empty filter whose expected false-positive rate is at most
// p once n distinct keys have been added. See BloomParameters for its size.
//
// 1e-300 <= p < 1; other values, and sizes that the address space cannot hold, are
// errors that wrap ErrParameter. n = 0 counts as 1.
func NewBloom(n uint64, p float64, opts ...Option) (*Bloom, error) {
	m, k, err := BloomParameters(n, p)
	if err != nil {
		return nil, err
	}
	f, err := NewBloomWithSize(m, k, opts...)
	if err != nil {
		return nil, err
	}
	f.n, f.p = n, p
	return f, nil
}

// NewBloomWithSize returns an empty filter of m bits of which every key sets k.
// m is at least 1, and 1 <= k <= 65536; other values, and sizes that the address
// space cannot hold, are errors that wrap ErrParameter; those that the machine's free
// memory cannot hold wrap ErrMemory.
func NewBloomWithSize(m uint64, k int, opts ...Option) (*Bloom, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	if m < 1 || k < 1 {
		return nil, fmt.Errorf("%w: m = %d bits, k = %d, want at least 1", ErrParameter, m, k)
	}
	if err := checkBloom(m, k); err != nil {
		return nil, err
	}
	n := uint64(wordsFor(uint(m)))
	if err := memory.Check(8 * n); err != nil {
		return nil, err
	}
	words := memory.Words(n, !o.noHugePages)
	return &Bloom{bits: BitSet{uint(m), words}, div: rounds.NewDivisor(m), k: k, hash: h, noHugePages: o.noHugePages}, nil
}

// checkBloom returns an error that wraps ErrParameter if m or k is negative or too
// large.
func checkBloom(m uint64, k int) error {
	if m > min(maxBloomBits, math.MaxUint) {
		return fmt.Errorf("%w: m = %d bits, want at most %d", ErrParameter, m, uint64(maxBloomBits))
	}
	if k < 0 || k > maxBloomK {
		return fmt.Errorf("%w: k = %d, want at most %d", ErrParameter, k, maxBloomK)
	}
	return nil
}

// NewBloomFromWords returns a filter of m bits of which every key sets k, over
// words, which it does not copy and whose bits it keeps: bit i of the filter is
// bit i%64 of words[i/64]. m and k have the upper limits of NewBloomWithSize.
//
// If m is more than words hold, the missing bits are zero, and words is left
// behind, as by append, when adding a key needs one of them. A filter with m = 0
// contains nothing, and adding to it panics; with k = 0, any other filter
// contains everything.
func NewBloomFromWords(words []uint64, m uint64, k int, opts ...Option) (*Bloom, error) {
	o := applyOptions(opts)
	h, err := hash.New(o.key)
	if err != nil {
		return nil, err
	}
	if err := checkBloom(m, k); err != nil {
		return nil, err
	}
	return &Bloom{bits: *FromWords(words), div: rounds.NewDivisor(m), k: k, hash: h, noHugePages: o.noHugePages}, nil
}

// BloomParameters returns the smallest number of bits m, and the best number of
// bits per key k for it, with which the expected false-positive rate of n keys
// is at most p. The limits and errors are those of NewBloom.
//
// The k is near log2(1/p), and m near 1.44 n k. The formulas found everywhere,
// m = n ln(1/p) / ln²2 and k = m/n ln 2 rounded up, assume a k that need not be
// whole, and exceed p by what rounding costs: 0.4 % of p at p = 0.01, 12 % at
// 0.49.
func BloomParameters(n uint64, p float64) (m uint64, k int, err error) {
	return model.SizeBloom(n, p, min(maxBloomBits, math.MaxUint))
}

// BloomRate returns the expected false-positive rate of a filter of m bits, k of
// them per key, that holds n keys: (1 − e^(−kn/m))^k.
func BloomRate(m uint64, k int, n uint64) float64 { return model.BloomRate(m, k, n) }

// BloomLocations returns the first k of the 64-bit locations of a key, which any
// filter reduces modulo its m. With TestLocations, a key is hashed once for many
// filters.
//
// The locations are those of filters without a secret key.
func BloomLocations(key []byte, k int) []uint64 {
	locations := make([]uint64, k)
	h := hash.Murmur(key)
	for i := range locations {
		locations[i] = h.Location(uint64(i))
	}
	return locations
}

// Bits returns m, the number of bits that keys are spread over.
func (f *Bloom) Bits() uint64 { return f.div.M }

// K returns the number of bits that a key sets.
func (f *Bloom) K() int { return f.k }

// Capacity returns the number of keys n and the false-positive rate p that the
// filter was sized for by NewBloom; both are 0 if its size was given.
func (f *Bloom) Capacity() (n uint64, p float64) { return f.n, f.p }

// Keyed reports whether the filter hashes under a secret key.
func (f *Bloom) Keyed() bool { return f.hash.Keyed() }

// SizeBytes returns the size of the filter's bits in bytes.
func (f *Bloom) SizeBytes() uint64 { return wordBytes * uint64(len(f.bits.words)) }

// BitSet returns the filter's own bits, not a copy. Its length is usually Bits.
func (f *Bloom) BitSet() *BitSet { return &f.bits }

// short reports whether some of the m bits lie past the end of the bitset, which
// is so of a filter over too few words, and of one with m = 0. It is the one
// check that lets a probe index the words without another.
func (f *Bloom) short() bool { return f.div.M-1 >= uint64(f.bits.length) }

// Add adds a key.
func (f *Bloom) Add(key []byte) { f.addHash(f.hash.Wide(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Bloom) AddString(s string) { f.addHash(f.hash.Wide(hash.KeyBytes(s))) }

// AddUint64 adds an integer: its eight little-endian bytes.
func (f *Bloom) AddUint64(x uint64) { f.addHash(f.hash.WideUint64(x)) }

// Test reports whether key may have been added: false is certain.
func (f *Bloom) Test(key []byte) bool { return f.testHash(f.hash.Wide(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *Bloom) TestString(s string) bool { return f.testHash(f.hash.Wide(hash.KeyBytes(s))) }

// TestUint64 reports whether x may have been added: false is certain.
func (f *Bloom) TestUint64(x uint64) bool { return f.testHash(f.hash.WideUint64(x)) }

// TestAndAdd adds key and reports whether it may have been there before.
func (f *Bloom) TestAndAdd(key []byte) bool { return f.testAndAddHash(f.hash.Wide(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Bloom) TestAndAddString(s string) bool {
	return f.testAndAddHash(f.hash.Wide(hash.KeyBytes(s)))
}

// TestAndAddUint64 adds x and reports whether it may have been there before.
func (f *Bloom) TestAndAddUint64(x uint64) bool { return f.testAndAddHash(f.hash.WideUint64(x)) }

// TestOrAdd does what TestAndAdd does, but writes to no memory if the key may
// have been there before. It is the faster one where most keys have been.
func (f *Bloom) TestOrAdd(key []byte) bool {
	h := f.hash.Wide(key)
	if f.testHash(h) {
		return true
	}
	f.addHash(h)
	return false
}

// TestOrAddString is TestOrAdd for a string.
func (f *Bloom) TestOrAddString(s string) bool { return f.TestOrAdd(hash.KeyBytes(s)) }

// TestLocations reports whether the bits at all of the locations are set. For
// the first K of a key's BloomLocations that is what Test reports.
func (f *Bloom) TestLocations(locations []uint64) bool {
	for _, x := range locations {
		if f.empty() || !f.bits.Test(uint(f.div.Mod(x))) {
			return false
		}
	}
	return true
}

// addHash sets the k bits of a hash.
func (f *Bloom) addHash(h hash.Wide) {
	if f.short() {
		f.addShort(h)
		return
	}
	words, d, k := f.bits.words, f.div, uint64(f.k)
	y, z := h.H2, h.H3
	i := uint64(0)
	for ; i+1 < k; i += 2 {
		p, q := d.Mod(h.H0+i*y), d.Mod(h.H1+(i+1)*z)
		words[p/64] |= 1 << (p % 64)
		words[q/64] |= 1 << (q % 64)
		y, z = z, y
	}
	if i < k {
		p := d.Mod(h.H0 + i*y)
		words[p/64] |= 1 << (p % 64)
	}
}

// testHash reports whether the k bits of a hash are set.
//
// It looks at two bits between branches. One at a time takes 28 ns where this
// takes 19, for absent keys of 16 bytes in a half-full filter in cache, because
// there are twice as many exits to mispredict; it is no faster for present ones.
// Four at a time are slower where half of the keys are present, by a tenth at 64
// MiB: they wait for lines that do not matter.
func (f *Bloom) testHash(h hash.Wide) bool {
	if f.short() {
		return f.testShort(h)
	}
	words, d, k := f.bits.words, f.div, uint64(f.k)
	y, z := h.H2, h.H3
	i := uint64(0)
	for ; i+1 < k; i += 2 {
		p, q := d.Mod(h.H0+i*y), d.Mod(h.H1+(i+1)*z)
		if rounds.BitAt(words, p)&rounds.BitAt(words, q) == 0 {
			return false
		}
		y, z = z, y
	}
	return i == k || rounds.BitAt(words, d.Mod(h.H0+i*y)) != 0
}

// testAndAddHash sets the k bits of a hash and reports whether they were set.
func (f *Bloom) testAndAddHash(h hash.Wide) bool {
	if f.short() {
		present := f.testShort(h)
		f.addShort(h)
		return present
	}
	words, d, k := f.bits.words, f.div, uint64(f.k)
	y, z := h.H2, h.H3
	hit := uint64(1)
	i := uint64(0)
	for ; i+1 < k; i += 2 {
		p, q := d.Mod(h.H0+i*y), d.Mod(h.H1+(i+1)*z)
		hit &= rounds.BitAt(words, p)
		words[p/64] |= 1 << (p % 64)
		hit &= rounds.BitAt(words, q)
		words[q/64] |= 1 << (q % 64)
		y, z = z, y
	}
	if i < k {
		p := d.Mod(h.H0 + i*y)
		hit &= rounds.BitAt(words, p)
		words[p/64] |= 1 << (p % 64)
	}
	return hit != 0
}

// addShort is addHash for a filter that is short.
func (f *Bloom) addShort(h hash.Wide) {
	if f.empty() {
		panic("bitsieve: Add to a Bloom filter of no bits")
	}
	for i := range uint64(f.k) {
		f.bits.Set(uint(f.div.Mod(h.Location(i))))
	}
}

// testShort is testHash for a filter that is short.
func (f *Bloom) testShort(h hash.Wide) bool {
	if f.empty() {
		return false
	}
	for i := range uint64(f.k) {
		if !f.bits.Test(uint(f.div.Mod(h.Location(i)))) {
			return false
		}
	}
	return true
}

// Union adds every key of g to f. It fails with an error that wraps ErrMismatch,
// and leaves f as it was, unless both have the same Bits, K and hashing. Afterwards f is
// the filter that adding both sets of keys to it would have made.
func (f *Bloom) Union(g *Bloom) error {
	if err := f.match(g); err != nil {
		return err
	}
	f.bits.InPlaceUnion(&g.bits)
	return nil
}

// Intersect keeps in f the bits that g has too. Every key that was added to both
// remains; the false-positive rate is at most the lower one of the two before,
// but higher than that of a filter made from the common keys alone. Errors are
// those of Union.
func (f *Bloom) Intersect(g *Bloom) error {
	if err := f.match(g); err != nil {
		return err
	}
	f.bits.InPlaceIntersection(&g.bits)
	return nil
}

// match returns an error unless the bits of f and g mean the same.
func (f *Bloom) match(g *Bloom) error {
	if f.div.M != g.div.M {
		return fmt.Errorf("%w: m = %d and %d bits", ErrMismatch, f.div.M, g.div.M)
	}
	if f.k != g.k {
		return fmt.Errorf("%w: k = %d and %d", ErrMismatch, f.k, g.k)
	}
	if !f.hash.Equal(g.hash) {
		return fmt.Errorf("%w: hashed under different keys", ErrMismatch)
	}
	return nil
}

// Clone returns a copy of the filter that shares no memory with it.
func (f *Bloom) Clone() *Bloom {
	c := &Bloom{bits: BitSet{length: f.bits.length}, div: f.div, k: f.k, hash: f.hash, n: f.n, p: f.p, noHugePages: f.noHugePages}
	if f.bits.length > 0 {
		c.bits.words = memory.Words(uint64(len(f.bits.words)), !f.noHugePages)
		memory.Copy(c.bits.words, f.bits.words)
	}
	return c
}

// Equal reports whether f and g have the same Bits, K, hashing and bits set.
func (f *Bloom) Equal(g *Bloom) bool { return f.match(g) == nil && f.bits.Equal(&g.bits) }

// Clear removes every key.
func (f *Bloom) Clear() {
	if !f.empty() {
		f.bits.ClearAll()
	}
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole
// filter.
func (f *Bloom) Fill() float64 {
	if f.empty() {
		return 0
	}
	// Words that the filter was made over may have bits past m.
	return min(float64(f.bits.Count())/float64(f.div.M), 1)
}

// FPRate returns the false-positive rate of the filter as it stands, the
// probability that a key which was not added passes: Fill^K. It reads the whole
// filter.
func (f *Bloom) FPRate() float64 {
	if f.empty() {
		return 0
	}
	return math.Pow(f.Fill(), float64(f.k))
}

// EstimatedCount returns the maximum-likelihood estimate of the number of
// distinct keys added, from the number of bits set (Swamidass and Baldi,
// Mathematical correction for fingerprint similarity measures, 2007). A filter
// with every bit set, or with K = 0, gives math.MaxUint64. It reads the whole
// filter.
func (f *Bloom) EstimatedCount() uint64 {
	if f.empty() {
		return 0
	}
	return estimateBloom(f.Fill(), f.div.M, f.k)
}

// estimateBloom is EstimatedCount for a filter of m bits.
func estimateBloom(fill float64, m uint64, k int) uint64 {
	perKey := float64(k) * math.Log1p(-1/float64(m))
	n := math.Round(math.Log1p(-fill) / perKey)
	if !(n < math.MaxUint64) { // true for NaN
		return math.MaxUint64
	}
	return uint64(n)
}

// ExpectedFPRate returns the false-positive rate that is expected after n distinct
// keys were added to the empty filter: BloomRate. It does not look at the bits.
func (f *Bloom) ExpectedFPRate(n uint64) float64 {
	if f.empty() {
		return 0
	}
	return BloomRate(f.div.M, f.k, n)
}
