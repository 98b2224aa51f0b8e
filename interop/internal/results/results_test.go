package results

import (
	"testing"

	"github.com/bitsieve/bitsieve"
)

func TestWords(t *testing.T) {
	if Words(nil, 100) != nil {
		t.Error("words without a set")
	}
	sizes := []int{0, 1, 2, 63, 64, 65, 127, 128, 129, 1000}
	for _, from := range sizes {
		for _, n := range sizes {
			set := bitsieve.NewBitSet(uint(from))
			for i := range from {
				set.Set(uint(i))
			}
			words := Words(set, n)
			if set.Len() != uint(n) || len(words) != (n+63)/64 {
				t.Errorf("%d to %d: %d bits in %d words", from, n, set.Len(), len(words))
				continue
			}
			clear(words)
			if set.Any() {
				t.Errorf("%d to %d: the words are not the set's", from, n)
			}
		}
	}
}

func TestWordsAllocates(t *testing.T) {
	set := bitsieve.NewBitSet(1000)
	if n := testing.AllocsPerRun(10, func() { Words(set, 65); Words(set, 1000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
