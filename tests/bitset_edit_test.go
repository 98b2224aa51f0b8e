package tests

import (
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestExtractToExactWords extracts a whole number of words by a mask that ends
// in empty words, where a kernel must not begin another word.
func TestExtractToExactWords(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		memory := []uint64{0, 77}
		dst := FromWords(memory[:1:1])
		src := NewBitSet(640).SetAll()
		src.ExtractTo(NewBitSet(640).SetRange(32, 96), dst)
		if memory[0] != ^uint64(0) || memory[1] != 77 || dst.Len() != 64 {
			t.Errorf("%x, length %d", memory, dst.Len())
		}
	})
}

func TestDepositToKeepsTheLength(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		dst := NewBitSet(10)
		NewBitSet(64).SetAll().DepositTo(NewBitSet(64).Set(3).Set(20), dst)
		checkSet(t, "DepositTo", dst, where(10, func(i uint) bool { return i == 3 }))
	})
}
