package tests

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestBitSetLarge drives the kernels' wide loops through the methods, with sets
// of thousands of words and of different lengths.
func TestBitSetLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	random := func(n int) *BitSet {
		b := NewBitSet(uint(n)*64 - uint(r.IntN(64)))
		for i := range b.Words() {
			b.Words()[i] = r.Uint64() & r.Uint64()
		}
		clearTail(b)
		return b
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		a, b := random(4096), random(3001)
		at := func(s *BitSet, i int) uint64 {
			if i < len(s.Words()) {
				return s.Words()[i]
			}
			return 0
		}
		for _, op := range []struct {
			name    string
			word    func(a, b uint64) uint64
			result  *BitSet
			inPlace func(dst, src *BitSet)
			count   uint
		}{
			{"union", func(a, b uint64) uint64 { return a | b }, a.Union(b), (*BitSet).InPlaceUnion, a.UnionCardinality(b)},
			{"intersection", func(a, b uint64) uint64 { return a & b }, a.Intersection(b), (*BitSet).InPlaceIntersection, a.IntersectionCardinality(b)},
			{"difference", func(a, b uint64) uint64 { return a &^ b }, a.Difference(b), (*BitSet).InPlaceDifference, a.DifferenceCardinality(b)},
			{"symmetric", func(a, b uint64) uint64 { return a ^ b }, a.SymmetricDifference(b), (*BitSet).InPlaceSymmetricDifference, a.SymmetricDifferenceCardinality(b)},
		} {
			inPlace, n := a.Clone(), 0
			op.inPlace(inPlace, b)
			for i := range a.Words() {
				want := op.word(a.Words()[i], at(b, i))
				n += bits.OnesCount64(want)
				if at(op.result, i) != want || inPlace.Words()[i] != want {
					t.Fatalf("%s: word %d is %#x, in place %#x, want %#x", op.name, i, at(op.result, i), inPlace.Words()[i], want)
				}
			}
			equal(t, op.name+" cardinality", op.count, uint(n))
		}
		members := slices.Collect(a.EachSet())
		if !slices.Equal(a.AppendTo([]uint{7}), append([]uint{7}, members...)) {
			t.Error("AppendTo differs from EachSet")
		}
		members32 := AppendIndices32(nil, a.Words())
		for i, m := range members {
			if uint(members32[i]) != m {
				t.Fatalf("AppendIndices32: member %d is %d, want %d", i, members32[i], m)
			}
			if i%97 == 0 {
				equal(t, "Select", a.Select(uint(i)), m)
				equal(t, "Rank", a.Rank(m), uint(i)+1)
			}
		}
		checkExtract(t, a, b)
		checkExtract(t, b, a)
		checkFlips(t, a)
	})
}

// checkExtract takes b apart by a mask and puts it together again.
func checkExtract(t *testing.T, b, mask *BitSet) {
	t.Helper()
	got := b.Extract(mask)
	j := uint(0)
	for i := range mask.EachSet() {
		if got.Test(j) != b.Test(i) {
			t.Fatalf("Extract: bit %d differs from bit %d of the source", j, i)
		}
		j++
	}
	want := b.Intersection(mask)
	if want.InPlaceUnion(NewBitSet(mask.Len())); !got.Deposit(mask).Equal(want) {
		t.Error("Deposit does not undo Extract")
	}
}

// checkFlips compares the ways to complement b, and b with sets that differ from
// it in one bit of one word.
func checkFlips(t *testing.T, b *BitSet) {
	t.Helper()
	flipped := b.Complement()
	for i, w := range flipped.Words()[:len(b.Words())-1] {
		if w != ^b.Words()[i] {
			t.Fatalf("Complement: word %d is %#x, of %#x", i, w, b.Words()[i])
		}
	}
	if c := b.Clone().FlipRange(0, b.Len()); !c.Equal(flipped) {
		t.Error("FlipRange differs from Complement")
	}
	c := b.Clone()
	for i := uint(0); i < b.Len(); i += 61 {
		c.Flip(i)
		if c.Equal(b) || b.Equal(c) {
			t.Fatalf("Equal does not see bit %d", i)
		}
		if b.IsSuperSet(c) != b.Test(i) || c.IsSuperSet(b) == b.Test(i) {
			t.Fatalf("IsSuperSet does not see bit %d", i)
		}
		c.Flip(i)
	}
	for i := range b.Words() {
		one := NewBitSet(b.Len()).Set(uint(i)*64 + 5)
		if next, ok := one.NextSet(0); !ok || next != uint(i)*64+5 || one.None() {
			t.Fatalf("a set of %d seems to have %d, %v", i*64+5, next, ok)
		}
		if b.Intersects(one) != b.Test(uint(i)*64+5) || flipped.Intersects(one) != flipped.Test(uint(i)*64+5) {
			t.Fatalf("Intersects does not see bit %d", i*64+5)
		}
	}
}
