package parquet

import (
	"fmt"
	"math/bits"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/sbbf"
)

// Fold halves the filter, without the values: afterwards it is, to the last byte, the
// filter that NewWithSize(f.SizeBytes()/2) and adding the same values would have made.
// For a value's block is the high half of hash × blocks, so that the values of blocks
// 2i and 2i + 1 come together in block i.
//
// An odd number of blocks is an error that wraps bitsieve.ErrParameter, and leaves f
// as it was.
func (f *Filter) Fold() error {
	if f.Blocks() == 0 || f.Blocks()%2 != 0 {
		return fmt.Errorf("%w: %d blocks, which cannot be halved", bitsieve.ErrParameter, f.Blocks())
	}
	return f.fold(1)
}

// FoldTo folds f as often as its false-positive rate, by FPRate, is at most p
// afterwards, and its number of blocks even before, and returns how often that was.
// So a filter that was made for as many values as a row group can have shrinks to what
// its distinct values need before it is written. One whose size is a power of two, see
// NumBytesPowerOfTwo, folds down to one block if need be.
//
// It finds the number of folds out before it folds, without a copy, and folds in one
// step. A filter that is over p already stays as it is. 0 < p < 1; another value is an
// error that wraps bitsieve.ErrParameter.
//
// This is fold_to_target_fpp of arrow-rs, with two differences: the number of blocks
// need not be a power of two, and the rate is that of the very blocks that come out. That
// library estimates it from the mean fill, as if all blocks were equally full, which
// gives two thirds of the rate near 1 % and half of it near 0.3 %. So it sometimes folds
// once more.
func (f *Filter) FoldTo(p float64) (halvings int, err error) {
	if err := checkRate(p); err != nil {
		return 0, err
	}
	halvings = halvingsWithin(f.bits.Bytes, p)
	if halvings == 0 {
		return 0, nil
	}
	return halvings, f.fold(halvings)
}

// maxFolds bounds the number of halvings: MaxBytes is under 2^26 blocks.
const maxFolds = 26

// halvingsWithin returns after how many halvings FPRate would still be at most p, of
// all numbers of halvings in one pass. As in a binary counter, each block is joined
// with the one before it if it is the second of its pair, that with the pair before if
// it is the second, and so on.
func halvingsWithin(bitset []byte, p float64) int {
	n := len(bitset) / BlockBytes
	if n == 0 {
		return 0
	}
	most := bits.TrailingZeros(uint(n))
	var first [maxFolds]sbbf.Block // of the pair that is open after so many halvings
	var sums [maxFolds + 1]float64 // of the rates, after so many halvings
	for i := range n {
		joined := decodeBlock(bitset[i*BlockBytes:])
		done := 0
		for ; done < most && i>>done&1 != 0; done++ {
			for j, w := range &first[done] {
				joined[j] |= w
			}
			sums[done+1] += hitRate(&joined)
			if sums[done+1]/float64(n>>(done+1)) > p {
				most = done
			}
		}
		if most == 0 {
			return 0
		}
		if done < most {
			first[done] = joined
		}
	}
	return most
}

// fold halves the filter so many times, which its number of blocks must allow, into
// memory of its own, so that the old one can be freed.
func (f *Filter) fold(halvings int) error {
	group := BlockBytes << halvings
	folded, err := allocate(len(f.bits.Bytes) >> halvings)
	if err != nil {
		return err
	}
	for i := 0; i < len(folded); i += BlockBytes {
		out, in := folded[i:i+BlockBytes], f.bits.Bytes[i<<halvings:][:group]
		copy(out, in)
		for in = in[BlockBytes:]; len(in) > 0; in = in[BlockBytes:] {
			orInto(out, in)
		}
	}
	f.bits = sbbf.Of(folded)
	return nil
}
