package measure

import (
	"math/rand/v2"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/bench/memory"
)

// Operands are the words that all contenders of one stage of kernels work on.
type Operands struct {
	A, B, Dst []uint64
	Both      []uint64 // as many words as A and B have, and mostly those
	free      func()
}

// skew keeps the operands off each other's place within a page: a store to
// the same place as a later load stalls it on many CPUs.
const skew = (2<<10 + 256) / 8

// Make maps the operands' memory, of size bytes each, on huge pages where there
// are any, and fills it with random bits.
func (o *Operands) Make(size int64) error {
	n := int(size / 8)
	words, free, err := memory.Map(3*(n+skew), true)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range words {
		words[i] = r.Uint64()
	}
	o.A, o.B, o.Dst = words[:n], words[n+skew:][:n], words[2*(n+skew):][:n]
	o.Both, o.free = words[:2*n], free
	return nil
}

// Release gives the memory back.
func (o *Operands) Release() {
	if o.free != nil {
		o.free()
	}
	*o = Operands{}
}

// WarmCalls is the number of calls that bring operands of so many bytes back
// into their cache.
func WarmCalls(size int64) int { return max(1, int(min(4, 64<<10/size))) }

// SparseWords returns size bytes of random words in which a bit is set with
// probability 1/oneIn, a power of two: the same ones every time.
func SparseWords(size int64, oneIn int) []uint64 {
	r := rand.New(rand.NewPCG(uint64(size), uint64(oneIn)))
	words := make([]uint64, size/8)
	for i := range words {
		w := r.Uint64()
		for n := oneIn; n > 2; n /= 2 { // each random operand halves the density
			w &= r.Uint64()
		}
		words[i] = w
	}
	return words
}

// freshBytes is how much memory sets to decode take together at least. What a
// branch predictor has seen often enough it knows by heart, a thousand words as
// well: a small set decoded again and again is decoded twice as fast as ever.
const freshBytes = 4 << 20

// SparseSets returns sets of size bytes each, in which a bit is set with
// probability 1/oneIn, to be taken in turn; how many bits are set in one of them on
// average, and at most.
func SparseSets(size int64, oneIn int) (sets [][]uint64, mean float64, most int) {
	words := SparseWords(max(size, freshBytes/size*size), oneIn)
	total := 0
	for n := int(size / 8); len(words) >= n; words = words[n:] {
		sets = append(sets, words[:n:n])
		ones := bitsieve.Count(words[:n])
		total, most = total+ones, max(most, ones)
	}
	return sets, float64(total) / float64(len(sets)), most
}
