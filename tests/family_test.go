package tests

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The contract of Filter, for all types of the family alike. Where a type documents a
// difference, its row says so.

// A member is one of the family, made in one way.
type member struct {
	name string
	kind string // of its file, as InspectFile says
	make func(n uint64, p float64, opts ...Option) (Filter, error)

	apart    bool // an integer is another key than its eight bytes, without a secret key
	repeats  bool // adding a key that is there changes something
	isFile   bool // of another type, Blocked: that is what Open returns
	needless bool // the zero value cannot be used, but for decoding into it
	lists    bool // it is a Whitelist

	zero  func() Filter
	open  func(path string, opts ...OpenOption) (Filter, error)
	read  func(r io.Reader, opts ...OpenOption) (Filter, error)
	clone func(f Filter) Filter
	equal func(f, g Filter) bool
}

// kin is what the types have beside Filter's methods.
type kin[F any] interface {
	*F
	Filter
	Clone() *F
	Equal(g *F) bool
}

// memberOf returns a row for the type F; what is special about it is to be filled in.
func memberOf[F any, P kin[F]](name, kind string,
	make func(n uint64, p float64, opts ...Option) (P, error),
	open func(path string, opts ...OpenOption) (P, error),
	read func(r io.Reader, opts ...OpenOption) (P, error),
) member {
	return member{
		name: name, kind: kind, apart: true,
		make: func(n uint64, p float64, opts ...Option) (Filter, error) {
			f, err := make(n, p, opts...)
			return f, err
		},
		zero: func() Filter { return P(new(F)) },
		open: func(path string, opts ...OpenOption) (Filter, error) {
			f, err := open(path, opts...)
			return f, err
		},
		read: func(r io.Reader, opts ...OpenOption) (Filter, error) {
			f, err := read(r, opts...)
			return f, err
		},
		clone: func(f Filter) Filter { return P(f.(P).Clone()) },
		equal: func(f, g Filter) bool { return f.(P).Equal(g.(P)) },
	}
}

// family returns a row for each type, and for each of them in a Whitelist.
func family() []member {
	all := []member{
		memberOf[Blocked]("blocked", "blocked", NewBlocked, OpenBlocked, ReadBlocked),
		memberOf[AtomicBlocked]("atomic", "blocked", NewAtomicBlocked, OpenAtomicBlocked, ReadAtomicBlocked),
		memberOf[Bloom]("bloom", "bloom", NewBloom, OpenBloom, ReadBloom),
		memberOf[Counting]("counting", "counting", NewCounting, OpenCounting, ReadCounting),
		memberOf[Scalable]("scalable", "scalable", NewScalable, OpenScalable, ReadScalable),
	}
	all[1].isFile = true
	all[2].apart = false
	all[3].repeats = true
	for _, shards := range []int{1, 7} {
		all = append(all, memberOf[Sharded](fmt.Sprintf("%d shards", shards), "sharded",
			func(n uint64, p float64, opts ...Option) (*Sharded, error) { return NewSharded(n, p, shards, opts...) },
			OpenSharded, ReadSharded))
	}
	for _, bits := range []int{8, 16, 32} {
		m := memberOf[Spectral](fmt.Sprintf("spectral of %d bits", bits), "spectral",
			func(n uint64, p float64, opts ...Option) (*Spectral, error) { return NewSpectral(n, p, bits, opts...) },
			OpenSpectral, ReadSpectral)
		m.repeats = true
		all = append(all, m)
	}
	for _, inner := range slices.Clone(all) {
		m := memberOf[Whitelist]("whitelist of "+inner.name, "whitelist",
			func(n uint64, p float64, opts ...Option) (*Whitelist, error) {
				f, err := inner.make(n, p, opts...)
				if err != nil {
					return nil, err
				}
				w := NewWhitelist(f)
				for i := range uint64(20) {
					w.ExceptString(fmt.Sprint("exception ", i))
					w.ExceptUint64(i << 40)
				}
				return w, nil
			}, OpenWhitelist, ReadWhitelist)
		m.apart, m.repeats, m.isFile = inner.apart, inner.repeats, inner.isFile
		m.needless, m.lists = true, true
		all = append(all, m)
	}
	return all
}

// must returns a filter of the row.
func (m member) must(t testing.TB, n uint64, p float64, opts ...Option) Filter {
	t.Helper()
	return mustFilter(t)(m.make(n, p, opts...))
}

// eachMember runs f for every row, with and without a secret key.
func eachMember(t *testing.T, f func(t *testing.T, m member, opts ...Option)) {
	for _, m := range family() {
		t.Run(m.name, func(t *testing.T) { f(t, m) })
		t.Run(m.name+" keyed", func(t *testing.T) { f(t, m, WithKey(secretKey)) })
	}
}

// A keyKind is one of the kinds of keys, with the methods of Filter that take it. Keys
// are known by numbers; those of different kinds are different.
type keyKind struct {
	name          string
	add           func(f Filter, i int)
	test          func(f Filter, i int) bool
	testAndAdd    func(f Filter, i int) bool
	addAll        func(f Filter, is []int)
	testAll       func(f Filter, is []int, hits *BitSet) int
	testAndAddAll func(f Filter, is []int, hits *BitSet) int
}

func familyInt(i int) uint64  { return uint64(i)<<32 + 1 }
func familyText(i int) string { return fmt.Sprintf("%d%*s", i, i%40, "") }
func familyRaw(i int) []byte {
	if i == 0 {
		return nil
	}
	return fmt.Appendf(nil, "raw %d%*s", i, i%300, "")
}

func keysOf[K any](key func(i int) K, is []int) []K {
	keys := make([]K, len(is))
	for j, i := range is {
		keys[j] = key(i)
	}
	return keys
}

var keyKinds = []keyKind{
	{
		"bytes",
		func(f Filter, i int) { f.Add(familyRaw(i)) },
		func(f Filter, i int) bool { return f.Test(familyRaw(i)) },
		func(f Filter, i int) bool { return f.TestAndAdd(familyRaw(i)) },
		func(f Filter, is []int) { f.AddBytes(keysOf(familyRaw, is)) },
		func(f Filter, is []int, hits *BitSet) int { return f.TestBytes(keysOf(familyRaw, is), hits) },
		func(f Filter, is []int, hits *BitSet) int { return f.TestAndAddBytes(keysOf(familyRaw, is), hits) },
	},
	{
		"strings",
		func(f Filter, i int) { f.AddString(familyText(i)) },
		func(f Filter, i int) bool { return f.TestString(familyText(i)) },
		func(f Filter, i int) bool { return f.TestAndAddString(familyText(i)) },
		func(f Filter, is []int) { f.AddStrings(keysOf(familyText, is)) },
		func(f Filter, is []int, hits *BitSet) int { return f.TestStrings(keysOf(familyText, is), hits) },
		func(f Filter, is []int, hits *BitSet) int { return f.TestAndAddStrings(keysOf(familyText, is), hits) },
	},
	{
		"integers",
		func(f Filter, i int) { f.AddUint64(familyInt(i)) },
		func(f Filter, i int) bool { return f.TestUint64(familyInt(i)) },
		func(f Filter, i int) bool { return f.TestAndAddUint64(familyInt(i)) },
		func(f Filter, is []int) { f.AddUint64s(keysOf(familyInt, is)) },
		func(f Filter, is []int, hits *BitSet) int { return f.TestUint64s(keysOf(familyInt, is), hits) },
		func(f Filter, is []int, hits *BitSet) int { return f.TestAndAddUint64s(keysOf(familyInt, is), hits) },
	},
}

// span returns the numbers from a to b-1.
func span(a, b int) []int {
	is := make([]int, b-a)
	for j := range is {
		is[j] = a + j
	}
	return is
}

// A batch gives what its keys would one after the other, of every length, with keys
// that come twice, and whatever hits is before. No key that was added is denied.
func TestFamilyBatches(t *testing.T) {
	lengths := []int{0, 1, 15, 16, 63, 64, 65, 511, 512, 513, 5000}
	if testing.Short() {
		lengths = []int{0, 1, 15, 16, 64, 65, 513}
	}
	const p = 0.2
	kerneltest.EachLevel(t, func(t *testing.T) {
		eachMember(t, func(t *testing.T, m member, opts ...Option) {
			if testing.Short() && m.lists && opts != nil {
				return
			}
			r := rand.New(rand.NewPCG(31, 32))
			f, one := m.must(t, 6000, p, opts...), m.must(t, 6000, p, opts...)
			for round, n := range lengths {
				for kind, k := range keyKinds {
					is := make([]int, n)
					draw := func() {
						for j := range is {
							is[j] = r.IntN(n + n/2)
						}
					}
					// Bits that are there, too few or too many of them, or none are wanted.
					hits := []*BitSet{nil, NewBitSet(3), NewBitSet(uint(n) + 1000), NewBitSet(uint(n))}[(round+kind)%4]
					check := func(verb string, got int, single func(f Filter, i int) bool) {
						t.Helper()
						want := NewBitSet(uint(n))
						for j, i := range is {
							want.SetTo(uint(j), single(one, i))
						}
						if got != int(want.Count()) || hits != nil && !hits.Equal(want) {
							t.Fatalf("%s of %d %s: %d hits, want %d", verb, n, k.name, got, want.Count())
						}
						if hits != nil {
							hits.SetAll()
						}
					}
					if hits != nil {
						hits.SetAll()
					}
					draw()
					check("TestAndAdd", k.testAndAddAll(f, is, hits), k.testAndAdd)
					if k.testAll(f, is, nil) != n {
						t.Fatalf("some of %d %s are denied after TestAndAdd", n, k.name)
					}
					draw()
					check("Test", k.testAll(f, is, hits), k.test)
					draw()
					k.addAll(f, is)
					for _, i := range is {
						k.add(one, i)
					}
					if k.testAll(f, is, nil) != n {
						t.Fatalf("some of %d %s are denied after Add", n, k.name)
					}
				}
			}
			if !m.equal(f, one) || !m.equal(one, f) {
				t.Error("the filters differ")
			}
		})
	})
}

// With as many keys as it is sized for, however they were added, a filter passes all of
// them and others at the rate asked for, and what it says of itself is so.
//
// The number of other keys that pass has a binomial distribution; the bound is four
// of its standard deviations above p. The keys are fixed, so that the result is too.
func TestFamilyRate(t *testing.T) {
	const p = 0.02
	n, others := 3000, 30_000
	if testing.Short() {
		n, others = 1200, 4000
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		eachMember(t, func(t *testing.T, m member, opts ...Option) {
			if testing.Short() && m.lists {
				return
			}
			f := m.must(t, uint64(n), p, opts...)
			if f.Fill() != 0 || f.FPRate() != 0 || f.EstimatedCount() != 0 || f.K() < 1 || f.SizeBytes() == 0 || f.Keyed() != (opts != nil) {
				t.Errorf("an empty filter: fill %v, rate %v, %d keys, k %d, %d bytes", f.Fill(), f.FPRate(), f.EstimatedCount(), f.K(), f.SizeBytes())
			}
			if gn, gp := f.Capacity(); gn != uint64(n) || gp != p {
				t.Errorf("capacity %d at %v", gn, gp)
			}
			expected := f.ExpectedFPRate(uint64(n))
			if !(expected > p/16 && expected <= p) || !(f.ExpectedFPRate(uint64(n/2)) < expected) {
				t.Errorf("a rate of %v is expected, and %v of half as many keys", expected, f.ExpectedFPRate(uint64(n/2)))
			}
			fill := func() {
				per := n / 3
				for _, k := range keyKinds {
					k.addAll(f, span(0, per/3))
					for i := per / 3; i < per/2; i++ {
						k.add(f, i)
					}
					k.testAndAddAll(f, span(per/2, per-9), nil)
					for i := per - 9; i < per; i++ {
						k.testAndAdd(f, i)
					}
				}
			}
			fill()
			for _, k := range keyKinds {
				for i := range n / 3 {
					if !k.test(f, i) {
						t.Fatalf("key %d of %s is denied", i, k.name)
					}
				}
				if k.testAll(f, span(0, n/3), nil) != n/3 {
					t.Fatalf("keys among %s are denied in a batch", k.name)
				}
			}
			if q := float64(f.EstimatedCount()) / float64(n); math.Abs(q-1) > 0.05 {
				t.Errorf("estimated %d keys, have %d", f.EstimatedCount(), n)
			}
			rate := f.FPRate()
			if fill := f.Fill(); !(fill > 0.01 && fill < 0.75) || !(rate > expected/2 && rate < expected*1.5) {
				t.Errorf("fill %v, rate %v, expected %v", fill, rate, expected)
			}
			hits := 0
			for _, k := range keyKinds {
				hits += k.testAll(f, span(1_000_000, 1_000_000+others/3), nil)
			}
			bound := func(p float64) float64 { return 4 * math.Sqrt(float64(others)*p*(1-p)) }
			if float64(hits) > float64(others)*p+bound(p) || math.Abs(float64(hits)-float64(others)*rate) > bound(rate) {
				t.Errorf("%d of %d other keys pass: want at most %v, and %v as it stands", hits, others, p, rate)
			}

			full := m.clone(f)
			f.Clear()
			if f.Fill() != 0 || f.FPRate() != 0 || f.EstimatedCount() != 0 || m.equal(f, full) || !m.equal(f, m.must(t, uint64(n), p, opts...)) {
				t.Error("after Clear there are keys")
			}
			for _, k := range keyKinds {
				if k.test(f, 1) || k.testAll(f, span(0, n/3), nil) != 0 {
					t.Errorf("after Clear there are %s", k.name)
				}
			}
			if fill(); !m.equal(f, full) {
				t.Error("filled again, it differs")
			}
		})
	})
}

// TestAndAdd tells whether the key was there; strings are their bytes, and integers are
// theirs or not, as the row says.
func TestFamilyKeys(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		eachMember(t, func(t *testing.T, m member, opts ...Option) {
			f := m.must(t, 1000, 1e-6, opts...)
			b := le(12345)
			for name, was := range map[string][2]bool{
				"bytes":    {f.TestAndAdd([]byte("a")), f.TestAndAdd([]byte("a"))},
				"strings":  {f.TestAndAddString("b"), f.TestAndAddString("b")},
				"integers": {f.TestAndAddUint64(12345), f.TestAndAddUint64(12345)},
				"nil":      {f.TestAndAdd(nil), f.TestAndAddString("")},
			} {
				if was != [2]bool{false, true} {
					t.Errorf("%s: TestAndAdd gives %v", name, was)
				}
			}
			if !f.TestString("a") || !f.Test([]byte("b")) || !f.Test([]byte{}) || f.TestString("c") || f.Test(b[:]) == (m.apart && opts == nil) {
				t.Errorf("strings and bytes: %v %v %v, %v, integers and bytes: %v", f.TestString("a"), f.Test([]byte("b")), f.Test([]byte{}), f.TestString("c"), f.Test(b[:]))
			}
			texts, raws := m.must(t, 1000, 0.1, opts...), m.must(t, 1000, 0.1, opts...)
			for i := range 300 {
				texts.AddString(familyText(i))
				raws.Add([]byte(familyText(i)))
			}
			texts.AddBytes([][]byte{[]byte("x"), nil, []byte("a longer key, of more than 32 bytes")})
			raws.AddStrings([]string{"x", "", "a longer key, of more than 32 bytes"})
			if !m.equal(texts, raws) {
				t.Error("strings and bytes differ")
			}
			before := m.clone(f)
			f.AddString("b")
			if m.equal(f, before) == m.repeats {
				t.Errorf("adding a key again: equal %v", !m.repeats)
			}
		})
	})
}

// A clone is equal and shares nothing; filters that differ in anything are not equal.
func TestFamilyCloneEqual(t *testing.T) {
	eachMember(t, func(t *testing.T, m member, opts ...Option) {
		f := m.must(t, 500, 0.01, opts...)
		f.AddUint64s(keysOf(familyInt, span(0, 400)))
		c := m.clone(f)
		cn, cp := c.Capacity()
		if !m.equal(c, f) || !m.equal(f, c) || c.K() != f.K() || c.Keyed() != f.Keyed() || cn != 500 || cp != 0.01 || fmt.Sprintf("%T", c) != fmt.Sprintf("%T", f) {
			t.Error("the clone differs")
		}
		data := marshal(t, f)
		if !slices.Equal(marshal(t, c), data) {
			t.Error("the clone is written otherwise")
		}
		c.AddString("more")
		if m.equal(c, f) || m.equal(f, c) || !slices.Equal(marshal(t, f), data) {
			t.Error("the clone shares memory, or Equal sees no difference")
		}
		if err := c.Close(); err != nil || !slices.Equal(marshal(t, f), data) {
			t.Error("closing a clone:", err)
		}
		f.Clear()
		for what, g := range map[string]Filter{
			"size": m.must(t, 2500, 0.01, opts...),
			"k":    m.must(t, 500, 0.25, opts...),
			"key":  m.must(t, 500, 0.01, WithKey([]byte("another key of thirty-two bytes!"))),
		} {
			if m.equal(f, g) || m.equal(g, f) {
				t.Errorf("equal in spite of another %s", what)
			}
		}
	})
}

// No method that adds or tests allocates.
func TestFamilyAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates, and sync.Pool drops things")
	}
	ints, texts, raw := goldenKeys(1000)
	hits := NewBitSet(1000)
	eachMember(t, func(t *testing.T, m member, opts ...Option) {
		f := m.must(t, 10_000, 0.01, opts...)
		for name, do := range map[string]func(){
			"Add":               func() { f.Add(raw[5]); f.Add(raw[290]) },
			"AddString":         func() { f.AddString(texts[5]) },
			"AddUint64":         func() { f.AddUint64(5) },
			"Test":              func() { f.Test(raw[5]); f.Test(raw[290]) },
			"TestString":        func() { f.TestString(texts[5]) },
			"TestUint64":        func() { f.TestUint64(5) },
			"TestAndAdd":        func() { f.TestAndAdd(raw[6]) },
			"TestAndAddString":  func() { f.TestAndAddString(texts[6]) },
			"TestAndAddUint64":  func() { f.TestAndAddUint64(6) },
			"AddBytes":          func() { f.AddBytes(raw); f.AddBytes(raw[:9]) },
			"AddStrings":        func() { f.AddStrings(texts); f.AddStrings(texts[:9]) },
			"AddUint64s":        func() { f.AddUint64s(ints); f.AddUint64s(ints[:9]) },
			"TestBytes":         func() { f.TestBytes(raw, hits); f.TestBytes(raw[:9], nil) },
			"TestStrings":       func() { f.TestStrings(texts, hits); f.TestStrings(texts[:9], nil) },
			"TestUint64s":       func() { f.TestUint64s(ints, hits); f.TestUint64s(ints[:9], nil) },
			"TestAndAddBytes":   func() { f.TestAndAddBytes(raw, nil); f.TestAndAddBytes(raw[:9], hits) },
			"TestAndAddStrings": func() { f.TestAndAddStrings(texts, nil); f.TestAndAddStrings(texts[:9], hits) },
			"TestAndAddUint64s": func() { f.TestAndAddUint64s(ints, nil); f.TestAndAddUint64s(ints[:9], hits) },
		} {
			if n := testing.AllocsPerRun(5, do); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	})
}

// call calls a method of Filter with some keys, none of them a list of none.
func call(f Filter, method string) []reflect.Value {
	fn := reflect.ValueOf(f).MethodByName(method)
	var in []reflect.Value
	for i := range fn.Type().NumIn() {
		for _, arg := range []any{[]byte("a"), "a", uint64(1), make([][]byte, 100), make([]string, 100), make([]uint64, 100), NewBitSet(5).SetAll(), new(bytes.Buffer)} {
			if reflect.TypeOf(arg).AssignableTo(fn.Type().In(i)) {
				in = append(in, reflect.ValueOf(arg))
			}
		}
	}
	return fn.Call(in)
}

// methods are those of Filter, and what to expect of a closed filter and of the zero
// value: that they panic, give nothing, give an error, or do as if it were empty.
var methods = func() map[string][2]string {
	list := map[string][2]string{
		"Clear": {"panic", "nothing"}, "K": {"", ""}, "Keyed": {"", ""}, "Capacity": {"", ""}, "SizeBytes": {"nothing", "nothing"},
		"Fill": {"panic", "nothing"}, "FPRate": {"panic", "nothing"}, "EstimatedCount": {"panic", "nothing"}, "ExpectedFPRate": {"panic", "nothing"},
		"Save": {"error", "error"}, "WriteTo": {"error", "error"}, "MarshalBinary": {"error", "error"}, "AppendBinary": {"error", "error"},
		"Close": {"", ""}, "ReadFrom": {"", ""}, "UnmarshalBinary": {"", ""},
	}
	of := reflect.TypeFor[Filter]()
	for i := range of.NumMethod() {
		switch name := of.Method(i).Name; {
		case strings.HasPrefix(name, "Add"), strings.HasPrefix(name, "TestAndAdd"):
			list[name] = [2]string{"panic", "panic"}
		case strings.HasPrefix(name, "Test"):
			list[name] = [2]string{"panic", "nothing"}
		}
	}
	return list
}()

// A closed filter, and one that no constructor made, do what methods says. Both can be
// decoded into.
func TestFamilyZeroAndClosed(t *testing.T) {
	of := reflect.TypeFor[Filter]()
	eachMember(t, func(t *testing.T, m member, opts ...Option) {
		data := marshal(t, filled(t, m, opts...))
		closed := filled(t, m, opts...)
		for _, f := range []Filter{closed, closed, m.zero()} {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		for state, f := range []Filter{closed, m.zero()} {
			name := []string{"closed", "zero"}[state]
			for i := range of.NumMethod() {
				method := of.Method(i).Name
				expect, ok := methods[method]
				want := expect[state]
				if method == "AppendBinary" {
					want = "error" // not a method that adds
				}
				if !ok {
					t.Fatalf("%s is missing in the table", method)
				}
				if state == 1 && m.needless && (want == "nothing" || want == "") || want == "" || method == "Save" {
					continue
				}
				var out []reflect.Value
				func() {
					defer func() {
						if recovered := recover() != nil; recovered != (want == "panic") {
							t.Errorf("%s, %s: panics %v", name, method, recovered)
						}
					}()
					out = call(f, method)
				}()
				switch {
				case want == "error" && out != nil:
					if err, _ := out[len(out)-1].Interface().(error); err == nil {
						t.Errorf("%s, %s: no error", name, method)
					}
				case want == "nothing" && out != nil && !out[0].IsZero():
					t.Errorf("%s, %s: %v", name, method, out[0])
				}
			}
			path := t.TempDir() + "/f"
			if err := f.Save(path); err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: Save: %v", name, err)
			}
			if state == 1 && opts != nil {
				continue // without the key
			}
			if err := f.UnmarshalBinary(data); err != nil || !slices.Equal(marshal(t, f), data) || !f.TestString(familyText(3)) {
				t.Errorf("%s: cannot be decoded into: %v", name, err)
			}
		}
	})
}

// filled returns a small filter with keys of all kinds, of several stages if it grows.
func filled(t testing.TB, m member, opts ...Option) Filter {
	t.Helper()
	f := m.must(t, 60, 0.05, opts...)
	for _, k := range keyKinds {
		k.addAll(f, span(1, 70))
	}
	return f
}

// Every exported type of the package that has the methods of a filter is a row of the
// table, by itself and in a Whitelist, so that what repeats a list of the types cannot
// forget one: cloning, comparing, writing and opening.
func TestFamilyIsWhole(t *testing.T) {
	types := map[string]bool{}
	list, err := parser.ParseDir(token.NewFileSet(), "..", func(i fs.FileInfo) bool { return !strings.HasSuffix(i.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list["bitsieve"].Files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "TestAndAddUint64s" {
				types[f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name] = true
			}
		}
	}
	rows, wrapped := map[string]bool{}, map[string]bool{"Whitelist": true} // in another one it cannot be written
	for _, m := range family() {
		rows[reflect.TypeOf(m.zero()).Elem().Name()] = true
		if w, ok := m.must(t, 10, 0.1).(*Whitelist); ok {
			wrapped[reflect.TypeOf(w.Filter()).Elem().Name()] = true
		}
	}
	if len(types) < 8 || !maps.Equal(types, rows) || !maps.Equal(types, wrapped) {
		t.Errorf("types %v, in the table %v, in a Whitelist %v", types, rows, wrapped)
	}
}
