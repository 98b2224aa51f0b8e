package leveldb

import (
	"math"
	"math/bits"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/interop/internal/results"
)

// A View tests keys in the bytes of a filter where they lie, at any address, without copying them. It is
// a small value to be passed around as such; its methods allocate nothing but for growing a result's
// BitSet. Any number of goroutines may use it while nobody writes to the bytes. The zero View contains
// nothing.
type View struct {
	bits []byte
	k    uint8
}

// NewView returns a View of the filter that data is, which must not change as long as the View is in use.
//
// There is no checksum, and nearly all bytes are a filter. Those that are not are an error, a
// *bitsieve.FormatError: fewer than two bytes wrap bitsieve.ErrTruncated; a reserved k above 30, and
// 2^32 bits and more, wrap bitsieve.ErrHeader. The value that NewBloomFilter returns takes them all, as
// goleveldb does.
func NewView(data []byte) (View, error) {
	n := len(data) - 1
	switch {
	case n < 1:
		return View{}, format.Errorf(bitsieve.ErrTruncated, "filter", int64(len(data)), "%d bytes, want at least 2", len(data))
	case n >= maxBytes:
		return View{}, format.Errorf(bitsieve.ErrHeader, "bits", 0, "%d bytes, want less than 2^29", n)
	case data[n] > maxK:
		return View{}, format.Errorf(bitsieve.ErrHeader, "k", int64(n), "%d is reserved, want at most %d", data[n], maxK)
	}
	return View{data[:n:n], data[n]}, nil
}

// K returns the number of bits that a key sets, 0 to 30. In a filter with a K of 0 every key may be.
func (v View) K() int { return int(v.k) }

// Bits returns the number of bits.
func (v View) Bits() uint64 { return 8 * uint64(len(v.bits)) }

// SizeBytes returns the size of the filter in bytes, its last one included.
func (v View) SizeBytes() uint64 {
	if len(v.bits) == 0 {
		return 0
	}
	return uint64(len(v.bits)) + 1
}

// Test reports whether key may have been added: false is certain.
func (v View) Test(key []byte) bool { return v.test(hashKey(key)) }

// TestString is Test for the bytes of s.
func (v View) TestString(s string) bool { return v.test(hashKey(hash.KeyBytes(s))) }

func (v View) test(h uint32) bool { return len(v.bits) > 0 && test(v.bits, v.k, h) }

// TestBytes tests keys and returns how many may be present. Bit i of hits says whether keys[i] may be: hits
// is resized to len(keys) bits and overwritten. It may be nil if only the number is wanted.
func (v View) TestBytes(keys [][]byte, hits *bitsieve.BitSet) int { return testKeys(v, keys, hits) }

// TestStrings is TestBytes for strings.
func (v View) TestStrings(keys []string, hits *bitsieve.BitSet) int { return testKeys(v, keys, hits) }

func testKeys[K string | []byte](v View, keys []K, hits *bitsieve.BitSet) (n int) {
	words := results.Words(hits, len(keys))
	var chunk [chunkKeys]uint32
	for i := 0; len(keys) > 0; i++ {
		hashes := chunk[:min(chunkKeys, len(keys))]
		hashBatch(hashes, keys)
		keys = keys[len(hashes):]
		word := uint64(0)
		for j, h := range hashes {
			if v.test(h) {
				word |= 1 << j
			}
		}
		n += bits.OnesCount64(word)
		if words != nil {
			words[i] = word
		}
	}
	return n
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole filter.
func (v View) Fill() float64 {
	if len(v.bits) == 0 {
		return 0
	}
	return float64(popcount.Bytes(v.bits)) / float64(v.Bits())
}

// FPRate returns the false-positive rate of the filter as it stands, from its fill, as if the bits of a
// key were independent. Double hashing makes it somewhat higher, most of all in small filters. It reads the
// whole filter.
func (v View) FPRate() float64 {
	if len(v.bits) == 0 {
		return 0
	}
	return math.Pow(v.Fill(), float64(v.k))
}

// EstimatedCount returns the maximum-likelihood estimate of the number of distinct keys added, from the
// number of bits set (Swamidass and Baldi, 2007). A filter with every bit set, or without bits for a
// key, gives math.MaxUint64. It reads the whole filter.
func (v View) EstimatedCount() uint64 {
	if len(v.bits) == 0 {
		return 0
	}
	fill := v.Fill()
	if fill == 1 || v.k == 0 {
		return math.MaxUint64
	}
	m := float64(v.Bits())
	return uint64(math.Round(math.Log1p(-fill) / (float64(v.k) * math.Log1p(-1/m))))
}
