package bitsieve

import (
	"fmt"
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/model"
)

// Fold halves the filter, without the keys: afterwards it is, to the last byte of
// its file, the filter that NewBlockedWithSize(f.Blocks()/2, f.K()) and adding the
// same keys would have made. Capacity gives 0 and 0 from then on. For a key's block
// is the high half of hash × blocks, so that the keys of blocks 2i and 2i + 1 come
// together in block i. FoldTo stops where the false-positive rate would get too
// high.
//
// An odd number of blocks is an error that wraps ErrParameter, and leaves f as it
// was: see WithFolds.
//
// The result gets memory of its own, and the old one is released: a mapped file at
// once, else by the garbage collector. Where there is not enough memory for both, the
// result overwrites the first of the old blocks, and the others stay allocated until
// f is gone. The file that f was opened from is never changed.
func (f *Blocked) Fold() error {
	if f.filter.Empty() || f.Blocks()%2 != 0 {
		return fmt.Errorf("%w: %d blocks, which cannot be halved", ErrParameter, f.Blocks())
	}
	return f.fold(1)
}

// FoldTo folds f as often as its false-positive rate, by FPRate, is at most p
// afterwards, and its number of blocks even before, and returns how often that was.
// It finds that out before it folds, without a copy, and folds in one step. So a
// filter sized for the worst case shrinks to what its keys need; one that is over p
// already, or has no blocks, stays as it is.
//
// The rate is that of the filter as it stands: keys added later raise it. 0 < p < 1;
// another value is an error that wraps ErrParameter. It reads the filter once more, and
// rates as many blocks as FPRate does.
func (f *Blocked) FoldTo(p float64) (halvings int, err error) {
	if !(p > 0 && p < 1) {
		return 0, fmt.Errorf("%w: false-positive rate %v, want 0 < p < 1", ErrParameter, p)
	}
	if f.filter.Empty() {
		return 0, nil
	}
	f.filter.RaceRead()
	halvings = f.halvingsWithin(p)
	if halvings == 0 {
		return 0, nil
	}
	return halvings, f.fold(halvings)
}

// halvingsWithin returns after how many halvings FPRate of the filter would still be at
// most p: the same sums in the same order, of all numbers of halvings in one pass. As
// in a binary counter, each block is joined with the one before it if it is the second
// of its pair, that with the pair before if it is the second, and so on.
func (f *Blocked) halvingsWithin(p float64) int {
	n := f.Blocks()
	most := bits.TrailingZeros64(n)
	var first [maxFolds]block.Block // of the pair that is open after so many halvings
	var sums [maxFolds + 1]float64  // of the rates, after so many halvings
	for i := range f.filter.Blocks {
		joined := f.filter.Blocks[i]
		done := 0
		for ; done < most && i>>done&1 != 0; done++ {
			pair := [2]block.Block{first[done], joined}
			joined = block.Join(pair[:])
			sums[done+1] += model.HitRate(&joined, f.filter.K)
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

// fold halves the filter so many times, which its number of blocks must allow.
func (f *Blocked) fold(halvings int) error {
	f.filter.RaceWrite()
	n := f.Blocks() >> halvings
	folded, unused := f.filter.Blocks[:n:n], (*format.Mapping)(nil)
	if memory.Check(n*block.Bytes) == nil {
		folded = block.New(n, !f.noHugePages)
		f.mapping, unused = nil, f.mapping
	}
	block.Fold(folded, f.filter.Blocks, halvings)
	f.filter.Init(folded, f.filter.K, f.filter.Hash)
	f.n, f.p = 0, 0
	return unused.Close()
}

// maxFolds bounds the number of halvings: 2^57 blocks are more than there can be.
const maxFolds = 57

// sizeBlocked is model.SizeBlocked with the number of blocks rounded up to a
// multiple of another number, and of what WithFolds asks.
func sizeBlocked(n uint64, p float64, multiple uint64, opts []Option) (blocks uint64, k int, err error) {
	folds := applyOptions(opts).folds
	if folds < 0 || folds > maxFolds {
		return 0, 0, fmt.Errorf("%w: %d folds, want 0 to %d", ErrParameter, folds, maxFolds)
	}
	blocks, k, err = model.SizeBlocked(n, p)
	if err != nil {
		return 0, 0, err
	}
	// What is divided among multiple parts is folded within each of them.
	high, unit := bits.Mul64(multiple, 1<<folds)
	if high != 0 || unit > maxBlocks {
		return 0, 0, fmt.Errorf("%w: a multiple of %d × 2^%d blocks, at most %d are possible", ErrParameter, multiple, folds, uint64(maxBlocks))
	}
	return (blocks + unit - 1) / unit * unit, k, nil
}
