package parquet

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/model"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

const (
	// BlockBytes is the size of a block in bytes. That of a bitset is a multiple of
	// it.
	BlockBytes = sbbf.Bytes
	// MaxBytes is the size in bytes of the largest bitset that a header can
	// announce: numBytes is a signed 32-bit integer.
	MaxBytes = math.MaxInt32 / BlockBytes * BlockBytes
	// MaxCommonBytes is the size in bytes up to which every reader at hand takes a
	// bitset: arrow-go refuses larger ones, and arrow-rs does not make them.
	MaxCommonBytes = 128 << 20
)

// bitsPerKey is how many bits a value sets, one in each word of its block.
const bitsPerKey = sbbf.Words

// NumBytesFor returns the size in bytes of the smallest bitset whose
// false-positive rate is at most p once n distinct values have been added: a
// multiple of BlockBytes, at most MaxBytes. It follows the model of the blocked
// filter, with a margin of three standard deviations for variation between sets of
// values, and is the same on every machine. n = 0 counts as 1.
//
// The bits per value that it takes are those of the specification's table: 10.5 at
// 1 %. The formula that writers use, see NumBytesPowerOfTwo, leaves out that blocks
// fill unevenly.
//
// 0 < p < 1. Another value, and more bytes than MaxBytes, are errors that wrap
// bitsieve.ErrParameter. Values are told apart within a block by 32 bits of their
// hash, so that rates below 1e-8 need many more bits than the formula says.
func NumBytesFor(n uint64, p float64) (int, error) {
	if err := checkRate(p); err != nil {
		return 0, err
	}
	keys := float64(max(n, 1))
	blocks := math.Ceil(keys / maxBlockLoad(keys, p))
	if blocks > MaxBytes/BlockBytes {
		return 0, fmt.Errorf("%w: %d values at a rate of %v need %.3g bytes, a header can announce %d",
			bitsieve.ErrParameter, n, p, blocks*BlockBytes, MaxBytes)
	}
	return int(blocks) * BlockBytes, nil
}

// NumBytesPowerOfTwo returns the size in bytes that arrow-go, and other writers
// after the same formula, give the filter of a column for n distinct values and a
// rate of p: -8 / ln(1 - p^(1/8)) bits a value, rounded up to a power of two, at
// least 32 bytes and at most 128 MiB.
//
// Rounding up makes up for what the formula lacks, unless the formula ends just below a
// power of two: then the rate at n values is above p, up to 1.5 times at 1 % and twice
// at 0.1 %. A filter of a power of two can be folded down to one block.
//
// 0 < p < 1; another value is an error that wraps bitsieve.ErrParameter.
func NumBytesPowerOfTwo(n uint64, p float64) (int, error) {
	if err := checkRate(p); err != nil {
		return 0, err
	}
	need := -bitsPerKey * float64(n) / math.Log(1-math.Pow(p, 1.0/bitsPerKey))
	// p can be too small for the formula to have a value.
	if !(need >= 0 && need <= 8*MaxCommonBytes) {
		return MaxCommonBytes, nil
	}
	whole := max(uint64(need), 8*BlockBytes)
	return 1 << bits.Len64(whole-1) / 8, nil
}

func checkRate(p float64) error {
	if !(p > 0 && p < 1) {
		return fmt.Errorf("%w: false-positive rate %v, want 0 < p < 1", bitsieve.ErrParameter, p)
	}
	return nil
}

// checkBytes checks the size of a bitset that a caller asks for.
func checkBytes(numBytes int) error {
	if numBytes < BlockBytes || numBytes > MaxBytes || numBytes%BlockBytes != 0 {
		return fmt.Errorf("%w: a bitset of %d bytes, want a multiple of %d, at most %d",
			bitsieve.ErrParameter, numBytes, BlockBytes, MaxBytes)
	}
	return nil
}

// rateAt returns the false-positive rate that is expected with load values a block
// on average, and its standard deviation between blocks. The layout is that of a
// counting filter whose counters are bits: eight lanes of 32 places, one of which in
// each lane is the value's. To that comes the chance that 32 bits of hash are equal.
func rateAt(load float64) (mean, deviation float64) {
	if load > model.MaxLoad {
		return 1, 0
	}
	mean, deviation = model.CountingRate(load, bitsPerKey)
	return min(mean+load/(1<<32), 1), deviation
}

// maxBlockLoad returns the largest number of values per block that keeps a filter of
// that many values to p, within a millionth.
func maxBlockLoad(keys, p float64) float64 {
	const sigmas = 3
	lo, hi := 0.0, float64(model.MaxLoad)
	for hi-lo > float64(1e-6*hi) && hi > 1e-9 {
		mid := (lo + hi) / 2
		mean, deviation := rateAt(mid)
		if mean+float64(sigmas*deviation)/math.Sqrt(max(keys/mid, 1)) <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(lo, 1e-9)
}
