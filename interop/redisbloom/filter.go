package redisbloom

import (
	"fmt"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// Filter is a chain of Bloom filters in memory of its own, as a Redis server has it.
//
// Any number of goroutines may test at the same time while none adds. Adding needs
// exclusive access. Nothing that adds or tests allocates memory, but for the link that
// follows a full one and for growing a result's BitSet. The zero value holds nothing and is
// there to be decoded into; adding to it is an error. A Filter must not be copied.
type Filter struct {
	chain chainInfo
	links []link // the oldest first
}

type link struct {
	linkInfo
	probe probe
}

// defaultGrowth is RedisBloom's for BF.RESERVE without EXPANSION.
const defaultGrowth = 2

// An Option changes the chain that New makes.
type Option func(*chainInfo)

// WithExpansion sets for how many times the keys of a full link the next one is made, 2
// by default: BF.RESERVE … EXPANSION n. 0 is WithoutScaling, as it is there.
func WithExpansion(n uint32) Option {
	return func(c *chainInfo) {
		if c.growth = n; n == 0 {
			c.options |= optNoScaling
		}
	}
}

// WithoutScaling makes a filter of one link, of the very rate given, that takes no key
// once it is full: BF.RESERVE … NONSCALING.
func WithoutScaling() Option {
	return func(c *chainInfo) { c.options |= optNoScaling }
}

// New returns an empty filter whose first link is for n keys, n > 0, and whose rate of
// false positives stays below p, 0 < p < 1: BF.RESERVE key p n. Newer versions of
// RedisBloom take 0.25 for any p above. Errors wrap bitsieve.ErrParameter, or
// bitsieve.ErrMemory if there is no memory for so many keys.
func New(n uint64, p float64, opts ...Option) (*Filter, error) {
	if !(p > 0 && p < 1) || n == 0 {
		return nil, fmt.Errorf("%w: %d keys at a rate of %v, want at least 1 and 0 < p < 1", bitsieve.ErrParameter, n, p)
	}
	f := &Filter{chain: chainInfo{options: optNoRound | optForce64, growth: defaultGrowth}}
	for _, o := range opts {
		o(&f.chain)
	}
	if f.chain.options&optNoScaling == 0 {
		p /= 2
	}
	return f, f.addLink(n, p)
}

// addLink appends a link.
func (f *Filter) addLink(entries uint64, rate float64) error {
	info, err := sizeLink(entries, rate, f.chain.options)
	if err != nil {
		return err
	}
	f.links = append(f.links, newLink(info, newBits(info.bytes)))
	f.chain.links++
	return nil
}

// newBits returns zeroed memory for so many bytes, in whole words.
func newBits(bytes uint64) []byte { return memory.Bytes(memory.Words((bytes+7)/8, true)) }

func newLink(info linkInfo, bits []byte) link { return link{info, info.probe(bits, 0)} }

// full reports whether a link has as many keys as it was made for.
func (l *link) full() bool { return l.size >= l.entries }

// grow makes room for a key.
func (f *Filter) grow() error {
	if len(f.links) == 0 {
		return fmt.Errorf("%w: it was never made", bitsieve.ErrFull)
	}
	newest := &f.links[len(f.links)-1]
	if !newest.full() {
		return nil
	}
	if f.chain.options&optNoScaling != 0 {
		return fmt.Errorf("%w: it does not scale, and has all of %d keys", bitsieve.ErrFull, newest.entries)
	}
	if err := f.addLink(newest.entries*uint64(f.chain.growth), newest.rate/2); err != nil {
		return fmt.Errorf("%w, and no link can follow: %w", bitsieve.ErrFull, err)
	}
	return nil
}

// has reports whether any link may have a key.
func (f *Filter) has(h pair) bool {
	for i := len(f.links) - 1; i >= 0; i-- {
		if f.links[i].probe.test(h) {
			return true
		}
	}
	return false
}

// put adds a key that no link has.
func (f *Filter) put(h pair) error {
	if err := f.grow(); err != nil {
		return err
	}
	newest := &f.links[len(f.links)-1]
	newest.probe.add(h)
	newest.size++
	f.chain.size++
	return nil
}

func (f *Filter) hash(key []byte) pair { return hashKey(key, f.chain.wide()) }

// TestAndAdd adds key unless it may be there, and reports whether it may have been: the
// opposite of what BF.ADD answers. An error says that the filter is full, and wraps
// bitsieve.ErrFull: one that does not scale has all its keys, or no link can follow, for
// lack of memory (it wraps bitsieve.ErrMemory, too) or because its rate would be 0. The
// key is not in the filter then.
func (f *Filter) TestAndAdd(key []byte) (was bool, err error) {
	h := f.hash(key)
	if f.has(h) {
		return true, nil
	}
	return false, f.put(h)
}

// TestAndAddString is TestAndAdd for the bytes of s.
func (f *Filter) TestAndAddString(s string) (was bool, err error) {
	return f.TestAndAdd(hash.KeyBytes(s))
}

// Add adds a key, as TestAndAdd does.
func (f *Filter) Add(key []byte) error {
	_, err := f.TestAndAdd(key)
	return err
}

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Filter) AddString(s string) error { return f.Add(hash.KeyBytes(s)) }

// Test reports whether key may have been added: false is certain. It is BF.EXISTS.
func (f *Filter) Test(key []byte) bool { return f.has(f.hash(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *Filter) TestString(s string) bool { return f.has(f.hash(hash.KeyBytes(s))) }

// TestBytes tests keys and returns how many may be present. Bit i of hits says whether
// keys[i] may be: hits is resized to len(keys) bits and overwritten. It may be nil if
// only the number is wanted. It is BF.MEXISTS.
func (f *Filter) TestBytes(keys [][]byte, hits *bitsieve.BitSet) int {
	return testKeys(source{filter: f}, keys, hits)
}

// TestStrings is TestBytes for strings.
func (f *Filter) TestStrings(keys []string, hits *bitsieve.BitSet) int {
	return testKeys(source{filter: f}, keys, hits)
}

// AddBytes adds keys, in order. It is faster than adding one by one. After an error, which
// is as TestAndAdd's and names the key, those before it have been added and no other, as
// BF.MADD does.
func (f *Filter) AddBytes(keys [][]byte) error {
	_, err := addKeys(f, keys, nil)
	return err
}

// AddStrings is AddBytes for strings.
func (f *Filter) AddStrings(keys []string) error {
	_, err := addKeys(f, keys, nil)
	return err
}

// TestAndAddBytes adds keys, in order, and returns how many may have been there before:
// in the filter, or earlier in the batch. Bit i of hits says whether keys[i] may have
// been, as TestAndAdd would for one key after the other: hits is resized to len(keys) bits
// and overwritten. It may be nil if only the number is wanted. Errors are those of
// AddBytes; the bits of keys from the one at fault on are not set then.
func (f *Filter) TestAndAddBytes(keys [][]byte, hits *bitsieve.BitSet) (int, error) {
	return addKeys(f, keys, hits)
}

// TestAndAddStrings is TestAndAddBytes for strings.
func (f *Filter) TestAndAddStrings(keys []string, hits *bitsieve.BitSet) (int, error) {
	return addKeys(f, keys, hits)
}
