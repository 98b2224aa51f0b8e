package leveldb

import (
	"slices"

	"github.com/syndtr/goleveldb/leveldb/filter"
)

// NewBloomFilter returns LevelDB's Bloom filter policy for the given number of bits per key, of which
// 10 are usual and give a false-positive rate of about 1 %: goleveldb's filter.NewBloomFilter, with
// the same name, bytes and answers. Filters of any number of bits per key are read. A number below 0
// counts as 0, and every filter has at least 64 bits.
//
// The memory that a generator's filter goes to need not be zero, as that of a used buffer is not.
func NewBloomFilter(bitsPerKey int) filter.Filter { return policy(max(bitsPerKey, 0)) }

// A policy is the number of bits per key.
type policy int

func (policy) Name() string { return "leveldb.BuiltinBloomFilter" }

// Contains reports whether key may be among those that data was made from. A filter without bits
// contains nothing, one of a reserved encoding, or of 2^32 bits and more, may contain everything.
func (policy) Contains(data, key []byte) bool { return contains(data, key) }

func contains(data, key []byte) bool {
	n := len(data) - 1
	if n < 1 {
		return false
	}
	if data[n] > maxK || n >= maxBytes {
		return true
	}
	return test(data[:n], data[n], hashKey(key))
}

func (p policy) NewGenerator() filter.FilterGenerator {
	return &generator{bitsPerKey: int(p), k: kFor(int(p))}
}

// kFor returns the number of bits that a key sets: bits per key × ln 2, rounded down. goleveldb lets
// it wrap round at 256.
func kFor(bitsPerKey int) uint8 { return min(max(uint8(bitsPerKey*69/100), 1), maxK) }

// A generator makes filters of LevelDB's format.
type generator struct {
	bitsPerKey int
	k          uint8
	hashes     []uint32
}

func (g *generator) Add(key []byte) { g.hashes = append(g.hashes, hashKey(key)) }

// Generate makes the filter of all keys since the last Generate.
func (g *generator) Generate(b filter.Buffer) {
	n := bytesFor(len(g.hashes), g.bitsPerKey)
	data := b.Alloc(n + 1)
	clear(data)
	fill(data, g.k, g.hashes)
	g.hashes = g.hashes[:0]
}

// AppendFilter appends to dst the filter of keys with the given number of bits per key, the one that
// goleveldb's generator makes of them, and returns it. Fewer than 2^32 bits are needed for it.
func AppendFilter(dst []byte, bitsPerKey int, keys [][]byte) []byte {
	bitsPerKey = max(bitsPerKey, 0)
	old := len(dst)
	n := old + bytesFor(len(keys), bitsPerKey) + 1
	dst = slices.Grow(dst, n-old)[:n]
	data := dst[old:]
	clear(data)
	data[len(data)-1] = kFor(bitsPerKey)
	addKeys(data[:len(data)-1], kFor(bitsPerKey), keys)
	return dst
}

// bytesFor returns the size of a filter of n keys without its last byte. Like the number of bits of the
// format, it is for less than 2^32 bits.
func bytesFor(n, bitsPerKey int) int { return int((max(uint32(n*bitsPerKey), minBits) + 7) / 8) }

// fill makes data, which is zero, a filter of hashes.
func fill(data []byte, k uint8, hashes []uint32) {
	n := len(data) - 1
	data[n] = k
	set(data[:n], k, hashes)
}
