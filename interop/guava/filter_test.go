package guava

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/twmb/murmur3"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// reference returns the bits of a key by the plainest arithmetic.
func reference(key []byte, m uint64, k int, s Strategy) (bits []uint64) {
	h1, h2 := murmur3.Sum128(key)
	for i := range k {
		if s == MITZ64 {
			bits = append(bits, (h1+uint64(i)*h2)&math.MaxInt64%m)
			continue
		}
		c := int32(h1) + int32(i+1)*int32(h1>>32)
		if c < 0 {
			c = ^c
		}
		bits = append(bits, uint64(c)%m)
	}
	return bits
}

// referenceBytes are what the funnels make of the keys of kinds.
var referenceBytes = map[string]func(seed uint64, i int) []byte{
	"ints":    func(seed uint64, i int) []byte { return binary.LittleEndian.AppendUint64(nil, peerNumber(seed, i))[:4] },
	"longs":   func(seed uint64, i int) []byte { return binary.LittleEndian.AppendUint64(nil, peerNumber(seed, i)) },
	"bytes":   peerBytes,
	"strings": func(seed uint64, i int) []byte { return []byte(peerText(seed, i)) },
	"chars":   func(seed uint64, i int) []byte { return charBytes(peerText(seed, i)) },
	"units":   func(seed uint64, i int) []byte { return unitBytes(peerUnits(seed, i)) },
}

// A model is a filter as a set of bits.
type model map[uint64]bool

func (m model) has(bits []uint64) bool {
	for _, bit := range bits {
		if !m[bit] {
			return false
		}
	}
	return true
}

func (m model) add(bits []uint64) {
	for _, bit := range bits {
		m[bit] = true
	}
}

// stream returns the serialised form of a model.
func (m model) stream(words, k int, s Strategy) []byte {
	be := binary.BigEndian
	b := be.AppendUint32([]byte{byte(s), byte(k)}, uint32(words))
	for w := range uint64(words) {
		var x uint64
		for i := range uint64(64) {
			if m[64*w+i] {
				x |= 1 << i
			}
		}
		b = be.AppendUint64(b, x)
	}
	return b
}

func sized(t testing.TB, words uint64, k int, s Strategy) *Filter {
	t.Helper()
	f, err := NewWithSize(words, k, WithStrategy(s))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shapes are words and k of filters to test.
var shapes = []struct {
	words uint64
	k     int
}{{1, 1}, {1, 2}, {1, 255}, {2, 3}, {3, 7}, {17, 4}, {100, 7}, {1000, 5}, {4096, 13}}

// TestModel compares every way to add and to test with the model, at each level.
func TestModel(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, shape := range shapes {
			for _, k := range kinds {
				for _, s := range []Strategy{MITZ32, MITZ64} {
					testModel(t, k, shape.words, shape.k, s)
				}
			}
		}
	})
}

// batchSizes are lengths of batches: about minBatch, a word of hits and a tile.
var batchSizes = []int{0, 1, minBatch - 1, minBatch, 63, 64, 65, tileKeys - 1, tileKeys, tileKeys + 1, 2*tileKeys + 5}

func testModel(t *testing.T, k kind, words uint64, bitsPerKey int, s Strategy) {
	t.Helper()
	n := int(min(words*8+1, 400)) // about half of the bits for k = 5
	keys, absent := k.load(peerSeed, n), k.load(absentSeed, 2*tileKeys+5)
	one, other, batch := sized(t, words, bitsPerKey, s), sized(t, words, bitsPerKey, s), sized(t, words, bitsPerKey, s)
	m := model{}
	for i := range n {
		bits := reference(referenceBytes[k.name](peerSeed, i), 64*words, bitsPerKey, s)
		if got := keys.testAndAdd(other, i); got != m.has(bits) {
			t.Fatalf("%s, %d words, k = %d, %v: TestAndAdd of key %d: %v", k.name, words, bitsPerKey, s, i, got)
		}
		m.add(bits)
		keys.add(one, i)
	}
	for from, i := 0, 0; from < n; i++ {
		to := min(from+batchSizes[i%len(batchSizes)], n)
		keys.addAll(batch, from, to)
		from = to
	}
	want := m.stream(int(words), bitsPerKey, s)
	for name, f := range map[string]*Filter{"Add": one, "TestAndAdd": other, "a batch": batch} {
		if !bytes.Equal(marshal(t, f), want) {
			t.Fatalf("%s, %d words, k = %d, %v: %s makes other bits", k.name, words, bitsPerKey, s, name)
		}
		if f.Fill() != float64(len(m))/float64(64*words) {
			t.Fatalf("%d words: Fill is %v", words, f.Fill())
		}
	}
	for at := range 9 { // views at every alignment
		data := append(make([]byte, at), want...)[at:]
		view, err := NewView(data)
		if err != nil {
			t.Fatal(err)
		}
		if view.Fill() != one.Fill() || view.K() != bitsPerKey || view.Bits() != 64*words || view.Strategy() != s {
			t.Fatalf("view at %d: %v, %d, %d, %v", at, view.Fill(), view.K(), view.Bits(), view.Strategy())
		}
		testers := []tester{one, &view}
		if at > 2 {
			testers = testers[1:]
		}
		for _, f := range testers {
			if hits := keys.testAll(f, 0, n, nil); hits != n {
				t.Fatalf("%s: %d hits of %d", k.name, hits, n)
			}
			size := batchSizes[(at+int(words))%len(batchSizes)]
			hits := bitsieve.NewBitSet(uint(70 * at)).SetAll()
			count := absent.testAll(f, 0, size, hits)
			if hits.Len() != uint(size) || int(hits.Count()) != count {
				t.Fatalf("%d absent keys: %d hits in %d of %d bits", size, count, hits.Count(), hits.Len())
			}
			for i := range size {
				bits := reference(referenceBytes[k.name](absentSeed, i), 64*words, bitsPerKey, s)
				if got := absent.test(f, i); got != m.has(bits) || hits.Test(uint(i)) != got {
					t.Fatalf("%T, %s, %d words, k = %d, %v: absent key %d of %d: %v, in a batch %v, want %v",
						f, k.name, words, bitsPerKey, s, i, size, got, hits.Test(uint(i)), m.has(bits))
				}
			}
		}
	}
}

// TestLarge is about filters of more than 2^32 bits, most of whose memory is never touched.
func TestLarge(t *testing.T) {
	if testing.Short() || math.MaxUint>>32 == 0 {
		t.Skip("768 MiB of address space")
	}
	const words = 3<<25 + 12345
	want := model{}
	keys := kinds[0].load(peerSeed, 100)
	f, one := sized(t, words, 9, MITZ64), sized(t, words, 9, MITZ64)
	kerneltest.EachLevel(t, func(t *testing.T) {
		f.Clear()
		keys.addAll(f, 0, 100)
		if hits := keys.testAll(f, 0, 100, nil); hits != 100 {
			t.Errorf("%d hits", hits)
		}
	})
	for i := range 100 {
		want.add(reference(referenceBytes["ints"](peerSeed, i), 64*words, 9, MITZ64))
		keys.add(one, i)
	}
	if !f.Equal(one) || f.ones() != uint64(len(want)) {
		t.Errorf("%d bits are set, want %d", f.ones(), len(want))
	}
	for bit := range want {
		if bitAt(f.data, bit) == 0 {
			t.Errorf("bit %d is not set", bit)
		}
	}
}

// guavaVectors are filters of create(Funnels.stringFunnel(UTF_8), 5, 0.01) with one key, as
// Guava 31.1 writes them: what the command words of testdata/Peer.java prints for a line.
var guavaVectors = map[string]string{
	"":                 "0107000000010000000000000001",
	"a":                "0107000000012002002800800a00",
	"0123456789abcde":  "0107000000010002000200020002",
	"0123456789abcdef": "010700000001002002800800800a",
	"bitsieve":         "0107000000010110110010010010",
	"Grüße, 世界 😀":      "0107000000018020080200880200",
}

func TestVectors(t *testing.T) {
	for key, want := range guavaVectors {
		f, err := New(5, 0.01, WithOlderK())
		if err != nil {
			t.Fatal(err)
		}
		f.AddString(key)
		if got := fmt.Sprintf("%x", marshal(t, f)); got != want {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
	}
}

func TestParameters(t *testing.T) {
	for _, c := range []struct {
		n     uint64
		p     float64
		older bool
		words uint64
		k     int // 0 for an error
	}{
		{10_000_000, 0.01, false, 1497666, 7},
		{50, 0.001, false, 12, 10},
		{100, 0.01, true, 15, 7},
		{1, 0.01, true, 1, 6}, // Guava 31.1
		{1, 0.01, false, 1, 7},
		{0, 0.01, false, 1, 7},
		{1, 0.7, false, 1, 1},
		{1, 0x1p-255, false, 6, 255},
		{1, 0x1p-256, false, 0, 0},
		{1, 5e-324, true, 0, 0},
		{1 << 33, 0.01, false, 1286484759, 7},
		{1 << 34, 0.01, false, 0, 0},
		{math.MaxUint64, 0.5, false, 0, 0},
		{1, 0, false, 0, 0},
		{1, 1, false, 0, 0},
		{1, math.NaN(), false, 0, 0},
		{1, math.Inf(1), false, 0, 0},
		{1, -1, false, 0, 0},
	} {
		var opts []Option
		if c.older {
			opts = append(opts, WithOlderK())
		}
		words, k, err := Parameters(c.n, c.p, opts...)
		if words != c.words || k != c.k || (err == nil) != (c.k > 0) || err != nil && !errors.Is(err, bitsieve.ErrParameter) {
			t.Errorf("%+v: %d words, k = %d, %v", c, words, k, err)
		}
	}
	for _, c := range []struct {
		words uint64
		k     int
		s     Strategy
		err   error
	}{
		{0, 1, MITZ64, bitsieve.ErrParameter},
		{1 << 31, 1, MITZ64, bitsieve.ErrParameter},
		{1, 0, MITZ64, bitsieve.ErrParameter},
		{1, -1, MITZ64, bitsieve.ErrParameter},
		{1, 256, MITZ64, bitsieve.ErrParameter},
		{1, 1, 2, bitsieve.ErrParameter},
	} {
		if f, err := NewWithSize(c.words, c.k, WithStrategy(c.s), Option{}); !errors.Is(err, c.err) || f != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := New(1, 2); !errors.Is(err, bitsieve.ErrParameter) {
		t.Errorf("New(1, 2): %v", err)
	}
	for s, want := range map[Strategy]string{MITZ32: "MURMUR128_MITZ_32", MITZ64: "MURMUR128_MITZ_64", 7: "Strategy(7)"} {
		if s.String() != want {
			t.Errorf("%d: %v", s, s)
		}
	}
}

func TestUnion(t *testing.T) {
	keys := kinds[0].load(peerSeed, 2000)
	f, g, both := sized(t, 300, 7, MITZ64), sized(t, 300, 7, MITZ64), sized(t, 300, 7, MITZ64)
	keys.addAll(f, 0, 1000)
	keys.addAll(g, 1000, 2000)
	keys.addAll(both, 0, 2000)
	c := f.Clone()
	if err := f.Union(g); err != nil || !f.Equal(both) || f.Equal(c) || c.Equal(g) {
		t.Errorf("Union: %v", err)
	}
	keys.addAll(c, 1000, 2000)
	if !c.Equal(f) {
		t.Error("Clone shares memory or is no copy")
	}
	for _, other := range []*Filter{sized(t, 301, 7, MITZ64), sized(t, 300, 6, MITZ64), sized(t, 300, 7, MITZ32), new(Filter)} {
		if err := f.Union(other); !errors.Is(err, bitsieve.ErrMismatch) || !f.Equal(both) || f.Equal(other) {
			t.Errorf("Union with another shape: %v", err)
		}
	}
	view := f.View()
	if !view.TestInt32(int32(peerNumber(peerSeed, 5))) {
		t.Error("a filter's view lacks a key")
	}
	f.Clear()
	if f.Fill() != 0 || f.EstimatedCount() != 0 || view.Fill() != 0 {
		t.Error("Clear left something")
	}
	f.AddInt32s(make([]int32, 50))
	if !view.TestInt32(0) {
		t.Error("a filter's view does not see what is added")
	}
	for i := range f.words {
		f.words[i] = math.MaxUint64
	}
	if f.EstimatedCount() != math.MaxUint64 || f.FPRate() != 1 || f.Fill() != 1 {
		t.Errorf("full: %d keys, rate %v", f.EstimatedCount(), f.FPRate())
	}
}

// TestZero is about values that were never made.
func TestZero(t *testing.T) {
	var f Filter
	var v View
	for _, k := range kinds {
		keys := k.load(peerSeed, 40)
		for _, f := range []tester{&f, &v} {
			hits := bitsieve.NewBitSet(3).SetAll()
			if keys.test(f, 0) || keys.testAll(f, 0, 40, hits) != 0 || hits.Len() != 40 || hits.Any() || keys.testAll(f, 0, 4, nil) != 0 {
				t.Errorf("%s: a %T that was never made contains something", k.name, f)
			}
		}
		for name, add := range map[string]func(){
			"Add": func() { keys.add(&f, 0) }, "TestAndAdd": func() { keys.testAndAdd(&f, 0) },
			"a batch": func() { keys.addAll(&f, 0, 40) }, "a small batch": func() { keys.addAll(&f, 0, 2) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s to a filter that was never made", k.name, name)
					}
				}()
				add()
			}()
		}
	}
	if f.Fill() != 0 || f.FPRate() != 0 || f.EstimatedCount() != 0 || v.Fill() != 0 || f.K() != 0 || f.Bits() != 0 || !f.Equal(f.Clone()) {
		t.Error("a filter that was never made has something")
	}
	f.Clear()
	for _, write := range []func() error{
		func() error { _, err := f.MarshalBinary(); return err },
		func() error { _, err := v.WriteTo(new(bytes.Buffer)); return err },
	} {
		if write() == nil {
			t.Error("a filter that was never made was written")
		}
	}
}

// goldens are the MurmurHash3 of streams with 5000 keys of a kind, by both strategies. The
// same streams are compared with Java's by TestGuava.
var goldens = map[string][2]uint64{
	"ints":    {0xe1b4b6a882e4ce75, 0x6a3d6c7f9ebee85},
	"longs":   {0x46ac85f2980edddc, 0x78436956cb69dfde},
	"bytes":   {0x63f971bd493878a3, 0x63c9dab73e6a2dd2},
	"strings": {0x2e990f29b46bb1c6, 0x81a629e2b1cc32c5},
	"chars":   {0xd9b45830ee7ce739, 0x677c8cc0b6be4948},
	"units":   {0x91652e2b19877135, 0x35325732036282},
}

// TestGolden has the same streams on all architectures.
func TestGolden(t *testing.T) {
	for _, k := range kinds {
		for _, s := range []Strategy{MITZ32, MITZ64} {
			f := sized(t, 1000, 7, s)
			k.load(peerSeed, 5000).addAll(f, 0, 5000)
			if got := murmur3.Sum64(marshal(t, f)); got != goldens[k.name][s] {
				t.Errorf("%s by %v: %#x, want %#x", k.name, s, got, goldens[k.name][s])
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	data := marshal(t, sized(t, 1000, 7, MITZ64))
	for _, k := range kinds {
		keys := k.load(peerSeed, 300)
		hits := bitsieve.NewBitSet(300)
		f := sized(t, 1000, 7, MITZ64)
		for name, call := range map[string]func(){
			"Add":           func() { keys.add(f, 1) },
			"Test":          func() { keys.test(f, 1) },
			"TestAndAdd":    func() { keys.testAndAdd(f, 1) },
			"a batch":       func() { keys.addAll(f, 0, 300) },
			"a small batch": func() { keys.addAll(f, 0, 3) },
			"NewView": func() {
				view, err := NewView(data)
				if err != nil || view.TestInt32(1) || view.TestString("a") || view.Test(data[:5]) {
					t.Error(err)
				}
			},
		} {
			if n := testing.AllocsPerRun(10, call); n != 0 {
				t.Errorf("%s: %s: %v allocations", k.name, name, n)
			}
		}
		if k.name == "units" {
			continue
		}
		for _, n := range []int{5, 300} {
			if n := testing.AllocsPerRun(10, func() { keys.testAll(f, 0, n, hits); keys.testAll(f, 0, n, nil) }); n != 0 {
				t.Errorf("%s: a batch tested: %v allocations", k.name, n)
			}
		}
	}
}
