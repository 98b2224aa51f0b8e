package parquet_test

import (
	"fmt"
	"testing"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/race"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// A testAndAdd is one type's way of adding and testing at a time: a single value, a batch.
type testAndAdd struct {
	name  string
	hash  func(v *values, i int) uint64
	one   func(f *Filter, v *values, i int) bool
	batch func(f *Filter, v *values, hits set) int
}

var testAndAdds = []testAndAdd{
	{"Int32", func(v *values, i int) uint64 { return HashInt32(v.int32s[i]) },
		func(f *Filter, v *values, i int) bool { return f.TestAndAddInt32(v.int32s[i]) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddInt32s(v.int32s, h) }},
	{"Int64", func(v *values, i int) uint64 { return HashInt64(v.int64s[i]) },
		func(f *Filter, v *values, i int) bool { return f.TestAndAddInt64(v.int64s[i]) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddInt64s(v.int64s, h) }},
	{"Float", func(v *values, i int) uint64 { return HashFloat(v.floats[i]) },
		func(f *Filter, v *values, i int) bool { return f.TestAndAddFloat(v.floats[i]) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddFloats(v.floats, h) }},
	{"Double", func(v *values, i int) uint64 { return HashDouble(v.doubles[i]) },
		func(f *Filter, v *values, i int) bool { return f.TestAndAddDouble(v.doubles[i]) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddDoubles(v.doubles, h) }},
	{"Bytes", func(v *values, i int) uint64 { return HashBytes(v.bytes[i]) },
		func(f *Filter, v *values, i int) bool { return f.TestAndAdd(v.bytes[i]) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddBytes(v.bytes, h) }},
	{"String", func(v *values, i int) uint64 { return HashString(v.strings[i]) },
		func(f *Filter, v *values, i int) bool { return f.TestAndAddString(v.strings[i]) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddStrings(v.strings, h) }},
	{"Int96", func(v *values, i int) uint64 { return HashInt96(v.day(i)) },
		func(f *Filter, v *values, i int) bool { return f.TestAndAddInt96(v.day(i)) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddFixed(v.fixed, 12, h) }},
	{"Hash", func(v *values, i int) uint64 { return v.hashes[i] },
		func(f *Filter, v *values, i int) bool { return f.TestAndAddHash(v.hashes[i]) },
		func(f *Filter, v *values, h set) int { return f.TestAndAddHashes(v.hashes, h) }},
}

// TestTestAndAdd: what was there before is what testing and then adding, value by value,
// finds, and the bits are the same.
func TestTestAndAdd(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 15, 64, 65, 513, 5000} {
			for i := range testAndAdds {
				checkTestAndAdd(t, &testAndAdds[i], n)
			}
		}
	})
}

func checkTestAndAdd(t *testing.T, verb *testAndAdd, n int) {
	t.Helper()
	v := newValues(n, uint64(n))
	for i := range n / 3 { // some twice
		from := 2*i + 1
		v.int32s[i], v.int64s[i], v.floats[i], v.doubles[i] = v.int32s[from], v.int64s[from], v.floats[from], v.doubles[from]
		v.bytes[i], v.strings[i], v.hashes[i] = v.bytes[from], v.strings[from], v.hashes[from]
		copy(v.fixed[12*i:12*i+12], v.fixed[12*from:])
	}
	// In the larger one few values collide, in the smaller one most.
	for _, size := range []int{64 << 10, 1 << 10} {
		want, one, batch, count := newFilter(t, size), newFilter(t, size), newFilter(t, size), newFilter(t, size)
		hits := bitsieve.NewBitSet(3)
		total := verb.batch(batch, &v, hits)
		if verb.batch(count, &v, nil) != total || total != int(hits.Count()) || hits.Len() != uint(n) {
			t.Fatalf("%s of %d: %d, and %d of %d bits", verb.name, n, total, hits.Count(), hits.Len())
		}
		for i := range n {
			was := want.TestHash(verb.hash(&v, i))
			want.AddHash(verb.hash(&v, i))
			if hits.Test(uint(i)) != was || verb.one(one, &v, i) != was {
				t.Fatalf("%s %d of %d in %d bytes: want %v", verb.name, i, n, size, was)
			}
		}
		if !one.Equal(want) || !batch.Equal(want) || !count.Equal(want) {
			t.Fatalf("%s of %d in %d bytes: bits differ", verb.name, n, size)
		}
	}
}

func TestTestAndAddBoolean(t *testing.T) {
	f := newFilter(t, 32)
	if f.TestAndAddBoolean(true) || !f.TestAndAddBoolean(true) || f.TestBoolean(false) || !f.TestBoolean(true) {
		t.Error("true is not there once it was added, or false is")
	}
}

// TestTestAndAddZero: the zero filter has nowhere to add to, and length must divide.
func TestTestAndAddZero(t *testing.T) {
	v := newValues(5, 1)
	panics := func(name string, call func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s does not panic", name)
			}
		}()
		call()
	}
	for i := range testAndAdds {
		verb := &testAndAdds[i]
		panics(verb.name, func() { verb.one(new(Filter), &v, 0) })
		panics(verb.name+" in a batch", func() { verb.batch(new(Filter), &v, nil) })
	}
	panics("a length that does not divide", func() { newFilter(t, 32).TestAndAddFixed(make([]byte, 13), 12, nil) })
	panics("a length of 0", func() { newFilter(t, 32).TestAndAddFixed(nil, 0, nil) })
}

func TestTestAndAddAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	eachLevel(t, func(t *testing.T) {
		f, v, hits := newFilter(t, 64<<10), newValues(700, 1), bitsieve.NewBitSet(700)
		for i := range testAndAdds {
			verb := &testAndAdds[i]
			if n := testing.AllocsPerRun(10, func() {
				verb.one(f, &v, 5)
				verb.batch(f, &v, hits)
				verb.batch(f, &v, nil)
			}); n != 0 {
				t.Errorf("%s: %v allocations", verb.name, n)
			}
		}
	})
}

// What has been seen before is dropped.
func ExampleFilter_TestAndAddString() {
	f, err := New(1000, 0.001)
	if err != nil {
		panic(err)
	}
	for _, s := range []string{"Ada", "Grace", "Ada"} {
		if !f.TestAndAddString(s) {
			fmt.Println(s)
		}
	}
	// Output:
	// Ada
	// Grace
}
