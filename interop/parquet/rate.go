package parquet

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/popcount"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

// What a bitset's bits say: each of these reads it whole.

// Fill returns the fraction of bits that are set, 0 to 1.
func (v View) Fill() float64 {
	if len(v.bits.Bytes) == 0 {
		return 0
	}
	return float64(popcount.Bytes(v.bits.Bytes)) / (8 * float64(len(v.bits.Bytes)))
}

// FPRate returns the false-positive rate of the filter as it stands: the
// probability that a value whose hash is uniform passes it, from the bits set in each
// word of each block.
func (v View) FPRate() float64 {
	if len(v.bits.Bytes) == 0 {
		return 0
	}
	sum := 0.0
	for b := v.bits.Bytes; len(b) >= BlockBytes; b = b[BlockBytes:] {
		block := decodeBlock(b)
		sum += hitRate(&block)
	}
	return sum / float64(v.Blocks())
}

// EstimatedCount returns the maximum-likelihood estimate of the number of distinct
// values added, from the number of bits set (Swamidass and Baldi, Mathematical
// correction for fingerprint similarity measures, 2007). A filter with every bit set
// gives math.MaxUint64.
func (v View) EstimatedCount() uint64 {
	if len(v.bits.Bytes) == 0 {
		return 0
	}
	unset := 1 - v.Fill()
	if unset <= 0 {
		return math.MaxUint64
	}
	const bitRate = 1.0 / 32 // at which a value sets a given bit of its block
	n := math.Round(math.Log(unset) / math.Log1p(-bitRate/float64(v.Blocks())))
	return uint64(n)
}

// ExpectedFPRate returns the false-positive rate that the model predicts after n
// distinct values were added to an empty filter of this size. Unlike FPRate it does
// not look at the bits.
func (v View) ExpectedFPRate(n uint64) float64 {
	if len(v.bits.Bytes) == 0 {
		return 0
	}
	mean, _ := rateAt(float64(n) / float64(v.Blocks()))
	return mean
}

// Fill returns the fraction of bits that are set, 0 to 1. It reads the whole filter.
func (f *Filter) Fill() float64 { return f.View().Fill() }

// FPRate is View.FPRate. It reads the whole filter.
func (f *Filter) FPRate() float64 { return f.View().FPRate() }

// EstimatedCount is View.EstimatedCount. It reads the whole filter.
func (f *Filter) EstimatedCount() uint64 { return f.View().EstimatedCount() }

// ExpectedFPRate is View.ExpectedFPRate. It takes the same time for every size.
func (f *Filter) ExpectedFPRate(n uint64) float64 { return f.View().ExpectedFPRate(n) }

func decodeBlock(b []byte) (block sbbf.Block) {
	for i := range block {
		block[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return block
}

// hitRate returns the probability that a value which was not added passes a block:
// each word has the bit that it asks for with the fraction of its bits that are set.
// The product of eight numbers of at most six bits is exact.
func hitRate(block *sbbf.Block) float64 {
	set := uint64(1)
	for _, w := range block {
		set *= uint64(bits.OnesCount32(w))
	}
	return float64(set) / (1 << 40)
}

// orInto sets in dst the bits of src, which is as long.
func orInto(dst, src []byte) {
	for i := 0; i+8 <= len(dst); i += 8 {
		d := dst[i : i+8]
		binary.LittleEndian.PutUint64(d, binary.LittleEndian.Uint64(d)|binary.LittleEndian.Uint64(src[i:]))
	}
}
