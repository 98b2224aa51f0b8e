package tests

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// embedded is a type of another package that has a Bloom's methods, exported or not.
type embedded struct{ *Bloom }

// foreign is a filter of another package's type.
type foreign struct{ Filter }

// whitelisted are the filters that the tests wrap.
var whitelisted = []struct {
	name  string
	apart bool // an integer is another key than its bytes, without a secret key
	make  func(t testing.TB, n uint64, p float64, opts ...Option) Filter
}{
	{"blocked", true, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		return mustFilter(t)(NewBlocked(n, p, opts...))
	}},
	{"bloom", false, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		return mustFilter(t)(NewBloom(n, p, opts...))
	}},
	{"embedded bloom", false, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		f, err := NewBloom(n, p, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return embedded{f}
	}},
	{"foreign", false, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		f, _ := NewBlocked(n, p, opts...)
		return foreign{f}
	}},
	{"atomic", true, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		return mustFilter(t)(NewAtomicBlocked(n, p, opts...))
	}},
	{"sharded", true, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		return mustFilter(t)(NewSharded(n, p, 7, opts...))
	}},
	{"counting", true, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		return mustFilter(t)(NewCounting(n, p, opts...))
	}},
	{"scalable", true, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		return mustFilter(t)(NewScalable(n, p, opts...))
	}},
	{"spectral", true, func(t testing.TB, n uint64, p float64, opts ...Option) Filter {
		return mustFilter(t)(NewSpectral(n, p, 16, opts...))
	}},
}

func mustFilter(t testing.TB) func(f Filter, err error) Filter {
	return func(f Filter, err error) Filter {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
}

// modelKey returns the i-th of many keys, as bytes or as an integer.
func modelKey(i uint64) (text string, x uint64) {
	switch i % 50 {
	case 0:
		return "", i
	case 1:
		b := le(i)
		return string(b[:]), i
	}
	return fmt.Sprintf("%d%*s", i, i%70, ""), i * 0x9e3779b97f4a7c15
}

func le(x uint64) (b [8]byte) {
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
	return b
}

// A whitelistModel is what a Whitelist should be: all keys by name, those that were
// added, and those on the list or taken off it.
type whitelistModel struct {
	apart                   bool
	added, listed, conflict map[string]bool
}

func newWhitelistModel(apart bool) *whitelistModel {
	return &whitelistModel{apart, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

func textName(s string) string { return "text " + s }

func (m *whitelistModel) intName(x uint64) string {
	if m.apart {
		return fmt.Sprint("integer ", x)
	}
	b := le(x)
	return textName(string(b[:]))
}

// except is not called with keys that were added but for conflicts.
func (m *whitelistModel) except(key string) {
	if !m.conflict[key] {
		m.listed[key] = true
	}
}

// add returns whether the key may be denied by TestAndAdd: it must be if listed, and
// must not be if it was added.
func (m *whitelistModel) add(key string) (mustBe, mustNot bool) {
	mustBe, mustNot = m.listed[key], m.added[key]
	if mustBe {
		delete(m.listed, key)
		m.conflict[key] = true
	}
	m.added[key] = true
	return mustBe, mustNot
}

// A rateCounter counts what passes of the keys that may.
type rateCounter struct{ tests, hits int }

func (c *rateCounter) add(hit bool) {
	c.tests++
	if hit {
		c.hits++
	}
}

// Random operations against exact maps, single and in batches: listed keys that were
// not added never pass, added ones always do, others at most at the rate.
func TestWhitelistModel(t *testing.T) {
	const p, keys = 0.2, 4000
	steps := 20_000
	if testing.Short() {
		steps = 800
	}
	for _, c := range whitelisted {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			t.Run(fmt.Sprintf("%s keyed=%v", c.name, opts != nil), func(t *testing.T) {
				m := newWhitelistModel(c.apart && opts == nil)
				w := NewWhitelist(c.make(t, 2*keys, p, opts...))
				for i := range uint64(keys) { // there are false positives from the start
					w.AddUint64(i | 1<<63)
				}
				r := rand.New(rand.NewPCG(11, uint64(len(opts))))
				var others rateCounter
				var hits BitSet
				checkTest := func(key string, hit bool) {
					t.Helper()
					switch {
					case m.listed[key] && hit:
						t.Fatalf("%q is listed and passes", key)
					case m.added[key] && !m.listed[key] && !hit:
						t.Fatalf("%q was added and is denied", key)
					case !m.added[key] && !m.listed[key]:
						others.add(hit)
					}
				}
				checkAdd := func(key string, present bool) {
					t.Helper()
					if mustBe, mustNot := m.add(key); mustBe && present || !mustBe && mustNot && !present {
						t.Fatalf("TestAndAdd(%q) = %v, listed %v, added %v", key, present, mustBe, mustNot)
					}
				}
				for range steps {
					// Half of the keys may be added, three quarters listed.
					i := r.Uint64N(keys)
					text, x := modelKey(i)
					adds, excepts := i%2 == 0, i%4 != 2
					batchTexts, batchInts, batchBytes := []string{}, []uint64{}, [][]byte{}
					for range r.Uint64N(150) {
						j := r.Uint64N(keys)
						if adds && j%2 != 0 {
							continue
						}
						s, y := modelKey(j)
						batchTexts, batchInts, batchBytes = append(batchTexts, s), append(batchInts, y), append(batchBytes, []byte(s))
					}
					switch op := r.Uint64N(16); {
					case op < 2 && excepts:
						if key := textName(text); !m.added[key] || m.conflict[key] {
							w.ExceptString(text)
							m.except(key)
						}
						if key := m.intName(x); !m.added[key] || m.conflict[key] {
							w.ExceptUint64(x)
							m.except(key)
						}
					case op == 2 && adds:
						w.Add([]byte(text))
						m.add(textName(text))
						w.AddUint64(x)
						m.add(m.intName(x))
					case op == 3 && adds:
						checkAdd(textName(text), w.TestAndAddString(text))
						checkAdd(textName(text), w.TestAndAdd([]byte(text)))
						checkAdd(m.intName(x), w.TestAndAddUint64(x))
					case op == 4 && adds:
						w.AddStrings(batchTexts)
						w.AddUint64s(batchInts)
						for i := range batchTexts {
							m.add(textName(batchTexts[i]))
							m.add(m.intName(batchInts[i]))
						}
					case op == 5 && adds:
						n := w.TestAndAddBytes(batchBytes, &hits)
						for i, s := range batchTexts {
							checkAdd(textName(s), hits.Test(uint(i)))
						}
						if n != int(hits.Count()) {
							t.Fatalf("TestAndAddBytes: %d, %d bits", n, hits.Count())
						}
						n = w.TestAndAddUint64s(batchInts, &hits)
						for i, x := range batchInts {
							checkAdd(m.intName(x), hits.Test(uint(i)))
						}
						if n != int(hits.Count()) {
							t.Fatalf("TestAndAddUint64s: %d, %d bits", n, hits.Count())
						}
					case op < 8:
						hit := w.TestString(text)
						checkTest(textName(text), hit)
						checkTest(m.intName(x), w.TestUint64(x))
						if w.Test([]byte(text)) != hit {
							t.Fatal("Test and TestString differ")
						}
					case op < 12 && !adds:
						n := w.TestStrings(batchTexts, &hits)
						for i, s := range batchTexts {
							checkTest(textName(s), hits.Test(uint(i)))
						}
						if n != int(hits.Count()) || n != w.TestStrings(batchTexts, nil) || n != w.TestBytes(batchBytes, nil) {
							t.Fatalf("TestStrings: %d, %d bits", n, hits.Count())
						}
						n = w.TestUint64s(batchInts, &hits)
						for i, x := range batchInts {
							checkTest(m.intName(x), hits.Test(uint(i)))
						}
						if n != int(hits.Count()) || n != w.TestUint64s(batchInts, nil) || hits.Len() != uint(len(batchInts)) {
							t.Fatalf("TestUint64s: %d, %d bits of %d", n, hits.Count(), hits.Len())
						}
					case op == 15 && i%400 == 0:
						w.Clear()
						clear(m.added)
						for key := range m.conflict {
							m.listed[key] = true
						}
						clear(m.conflict)
					}
				}
				checkNames(t, m, w)
				if rate := float64(others.hits) / float64(others.tests); rate > p {
					t.Errorf("%d of %d other keys pass", others.hits, others.tests)
				}
				if len(m.conflict) == 0 || len(m.listed) == 0 || others.hits == 0 {
					t.Errorf("%d conflicts, %d listed, %d false positives: too few to mean anything", len(m.conflict), len(m.listed), others.hits)
				}
			})
		}
	}
}

// checkNames compares the lists with the model's.
func checkNames(t *testing.T, m *whitelistModel, w *Whitelist) {
	t.Helper()
	names := func(keys [][]byte, ints []uint64) map[string]bool {
		set := map[string]bool{}
		for _, key := range keys {
			set[textName(string(key))] = true
		}
		for _, x := range ints {
			set[m.intName(x)] = true
		}
		return set
	}
	if got := names(w.Exceptions()); fmt.Sprint(got) != fmt.Sprint(m.listed) || w.ExceptionCount() != len(m.listed) {
		t.Errorf("%d exceptions, counted %d, want %d", len(got), w.ExceptionCount(), len(m.listed))
	}
	if got := names(w.Conflicts()); fmt.Sprint(got) != fmt.Sprint(m.conflict) || w.ConflictCount() != len(m.conflict) {
		t.Errorf("%d conflicts, counted %d, want %d", len(got), w.ConflictCount(), len(m.conflict))
	}
}

// Batches longer than a chunk, in which listed keys come twice and more.
func TestWhitelistLongBatches(t *testing.T) {
	for _, c := range whitelisted {
		kerneltest.EachLevel(t, func(t *testing.T) {
			w, one := NewWhitelist(c.make(t, 20_000, 0.3)), NewWhitelist(c.make(t, 20_000, 0.3))
			var texts []string
			var ints []uint64
			for i := range uint64(10_000) {
				s, x := modelKey(i % 7000)
				texts, ints = append(texts, s), append(ints, x)
				if i%3 == 0 {
					w.ExceptStrings([]string{s})
					w.ExceptUint64s([]uint64{x})
					one.Except([]byte(s))
					one.ExceptUint64(x)
				}
			}
			var hits, intHits BitSet
			for round, want := range []int{0, len(texts)} {
				n := w.TestAndAddStrings(texts, &hits)
				m := w.TestAndAddUint64s(ints, &intHits)
				for i := range texts {
					if one.TestAndAddString(texts[i]) != hits.Test(uint(i)) {
						t.Fatalf("%s, round %d: key %d differs from one at a time", c.name, round, i)
					}
				}
				for i := range ints {
					if one.TestAndAddUint64(ints[i]) != intHits.Test(uint(i)) {
						t.Fatalf("%s, round %d: integer %d differs from one at a time", c.name, round, i)
					}
				}
				if n != int(hits.Count()) || m != int(intHits.Count()) || want > 0 && (n != want || m != want) {
					t.Errorf("%s, round %d: %d and %d present", c.name, round, n, m)
				}
			}
			// Without results, the number is the same.
			a, b := NewWhitelist(c.make(t, 20_000, 0.3)), NewWhitelist(c.make(t, 20_000, 0.3))
			a.ExceptStrings(texts[5000:8000])
			b.ExceptStrings(texts[5000:8000])
			if n, m := a.TestAndAddStrings(texts, nil), b.TestAndAddStrings(texts, &hits); n != m || a.ConflictCount() != b.ConflictCount() {
				t.Errorf("%s: %d present without results, %d with", c.name, n, m)
			}
		})
	}
}

// Trim keeps what the filter would pass, and conflicts.
func TestWhitelistTrim(t *testing.T) {
	for _, c := range whitelisted {
		f := c.make(t, 1000, 0.1)
		w := NewWhitelist(f)
		var good []string
		for i := range 3000 {
			good = append(good, fmt.Sprint("good key ", i))
			w.ExceptUint64(uint64(i))
		}
		w.ExceptStrings(good)
		for i := range 1000 {
			w.AddString(fmt.Sprint("bad ", i))
		}
		w.AddString(good[0])
		needed, neededInts := 0, 0
		for i, s := range good {
			if f.TestString(s) {
				needed++
			}
			b := le(uint64(i))
			if f.TestUint64(uint64(i)) || !c.apart && f.Test(b[:]) {
				neededInts++
			}
		}
		before := w.ExceptionCount()
		dropped := w.Trim()
		if left := needed - 1 + neededInts; before != 5999 || w.ExceptionCount() != left || dropped != before-left {
			t.Errorf("%s: %d dropped of %d, want %d left", c.name, dropped, before, left)
		}
		if keys, _ := w.Conflicts(); len(keys) != 1 || string(keys[0]) != good[0] || !w.TestString(good[0]) {
			t.Errorf("%s: conflicts %q", c.name, keys)
		}
		if w.TestStrings(good, nil) != 1 {
			t.Errorf("%s: listed keys pass after Trim", c.name)
		}
	}
}

func TestWhitelistCloneEqual(t *testing.T) {
	for _, c := range whitelisted[:2] {
		w := NewWhitelist(c.make(t, 1000, 0.01))
		w.ExceptString("a")
		w.ExceptString("b")
		w.ExceptUint64(1)
		w.AddString("b")
		c := w.Clone()
		if !c.Equal(w) || !w.Equal(c) || c.ConflictCount() != 1 {
			t.Fatal("a clone differs")
		}
		c.ExceptString("c")
		if c.Equal(w) || w.Equal(c) || w.ExceptionCount() != 2 {
			t.Error("equal with another list")
		}
		w.ExceptString("d")
		if c.Equal(w) {
			t.Error("equal with other keys on the list")
		}
		w.ExceptString("c")
		c.ExceptString("d")
		if !c.Equal(w) {
			t.Error("differs with the same list")
		}
		c.AddString("x")
		if c.Equal(w) || w.Filter().TestString("x") {
			t.Error("equal with another filter")
		}
	}
	a, b := NewWhitelist(whitelisted[0].make(t, 10, 0.1)), NewWhitelist(whitelisted[1].make(t, 10, 0.1))
	if a.Equal(b) || b.Equal(a) {
		t.Error("filters of different types are equal")
	}
	nested := NewWhitelist(a)
	if !nested.Clone().Equal(nested) {
		t.Error("a clone of a nested one differs")
	}
	other := NewWhitelist(whitelisted[3].make(t, 10, 0.1))
	if other.Equal(other) {
		t.Error("a filter that cannot be compared is equal")
	}
	wantPanic(t, "Clone over another package's filter", func() { other.Clone() })
}

func wantPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

// What is asked of the filter is the filter's.
func TestWhitelistDelegates(t *testing.T) {
	f, err := NewBlocked(1000, 0.01, WithKey(secretKey))
	if err != nil {
		t.Fatal(err)
	}
	w := NewWhitelist(f)
	w.ExceptString("x")
	for i := range uint64(500) {
		w.AddUint64(i)
	}
	n, p := w.Capacity()
	if w.Filter() != Filter(f) || n != 1000 || p != 0.01 || w.K() != f.K() || !w.Keyed() || w.SizeBytes() != f.SizeBytes() ||
		w.Fill() != f.Fill() || w.FPRate() != f.FPRate() || w.ExpectedFPRate(7) != f.ExpectedFPRate(7) ||
		w.EstimatedCount() != f.EstimatedCount() || f.EstimatedCount() < 400 || w.ExceptionBytes() == 0 {
		t.Error("something differs")
	}
}

func TestWhitelistAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("sync.Pool drops things under the race detector")
	}
	for _, c := range whitelisted {
		w := NewWhitelist(c.make(t, 100_000, 0.5))
		texts, raw, ints := make([]string, 9000), make([][]byte, 9000), make([]uint64, 9000)
		for i := range texts {
			texts[i], ints[i] = modelKey(uint64(i))
			raw[i] = []byte(texts[i])
		}
		w.ExceptStrings(texts[:1000])
		w.ExceptUint64s(ints[:1000])
		var hits BitSet
		key := []byte("key")
		for name, f := range map[string]func(){
			"Test": func() { w.Test(key); w.TestString("key"); w.TestUint64(5) },
			"Add": func() {
				w.Add(key)
				w.AddString("key")
				w.AddUint64(5)
				w.TestAndAdd(key)
				w.TestAndAddString("key")
				w.TestAndAddUint64(5)
			},
			"Test batches": func() {
				w.TestStrings(texts, &hits)
				w.TestBytes(raw, &hits)
				w.TestUint64s(ints, &hits)
			},
			"counting batches": func() {
				w.TestStrings(texts, nil)
				w.TestBytes(raw, nil)
				w.TestUint64s(ints, nil)
			},
			"TestAndAdd batches": func() {
				w.TestAndAddStrings(texts[500:600], nil)
				w.TestAndAddBytes(raw[600:700], &hits)
				w.TestAndAddUint64s(ints[500:600], nil)
			},
			"Add batches": func() { w.AddStrings(texts); w.AddBytes(raw); w.AddUint64s(ints) },
		} {
			if n := testing.AllocsPerRun(20, f); n != 0 {
				t.Errorf("%s: %s: %v allocations", c.name, name, n)
			}
		}
	}
}

// Any number of goroutines test at the same time.
func TestWhitelistReaders(t *testing.T) {
	w := NewWhitelist(whitelisted[0].make(t, 1000, 0.1))
	keys := make([]string, 5000)
	for i := range keys {
		keys[i], _ = modelKey(uint64(i))
	}
	w.ExceptStrings(keys[:2500])
	w.AddStrings(keys[2000:3000])
	want := w.TestStrings(keys, nil)
	var wg sync.WaitGroup
	for range 4 {
		kerneltest.Go(&wg, func() {
			var hits BitSet
			for range 5 {
				if n := w.TestStrings(keys, nil); n != want {
					t.Errorf("%d hits, want %d", n, want)
				}
				if n := w.TestStrings(keys, &hits); n != want {
					t.Errorf("%d hits, want %d", n, want)
				}
				w.TestString(keys[2600])
			}
		})
	}
	wg.Wait()
}

// After Close, and before there is a filter, uses panic but for those that say so.
func TestWhitelistClosed(t *testing.T) {
	w := NewWhitelist(whitelisted[0].make(t, 10, 0.1))
	w.ExceptString("a")
	for range 2 {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wantPanic(t, "Test", func() { w.TestString("a") })
	wantPanic(t, "Add", func() { w.AddString("a") })
	wantPanic(t, "TestStrings", func() { w.TestStrings([]string{"a"}, nil) })
	if _, err := w.WriteTo(io.Discard); err == nil {
		t.Error("a closed one is written")
	}
	var zero Whitelist
	if err := zero.Close(); err != nil {
		t.Error(err)
	}
	if err := zero.Save(t.TempDir() + "/f"); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("Save of the zero value: %v", err)
	}
	if _, err := zero.MarshalBinary(); err == nil {
		t.Error("the zero value is marshalled")
	}
}

// The keys that are given may change afterwards, and so may those that come back.
func TestWhitelistCopiesKeys(t *testing.T) {
	w := NewWhitelist(whitelisted[0].make(t, 10, 0.1))
	key := []byte("abc")
	w.Except(key)
	w.ExceptBytes([][]byte{key, key})
	key[0] = 'x'
	for range 2 {
		keys, _ := w.Exceptions()
		if !slices.Equal(keys[0], []byte("abc")) || len(keys) != 1 {
			t.Fatalf("exceptions %q", keys)
		}
		keys[0][0] = 'y'
	}
}

// lockedFilter is a filter to which any number of goroutines may add.
type lockedFilter struct {
	Filter
	mu sync.RWMutex
}

func (f *lockedFilter) AddString(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Filter.AddString(s)
}

func (f *lockedFilter) TestAndAddString(s string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Filter.TestAndAddString(s)
}

func (f *lockedFilter) TestString(s string) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.Filter.TestString(s)
}

// Where the filter lets goroutines add at the same time, so does the Whitelist: of
// those that race to add a listed key exactly one is told that it is new, and each sees
// the key that it added.
func TestWhitelistAdders(t *testing.T) {
	const keys, goroutines = 3000, 4
	listed := make([]string, keys)
	for i := range listed {
		listed[i] = fmt.Sprint("key ", i)
	}
	for name, f := range map[string]Filter{
		"locked":  &lockedFilter{Filter: mustFilter(t)(NewBlocked(keys, 1e-9))},
		"atomic":  mustFilter(t)(NewAtomicBlocked(2*keys, 1e-9)),
		"sharded": mustFilter(t)(NewSharded(2*keys, 1e-9, 7)),
	} {
		w := NewWhitelist(f)
		w.ExceptStrings(listed)
		var wg sync.WaitGroup
		fresh := make([]int, goroutines)
		for g := range goroutines {
			kerneltest.Go(&wg, func() {
				var hits BitSet
				for i, s := range listed {
					if !w.TestAndAddString(s) {
						fresh[g]++
					}
					if !w.TestString(s) {
						t.Errorf("%s: %s was added and is denied", name, s)
					}
					if name == "locked" || i%100 > 0 {
						continue // batches are not locked
					}
					batch := listed[keys-i-100 : keys-i]
					fresh[g] += len(batch) - w.TestAndAddStrings(batch, &hits)
					w.AddUint64s([]uint64{1, 2, 3, uint64(i)})
					if w.TestStrings(batch, &hits) != len(batch) || w.TestUint64s([]uint64{1, 2, 3, uint64(i)}, nil) != 4 {
						t.Errorf("%s: keys of a batch are denied", name)
					}
				}
			})
		}
		wg.Wait()
		if sum := fresh[0] + fresh[1] + fresh[2] + fresh[3]; sum != keys || w.ConflictCount() != keys {
			t.Errorf("%s: %v keys were new, %d conflicts, want %d", name, fresh, w.ConflictCount(), keys)
		}
	}
}
