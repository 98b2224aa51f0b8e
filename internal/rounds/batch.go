// Package rounds adds and tests batches of keys in the standard Bloom filter.
//
// A key's k bits lie in k cache lines. So a batch goes through in rounds: the
// first bit of every key, then the second bit of the keys that the first one did
// not rule out, and so on. While one round looks at its bits, it prefetches the
// lines of the next. No branch of a round depends on the data, and a key that is
// absent from a half-full filter costs two lines on average.
//
// Batch is what the rounds pass on. generic.go is their specification, and what
// runs where there is no assembly; dispatch.go chooses.
//
// Rounds win without prefetching, too: their cache misses overlap, and in caches
// the branches that a single lookup mispredicts are a quarter of its time. The
// figures are in TUNING.md.
package rounds

import "github.com/bitsieve/bitsieve/internal/hash"

const (
	// Size is the largest number of keys in a Batch. The last rounds of a smaller
	// one, of few keys, wait for memory; a larger one takes longer to clear.
	Size = 128
	// MinKeys is the number of keys from which a Batch is worth clearing, as a
	// compromise between filters in the caches and in memory.
	MinKeys = 12
)

// A Batch holds the hashes of up to Size keys and the state of the round. The
// first so many elements of bit and key are in use: bit is a bit to look at, of the
// key whose hash is at index key of the four arrays.
type Batch struct {
	hash [4][Size]uint64
	bit  [Size]uint64
	key  [Size]uint64
	near bool // lines are prefetched into L1, not L2: no result depends on it
}

// Put makes h the hash of key j.
func (b *Batch) Put(j int, h hash.Wide) {
	b.hash[0][j], b.hash[1][j], b.hash[2][j], b.hash[3][j] = h.H0, h.H1, h.H2, h.H3
	b.key[j] = uint64(j)
}

// Fill puts the hashes of the first keys, as many as fit, and returns how many they
// are.
func Fill[K string | []byte | uint64](b *Batch, h hash.Hasher, keys []K) int {
	keys = keys[:min(len(keys), Size)]
	switch keys := any(keys).(type) {
	case []string:
		fill(b, h, keys)
	case [][]byte:
		fill(b, h, keys)
	case []uint64:
		for j, x := range keys {
			b.Put(j, h.WideUint64(x))
		}
	}
	return len(keys)
}

func fill[K string | []byte](b *Batch, h hash.Hasher, keys []K) {
	hash.Touch(keys)
	for j, key := range keys {
		b.Put(j, h.Wide(hash.KeyBytes(key)))
	}
}

// Add sets the k bits of keys 0 … n−1. d.M is at most 64 × len(words), n and k are at
// least 1.
func (b *Batch) Add(words []uint64, d Divisor, k uint64, n int) {
	first(words, b, n, d)
	for i := uint64(1); i < k; i++ {
		add(words, b, n, i, d)
	}
	for _, bit := range b.bit[:n] {
		words[bit/64] |= 1 << (bit % 64)
	}
}

// Test returns how many of the keys 0 … n−1 have their k bits set. Unless hits is
// nil, it sets the bits of hits that stand for them. d.M is at most 64 × len(words), n
// and k are at least 1.
func (b *Batch) Test(words []uint64, d Divisor, k uint64, n int, hits []uint64) int {
	first(words, b, n, d)
	for i := uint64(1); i < k && n > 0; i++ {
		n = test(words, b, n, i, d)
	}
	live := 0
	for s, bit := range b.bit[:n] {
		b.key[live] = b.key[s]
		live += int(BitAt(words, bit))
	}
	if hits != nil {
		for _, j := range b.key[:live] {
			hits[j/64] |= 1 << (j % 64)
		}
	}
	return live
}

// TestBits is Test for bits in bytes.
func (b *Batch) TestBits(bits Bits, d Divisor, k uint64, n int, hits []uint64) int {
	firstBits(bits, b, n, d)
	for i := uint64(1); i < k && n > 0; i++ {
		n = testBits(bits, b, n, i, d)
	}
	live := 0
	for s, bit := range b.bit[:n] {
		b.key[live] = b.key[s]
		live += int(bits.At(bit))
	}
	if hits != nil {
		for _, j := range b.key[:live] {
			hits[j/64] |= 1 << (j % 64)
		}
	}
	return live
}

// MaxTestAndAddK is the largest k of TestAndAdd.
const MaxTestAndAddK = 16

// TestAndAdd sets the k bits of keys 0 … n−1, one key after the other, and returns
// how many had all of them set before. Unless hits is nil, it sets the bits of hits
// that stand for them. The preconditions are those of Test, and k is at most
// MaxTestAndAddK.
//
// The rounds only compute the bits and prefetch their lines: to set a bit in a round
// would show it to the keys before.
func (b *Batch) TestAndAdd(words []uint64, d Divisor, k uint64, n int, hits []uint64) (count int) {
	var bits [MaxTestAndAddK][Size]uint64
	first(words, b, n, d)
	bits[0] = b.bit
	locations := &b.hash[0]
	h0 := *locations
	for i := uint64(1); i < k; i++ {
		x, y := b.terms(i)
		if i&1 == 0 {
			x = &h0
		}
		for j := range n {
			locations[j] = x[j] + i*y[j]
		}
		first(words, b, n, d)
		bits[i] = b.bit
	}
	for j := range n {
		hit := uint64(1)
		for i := range bits[:k] {
			bit := bits[i][j]
			hit &= BitAt(words, bit)
			words[bit/64] |= 1 << (bit % 64)
		}
		count += int(hit)
		if hits != nil {
			hits[j/64] |= hit << (j % 64)
		}
	}
	return count
}

// terms returns the two terms of location i: it is x[j] + i × y[j] for the key
// with index j.
func (b *Batch) terms(i uint64) (x, y *[Size]uint64) {
	return &b.hash[i&1], &b.hash[2+(i+1)&2>>1]
}

// BitAt returns bit i of words, as a number: a bool would become a branch.
func BitAt(words []uint64, i uint64) (bit uint64) {
	// This form compiles to BT and SETC, where shifting the word takes the one
	// register that amd64 shifts by.
	if words[i/64]&(1<<(i%64)) != 0 {
		bit = 1
	}
	return bit
}
