package tests

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/compat"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

func TestBitSetZeroValue(t *testing.T) {
	var b BitSet
	if b.Test(0) || b.Len() != 0 || b.Count() != 0 || b.Any() || !b.All() || !b.None() {
		t.Error("the zero value is not an empty set")
	}
	if b.Clear(5).ClearAll().SetAll().Len() != 0 {
		t.Error("Clear, ClearAll or SetAll grew the zero value")
	}
	b.ShiftLeft(100)
	b.ShiftRight(1)
	b.DeleteAt(0).Compact().Shrink(0)
	if b.Len() != 0 {
		t.Errorf("length %d, want 0", b.Len())
	}
	if b.Set(64); b.Len() != 65 || !b.Test(64) || b.Count() != 1 {
		t.Errorf("after Set(64): length %d, %v", b.Len(), &b)
	}
}

func TestBitSetPastTheEnd(t *testing.T) {
	for _, length := range []uint{0, 1, 63, 64, 65, 127, 128, 1000} {
		b := NewBitSet(length).SetAll()
		for _, i := range []uint{length, length + 1, length + 63, length + 64, 1 << 31, math.MaxUint - 1, math.MaxUint} {
			_, nextSet := b.NextSet(i)
			_, nextClear := b.NextClear(i)
			_, prevClear := b.PreviousClear(i)
			_, many := b.NextSetMany(i, make([]uint, 3))
			if b.Test(i) || nextSet || nextClear || prevClear || len(many) != 0 || b.GetWord64AtBit(i) != 0 {
				t.Errorf("length %d: something at %d", length, i)
			}
			if got := b.Rank(i); got != length {
				t.Errorf("length %d: Rank(%d) = %d", length, i, got)
			}
			if got := b.Select(i); got != length {
				t.Errorf("length %d: Select(%d) = %d", length, i, got)
			}
			if got := b.OnesBetween(0, i); got != length {
				t.Errorf("length %d: OnesBetween(0, %d) = %d", length, i, got)
			}
			if got := b.OnesBetween(i, math.MaxUint); got != 0 {
				t.Errorf("length %d: OnesBetween(%d, max) = %d", length, i, got)
			}
			b.Clear(i).ClearRange(i, math.MaxUint).DeleteAt(i).Shrink(i)
			if b.Len() != length || b.Count() != length {
				t.Fatalf("length %d: %d and %d members after edits at %d", length, b.Len(), b.Count(), i)
			}
		}
		b.ShiftRight(math.MaxUint)
		if b.Any() || b.Len() != length {
			t.Errorf("length %d: ShiftRight by everything leaves %v", length, b)
		}
	}
}

func TestBitSetNil(t *testing.T) {
	var none *BitSet
	b := NewBitSet(10).Set(3)
	if none.Count() != 0 || none.ClearAll() != nil || none.SetAll() != nil {
		t.Error("Count, ClearAll or SetAll of nil")
	}
	if !none.Equal(nil) || none.Equal(b) || b.Equal(none) {
		t.Error("Equal of nil")
	}
	b.CopyFull(nil)
	if b.Copy(nil) != 0 {
		t.Error("Copy to nil copied something")
	}
	for name, f := range map[string]func(x, y *BitSet){
		"Union":                          func(x, y *BitSet) { x.Union(y) },
		"Intersection":                   func(x, y *BitSet) { x.Intersection(y) },
		"Difference":                     func(x, y *BitSet) { x.Difference(y) },
		"SymmetricDifference":            func(x, y *BitSet) { x.SymmetricDifference(y) },
		"InPlaceUnion":                   func(x, y *BitSet) { x.InPlaceUnion(y) },
		"InPlaceIntersection":            func(x, y *BitSet) { x.InPlaceIntersection(y) },
		"InPlaceDifference":              func(x, y *BitSet) { x.InPlaceDifference(y) },
		"InPlaceSymmetricDifference":     func(x, y *BitSet) { x.InPlaceSymmetricDifference(y) },
		"UnionCardinality":               func(x, y *BitSet) { x.UnionCardinality(y) },
		"IntersectionCardinality":        func(x, y *BitSet) { x.IntersectionCardinality(y) },
		"DifferenceCardinality":          func(x, y *BitSet) { x.DifferenceCardinality(y) },
		"SymmetricDifferenceCardinality": func(x, y *BitSet) { x.SymmetricDifferenceCardinality(y) },
		"IsSuperSet":                     func(x, y *BitSet) { x.IsSuperSet(y) },
		"Intersects":                     func(x, y *BitSet) { x.Intersects(y) },
		"Extract":                        func(x, y *BitSet) { x.Extract(y) },
		"ExtractTo":                      func(x, y *BitSet) { b.ExtractTo(x, y) },
		"Deposit":                        func(x, y *BitSet) { x.Deposit(y) },
		"DepositTo":                      func(x, y *BitSet) { b.DepositTo(x, y) },
	} {
		for _, operands := range [][2]*BitSet{{nil, b}, {b, nil}, {nil, nil}} {
			if got := panicValue(func() { f(operands[0], operands[1]) }); got != compat.ErrNil {
				t.Errorf("%s with a nil set: panic value %v", name, got)
			}
		}
	}
	for name, f := range map[string]func(){
		"Complement": func() { none.Complement() },
		"All":        func() { none.All() },
		"None":       func() { none.None() },
		"Any":        func() { none.Any() },
		"ShiftLeft":  func() { none.ShiftLeft(1) },
		"ShiftRight": func() { none.ShiftRight(1) },
	} {
		if got := panicValue(f); got != compat.ErrNil {
			t.Errorf("%s of nil: panic value %v", name, got)
		}
	}
}

// panicValue runs f and returns what it panics with, or nil.
func panicValue(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestBitSetPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"Set":                 func() { new(BitSet).Set(math.MaxUint) },
		"Flip":                func() { new(BitSet).Flip(math.MaxUint) },
		"SetMany":             func() { new(BitSet).SetMany([]uint{3, math.MaxUint, 4}) },
		"FromIndices":         func() { FromIndices(math.MaxUint) },
		"InsertAt":            func() { new(BitSet).InsertAt(math.MaxUint) },
		"ShiftLeft":           func() { NewBitSet(10).Set(9).ShiftLeft(math.MaxUint - 9) },
		"FromWordsWithLength": func() { FromWordsWithLength(65, make([]uint64, 1)) },
		"AsSlice":             func() { NewBitSet(100).SetAll().AsSlice(make([]uint, 0, 99)) },
		"AsSlice of nothing":  func() { NewBitSet(100).Set(99).AsSlice(nil) },
	} {
		if s, ok := panicValue(f).(string); !ok || !strings.HasPrefix(s, "bitsieve: ") {
			t.Errorf("%s does not panic with a message of this package", name)
		}
	}
}

func TestFromWordsShares(t *testing.T) {
	words := []uint64{1, 2, 3}
	b := FromWords(words)
	if b.Len() != 192 {
		t.Errorf("length %d, want 192", b.Len())
	}
	words[0] |= 1 << 40
	b.Set(100)
	if !b.Test(40) || words[1] != 2|1<<36 || &b.Words()[0] != &words[0] || &b.Bytes()[0] != &words[0] {
		t.Error("the set and the words do not share memory")
	}
	b.Set(192)
	if b.Clear(0); words[0]&1 == 0 {
		t.Error("the set still writes to the words after it outgrew them")
	}

	var c BitSet
	c.SetBitsetFrom(words[:2])
	if c.Len() != 128 || &c.Words()[0] != &words[0] {
		t.Error("SetBitsetFrom does not share memory")
	}
	// Growing within the capacity takes in words[2], which is not zero.
	if c.Set(129); !slices.Equal(c.Words()[2:], []uint64{2}) {
		t.Errorf("grown into used memory: %x", c.Words()[2:])
	}
}

func TestFromWordsWithLength(t *testing.T) {
	words := []uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}
	b := FromWordsWithLength(70, words)
	if b.Len() != 70 || b.Count() != 70 || len(b.Words()) != 2 {
		t.Errorf("length %d, %d members in %d words", b.Len(), b.Count(), len(b.Words()))
	}
	if b.Set(191); b.Count() != 71 {
		t.Errorf("%d members after growing, want 71: stale bits", b.Count())
	}
	if n := FromWordsWithLength(0, words).Len(); n != 0 {
		t.Errorf("length %d, want 0", n)
	}
}

// TestBitSetNoStaleBits shrinks sets in each way that leaves words behind, and
// grows them again.
func TestBitSetNoStaleBits(t *testing.T) {
	full := func() *BitSet { return NewBitSet(1000).SetAll() }
	small, _ := NewBitSet(3).MarshalBinary()
	for name, shrink := range map[string]func(b *BitSet){
		"CopyFull":        func(b *BitSet) { NewBitSet(3).CopyFull(b) },
		"CopyFull empty":  func(b *BitSet) { new(BitSet).CopyFull(b) },
		"ReadFrom":        func(b *BitSet) { b.ReadFrom(strings.NewReader(string(small))) },
		"UnmarshalBinary": func(b *BitSet) { b.UnmarshalBinary(small) },
		"DeleteAt": func(b *BitSet) {
			for b.Len() > 3 {
				b.DeleteAt(0)
			}
			b.ClearAll()
		},
		"TestUint64s": func(b *BitSet) { new(Blocked).TestUint64s(make([]uint64, 3), b) },
	} {
		for growth, grow := range map[string]func(b *BitSet){
			"Set":                 func(b *BitSet) { b.Set(999).Clear(999) },
			"SetMany":             func(b *BitSet) { b.SetMany([]uint{7, 999, 500}).Clear(7).ClearRange(500, 1000) },
			"FlipRange":           func(b *BitSet) { b.FlipRange(990, 1000).FlipRange(990, 1000) },
			"InPlaceUnion":        func(b *BitSet) { b.InPlaceUnion(NewBitSet(1000)) },
			"InPlaceIntersection": func(b *BitSet) { b.InPlaceIntersection(full()) },
			"InsertAt":            func(b *BitSet) { b.InsertAt(999) },
			"ShiftLeft":           func(b *BitSet) { b.Set(0).ShiftLeft(999); b.Clear(999) },
			"ExtractTo":           func(b *BitSet) { NewBitSet(1).ExtractTo(full(), b) },
		} {
			b := full()
			shrink(b)
			grow(b)
			if b.Len() != 1000 || b.Any() {
				t.Errorf("%s, then %s: length %d, members %v", name, growth, b.Len(), b)
			}
		}
	}
}

func TestBitSetCopyKeepsTheRest(t *testing.T) {
	dst := NewBitSet(200).SetAll()
	if n := NewBitSet(70).Copy(dst); n != 70 || dst.Len() != 200 {
		t.Errorf("copied %d bits, length %d", n, dst.Len())
	}
	if got, _ := dst.NextSet(0); got != 70 || dst.Count() != 130 {
		t.Errorf("first member %d of %d, want 70 of 130", got, dst.Count())
	}
}

func TestBitSetDeleteAtDropsWords(t *testing.T) {
	b := NewBitSet(65).SetAll().DeleteAt(3)
	checkSet(t, "DeleteAt", b, where(64, func(uint) bool { return true }))
}

func TestWordFunctionsTrim(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		a := []uint64{0b1100, 7, 7}
		b := []uint64{0b1010, 1}
		for name, f := range map[string]struct {
			op    func(dst, a, b []uint64)
			count func(a, b []uint64) int
			want  []uint64
			n     int
		}{
			"And":    {And, AndCount, []uint64{0b1000, 1, 99}, 2},
			"Or":     {Or, OrCount, []uint64{0b1110, 7, 99}, 6},
			"Xor":    {Xor, XorCount, []uint64{0b0110, 6, 99}, 4},
			"AndNot": {AndNot, AndNotCount, []uint64{0b0100, 6, 99}, 3},
		} {
			dst := []uint64{99, 99, 99}
			if f.op(dst, a, b); !slices.Equal(dst, f.want) {
				t.Errorf("%s: %v, want %v", name, dst, f.want)
			}
			if got := f.count(a, b); got != f.n {
				t.Errorf("%sCount = %d, want %d", name, got, f.n)
			}
			dst = []uint64{99, 99, 99}
			f.op(dst[:1], a, b)
			f.op(dst[:0], a, b)
			f.op(nil, nil, nil)
			if f.count(nil, b) != 0 || f.count(a, nil) != 0 {
				t.Errorf("%sCount of nothing is not 0", name)
			}
			if dst[1] != 99 || dst[0] != f.want[0] {
				t.Errorf("%s into one word: %v", name, dst)
			}
		}
		for name, f := range map[string]func(dst, a, b []uint64) int{
			"AndWithCount": AndWithCount, "OrWithCount": OrWithCount,
			"XorWithCount": XorWithCount, "AndNotWithCount": AndNotWithCount,
		} {
			dst := []uint64{0, 0, 99}
			if n := f(dst, a, b); n != Count(dst[:2]) || n == 0 || dst[2] != 99 {
				t.Errorf("%s: %d and %v", name, n, dst)
			}
			if f(nil, a, b) != 0 || f(dst, nil, b) != 0 {
				t.Errorf("%s of nothing is not 0", name)
			}
		}
		dst := []uint64{99, 99, 99}
		if Not(dst, b); !slices.Equal(dst, []uint64{^b[0], ^b[1], 99}) {
			t.Errorf("Not: %x", dst)
		}
		if Not(dst[:1], a); dst[0] != ^a[0] || dst[1] != ^b[1] {
			t.Errorf("Not into one word: %x", dst)
		}
		if Count(nil) != 0 || Count(a) != 8 {
			t.Errorf("Count: %d and %d, want 0 and 8", Count(nil), Count(a))
		}
		if Any(nil) || Any(make([]uint64, 9)) || !Any([]uint64{0, 0, 1}) {
			t.Error("Any")
		}
		if Intersects(nil, a) || Intersects(a, nil) || !Intersects(a, b) || Intersects([]uint64{0, 4}, b) ||
			Intersects([]uint64{0, 0, 7}, b) {
			t.Error("Intersects")
		}
	})
}

// TestOneBit looks for one bit at any place of slices that are searched in Go, and
// of longer ones that are searched by kernels.
func TestOneBit(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 3, 4, 5, 8, 17, 100, 2 * nearWords, 2*nearWords + 1, 5000} {
			one, full := make([]uint64, n), make([]uint64, n)
			Not(full, full)
			if Any(one) || Intersects(one, full) || !Intersects(full, full) || !covers(full, one) {
				t.Fatalf("%d words: wrong without a bit", n)
			}
			for i := 0; i < n; i += 1 + n/700 {
				bit := uint64(1) << (i % 64)
				one[i], full[i] = bit, ^bit
				if !Any(one) || Intersects(one, full) || !Intersects(one, one) || covers(full, one) || !covers(one, one) {
					t.Fatalf("%d words: wrong for a bit in word %d", n, i)
				}
				one[i], full[i] = 0, ^uint64(0)
			}
		}
	})
}

// covers reports whether a has every bit of b.
func covers(a, b []uint64) bool { return FromWords(a).IsSuperSet(FromWords(b)) }

// TestBitSetRanges compares the operations on ranges with those on single bits.
func TestBitSetRanges(t *testing.T) {
	edges := []uint{0, 1, 2, 62, 63, 64, 65, 127, 128, 129, 191, 192, 200, 255, 256, 300}
	pattern := NewBitSet(200)
	for i := uint(0); i < 200; i += 3 {
		pattern.Set(i)
	}
	for _, start := range edges {
		for _, end := range edges {
			for name, op := range map[string]struct {
				all func(b *BitSet)
				one func(b *BitSet, i uint)
			}{
				"SetRange":   {func(b *BitSet) { b.SetRange(start, end) }, func(b *BitSet, i uint) { b.Set(i) }},
				"FlipRange":  {func(b *BitSet) { b.FlipRange(start, end) }, func(b *BitSet, i uint) { b.Flip(i) }},
				"ClearRange": {func(b *BitSet) { b.ClearRange(start, end) }, func(b *BitSet, i uint) { b.Clear(i) }},
			} {
				got, want := pattern.Clone(), pattern.Clone()
				op.all(got)
				for i := start; i < end; i++ {
					op.one(want, i)
				}
				if !got.Equal(want) {
					t.Errorf("%s(%d, %d): %v, want %v", name, start, end, got, want)
				}
			}
		}
	}
}

func TestFromIndices(t *testing.T) {
	if b := FromIndices(); b.Len() != 0 || b.Any() {
		t.Errorf("of nothing: length %d, %v", b.Len(), b)
	}
	b := FromIndices(200, 3, 64, 3)
	if b.Len() != 201 || !slices.Equal(b.AppendTo(nil), []uint{3, 64, 200}) || cap(b.Words()) != 4 {
		t.Errorf("length %d, %v, room for %d words", b.Len(), b, cap(b.Words()))
	}
	if b.SetMany([]uint{5, 1000, 4}); b.Len() != 1001 || b.Count() != 6 {
		t.Errorf("SetMany: length %d, %v", b.Len(), b)
	}
	if got := slices.Collect(b.EachSetBackward()); !slices.Equal(got, []uint{1000, 200, 64, 5, 4, 3}) {
		t.Errorf("EachSetBackward: %v", got)
	}
	for range b.EachSetBackward() {
		break // must not go on
	}
}

func TestAppendIndices(t *testing.T) {
	words := []uint64{1<<5 | 1<<63, 0, 1}
	buf := append(make([]uint, 0, 8), 42)
	got := AppendIndices(buf, words)
	if !slices.Equal(got, []uint{42, 5, 63, 128}) || &got[0] != &buf[0] {
		t.Errorf("AppendIndices = %v", got)
	}
	if spare := got[4:8]; !slices.Equal(spare, []uint{0, 0, 0, 0}) {
		t.Errorf("AppendIndices wrote past its result: %v", spare)
	}
	if got := AppendIndices32([]uint32{42}, words); !slices.Equal(got, []uint32{42, 5, 63, 128}) {
		t.Errorf("AppendIndices32 = %v", got)
	}
	if AppendIndices(nil, nil) != nil || AppendIndices32(nil, []uint64{0}) != nil {
		t.Error("indices of nothing")
	}
}

func TestBitSetAllocations(t *testing.T) {
	a, b := NewBitSet(10_000), NewBitSet(9_000)
	for i := uint(0); i < 9_000; i += 3 {
		a.Set(i)
		b.Set(i + 1)
	}
	dst, buf := NewBitSet(10_000), make([]uint, 0, 10_000)
	members := []uint{9_000, 5, 9_998}
	var sum uint
	kerneltest.EachLevel(t, func(t *testing.T) {
		for name, f := range map[string]func(){
			"Test":                           func() { a.Test(77) },
			"Set":                            func() { a.Set(9_999) },
			"Clear":                          func() { a.Clear(9_999) },
			"Flip":                           func() { a.Flip(9_999) },
			"SetMany":                        func() { a.SetMany(members) },
			"SetRange":                       func() { a.SetRange(9_000, 9_999) },
			"ClearRange":                     func() { a.ClearRange(9_000, 9_999) },
			"FlipRange":                      func() { a.FlipRange(9_000, 9_999) },
			"Count":                          func() { sum += a.Count() },
			"word Count":                     func() { sum += uint(Count(a.Words())) },
			"And":                            func() { And(dst.Words(), a.Words(), b.Words()) },
			"Not":                            func() { Not(dst.Words(), a.Words()) },
			"word Any":                       func() { Any(a.Words()) },
			"word Intersects":                func() { Intersects(a.Words(), b.Words()) },
			"AndCount":                       func() { sum += uint(AndCount(a.Words(), b.Words())) },
			"AndWithCount":                   func() { sum += uint(AndWithCount(dst.Words(), a.Words(), b.Words())) },
			"InPlaceUnion":                   func() { a.InPlaceUnion(b) },
			"InPlaceIntersection":            func() { a.InPlaceIntersection(b) },
			"InPlaceDifference":              func() { a.InPlaceDifference(b) },
			"InPlaceSymmetricDifference":     func() { a.InPlaceSymmetricDifference(b) },
			"UnionCardinality":               func() { sum += a.UnionCardinality(b) },
			"IntersectionCardinality":        func() { sum += a.IntersectionCardinality(b) },
			"DifferenceCardinality":          func() { sum += a.DifferenceCardinality(b) },
			"SymmetricDifferenceCardinality": func() { sum += a.SymmetricDifferenceCardinality(b) },
			"Equal":                          func() { a.Equal(b) },
			"IsSuperSet":                     func() { a.IsSuperSet(b) },
			"Intersects":                     func() { a.Intersects(b) },
			"NextSet":                        func() { a.NextSet(5_000) },
			"NextClear":                      func() { a.NextClear(5_000) },
			"PreviousSet":                    func() { a.PreviousSet(5_000) },
			"NextSetMany":                    func() { a.NextSetMany(0, buf) },
			"AppendTo":                       func() { a.AppendTo(buf) },
			"AsSlice":                        func() { a.AsSlice(buf) },
			"Rank":                           func() { sum += a.Rank(5_000) },
			"Select":                         func() { sum += a.Select(1_000) },
			"OnesBetween":                    func() { sum += a.OnesBetween(5, 5_000) },
			"ShiftLeft":                      func() { a.Clear(9_999).ShiftLeft(1) },
			"ShiftRight":                     func() { a.ShiftRight(1) },
			"DeleteAt and InsertAt":          func() { a.DeleteAt(10).InsertAt(10) },
			"CopyFull":                       func() { a.CopyFull(dst) },
			"ExtractTo":                      func() { a.ExtractTo(b, dst) },
			"DepositTo":                      func() { a.DepositTo(b, dst) },
			"EachSet": func() {
				for i := range a.EachSet() {
					sum += i
				}
			},
			"EachSetBackward": func() {
				for i := range a.EachSetBackward() {
					sum += i
				}
			},
		} {
			if n := testing.AllocsPerRun(10, f); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	})
	if n := testing.AllocsPerRun(10, func() {
		var p [100]uint64 // must not escape
		And(p[:], a.Words(), p[:])
		sum += uint(AndCount(p[:], b.Words()) + OrWithCount(p[:], p[:], b.Words()) + Count(p[:]))
	}); n != 0 && !race.Enabled {
		t.Errorf("word functions on an array: %v allocations", n)
	}
	if n := testing.AllocsPerRun(10, func() { a.Union(b) }); n > 2 {
		t.Errorf("Union: %v allocations, want the set and its words", n)
	}
}

// TestBitSetGrowth checks that adding members in ascending order copies each
// word a bounded number of times.
func TestBitSetGrowth(t *testing.T) {
	var b BitSet
	growths, size := 0, -1
	for i := uint(0); i < 1<<18; i += 64 {
		if b.Set(i); cap(b.Words()) != size {
			growths, size = growths+1, cap(b.Words())
		}
	}
	if growths > 20 {
		t.Errorf("memory grew %d times to %d words", growths, size)
	}
}

// errStream is what a broken stream of the codec tests fails with.
var errStream = errors.New("stream is broken")
