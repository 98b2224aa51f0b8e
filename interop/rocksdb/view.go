package rocksdb

import "github.com/bitsieve/bitsieve"

// View is a filter that lies in somebody else's bytes. It is a small value, to be
// copied and kept at will, as long as the bytes stay what they are; its methods
// allocate nothing, and any number of goroutines may use them.
type View struct{ table table }

// NewView returns a view of a filter's bytes: all of them and no more, at any
// alignment, neither copied nor changed. It looks at the trailer only, for the format has
// no checksum of its own. What is no filter of this format is a *bitsieve.FormatError:
// it wraps ErrKind for another filter of RocksDB or one that is not invented yet,
// ErrTruncated for a size that is no whole number of lines, ErrHeader for anything else.
//
// No bytes at all give a view of no keys, as in RocksDB.
func NewView(data []byte) (View, error) {
	t, err := parse(data)
	return View{t}, err
}

// Test reports whether key may have been added: false is certain.
func (v View) Test(key []byte) bool { return v.table.test(Hash(key)) }

// TestString reports whether s may have been added: false is certain.
func (v View) TestString(s string) bool { return v.table.test(HashString(s)) }

// TestHash reports whether a key with the hash h, made by Hash, may have been added:
// false is certain.
func (v View) TestHash(h uint64) bool { return v.table.test(h) }

// TestBytes tests keys and returns how many may be present. Bit i of hits says whether
// keys[i] may be: hits is resized to len(keys) bits and overwritten. It may be nil if
// only the number is wanted.
func (v View) TestBytes(keys [][]byte, hits *bitsieve.BitSet) int {
	return testKeys(&v.table, keys, hits)
}

// TestStrings is TestBytes for strings.
func (v View) TestStrings(keys []string, hits *bitsieve.BitSet) int {
	return testKeys(&v.table, keys, hits)
}

// TestHashes is TestBytes for keys by their hashes, made by Hash.
func (v View) TestHashes(hashes []uint64, hits *bitsieve.BitSet) int {
	return testKeys(&v.table, hashes, hits)
}

// K returns the number of probes, 1 to 30; 0 for a filter without lines.
func (v View) K() int { return v.table.k }

// Bits returns the number of bits that keys are spread over.
func (v View) Bits() uint64 { return 8 * uint64(len(v.table.bits)) }

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole filter.
func (v View) Fill() float64 { return v.table.fill() }

// FPRate returns an estimate of the false-positive rate of the filter as it stands,
// from the bits set in each line. It reads the whole filter.
func (v View) FPRate() float64 { return v.table.rate() }

// EstimatedCount returns an estimate of the number of distinct keys added, from the
// bits set: math.MaxUint64 if all are, or if every key passes. It reads the whole
// filter.
func (v View) EstimatedCount() uint64 { return v.table.count() }
