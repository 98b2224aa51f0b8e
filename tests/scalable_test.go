package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/race"
)

func mustScalable(t testing.TB, n uint64, p float64, opts ...Option) *Scalable {
	t.Helper()
	f, err := NewScalable(n, p, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Every kind of key, single and batch, at batch lengths around the kernels', the
// chunks' and the stages' ends: a first stage of few keys has its end anywhere in a
// batch, and a batch may go over several.
func TestScalableKeys(t *testing.T) {
	lengths := []int{0, 1, 2, 9, 15, 16, 17, 63, 64, 65, 200, 511, 512, 513, 1300}
	firsts := []uint64{1, 3, 16, 17, 64, 511, 513}
	if testing.Short() {
		lengths, firsts = []int{0, 1, 65, 513}, []uint64{3, 511}
	}
	ints, texts, raw := goldenKeys(2600)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, first := range firsts {
			for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
				for _, n := range lengths {
					kinds := []struct {
						name  string
						test  func(f *Scalable, i int) bool
						both  func(f *Scalable, i int) bool
						adds  func(f *Scalable, i, j int)
						tests func(f *Scalable, i, j int, hits *BitSet) int
					}{
						{"bytes", func(f *Scalable, i int) bool { return f.Test(raw[i]) },
							func(f *Scalable, i int) bool { return f.TestAndAdd(raw[i]) },
							func(f *Scalable, i, j int) { f.AddBytes(raw[i:j]) },
							func(f *Scalable, i, j int, h *BitSet) int { return f.TestBytes(raw[i:j], h) }},
						{"string", func(f *Scalable, i int) bool { return f.TestString(texts[i]) },
							func(f *Scalable, i int) bool { return f.TestAndAddString(texts[i]) },
							func(f *Scalable, i, j int) { f.AddStrings(texts[i:j]) },
							func(f *Scalable, i, j int, h *BitSet) int { return f.TestStrings(texts[i:j], h) }},
						{"uint64", func(f *Scalable, i int) bool { return f.TestUint64(ints[i]) },
							func(f *Scalable, i int) bool { return f.TestAndAddUint64(ints[i]) },
							func(f *Scalable, i, j int) { f.AddUint64s(ints[i:j]) },
							func(f *Scalable, i, j int, h *BitSet) int { return f.TestUint64s(ints[i:j], h) }},
						{"hash", func(f *Scalable, i int) bool { return f.TestHash(ints[i]) },
							func(f *Scalable, i int) bool { return f.TestAndAddHash(ints[i]) },
							func(f *Scalable, i, j int) { f.AddHashes(ints[i:j]) },
							func(f *Scalable, i, j int, h *BitSet) int { return f.TestHashes(ints[i:j], h) }},
					}
					for _, kind := range kinds {
						f, g := mustScalable(t, first, 0.03, opts...), mustScalable(t, first, 0.03, opts...)
						kind.adds(f, 0, n)
						for i := range n {
							seen := kind.test(g, i)
							if kind.both(g, i) != seen || !kind.test(g, i) {
								t.Fatalf("%s %d: TestAndAdd and Test disagree", kind.name, i)
							}
						}
						if !f.Equal(g) {
							t.Fatalf("first=%d n=%d %s: batch and single adds differ: %+v, %+v", first, n, kind.name, f.Stages(), g.Stages())
						}
						checkStages(t, f)
						if all := kind.tests(f, 0, n, nil); all != n {
							t.Fatalf("first=%d n=%d %s: %d of the keys are there", first, n, kind.name, all)
						}
						// Half of the keys tested are there. The result starts too
						// large and full of ones.
						var hits BitSet
						hits.Set(9999)
						hits.SetAll()
						count := kind.tests(f, 0, 2*n, &hits)
						if hits.Len() != uint(2*n) || hits.Count() != uint(count) {
							t.Fatalf("first=%d n=%d %s: %d bits, %d set, count %d", first, n, kind.name, hits.Len(), hits.Count(), count)
						}
						for i := range 2 * n {
							if got := hits.Test(uint(i)); got != kind.test(f, i) || i < n && !got {
								t.Fatalf("first=%d n=%d %s: key %d: batch says %v", first, n, kind.name, i, got)
							}
						}
						if only := kind.tests(f, 0, 2*n, nil); only != count {
							t.Fatalf("first=%d n=%d %s: count %d without a result set, %d with", first, n, kind.name, only, count)
						}
					}
				}
			}
		}
	})
}

// checkStages holds a filter that keeps its promise to its plan.
func checkStages(t testing.TB, f *Scalable) {
	t.Helper()
	_, p := f.Capacity()
	list := f.Stages()
	var rates float64
	var added, size uint64
	for i, s := range list {
		if s.Added > s.Capacity || s.Added < s.Capacity && i < len(list)-1 || s.Added == 0 && i > 0 {
			t.Fatalf("stage %d of %d has %d keys of %d", i+1, len(list), s.Added, s.Capacity)
		}
		rates, added, size = rates+s.Rate, added+s.Added, size+s.SizeBytes
	}
	if rates > p || added != f.Added() || size > f.SizeBytes() || f.Err() != nil {
		t.Fatalf("rates %v of %v, %d keys of %d, %d bytes of %d, error %v", rates, p, added, f.Added(), size, f.SizeBytes(), f.Err())
	}
}

// Batches that test and add give the answers of one key after the other, doubles
// included, wherever in a batch the stages end.
func TestScalableTestAndAddBatches(t *testing.T) {
	lengths := []int{0, 1, 7, 15, 16, 17, 63, 64, 65, 200, 511, 513, 1025, 4111, 9000}
	firsts := []uint64{1, 5, 100, 512, 700}
	if testing.Short() {
		lengths, firsts = []int{1, 17, 65, 1025}, []uint64{5, 512}
	}
	r := rand.New(rand.NewPCG(43, 44))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			for _, n := range lengths {
				for _, first := range firsts {
					one, batch := mustScalable(t, first, 0.1, opts...), mustScalable(t, first, 0.1, opts...)
					again := mustScalable(t, first, 0.1, opts...)
					for round := range 3 {
						ints := make([]uint64, n)
						for i := range ints {
							ints[i] = r.Uint64N(2 * uint64(n)) // some are doubles
						}
						want := NewBitSet(uint(n))
						for i, x := range ints {
							want.SetTo(uint(i), one.TestAndAddUint64(x))
						}
						var hits BitSet
						if got := batch.TestAndAddUint64s(ints, &hits); uint(got) != want.Count() || !hits.Equal(want) {
							t.Fatalf("%d keys, first=%d, round %d: %d hits, want %d", n, first, round, got, want.Count())
						}
						if !batch.Equal(one) {
							t.Fatalf("%d keys, first=%d: the filters differ", n, first)
						}
						if got := again.TestAndAddUint64s(ints, nil); uint(got) != want.Count() || !again.Equal(one) {
							t.Fatalf("%d keys, first=%d: %d hits without a BitSet, want %d", n, first, got, want.Count())
						}
					}
				}
			}
		}
	})
}

// scalableDigest returns a hash of the filter's file without its header.
func scalableDigest(t testing.TB, f *Scalable) string {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data[format.HeaderBytes:])
	return hex.EncodeToString(sum[:8])
}

// The bits of a filter are its file format, its plan included: these digests never
// change, and are the same at every level and on every architecture.
func TestScalableGolden(t *testing.T) {
	ints, texts, raw := goldenKeys(1500)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for name, want := range map[string]string{
			"n=0 p=0.01 keyed=false":   "108b2ed847a4e6ef",
			"n=100 p=0.1 keyed=false":  "562408077bae4bf4",
			"n=100 p=1e-06 keyed=true": "92bd45fe406c5f01",
			"n=1 p=1e-09 keyed=false":  "0d7a059abd2db74e",
		} {
			var n uint64
			var p float64
			var keyed bool
			if _, err := fmt.Sscanf(name, "n=%d p=%g keyed=%t", &n, &p, &keyed); err != nil {
				t.Fatal(err)
			}
			var opts []Option
			if keyed {
				opts = append(opts, WithKey(secretKey))
			}
			f := mustScalable(t, n, p, opts...)
			f.AddUint64s(ints)
			f.AddStrings(texts)
			f.AddBytes(raw)
			f.AddHashes(ints[:700])
			if got := scalableDigest(t, f); got != want {
				t.Errorf("%s: digest %s, want %s", name, got, want)
			}
		}
	})
}

func TestScalableParameters(t *testing.T) {
	for _, c := range []struct {
		n uint64
		p float64
	}{
		{100, 0}, {100, -1}, {100, 1}, {100, 2}, {100, math.NaN()}, {100, math.Inf(1)}, {100, 7.9e-12},
		{math.MaxUint64, 0.01}, {1 << 40, 1e-7},
	} {
		if f, err := NewScalable(c.n, c.p); !errors.Is(err, ErrParameter) || f != nil {
			t.Errorf("NewScalable(%d, %v): %v, %v", c.n, c.p, f, err)
		}
	}
	for _, key := range [][]byte{{}, secretKey[:31], append(secretKey[:32:32], 0)} {
		if _, err := NewScalable(10, 0.01, WithKey(key)); !errors.Is(err, ErrKey) {
			t.Errorf("key of %d bytes: error %v", len(key), err)
		}
	}
	f := mustScalable(t, 0, 0.01)
	if n, p := f.Capacity(); n != 0 || p != 0.01 || f.Stages()[0].Capacity != 1<<16 || f.Room() != 1<<16 || f.K() != f.Stages()[0].K {
		t.Errorf("capacity %d %v, stages %+v", n, p, f.Stages())
	}
	for _, p := range []float64{0.999, 0.5, 8e-12} {
		f := mustScalable(t, 10, p)
		f.AddUint64(1)
		if !f.TestUint64(1) || f.Added() != 1 {
			t.Errorf("p = %v: the key is missing", p)
		}
	}
}

// The rate limits the number of stages where it is so low that stages would have
// less than the model takes. The filter goes on without them, says so, and loses no key.
func TestScalableFull(t *testing.T) {
	f := mustScalable(t, 10, 8e-12)
	added := uint64(0)
	for f.Err() == nil {
		if added++; added > 1e6 {
			t.Fatal("never full")
		}
		f.AddUint64(added)
	}
	list := f.Stages()
	if err := f.Err(); !errors.Is(err, ErrFull) || !errors.Is(err, ErrParameter) {
		t.Errorf("error %v", err)
	}
	var rates float64
	for _, s := range list {
		rates += s.Rate
	}
	if last := list[len(list)-1]; last.Added != last.Capacity+1 || rates > 8e-12 || rates < 7e-12 || f.Room() != 0 {
		t.Errorf("%d stages, rates %v, room %d, the last %+v", len(list), rates, f.Room(), last)
	}
	if err := f.Grow(1); !errors.Is(err, ErrParameter) {
		t.Errorf("Grow: %v", err)
	}
	if _, err := f.NextStage(); !errors.Is(err, ErrParameter) {
		t.Errorf("NextStage: %v", err)
	}
	keys := make([]uint64, 5000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	f.AddUint64s(keys)
	if f.TestUint64s(keys, nil) != len(keys) {
		t.Error("a key is missing")
	}
	if got, want := f.FPRate(), f.ExpectedFPRate(f.Added()); got < 8e-12 || got > 10*want || got < want/10 {
		t.Errorf("rate %v, expected %v", got, want)
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	g, err := ReadScalable(bytes.NewReader(data))
	if err != nil || !g.Equal(f) || !errors.Is(g.Err(), ErrFull) {
		t.Errorf("read: %v, Err %v", err, g.Err())
	}
	f.Clear()
	if f.Err() != nil || len(f.Stages()) != 1 || f.Fill() != 0 || f.Added() != 0 || f.TestUint64(1) {
		t.Errorf("Clear leaves %+v, %v", f.Stages(), f.Err())
	}
}

// Where there is no memory for a stage, the newest goes on: Grow and Err say why.
func TestScalableMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes gigabytes of address space")
	}
	f := mustScalable(t, 1, 1e-6)
	defer func() { memory.Override = 0 }()
	memory.Override = 1 << 30
	if err := f.Grow(1 << 30); !errors.Is(err, ErrMemory) {
		t.Fatalf("Grow: %v", err)
	}
	if err := f.Grow(1 << 62); err == nil {
		t.Fatal("Grow: no error")
	}
	if f.Room() != 1 || len(f.Stages()) != 1 || f.Err() != nil {
		t.Fatalf("room %d, stages %+v, %v", f.Room(), f.Stages(), f.Err())
	}
}

func TestScalableGrow(t *testing.T) {
	f := mustScalable(t, 100, 0.01)
	size := f.SizeBytes()
	if err := f.Grow(100); err != nil || f.Room() != 100 || f.SizeBytes() != size {
		t.Fatalf("%v, room %d", err, f.Room())
	}
	next, err := f.NextStage()
	if err != nil || next.Capacity != 200 {
		t.Fatalf("%+v, %v", next, err)
	}
	if err := f.Grow(101); err != nil || f.Room() != 300 || f.SizeBytes() != size+next.SizeBytes || len(f.Stages()) != 1 {
		t.Fatalf("%v, room %d, %d bytes", err, f.Room(), f.SizeBytes())
	}
	if err := f.Grow(5000); err != nil || f.Room() != 5000 {
		t.Fatalf("%v, room %d", err, f.Room())
	}
	keys := make([]uint64, 5000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	if !race.Enabled {
		if n := testing.AllocsPerRun(1, func() { f.AddUint64s(keys[:2500]) }); n > 1 { // the list of stages
			t.Errorf("%v allocations in spite of Grow", n)
		}
	}
	f.AddUint64s(keys)
	if list := f.Stages(); len(list) != 2 || list[1].Capacity != 4900 {
		t.Errorf("stages %+v", list)
	}
	checkStages(t, f)
	c := f.Clone()
	if !c.Equal(f) || !f.Equal(c) {
		t.Error("the clone differs")
	}
	c.AddString("x")
	if f.TestString("x") || c.Equal(f) {
		t.Error("the clone shares memory")
	}
}

func TestScalableSecretKey(t *testing.T) {
	a, b := mustScalable(t, 10, 1e-6, WithKey(secretKey)), mustScalable(t, 10, 1e-6)
	for i := range uint64(100) {
		a.AddUint64(i)
		b.AddUint64(i)
	}
	if !a.Keyed() || b.Keyed() || a.Equal(b) || a.TestHash(b.HashUint64(1)) || !a.TestHash(a.HashUint64(1)) {
		t.Error("the key changes nothing")
	}
}

func TestScalableAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	ints, texts, raw := goldenKeys(700)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			f := mustScalable(t, 100, 0.01, opts...)
			f.AddUint64s(ints)
			f.AddBytes(raw)
			f.AddStrings(texts)
			f.AddHashes(ints)
			if f.Room() < 100 {
				t.Fatalf("room %d", f.Room())
			}
			hits := NewBitSet(uint(len(ints)))
			fresh := uint64(1 << 60)
			for name, fn := range map[string]func(){
				"Add":               func() { f.Add(raw[300]) },
				"AddString":         func() { f.AddString(texts[1]) },
				"AddUint64":         func() { f.AddUint64(fresh); fresh++ },
				"AddHash":           func() { f.AddHash(1) },
				"Test":              func() { f.Test(raw[300]) },
				"TestString":        func() { f.TestString(texts[1]) },
				"TestUint64":        func() { f.TestUint64(1) },
				"TestHash":          func() { f.TestHash(1) },
				"TestAndAdd":        func() { f.TestAndAdd(raw[299]) },
				"AddBytes":          func() { f.AddBytes(raw) },
				"AddStrings":        func() { f.AddStrings(texts) },
				"AddUint64s":        func() { f.AddUint64s(ints) },
				"AddHashes":         func() { f.AddHashes(ints) },
				"TestBytes":         func() { f.TestBytes(raw, hits) },
				"TestStrings":       func() { f.TestStrings(texts, hits) },
				"TestUint64s":       func() { f.TestUint64s(ints, hits) },
				"TestHashes":        func() { f.TestHashes(ints, nil) },
				"TestAndAddStrings": func() { f.TestAndAddStrings(texts, hits) },
				"TestAndAddUint64s": func() { f.TestAndAddUint64s(ints, nil) },
			} {
				if n := testing.AllocsPerRun(10, fn); n != 0 {
					t.Errorf("%s, keyed %v: %v allocations", name, opts != nil, n)
				}
			}
		}
	})
}

// Readers need no lock. The race detector watches.
func TestScalableConcurrentReaders(t *testing.T) {
	f := mustScalable(t, 50, 0.01)
	ints, texts, _ := goldenKeys(500)
	f.AddUint64s(ints)
	f.AddStrings(texts)
	var wg sync.WaitGroup
	for range 4 {
		kerneltest.Go(&wg, func() {
			var hits BitSet
			if f.TestUint64s(ints, &hits) != len(ints) || f.TestStrings(texts, nil) != len(texts) || !f.TestUint64(ints[0]) {
				t.Error("a key is missing")
			}
			f.FPRate()
			f.EstimatedCount()
			f.Clone()
		})
	}
	wg.Wait()
}

// A Scalable that no constructor made contains nothing at every level, and adding
// to it panics; so does all use of a closed one.
func TestScalableZero(t *testing.T) {
	panics := func(f func()) (did bool) {
		defer func() { did = recover() != nil }()
		f()
		return false
	}
	closed := func() *Scalable {
		f := mustScalable(t, 10, 0.01)
		for i := range uint64(50) {
			f.AddUint64(i)
		}
		if f.Close() != nil || f.Close() != nil {
			t.Error("Close")
		}
		return f
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		ints := make([]uint64, 100)
		var hits BitSet
		tests := map[string]func(f *Scalable) bool{
			"Test":           func(f *Scalable) bool { return f.Test([]byte("x")) },
			"TestString":     func(f *Scalable) bool { return f.TestString("x") },
			"TestUint64":     func(f *Scalable) bool { return f.TestUint64(1) },
			"TestHash":       func(f *Scalable) bool { return f.TestHash(1) },
			"TestUint64s":    func(f *Scalable) bool { return f.TestUint64s(ints, &hits) > 0 || hits.Len() != 100 || hits.Any() },
			"TestHashes":     func(f *Scalable) bool { return f.TestHashes(ints, nil) > 0 },
			"TestStrings":    func(f *Scalable) bool { return f.TestStrings([]string{"x", "y"}, &hits) > 0 || hits.Any() },
			"FPRate":         func(f *Scalable) bool { return f.FPRate() != 0 },
			"Fill":           func(f *Scalable) bool { return f.Fill() != 0 },
			"ExpectedFPRate": func(f *Scalable) bool { return f.ExpectedFPRate(5) != 0 },
		}
		adds := map[string]func(f *Scalable){
			"Add":               func(f *Scalable) { f.Add([]byte("x")) },
			"AddString":         func(f *Scalable) { f.AddString("x") },
			"AddUint64":         func(f *Scalable) { f.AddUint64(1) },
			"AddHash":           func(f *Scalable) { f.AddHash(1) },
			"AddUint64s":        func(f *Scalable) { f.AddUint64s(ints) },
			"AddStrings":        func(f *Scalable) { f.AddStrings([]string{"x"}) },
			"TestAndAddUint64":  func(f *Scalable) { f.TestAndAddUint64(1) },
			"TestAndAddUint64s": func(f *Scalable) { f.TestAndAddUint64s(ints, nil) },
			"TestAndAddStrings": func(f *Scalable) { f.TestAndAddStrings([]string{"x"}, nil) },
			"Grow":              func(f *Scalable) { f.Grow(1) },
		}
		for name, test := range tests {
			hits.SetAll()
			if test(new(Scalable)) {
				t.Errorf("%s: the zero filter contains a key", name)
			}
			if f := closed(); !panics(func() { test(f) }) {
				t.Errorf("%s: a closed filter does not panic", name)
			}
		}
		for name, add := range adds {
			for _, f := range []*Scalable{new(Scalable), closed()} {
				if !panics(func() { add(f) }) {
					t.Errorf("%s: no panic", name)
				}
			}
		}
		f := new(Scalable)
		if f.EstimatedCount() != 0 || f.Added() != 0 || f.SizeBytes() != 0 || f.K() != 0 || f.Room() != 0 || len(f.Stages()) != 0 || f.Err() != nil {
			t.Error("the zero filter has statistics")
		}
		f.Clear()
		if !f.Equal(f.Clone()) {
			t.Error("a clone of the zero filter differs")
		}
	})
}

func FuzzScalable(f *testing.F) {
	f.Add([]byte("some keys of some lengths"), uint16(3), uint8(8))
	f.Fuzz(func(t *testing.T, data []byte, n uint16, p uint8) {
		filter := mustScalable(t, uint64(n)+1, (float64(p)+0.5)/256)
		var keys [][]byte
		for len(data) > 0 {
			n := min(int(data[0])%40+1, len(data))
			keys, data = append(keys, data[:n]), data[n:]
		}
		half := keys[:len(keys)/2]
		filter.AddBytes(half)
		checkStages(t, filter)
		var hits BitSet
		filter.TestBytes(keys, &hits)
		for i, key := range keys {
			if got := filter.Test(key); got != hits.Test(uint(i)) || i < len(half) && !got {
				t.Fatalf("key %d: single %v, batch %v", i, got, hits.Test(uint(i)))
			}
		}
	})
}
