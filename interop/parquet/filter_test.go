package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/race"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// values are the same numbers as values of each type.
type values struct {
	int32s  []int32
	int64s  []int64
	floats  []float32
	doubles []float64
	bytes   [][]byte
	strings []string
	fixed   []byte // of 12 bytes each
	hashes  []uint64
}

func newValues(n int, seed uint64) (v values) {
	r := rand.New(rand.NewPCG(seed, 3))
	for range n {
		x := r.Uint64()
		v.int32s = append(v.int32s, int32(x))
		v.int64s = append(v.int64s, int64(x))
		v.floats = append(v.floats, float32(x))
		v.doubles = append(v.doubles, float64(x))
		s := fmt.Sprintf("%0*x", int(x%40), x)
		v.bytes = append(v.bytes, []byte(s))
		v.strings = append(v.strings, s)
		v.fixed = binary.LittleEndian.AppendUint64(v.fixed, x)
		v.fixed = binary.LittleEndian.AppendUint32(v.fixed, ^uint32(x))
		v.hashes = append(v.hashes, x)
	}
	return v
}

func (v *values) day(i int) [12]byte { return [12]byte(v.fixed[12*i:]) }

// A verb is one type's way into a filter: by singles, by a batch, and by its hash.
type verb struct {
	name  string
	hash  func(v *values, i int) uint64
	add   func(f *Filter, v *values, i int)
	adds  func(f *Filter, v *values)
	test  func(w View, v *values, i int) bool
	tests func(w View, v *values, hits *bitsieve.BitSet) int
	// the same of a Filter
	testF  func(f *Filter, v *values, i int) bool
	testsF func(f *Filter, v *values, hits *bitsieve.BitSet) int
}

type set = *bitsieve.BitSet

var verbs = []verb{
	{"Int32", func(v *values, i int) uint64 { return HashInt32(v.int32s[i]) },
		func(f *Filter, v *values, i int) { f.AddInt32(v.int32s[i]) },
		func(f *Filter, v *values) { f.AddInt32s(v.int32s) },
		func(w View, v *values, i int) bool { return w.TestInt32(v.int32s[i]) },
		func(w View, v *values, h set) int { return w.TestInt32s(v.int32s, h) },
		func(f *Filter, v *values, i int) bool { return f.TestInt32(v.int32s[i]) },
		func(f *Filter, v *values, h set) int { return f.TestInt32s(v.int32s, h) }},
	{"Int64", func(v *values, i int) uint64 { return HashInt64(v.int64s[i]) },
		func(f *Filter, v *values, i int) { f.AddInt64(v.int64s[i]) },
		func(f *Filter, v *values) { f.AddInt64s(v.int64s) },
		func(w View, v *values, i int) bool { return w.TestInt64(v.int64s[i]) },
		func(w View, v *values, h set) int { return w.TestInt64s(v.int64s, h) },
		func(f *Filter, v *values, i int) bool { return f.TestInt64(v.int64s[i]) },
		func(f *Filter, v *values, h set) int { return f.TestInt64s(v.int64s, h) }},
	{"Float", func(v *values, i int) uint64 { return HashFloat(v.floats[i]) },
		func(f *Filter, v *values, i int) { f.AddFloat(v.floats[i]) },
		func(f *Filter, v *values) { f.AddFloats(v.floats) },
		func(w View, v *values, i int) bool { return w.TestFloat(v.floats[i]) },
		func(w View, v *values, h set) int { return w.TestFloats(v.floats, h) },
		func(f *Filter, v *values, i int) bool { return f.TestFloat(v.floats[i]) },
		func(f *Filter, v *values, h set) int { return f.TestFloats(v.floats, h) }},
	{"Double", func(v *values, i int) uint64 { return HashDouble(v.doubles[i]) },
		func(f *Filter, v *values, i int) { f.AddDouble(v.doubles[i]) },
		func(f *Filter, v *values) { f.AddDoubles(v.doubles) },
		func(w View, v *values, i int) bool { return w.TestDouble(v.doubles[i]) },
		func(w View, v *values, h set) int { return w.TestDoubles(v.doubles, h) },
		func(f *Filter, v *values, i int) bool { return f.TestDouble(v.doubles[i]) },
		func(f *Filter, v *values, h set) int { return f.TestDoubles(v.doubles, h) }},
	{"Bytes", func(v *values, i int) uint64 { return HashBytes(v.bytes[i]) },
		func(f *Filter, v *values, i int) { f.Add(v.bytes[i]) },
		func(f *Filter, v *values) { f.AddBytes(v.bytes) },
		func(w View, v *values, i int) bool { return w.Test(v.bytes[i]) },
		func(w View, v *values, h set) int { return w.TestBytes(v.bytes, h) },
		func(f *Filter, v *values, i int) bool { return f.Test(v.bytes[i]) },
		func(f *Filter, v *values, h set) int { return f.TestBytes(v.bytes, h) }},
	{"String", func(v *values, i int) uint64 { return HashString(v.strings[i]) },
		func(f *Filter, v *values, i int) { f.AddString(v.strings[i]) },
		func(f *Filter, v *values) { f.AddStrings(v.strings) },
		func(w View, v *values, i int) bool { return w.TestString(v.strings[i]) },
		func(w View, v *values, h set) int { return w.TestStrings(v.strings, h) },
		func(f *Filter, v *values, i int) bool { return f.TestString(v.strings[i]) },
		func(f *Filter, v *values, h set) int { return f.TestStrings(v.strings, h) }},
	{"Int96", func(v *values, i int) uint64 { return HashInt96(v.day(i)) },
		func(f *Filter, v *values, i int) { f.AddInt96(v.day(i)) },
		func(f *Filter, v *values) { f.AddFixed(v.fixed, 12) },
		func(w View, v *values, i int) bool { return w.TestInt96(v.day(i)) },
		func(w View, v *values, h set) int { return w.TestFixed(v.fixed, 12, h) },
		func(f *Filter, v *values, i int) bool { return f.TestInt96(v.day(i)) },
		func(f *Filter, v *values, h set) int { return f.TestFixed(v.fixed, 12, h) }},
	{"Hash", func(v *values, i int) uint64 { return v.hashes[i] },
		func(f *Filter, v *values, i int) { f.AddHash(v.hashes[i]) },
		func(f *Filter, v *values) { f.AddHashes(v.hashes) },
		func(w View, v *values, i int) bool { return w.TestHash(v.hashes[i]) },
		func(w View, v *values, h set) int { return w.TestHashes(v.hashes, h) },
		func(f *Filter, v *values, i int) bool { return f.TestHash(v.hashes[i]) },
		func(f *Filter, v *values, h set) int { return f.TestHashes(v.hashes, h) }},
}

// TestAgainstSpec adds and tests values of every type, one by one and in batches of
// many lengths, and compares bits and answers with the specification's, at every level.
func TestAgainstSpec(t *testing.T) {
	sizes, lengths := []int{32, 96, 1 << 10, 40 << 10}, []int{0, 1, 2, 7, 8, 63, 64, 65, 511, 512, 513, 700}
	if !testing.Short() {
		sizes = append(sizes, 4<<20)
		lengths = append(lengths, 4096, 9001)
	}
	eachLevel(t, func(t *testing.T) {
		for _, size := range sizes {
			for _, n := range lengths {
				for i := range verbs {
					checkVerb(t, &verbs[i], size, n)
				}
			}
		}
	})
}

func checkVerb(t *testing.T, verb *verb, size, n int) {
	t.Helper()
	v, others := newValues(n, 1), newValues(n, 2)
	want, single, batch := newSpec(size), newFilter(t, size), newFilter(t, size)
	for i := range n {
		want.add(verb.hash(&v, i))
		verb.add(single, &v, i)
	}
	verb.adds(batch, &v)
	if !bytes.Equal(single.Bitset(), want.bytes()) || !bytes.Equal(batch.Bitset(), want.bytes()) {
		t.Fatalf("%s: %d values in %d bytes: bits differ", verb.name, n, size)
	}
	// The view's bytes lie at an odd address, between bytes that must not matter.
	at := n%31 + 1
	around := bytes.Repeat([]byte{0xff}, size+64)
	copy(around[at:], single.Bitset())
	view, err := ViewBitset(around[at : at+size])
	if err != nil {
		t.Fatal(err)
	}
	hits := bitsieve.NewBitSet(uint(n * 3 % 1000)).SetAll()
	for _, v := range []*values{&v, &others} {
		count := 0
		for i := range n {
			hit := want.test(verb.hash(v, i))
			if verb.test(view, v, i) != hit || verb.testF(single, v, i) != hit {
				t.Fatalf("%s: value %d of %d in %d bytes: want %v", verb.name, i, n, size, hit)
			}
			if hit {
				count++
			}
		}
		for _, got := range []int{verb.tests(view, v, nil), verb.testsF(single, v, nil), verb.testsF(single, v, hits), verb.tests(view, v, hits)} {
			if got != count {
				t.Fatalf("%s: %d hits of %d in %d bytes, want %d", verb.name, got, n, size, count)
			}
		}
		if hits.Len() != uint(n) || hits.Count() != uint(count) {
			t.Fatalf("%s: hits of length %d with %d, want %d with %d", verb.name, hits.Len(), hits.Count(), n, count)
		}
		for i := range n {
			if hits.Test(uint(i)) != want.test(verb.hash(v, i)) {
				t.Fatalf("%s: hit %d of %d is %v", verb.name, i, n, hits.Test(uint(i)))
			}
		}
	}
}

func TestBooleans(t *testing.T) {
	f := newFilter(t, 1024)
	f.AddBoolean(true)
	if !f.TestBoolean(true) || f.TestBoolean(false) || !f.View().TestBoolean(true) || f.View().TestBoolean(false) {
		t.Fatal("true was added, false was not")
	}
	if want := newFilter(t, 1024); !f.Equal(func() *Filter { want.Add([]byte{1}); return want }()) {
		t.Fatal("true is not the byte 1")
	}
}

// TestZeroValues: they contain nothing, and adding panics.
func TestZeroValues(t *testing.T) {
	var f Filter
	var w View
	v := newValues(70, 1)
	for i := range verbs {
		verb := &verbs[i]
		hits := bitsieve.NewBitSet(200).SetAll()
		if verb.test(w, &v, 0) || verb.testF(&f, &v, 0) || verb.tests(w, &v, hits) != 0 || hits.Len() != 70 || hits.Count() != 0 ||
			verb.testsF(&f, &v, nil) != 0 {
			t.Errorf("%s: found something", verb.name)
		}
		mustPanic(t, verb.name+": adding", func() { verb.add(&f, &v, 0) })
		mustPanic(t, verb.name+": adding a batch", func() { verb.adds(&f, &v) })
	}
	if f.Fill() != 0 || f.FPRate() != 0 || f.ExpectedFPRate(1) != 0 || f.EstimatedCount() != 0 || f.Blocks() != 0 || f.SizeBytes() != 0 || f.K() != 8 {
		t.Error("the zero Filter has properties")
	}
	f.Clear()
	if !f.Clone().Equal(&f) || f.Union(new(Filter)) != nil {
		t.Error("Clone, Equal or Union")
	}
	if err := f.Fold(); !errors.Is(err, bitsieve.ErrParameter) {
		t.Errorf("Fold: %v", err)
	}
	if n, err := f.FoldTo(0.1); n != 0 || err != nil {
		t.Errorf("FoldTo: %d, %v", n, err)
	}
	if _, err := f.MarshalBinary(); !errors.Is(err, bitsieve.ErrParameter) {
		t.Errorf("MarshalBinary: %v", err)
	}
	if _, err := f.WriteTo(new(bytes.Buffer)); !errors.Is(err, bitsieve.ErrParameter) {
		t.Errorf("WriteTo: %v", err)
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s does not panic", what)
		}
	}()
	f()
}

func TestFixedPanics(t *testing.T) {
	f := newFilter(t, 32)
	for _, length := range []int{0, -1, 5, math.MinInt} {
		mustPanic(t, "AddFixed", func() { f.AddFixed(make([]byte, 12), length) })
		mustPanic(t, "TestFixed", func() { f.TestFixed(make([]byte, 12), length, nil) })
	}
}

func TestParameters(t *testing.T) {
	for _, n := range []int{math.MinInt, -32, 0, 1, 31, 33, MaxBytes + 1, math.MaxInt32, math.MaxInt} {
		if _, err := NewWithSize(n); !errors.Is(err, bitsieve.ErrParameter) {
			t.Errorf("NewWithSize(%d): %v", n, err)
		}
		mustPanic(t, "AppendHeader", func() { AppendHeader(nil, n) })
	}
	for _, p := range []float64{math.Inf(-1), -1, 0, 1, 2, math.NaN()} {
		_, err1 := New(10, p)
		_, err2 := NumBytesPowerOfTwo(10, p)
		_, err3 := newFilter(t, 64).FoldTo(p)
		for _, err := range []error{err1, err2, err3} {
			if !errors.Is(err, bitsieve.ErrParameter) {
				t.Errorf("rate %v: %v", p, err)
			}
		}
	}
	if _, err := New(1<<62, 0.01); !errors.Is(err, bitsieve.ErrParameter) {
		t.Errorf("2^62 values: %v", err)
	}
	for _, n := range []int{0, 1, 31, 33} {
		_, err := ViewBitset(make([]byte, n))
		wantFormatError(t, err, bitsieve.ErrHeader, "bitset", int64(n), "want a multiple of 32")
	}
}

func TestSetOperations(t *testing.T) {
	f, g, both := newFilter(t, 4096), newFilter(t, 4096), newFilter(t, 4096)
	a, b := randomHashes(300, 1), randomHashes(300, 2)
	f.AddHashes(a)
	g.AddHashes(b)
	both.AddHashes(append(a, b...))
	c := f.Clone()
	if err := c.Union(g); err != nil || !c.Equal(both) || c.Equal(f) {
		t.Fatalf("Union: %v", err)
	}
	if err := c.Union(newFilter(t, 2048)); !errors.Is(err, bitsieve.ErrMismatch) || !c.Equal(both) {
		t.Fatalf("Union of another size: %v", err)
	}
	c.Clear()
	if !c.Equal(newFilter(t, 4096)) || f.Equal(c) {
		t.Fatal("Clear or Clone")
	}
}

// TestNoAllocations: adding, testing, batches and opening a view allocate nothing.
func TestNoAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	eachLevel(t, func(t *testing.T) {
		f := newFilter(t, 64<<10)
		v := newValues(700, 1)
		data := marshal(t, f)
		hits := bitsieve.NewBitSet(700)
		for i := range verbs {
			verb := &verbs[i]
			n := testing.AllocsPerRun(10, func() {
				verb.add(f, &v, 5)
				verb.adds(f, &v)
				verb.testF(f, &v, 5)
				verb.testsF(f, &v, hits)
				verb.testsF(f, &v, nil)
				w, err := NewView(data)
				if err != nil {
					t.Fatal(err)
				}
				verb.test(w, &v, 5)
				verb.tests(w, &v, hits)
			})
			if n != 0 {
				t.Errorf("%s: %v allocations", verb.name, n)
			}
		}
	})
}
