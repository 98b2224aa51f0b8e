package tests

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// A BitSet against a map, by sequences of operations that are random or that a
// fuzzer makes up. Every operation is followed by a comparison of everything
// that can be observed.

// setModel is what a BitSet must behave as.
type setModel struct {
	length uint
	member map[uint]struct{}
}

func newSetModel(length uint) *setModel { return &setModel{length, map[uint]struct{}{}} }

func (m *setModel) has(i uint) bool { _, ok := m.member[i]; return ok }

func (m *setModel) put(i uint, on bool) {
	if on {
		m.length = max(m.length, i+1)
		m.member[i] = struct{}{}
	} else {
		delete(m.member, i)
	}
}

func (m *setModel) clone() *setModel { return &setModel{m.length, maps.Clone(m.member)} }

func (m *setModel) sorted() []uint { return slices.Sorted(maps.Keys(m.member)) }

// where returns a model of the given length of the integers for which f holds.
func where(length uint, f func(uint) bool) *setModel {
	m := newSetModel(length)
	for i := range length {
		if f(i) {
			m.member[i] = struct{}{}
		}
	}
	return m
}

// remap returns the model with every member i replaced by f(i), or dropped.
func (m *setModel) remap(length uint, f func(uint) (uint, bool)) *setModel {
	r := newSetModel(length)
	for i := range m.member {
		if j, ok := f(i); ok {
			r.member[j] = struct{}{}
		}
	}
	return r
}

// subject is a set under test and its model.
type subject struct {
	set   *BitSet
	model *setModel
}

// checkSet compares a set with its model, and the representation with its
// invariant.
func checkSet(t testing.TB, what string, b *BitSet, m *setModel) {
	t.Helper()
	if b.Len() != m.length {
		t.Fatalf("%s: length %d, want %d", what, b.Len(), m.length)
	}
	if n := (m.length + 63) / 64; uint(len(b.Words())) != n {
		t.Fatalf("%s: %d words for length %d, want %d", what, len(b.Words()), m.length, n)
	}
	if n := len(b.Words()); n > 0 && b.Words()[n-1]&^lastMask(b) != 0 {
		t.Fatalf("%s: bits past length %d: %#x", what, m.length, b.Words()[n-1])
	}
	if got, want := b.AppendTo(nil), m.sorted(); !slices.Equal(got, want) {
		t.Fatalf("%s: members %v, want %v", what, got, want)
	}
}

// chooser makes the choices of a test: random, or a fuzzer's.
type chooser interface {
	choose(n int) int // in [0, n)
}

type randomChooser struct{ *rand.Rand }

func (r randomChooser) choose(n int) int { return r.IntN(n) }

type dataChooser struct{ data []byte }

func (d *dataChooser) choose(n int) int {
	var raw [2]byte
	d.data = d.data[copy(raw[:], d.data):]
	return int(binary.LittleEndian.Uint16(raw[:])) % n
}

// chooseIndex favours the edges of words and of the set.
func chooseIndex(c chooser, length uint) uint {
	switch c.choose(4) {
	case 0:
		return uint(c.choose(8))*64 + uint(c.choose(3)) + 63 - 1
	case 1:
		return length + uint(c.choose(4)) - min(length, 2)
	}
	return uint(c.choose(int(length) + 70))
}

// maxModelLength bounds the sets of a sequence, which operations let grow.
const maxModelLength = 1500

// setOps are the operations that change a set. o is a second set, which may be
// the first.
var setOps = []struct {
	name string
	f    func(c chooser, s, o *subject)
}{
	{"Set", func(c chooser, s, _ *subject) {
		i := chooseIndex(c, s.model.length)
		s.set.Set(i)
		s.model.put(i, true)
	}},
	{"Clear", func(c chooser, s, _ *subject) {
		i := chooseIndex(c, s.model.length)
		s.set.Clear(i)
		s.model.put(i, false)
	}},
	{"SetTo", func(c chooser, s, _ *subject) {
		i, on := chooseIndex(c, s.model.length), c.choose(2) == 0
		s.set.SetTo(i, on)
		s.model.put(i, on)
	}},
	{"Flip", func(c chooser, s, _ *subject) {
		i := chooseIndex(c, s.model.length)
		s.set.Flip(i)
		s.model.put(i, !s.model.has(i))
	}},
	{"SetRange", func(c chooser, s, _ *subject) {
		from, to := chooseIndex(c, s.model.length), chooseIndex(c, s.model.length)
		s.set.SetRange(from, to)
		for i := from; i < to; i++ {
			s.model.put(i, true)
		}
	}},
	{"ClearRange", func(c chooser, s, _ *subject) {
		from, to := chooseIndex(c, s.model.length), chooseIndex(c, s.model.length)
		s.set.ClearRange(from, to)
		for i := from; i < to; i++ {
			s.model.put(i, false)
		}
	}},
	{"SetMany", func(c chooser, s, _ *subject) {
		indices := make([]uint, c.choose(5))
		for j := range indices {
			indices[j] = chooseIndex(c, s.model.length)
			s.model.put(indices[j], true)
		}
		s.set.SetMany(indices)
	}},
	{"FromIndices", func(c chooser, s, o *subject) {
		members := o.model.sorted()
		s.set = FromIndices(members...)
		s.model = o.model.clone()
		if s.model.length = 0; len(members) > 0 {
			s.model.length = members[len(members)-1] + 1
		}
	}},
	{"FlipRange", func(c chooser, s, _ *subject) {
		from, to := chooseIndex(c, s.model.length), chooseIndex(c, s.model.length)
		s.set.FlipRange(from, to)
		for i := from; i < to; i++ {
			s.model.put(i, !s.model.has(i))
			s.model.length = max(s.model.length, to)
		}
	}},
	{"ClearAll", func(c chooser, s, _ *subject) {
		s.set.ClearAll()
		clear(s.model.member)
	}},
	{"SetAll", func(c chooser, s, _ *subject) {
		s.set.SetAll()
		s.model = where(s.model.length, func(uint) bool { return true })
	}},
	{"words", func(c chooser, s, _ *subject) {
		// Random words, so that sequences have dense sets too.
		for i := range s.set.Words() {
			w := uint64(c.choose(1<<16)) * 0x9e3779b97f4a7c15
			s.set.Words()[i] = w ^ w>>29
		}
		clearTail(s.set)
		words := s.set.Words()
		s.model = where(s.model.length, func(i uint) bool { return words[i/64]>>(i%64)&1 != 0 })
	}},
	{"Shrink", func(c chooser, s, _ *subject) {
		last := chooseIndex(c, s.model.length)
		s.set.Shrink(last)
		if last < s.model.length {
			s.model = s.model.remap(last+1, func(i uint) (uint, bool) { return i, i <= last })
		}
	}},
	{"Compact", func(c chooser, s, _ *subject) {
		s.set.Compact()
		length := uint(64)
		for i := range s.model.member {
			length = max(length, i/64*64+64)
		}
		s.model.length = min(s.model.length, length)
	}},
	{"InsertAt", func(c chooser, s, _ *subject) {
		at := chooseIndex(c, s.model.length)
		s.set.InsertAt(at)
		s.model = s.model.remap(max(s.model.length, at)+1, func(i uint) (uint, bool) {
			if i >= at {
				i++
			}
			return i, true
		})
	}},
	{"DeleteAt", func(c chooser, s, _ *subject) {
		at := chooseIndex(c, s.model.length)
		s.set.DeleteAt(at)
		if at < s.model.length {
			s.model = s.model.remap(s.model.length-1, func(i uint) (uint, bool) {
				if i > at {
					return i - 1, true
				}
				return i, i < at
			})
		}
	}},
	{"ShiftLeft", func(c chooser, s, _ *subject) {
		n := chooseIndex(c, 200)
		s.set.ShiftLeft(n)
		s.model = s.model.remap(s.model.length, func(i uint) (uint, bool) { return i + n, true })
		for i := range s.model.member {
			s.model.length = max(s.model.length, i+1)
		}
	}},
	{"ShiftRight", func(c chooser, s, _ *subject) {
		n := chooseIndex(c, s.model.length)
		s.set.ShiftRight(n)
		s.model = s.model.remap(s.model.length, func(i uint) (uint, bool) { return i - n, i >= n })
	}},
	{"InPlaceUnion", func(c chooser, s, o *subject) {
		s.set.InPlaceUnion(o.set)
		s.model = s.model.combine(o.model, max(s.model.length, o.model.length), orBool)
	}},
	{"InPlaceIntersection", func(c chooser, s, o *subject) {
		s.set.InPlaceIntersection(o.set)
		s.model = s.model.combine(o.model, max(s.model.length, o.model.length), andBool)
	}},
	{"InPlaceDifference", func(c chooser, s, o *subject) {
		s.set.InPlaceDifference(o.set)
		s.model = s.model.combine(o.model, s.model.length, andNotBool)
	}},
	{"InPlaceSymmetricDifference", func(c chooser, s, o *subject) {
		s.set.InPlaceSymmetricDifference(o.set)
		s.model = s.model.combine(o.model, max(s.model.length, o.model.length), xorBool)
	}},
	{"Copy", func(c chooser, s, o *subject) {
		n := o.set.Copy(s.set)
		r := where(s.model.length, func(i uint) bool {
			if i < n {
				return o.model.has(i)
			}
			return s.model.has(i)
		})
		s.model = r
	}},
	{"CopyFull", func(c chooser, s, o *subject) {
		o.set.CopyFull(s.set)
		s.model = o.model.clone()
	}},
	{"ExtractTo", func(c chooser, s, o *subject) {
		o.set.ExtractTo(s.set, o.set)
		o.model = o.model.extractTo(s.model, o.model)
	}},
	{"ExtractTo over mask", func(c chooser, s, o *subject) {
		o.set.ExtractTo(s.set, s.set)
		s.model = o.model.extractTo(s.model, s.model)
	}},
	{"DepositTo", func(c chooser, s, o *subject) {
		o.set.DepositTo(s.set, o.set)
		o.model = o.model.depositTo(s.model, o.model)
	}},
	{"DepositTo over mask", func(c chooser, s, o *subject) {
		o.set.DepositTo(s.set, s.set)
		s.model = o.model.depositTo(s.model, s.model)
	}},
	{"UnmarshalBinary", func(c chooser, s, o *subject) {
		form, _ := o.set.MarshalBinary()
		if err := s.set.UnmarshalBinary(form); err != nil {
			panic(err)
		}
		s.model = o.model.clone()
	}},
	{"From", func(c chooser, s, o *subject) {
		// A set over part of dirty memory, as growing must clear the rest.
		words := make([]uint64, 40)
		for i := range words {
			words[i] = ^uint64(0)
		}
		length := uint(c.choose(40 * 64))
		s.set = FromWordsWithLength(length, words)
		s.model = where(length, func(uint) bool { return true })
	}},
}

func orBool(a, b bool) bool     { return a || b }
func andBool(a, b bool) bool    { return a && b }
func andNotBool(a, b bool) bool { return a && !b }
func xorBool(a, b bool) bool    { return a != b }

func (m *setModel) combine(o *setModel, length uint, f func(a, b bool) bool) *setModel {
	return where(length, func(i uint) bool { return f(m.has(i), o.has(i)) })
}

func (m *setModel) extractTo(mask, dst *setModel) *setModel {
	r := dst.clone()
	if m.length == 0 {
		return r
	}
	for j, i := range mask.sorted() {
		r.length = max(r.length, uint(j)+1)
		r.put(uint(j), m.has(i))
	}
	return r
}

func (m *setModel) depositTo(mask, dst *setModel) *setModel {
	r := dst.clone()
	words := (m.length + 63) / 64 * 64
	first := uint(0) // the source bit that the current word of dst begins with
	selected := mask.sorted()
	for j, i := range selected {
		if j == 0 || i/64 != selected[j-1]/64 {
			first = uint(j)
		}
		if i < r.length && first < words {
			r.put(i, m.has(uint(j)))
		}
	}
	return r
}

// observe compares everything that can be asked of two sets, for random
// arguments, with the models.
func observe(t testing.TB, c chooser, s, o *subject) {
	t.Helper()
	b, m := s.set, s.model
	members := m.sorted()
	i := chooseIndex(c, m.length)
	if got, want := b.Test(i), m.has(i); got != want {
		t.Fatalf("Test(%d) = %v, want %v", i, got, want)
	}
	var word uint64
	for j := range uint(64) {
		if m.has(i + j) {
			word |= 1 << j
		}
	}
	equal(t, "GetWord64AtBit", b.GetWord64AtBit(i), word)
	equal(t, "Count", b.Count(), uint(len(members)))
	equal(t, "None", b.None(), len(members) == 0)
	equal(t, "Any", b.Any(), len(members) != 0)
	equal(t, "All", b.All(), uint(len(members)) == m.length)

	at, ok := slices.BinarySearch(members, i) // members[at:] are i or greater
	next, found := b.NextSet(i)
	equal(t, "NextSet found", found, at < len(members))
	if found {
		equal(t, "NextSet", next, members[at])
	}
	upto := at
	if ok {
		upto++
	}
	equal(t, "Rank", b.Rank(i), uint(upto))
	if i < (m.length+63)/64*64 {
		prev, found := b.PreviousSet(i)
		equal(t, "PreviousSet found", found, upto > 0)
		if found {
			equal(t, "PreviousSet", prev, members[upto-1])
		}
	}
	nextClear, prevClear := i, i
	for nextClear < m.length && m.has(nextClear) {
		nextClear++
	}
	for prevClear < m.length && m.has(prevClear) {
		prevClear--
	}
	got, found := b.NextClear(i)
	equal(t, "NextClear found", found, nextClear < m.length)
	if found {
		equal(t, "NextClear", got, nextClear)
	}
	got, found = b.PreviousClear(i)
	equal(t, "PreviousClear found", found, prevClear < m.length)
	if found {
		equal(t, "PreviousClear", got, prevClear)
	}

	j := uint(c.choose(len(members) + 2))
	want := m.length
	if j < uint(len(members)) {
		want = members[j]
	}
	equal(t, "Select", b.Select(j), want)
	k := chooseIndex(c, m.length)
	n := uint(0)
	for x := i; x < k; x++ {
		if m.has(x) {
			n++
		}
	}
	equal(t, "OnesBetween", b.OnesBetween(i, k), n)

	buf := make([]uint, c.choose(5), 5+c.choose(100))
	last, many := b.NextSetMany(i, buf)
	rest := members[at:]
	rest = rest[:min(len(rest), cap(buf))]
	if !slices.Equal(many, rest) || len(rest) > 0 && last != rest[len(rest)-1] {
		t.Fatalf("NextSetMany(%d, cap %d) = %d, %v, want %v", i, cap(buf), last, many, rest)
	}
	if got := b.AsSlice(make([]uint, 0, len(members)+c.choose(3))); !slices.Equal(got, members) {
		t.Fatalf("AsSlice = %v, want %v", got, members)
	}
	if got := slices.Collect(b.EachSet()); !slices.Equal(got, members) {
		t.Fatalf("EachSet = %v, want %v", got, members)
	}
	backward := slices.Collect(b.EachSetBackward())
	if slices.Reverse(backward); !slices.Equal(backward, members) {
		t.Fatalf("EachSetBackward = %v backward, want %v", backward, members)
	}
	rest = where(m.length, func(i uint) bool { return !m.has(i) }).sorted()
	if got := slices.Collect(b.EachClear()); !slices.Equal(got, rest) {
		t.Fatalf("EachClear = %v, want %v", got, rest)
	}
	checkSet(t, "Complement", b.Complement(), where(m.length, func(i uint) bool { return !m.has(i) }))
	checkSet(t, "Clone", b.Clone(), m)

	d, e := o.set, o.model
	short, long := min(m.length, e.length), max(m.length, e.length)
	union, both := m.combine(e, long, orBool), m.combine(e, short, andBool)
	minus, xor := m.combine(e, m.length, andNotBool), m.combine(e, long, xorBool)
	checkSet(t, "Union", b.Union(d), union)
	checkSet(t, "Intersection", b.Intersection(d), both)
	checkSet(t, "Difference", b.Difference(d), minus)
	checkSet(t, "SymmetricDifference", b.SymmetricDifference(d), xor)
	equal(t, "UnionCardinality", b.UnionCardinality(d), uint(len(union.member)))
	equal(t, "IntersectionCardinality", b.IntersectionCardinality(d), uint(len(both.member)))
	equal(t, "DifferenceCardinality", b.DifferenceCardinality(d), uint(len(minus.member)))
	equal(t, "SymmetricDifferenceCardinality", b.SymmetricDifferenceCardinality(d), uint(len(xor.member)))
	equal(t, "Equal", b.Equal(d), m.length == e.length && maps.Equal(m.member, e.member))
	equal(t, "Intersects", b.Intersects(d), len(both.member) > 0)
	super := len(both.member) == len(e.member)
	equal(t, "IsSuperSet", b.IsSuperSet(d), super)
	equal(t, "IsStrictSuperSet", b.IsStrictSuperSet(d), super && len(m.member) > len(e.member))
	checkSet(t, "Extract", b.Extract(d), m.extractTo(e, newSetModel(uint(len(e.member)))))
	checkSet(t, "Deposit", b.Deposit(d), m.depositTo(e, newSetModel(e.length)))
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// runSetOps runs a sequence of operations on three sets.
func runSetOps(t testing.TB, c chooser, steps int) {
	var subjects [3]subject
	for i := range subjects {
		length := uint(c.choose(300))
		subjects[i] = subject{NewBitSet(length), newSetModel(length)}
	}
	history := ""
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("operations:" + history)
		}
	})
	for range steps {
		x, y := c.choose(len(subjects)), c.choose(len(subjects))
		s, o := &subjects[x], &subjects[y]
		op := setOps[c.choose(len(setOps))]
		history += fmt.Sprintf(" %s(%d,%d)", op.name, x, y)
		op.f(c, s, o)
		for i := range subjects {
			checkSet(t, op.name, subjects[i].set, subjects[i].model)
		}
		observe(t, c, s, o)
		if s.model.length > maxModelLength {
			*s = subject{NewBitSet(0), newSetModel(0)}
		}
	}
}

func TestBitSetModel(t *testing.T) {
	sequences, steps := 12, 100
	if testing.Short() {
		sequences, steps = 2, 50
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for seed := range sequences {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				runSetOps(t, randomChooser{rand.New(rand.NewPCG(1, uint64(seed)))}, steps)
			})
		}
	})
}

func FuzzBitSet(f *testing.F) {
	f.Add([]byte("a sequence of operations is what these bytes turn out to be"))
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		runSetOps(t, &dataChooser{data}, min(len(data)/6, 60))
	})
}
