package block

import (
	"math/bits"
	"sync/atomic"

	"github.com/bitsieve/bitsieve/internal/race"
)

// The verbs of a Filter of which callers lock parts, each the blocks of some keys:
// they declare no access to the filter to the race detector, which would take those
// to two parts for accesses to one thing. AddPart is another.

// AddHashPart is AddHash.
func (f *Filter) AddHashPart(h uint64) { addHash(f, h) }

// TestHashPart is TestHash.
func (f *Filter) TestHashPart(h uint64) bool { return testHash(f, h) }

// TestAndAddHashPart is TestAndAddHash.
func (f *Filter) TestAndAddHashPart(h uint64) bool {
	if testHash(f, h) {
		return true
	}
	addHash(f, h)
	return false
}

// TestPart is TestHashes.
func (f *Filter) TestPart(hashes, hits []uint64) { f.testPart(hashes, hits, false) }

// TestAndAddPart is TestAndAddHashes.
func (f *Filter) TestAndAddPart(hashes, hits []uint64) { f.testAndAddPart(hashes, hits, false) }

// ReadAhead has the blocks of hashes read into the cache, if there are so many
// blocks that they may not be there. What other goroutines write meanwhile does no
// harm, for nobody looks at what is read.
func (f *Filter) ReadAhead(hashes []uint64) {
	if race.Enabled || len(f.Blocks) < genericAhead {
		return
	}
	for _, h := range hashes {
		atomic.LoadUint64(&f.Blocks[Index(h, uint64(len(f.Blocks)))][0])
	}
}

// SortByPart sorts hashes by part, the high half of hash × parts, and keeps the order
// of those of one part. dst gets the hashes, from the place that each had; there are
// fewer than 2^16, and at most 2^24 parts. spare and spareFrom, as long as the hashes
// too, are scratch memory.
//
// It goes through the bytes of the part's number, the lowest one first, in a counting
// sort for each: with up to 256 parts through one.
func SortByPart(parts uint64, hashes, dst []uint64, from []uint16, spare []uint64, spareFrom []uint16) {
	n := len(hashes)
	dst, from, spare, spareFrom = dst[:n], from[:n], spare[:n], spareFrom[:n]
	passes := max(1, (bits.Len64(parts-1)+7)/8)
	if passes%2 == 0 {
		dst, from, spare, spareFrom = spare, spareFrom, dst, from
	}
	for i := range spareFrom {
		spareFrom[i] = uint16(i)
	}
	src, srcFrom := hashes, spareFrom
	for pass := range passes {
		shift := 8 * pass & 63
		var starts [256]uint16
		for _, h := range src {
			starts[uint8(Index(h, parts)>>shift)]++
		}
		sum := uint16(0)
		for i, n := range starts[:min(255, (parts-1)>>shift)+1] {
			starts[i] = sum
			sum += n
		}
		for i, h := range src {
			start := &starts[uint8(Index(h, parts)>>shift)]
			dst[*start], from[*start] = h, srcFrom[i]
			*start++
		}
		src, srcFrom = dst, from
		dst, from, spare, spareFrom = spare, spareFrom, dst, from
	}
}
