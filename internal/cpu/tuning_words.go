package cpu

import "math"

// Words is the part of a row that the kernels on words go by. Lengths are in words of
// 64 bits. A length of Never stands for a way that is not gone.
type Words struct {
	// Wide is the length from which AND, OR, XOR and ANDNOT take vectors of 512 bits,
	// at level avx512. It is 64 at least.
	Wide int
	// StreamBinary is the length from which a destination apart from the operands is
	// written past the caches, so that it is not read before it is overwritten.
	StreamBinary int

	// CountAheadFrom is the length from which Count prefetches into the first-level
	// cache, CountAhead bytes ahead, at level avx512.
	CountAheadFrom, CountAhead int
	// CountStream is the length from which Count, where it does not prefetch, reads in
	// four places at once.
	CountStream int

	// SetsWide is how many words all operands of AndAll and OrAll may have together to
	// be taken 256 at a time by vectors of 512 bits, at level avx512; SetsWideCount the
	// same for AndAllCount and OrAllCount.
	SetsWide, SetsWideCount int
	// SetsAhead is how many words they have together from which what is not taken so is
	// prefetched into the second-level cache.
	SetsAhead int
	// SetsStream is how many words they have together from which a destination apart
	// from them is written past the caches, at level avx512.
	SetsStream int

	// RowsAhead is how many bytes ahead AndCountRows and its like prefetch rows of up to
	// eight words into the first-level cache, at level avx512; 0 for not.
	RowsAhead int
}

// Never is a length that no operand has.
const Never = math.MaxInt

var (
	wordsZen4 = Words{
		Wide: Never, StreamBinary: 1 << 20,
		CountAheadFrom: Never, CountStream: 1 << 23,
		SetsAhead: 1 << 22, SetsStream: Never,
	}
	wordsZen5 = Words{
		Wide: 64, StreamBinary: 1 << 20,
		CountAheadFrom: 1 << 17, CountAhead: 1024, CountStream: 1 << 22,
		SetsWide: Never, SetsWideCount: 1 << 17, SetsAhead: Never, SetsStream: 1 << 22,
		RowsAhead: 4096,
	}
	wordsSapphireRapids = Words{
		Wide: 64, StreamBinary: 1 << 19,
		CountAheadFrom: Never, CountStream: 1 << 22,
		SetsWide: 1 << 21, SetsWideCount: 1 << 17, SetsAhead: 1 << 22, SetsStream: Never,
		RowsAhead: 4096,
	}
	wordsUnknown = Words{
		Wide: 64, StreamBinary: 1 << 20,
		CountAheadFrom: Never, CountStream: 1 << 22,
		SetsWide: 1 << 21, SetsWideCount: 1 << 17, SetsAhead: 1 << 22, SetsStream: Never,
		RowsAhead: 4096,
	}
)
