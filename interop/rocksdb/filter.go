package rocksdb

import (
	"math"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// Filter is a filter in memory of its own, for a number of keys that is known before;
// a Builder needs no number. It gives the bytes that RocksDB makes if it gets as many
// keys as it was sized for, none of them right after an equal one.
//
// Any number of goroutines may test at the same time while none adds. Adding needs
// exclusive access. The zero value holds nothing and is there to be decoded into; adding
// to it panics. A Filter must not be copied.
type Filter struct {
	table table
	keys  uint64 // it was sized for
}

// New returns an empty filter for n keys, n = 0 counting as 1. bitsPerKey is what
// NewBloomFilterPolicy takes: from 0.5 on, less than 1 counting as 1 and more than 100 as
// 100. It sets k and, rounded up to whole lines, the size. Other values, and sizes of
// 2^26 lines and more, are errors that wrap bitsieve.ErrParameter; a size that memory
// cannot hold wraps bitsieve.ErrMemory.
func New(n uint64, bitsPerKey float64) (*Filter, error) {
	thousandths, err := millibits(bitsPerKey)
	if err != nil {
		return nil, err
	}
	f := new(Filter)
	if err := f.init(max(n, 1), thousandths); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *Filter) init(n uint64, millibits int) error {
	lines, err := linesFor(n, millibits)
	if err != nil {
		return err
	}
	if err := memory.Check(lines * lineBytes); err != nil {
		return err
	}
	f.table = table{bits: memory.Bytes(memory.Words(lines*lineBytes/8, true)), k: probesFor(millibits)}
	f.keys = n
	return nil
}

// View returns a view of the filter, without copying it.
func (f *Filter) View() View { return View{f.table} }

// Add adds a key.
func (f *Filter) Add(key []byte) { f.table.add(Hash(key)) }

// AddString adds the bytes of s: AddString(s) and Add([]byte(s)) are the same.
func (f *Filter) AddString(s string) { f.table.add(HashString(s)) }

// AddHash adds a key by its hash, made by Hash.
func (f *Filter) AddHash(h uint64) { f.table.add(h) }

// Test reports whether key may have been added: false is certain.
func (f *Filter) Test(key []byte) bool { return f.table.test(Hash(key)) }

// TestString reports whether s may have been added: false is certain.
func (f *Filter) TestString(s string) bool { return f.table.test(HashString(s)) }

// TestHash reports whether a key with the hash h, made by Hash, may have been added:
// false is certain.
func (f *Filter) TestHash(h uint64) bool { return f.table.test(h) }

// TestAndAdd adds key and reports whether it may have been there before.
func (f *Filter) TestAndAdd(key []byte) bool { return f.table.testAndAdd(Hash(key)) }

// TestAndAddString adds s and reports whether it may have been there before.
func (f *Filter) TestAndAddString(s string) bool { return f.table.testAndAdd(HashString(s)) }

// AddBytes adds byte slices. It is faster than adding one by one.
func (f *Filter) AddBytes(keys [][]byte) { addKeys(&f.table, keys) }

// AddStrings adds strings. It is faster than adding one by one.
func (f *Filter) AddStrings(keys []string) { addKeys(&f.table, keys) }

// AddHashes adds keys by their hashes, made by Hash.
func (f *Filter) AddHashes(hashes []uint64) { addKeys(&f.table, hashes) }

// TestBytes tests keys and returns how many may be present. Bit i of hits says whether
// keys[i] may be: hits is resized to len(keys) bits and overwritten. It may be nil if
// only the number is wanted.
func (f *Filter) TestBytes(keys [][]byte, hits *bitsieve.BitSet) int {
	return testKeys(&f.table, keys, hits)
}

// TestStrings is TestBytes for strings.
func (f *Filter) TestStrings(keys []string, hits *bitsieve.BitSet) int {
	return testKeys(&f.table, keys, hits)
}

// TestHashes is TestBytes for keys by their hashes, made by Hash.
func (f *Filter) TestHashes(hashes []uint64, hits *bitsieve.BitSet) int {
	return testKeys(&f.table, hashes, hits)
}

// Clear removes every key.
func (f *Filter) Clear() { memory.ClearOf(f.table.bits) }

// Capacity returns the number of keys that the filter was sized for, 0 if it was
// decoded.
func (f *Filter) Capacity() uint64 { return f.keys }

// K returns the number of probes, 1 to 24, or to 30 if it was decoded; 0 for a filter
// without lines.
func (f *Filter) K() int { return f.table.k }

// Bits returns the number of bits that keys are spread over.
func (f *Filter) Bits() uint64 { return 8 * uint64(len(f.table.bits)) }

// SizeBytes returns the number of bytes that WriteTo writes.
func (f *Filter) SizeBytes() uint64 { return uint64(f.table.size()) }

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole filter.
func (f *Filter) Fill() float64 { return f.table.fill() }

// FPRate returns an estimate of the false-positive rate of the filter as it stands,
// from the bits set in each line. It reads the whole filter.
func (f *Filter) FPRate() float64 { return f.table.rate() }

// EstimatedCount returns an estimate of the number of distinct keys added, from the
// bits set: math.MaxUint64 if all are, or if every key passes. It reads the whole
// filter.
func (f *Filter) EstimatedCount() uint64 { return f.table.count() }

// fill returns the fraction of bits that are set.
func (t *table) fill() float64 {
	if len(t.bits) == 0 {
		return 0
	}
	n := uint64(0)
	for i := 0; i < len(t.bits); i += lineBytes {
		n += uint64(setBits(t.line(uint64(i))))
	}
	return float64(n) / (8 * float64(len(t.bits)))
}

// rate returns the mean of the lines' rates, as if the probes of a key were
// independent.
func (t *table) rate() float64 {
	if len(t.bits) == 0 {
		if t.all {
			return 1
		}
		return 0
	}
	var lines [lineBits + 1]uint64 // how many have so many bits set
	for i := 0; i < len(t.bits); i += lineBytes {
		lines[setBits(t.line(uint64(i)))]++
	}
	sum := 0.0
	for set, n := range lines {
		sum += float64(n) * math.Pow(float64(set)/lineBits, float64(t.k))
	}
	return sum / float64(t.lines())
}

// count returns the number of keys of which that many bits set are the expectation.
func (t *table) count() uint64 {
	if len(t.bits) == 0 && !t.all {
		return 0
	}
	clear := 1 - t.fill()
	if t.all || clear <= 0 {
		return math.MaxUint64
	}
	// The places of a key in its line may coincide: perKey is how many there are.
	perKey := lineBits * -math.Expm1(float64(t.k)*math.Log1p(-1./lineBits))
	return uint64(math.Round(math.Log(clear) / math.Log1p(-perKey/(8*float64(len(t.bits))))))
}
