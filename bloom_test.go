package bitsieve

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twmb/murmur3"
)

// bloomReference computes the bits of a key as the format's description has it.
func bloomReference(key []byte, m uint64, k uint) []uint64 {
	var h [4]uint64
	h[0], h[1] = murmur3.Sum128(key)
	h[2], h[3] = murmur3.Sum128(append(slices.Clone(key), 1))
	bits := make([]uint64, k)
	for i := range uint64(k) {
		bits[i] = (h[i%2] + i*h[2+((i+i%2)%4)/2]) % m
	}
	return bits
}

// bloomKeys returns n distinct keys of 0 to 40 bytes and more, the same for the
// same seed.
func bloomKeys(seed uint64, n int) [][]byte {
	r := rand.New(rand.NewPCG(seed, 1))
	keys := make([][]byte, n)
	for i := range keys {
		key := make([]byte, 12+r.IntN(40))
		binary.LittleEndian.PutUint64(key, seed)
		binary.LittleEndian.PutUint32(key[8:], uint32(i))
		for j := 12; j < len(key); j++ {
			key[j] = byte(r.Uint32())
		}
		keys[i] = key
	}
	return keys
}

func keyStrings(keys [][]byte) []string {
	s := make([]string, len(keys))
	for i, key := range keys {
		s[i] = string(key)
	}
	return s
}

func mustBloom(t testing.TB, m, k uint) *Bloom {
	t.Helper()
	f, err := NewBloomWithSize(m, k)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBloomLocationVectors(t *testing.T) {
	for _, v := range []struct {
		key  string
		want []uint64
	}{
		{"Love", []uint64{0xde93a26f14351e23, 0xb16e866271057106, 0xb03b5314ec8725ab,
			0x4dcd098df33b01e2, 0x902c1c6cfcb339a3, 0x54bde7ae21a98016}},
		{"", []uint64{0, 0x778867e4430e6785, 0xef10cfc8861ccf0a,
			0x706b15b18a5efa42, 0xeb3972420dd3f858, 0x55aa07754f480599}},
		{"0123456789abcde", []uint64{0xa62dd5f6c0bf2351, 0xb7e5801ef76d9dbd, 0x765eec1bb6f1c4eb,
			0x15465dda773fe461, 0x02cfb70964a3ed3d, 0x5847ac68e3d2e0f1}},
	} {
		if got := BloomLocations([]byte(v.key), 6); !slices.Equal(got, v.want) {
			t.Errorf("%q: %x, want %x", v.key, got, v.want)
		}
	}
}

func TestBloomStreamVector(t *testing.T) {
	f := mustBloom(t, 1000, 4)
	f.AddString("Love")
	if got, want := f.BitSet().AsSlice(make([]uint, 4)), []uint{235, 747, 846, 866}; !slices.Equal(got, want) {
		t.Errorf("bits %v, want %v", got, want)
	}
	data, _ := f.MarshalBinary()
	const want = "428f87817e24f1cb1a88dccba6102bff66ed990398b1e80bc87246dc47916360"
	if sum := sha256.Sum256(data); len(data) != 152 || hex.EncodeToString(sum[:]) != want {
		t.Errorf("stream of %d bytes with SHA-256 %x, want 152 and %s", len(data), sum, want)
	}
}

// TestBloomGolden fixes the bits for all architectures and levels.
func TestBloomGolden(t *testing.T) {
	const want = "32375392b0c3049a9bbe55ad0318f651898e3174c0dfff56b0d6b5328b618257"
	forEachLevel(t, func(t *testing.T) {
		h := sha256.New()
		for i, m := range []uint{1, 64, 1000, 1 << 14, 99991} {
			for _, k := range []uint{1, 2, 3, 7, 8, 13} {
				f := mustBloom(t, m, k)
				f.AddBytes(bloomKeys(uint64(i), 300))
				if _, err := f.WriteTo(h); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("SHA-256 of the filters is %s, want %s", got, want)
		}
	})
}

func TestBloomHash(t *testing.T) {
	buf := make([]byte, 300)
	for i := range buf {
		buf[i] = byte(i*167 + 13)
	}
	for n := range 200 {
		for off := range 9 {
			checkBloomHash(t, buf[off:off+n])
		}
	}
}

func FuzzBloomHash(f *testing.F) {
	f.Add([]byte("0123456789abcde"))
	f.Fuzz(func(t *testing.T, key []byte) { checkBloomHash(t, key) })
}

func checkBloomHash(t *testing.T, key []byte) {
	t.Helper()
	var want bloomHash
	want.h0, want.h1 = murmur3.Sum128(key)
	want.h2, want.h3 = murmur3.Sum128(append(slices.Clone(key), 1))
	if got := hashBloom(key[:len(key):len(key)]); got != want {
		t.Fatalf("%x: %x, want %x", key, got, want)
	}
	if got := hashBloom(keyBytes(string(key))); got != want {
		t.Fatalf("string %x: %x, want %x", key, got, want)
	}
}

func TestDivisor(t *testing.T) {
	var edges []uint64
	for s := range 64 {
		p := uint64(1) << s
		edges = append(edges, p-1, p, p+1, p+p/2, p+p/3)
	}
	edges = append(edges, math.MaxUint64, math.MaxUint64-1, math.MaxUint64/3, 10, 1000, 1e9+7, 1e18+9)
	r := rand.New(rand.NewPCG(1, 2))
	check := func(m, x uint64) {
		if got := newDivisor(m).mod(x); got != x%m {
			t.Fatalf("%d mod %d = %d, want %d", x, m, got, x%m)
		}
	}
	for _, m := range edges {
		if m == 0 {
			continue
		}
		for _, x := range edges {
			check(m, x)
		}
		// Multiples of m and their neighbours, where a quotient that is off by one
		// shows.
		top := math.MaxUint64 / m
		for _, q := range []uint64{0, 1, 2, top / 2, top - 1, top} {
			check(m, q*m)
			check(m, q*m-1)
			check(m, q*m+1)
		}
	}
	for range 200_000 / testScale() {
		m := r.Uint64()>>r.UintN(64) | 1<<r.UintN(64)
		x := r.Uint64() >> r.UintN(64)
		check(m, x)
		check(m, x/m*m)
		check(m, x/m*m-1)
	}
}

func FuzzDivisor(f *testing.F) {
	f.Add(uint64(3), uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, m, x uint64) {
		if m == 0 {
			return
		}
		if got := newDivisor(m).mod(x); got != x%m {
			t.Fatalf("%d mod %d = %d, want %d", x, m, got, x%m)
		}
	})
}

// testScale divides the work of tests that emulators run too.
func testScale() int {
	if testing.Short() {
		return 10
	}
	return 1
}

// TestBloomBits compares the bits that every way of adding sets, and the answers
// of every way of testing, with the description of the format.
func TestBloomBits(t *testing.T) {
	const n = 2*bloomTileKeys + 37
	keys, absent := bloomKeys(1, n), bloomKeys(2, n)
	forEachLevel(t, func(t *testing.T) {
		for _, m := range []uint{1, 2, 63, 64, 65, 1000, 4096, 20011} {
			for _, k := range []uint{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33} {
				want := NewBitSet(m)
				for _, key := range keys {
					for _, b := range bloomReference(key, uint64(m), k) {
						want.Set(uint(b))
					}
				}
				for name, add := range map[string]func(f *Bloom){
					"Add":       func(f *Bloom) { eachKey(keys, func(key []byte) { f.Add(key) }) },
					"AddString": func(f *Bloom) { eachKey(keys, func(key []byte) { f.AddString(string(key)) }) },
					"TestAndAdd": func(f *Bloom) {
						eachKey(keys, func(key []byte) {
							if was := f.Test(key); f.TestAndAdd(key) != was {
								t.Fatalf("m = %d, k = %d, key %x: TestAndAdd gives %v", m, k, key, !was)
							}
						})
					},
					"TestOrAdd": func(f *Bloom) {
						eachKey(keys, func(key []byte) {
							if was := f.Test(key); f.TestOrAdd(key) != was {
								t.Fatalf("m = %d, k = %d, key %x: TestOrAdd gives %v", m, k, key, !was)
							}
						})
					},
					"AddBytes":   func(f *Bloom) { f.AddBytes(keys) },
					"AddStrings": func(f *Bloom) { f.AddStrings(keyStrings(keys)) },
				} {
					f := mustBloom(t, m, k)
					add(f)
					if !f.BitSet().Equal(want) {
						t.Fatalf("m = %d, k = %d: %s sets other bits than the specification", m, k, name)
					}
				}
				f := NewBloomFromWords(want.Words(), m, k)
				for _, key := range slices.Concat(keys, absent) {
					all := true
					for _, b := range bloomReference(key, uint64(m), k) {
						all = all && want.Test(uint(b))
					}
					if f.Test(key) != all || f.TestString(string(key)) != all ||
						f.TestLocations(BloomLocations(key, k)) != all {
						t.Fatalf("m = %d, k = %d, key %x: want %v of all tests", m, k, key, all)
					}
				}
				checkBloomBatch(t, f, slices.Concat(keys, absent))
			}
		}
	})
}

func eachKey(keys [][]byte, f func(key []byte)) {
	for _, key := range keys {
		f(key)
	}
}

// checkBloomBatch compares batches of all the lengths that matter with Test.
func checkBloomBatch(t *testing.T, f *Bloom, keys [][]byte) {
	t.Helper()
	strs := keyStrings(keys)
	for _, n := range []int{0, 1, bloomTileMin - 1, bloomTileMin, 63, 64, 65, bloomTileKeys - 1,
		bloomTileKeys, bloomTileKeys + 1, 2*bloomTileKeys + 5, len(keys)} {
		batch := keys[len(keys)-n:]
		want := NewBitSet(uint(n))
		for i, key := range batch {
			want.SetTo(uint(i), f.Test(key))
		}
		// Results that are longer, shorter and dirty before.
		for _, hits := range []*BitSet{NewBitSet(1000).SetAll(), NewBitSet(3).SetAll(), nil} {
			got := f.TestBytes(batch, hits)
			if uint(got) != want.Count() || hits != nil && !hits.Equal(want) {
				t.Fatalf("TestBytes of %d keys: %d hits %v, want %v", n, got, hits, want)
			}
			hits.SetAll()
			got = f.TestStrings(strs[len(keys)-n:], hits)
			if uint(got) != want.Count() || hits != nil && !hits.Equal(want) {
				t.Fatalf("TestStrings of %d keys: %d hits %v, want %v", n, got, hits, want)
			}
		}
	}
}

// TestBloomFarBatch is TestBloomBits for a filter so large that waves go through
// it where nothing prefetches.
func TestBloomFarBatch(t *testing.T) {
	const m, k = 64*bloomFarWords + 12345, 7 // 4 MiB
	keys := bloomKeys(3, 2*bloomTileKeys+1)
	forEachLevel(t, func(t *testing.T) {
		f, g := mustBloom(t, m, k), mustBloom(t, m, k)
		f.AddBytes(keys)
		eachKey(keys, func(key []byte) { g.Add(key) })
		if !f.Equal(g) {
			t.Fatal("AddBytes and Add set different bits")
		}
		checkBloomBatch(t, f, slices.Concat(keys, bloomKeys(4, 100)))
	})
}

// TestBloomWaves compares each kernel with its specification.
func TestBloomWaves(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	forEachLevel(t, func(t *testing.T) {
		words := make([]uint64, 50)
		for i := range words {
			words[i] = r.Uint64()
		}
		for n := 1; n <= bloomTileKeys; n++ {
			d := newDivisor(1 + r.Uint64N(64*uint64(len(words))))
			var want bloomTile
			for i := range want.bit {
				want.bit[i] = d.mod(r.Uint64())
				want.key[i] = uint64(i)
				for j := range want.hash {
					want.hash[j][i] = r.Uint64()
				}
			}
			got := want
			bloomFirst(words, &got, n, d)
			bloomFirstGeneric(&want, n, d)
			if got != want {
				t.Fatalf("n = %d: bloomFirst differs", n)
			}
			i := r.Uint64N(70)
			live := bloomTestWave(words, &got, n, i, d)
			wantLive := bloomTestWaveGeneric(words, &want, n, i, d)
			if live != wantLive || !slices.Equal(got.key[:live], want.key[:live]) ||
				!slices.Equal(got.bit[:live], want.bit[:live]) {
				t.Fatalf("n = %d: bloomTestWave differs", n)
			}
			// What follows the survivors is unspecified, what follows the n is not.
			if !slices.Equal(got.key[n:], want.key[n:]) || !slices.Equal(got.bit[n:], want.bit[n:]) {
				t.Fatalf("n = %d: bloomTestWave writes past its keys", n)
			}
			got = want
			gotWords := slices.Clone(words)
			bloomAddWave(gotWords, &got, n, i, d)
			wantWords := slices.Clone(words)
			bloomAddWaveGeneric(wantWords, &want, n, i, d)
			if got != want || !slices.Equal(gotWords, wantWords) {
				t.Fatalf("n = %d: bloomAddWave differs", n)
			}
		}
	})
}

func TestBloomNoFalseNegatives(t *testing.T) {
	n := 20_000 / testScale()
	keys := bloomKeys(7, n)
	f, err := NewBloom(uint(n), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	f.AddBytes(keys)
	var hits BitSet
	if got := f.TestBytes(keys, &hits); got != n || !hits.All() {
		t.Errorf("%d of %d added keys found in a batch", got, n)
	}
	for _, key := range keys {
		if !f.Test(key) {
			t.Fatalf("added key %x not found", key)
		}
	}
}

// TestBloomRate checks that the false-positive rate is the one asked for, to
// within 4.5 standard deviations, and that the estimates are right.
func TestBloomRate(t *testing.T) {
	n := 20_000 / testScale()
	tests := 200_000 / testScale()
	keys, absent := bloomKeys(8, n), bloomKeys(9, tests)
	for _, p := range []float64{0.5, 0.3, 0.1, 0.03, 0.01, 0.001} {
		f, err := NewBloom(uint(n), p)
		if err != nil {
			t.Fatal(err)
		}
		f.AddBytes(keys)
		model := BloomRate(f.Cap(), f.K(), uint(n))
		if model > p || model < 0.99*p {
			t.Errorf("p = %v: m = %d, k = %d give %v", p, f.Cap(), f.K(), model)
		}
		hits := float64(f.TestBytes(absent, nil))
		want := f.FPRate() * float64(tests)
		if dev := math.Sqrt(want); math.Abs(hits-want) > 4.5*dev {
			t.Errorf("p = %v: %v false positives of %d, want %.0f ± %.0f", p, hits, tests, want, dev)
		}
		// The fill's standard deviation, by Poisson's approximation.
		load := float64(f.K()) * float64(n) / float64(f.Cap())
		empty := math.Exp(-load)
		dev := math.Sqrt(empty * (1 - (1+load)*empty) / float64(f.Cap()))
		if fill := f.Fill(); math.Abs(fill-(1-empty)) > 4.5*dev {
			t.Errorf("p = %v: fill %v, want %v ± %v", p, fill, 1-empty, dev)
		}
		if got := float64(f.EstimatedCount()); math.Abs(got-float64(n)) > 0.02*float64(n) {
			t.Errorf("p = %v: EstimatedCount %v, want about %d", p, got, n)
		}
		if got := float64(f.ApproximatedSize()); math.Abs(got-float64(n)) > 0.02*float64(n) {
			t.Errorf("p = %v: ApproximatedSize %v, want about %d", p, got, n)
		}
	}
}

func TestBloomParameters(t *testing.T) {
	for _, n := range []uint{1, 2, 10, 1000, 1e6} {
		for _, p := range []float64{1 - 1e-9, 0.9, 0.5, 0.49, 0.25, 0.01, 1e-3, 1e-6, 1e-15, 1e-100, 1e-300} {
			m, k, err := BloomParameters(n, p)
			if err != nil {
				t.Fatalf("n = %d, p = %v: %v", n, p, err)
			}
			if rate := BloomRate(m, k, n); rate > p*(1+1e-9) {
				t.Errorf("n = %d, p = %v: m = %d, k = %d give %v", n, p, m, k, rate)
			}
			// No k does with fewer bits.
			for other := uint(1); other <= 2*k+2; other++ {
				if m > 1 && BloomRate(m-1, other, n) <= p*(1-1e-9) {
					t.Errorf("n = %d, p = %v: m = %d, but %d with k = %d will do", n, p, m, m-1, other)
				}
			}
		}
	}
	for _, c := range []struct {
		n uint
		p float64
	}{{0, 0.1}, {1, 0}, {1, 1}, {1, -0.5}, {1, 2}, {1, math.NaN()}, {1, math.Inf(1)}, {1, 5e-324}, {math.MaxUint, 1e-300}} {
		if _, _, err := BloomParameters(c.n, c.p); !errors.Is(err, ErrParameter) {
			t.Errorf("BloomParameters(%d, %v): %v, want ErrParameter", c.n, c.p, err)
		}
		if f, err := NewBloom(c.n, c.p); !errors.Is(err, ErrParameter) || f != nil {
			t.Errorf("NewBloom(%d, %v): %v, %v, want ErrParameter", c.n, c.p, f, err)
		}
	}
	sizes := [][2]uint{{0, 1}, {1, 0}, {1, maxBloomK + 1}, {1, math.MaxUint}}
	if big := uint64(maxBloomBits) + 1; uint64(uint(big)) == big {
		sizes = append(sizes, [2]uint{uint(big), 1}, [2]uint{math.MaxUint, 1})
	}
	for _, s := range sizes {
		if _, err := NewBloomWithSize(s[0], s[1]); !errors.Is(err, ErrParameter) {
			t.Errorf("NewBloomWithSize(%d, %d): %v, want ErrParameter", s[0], s[1], err)
		}
	}
}

// TestBloomShort is about bitsets that hold fewer bits than m.
func TestBloomShort(t *testing.T) {
	keys := bloomKeys(10, 100)
	words := make([]uint64, 3)
	f, want := NewBloomFromWords(words, 1000, 5), mustBloom(t, 1000, 5)
	if f.Test(keys[0]) || f.TestBytes(keys, nil) != 0 {
		t.Error("an empty filter over too few words contains a key")
	}
	for i, key := range keys {
		switch i % 4 {
		case 0:
			f.Add(key)
		case 1:
			if f.TestAndAdd(key) != want.Test(key) {
				t.Fatal("TestAndAdd")
			}
		case 2:
			if f.TestOrAdd(key) != want.Test(key) {
				t.Fatal("TestOrAdd")
			}
		case 3:
			f.AddBytes(keys[i : i+1])
		}
		want.Add(key)
		if !f.Test(key) {
			t.Fatalf("key %d is missing", i)
		}
		if !slices.Equal(f.BitSet().AppendTo(nil), want.BitSet().AppendTo(nil)) {
			t.Fatalf("after key %d the bits are %v, want %v", i, f.BitSet(), want.BitSet())
		}
		if c := f.Copy(); !c.Equal(f) {
			t.Fatal("a copy differs")
		}
	}

	// The slow path is for these alone, by a single bit.
	for _, c := range []struct {
		m     uint
		short bool
	}{{0, true}, {1, false}, {191, false}, {192, false}, {193, true}} {
		f := NewBloomFromWords(make([]uint64, 3), c.m, 1)
		if f.short() != c.short {
			t.Errorf("m = %d over 192 bits: short is %v", c.m, f.short())
		}
	}

	for _, f := range []*Bloom{{}, NewBloomFromWords(nil, 0, 3)} {
		if f.Test(keys[0]) || f.TestBytes(keys, nil) != 0 || f.TestLocations([]uint64{1}) {
			t.Error("a filter of no bits contains a key")
		}
		if f.Fill() != 0 || f.FPRate() != 0 || f.EstimatedCount() != 0 {
			t.Error("a filter of no bits has statistics")
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("adding to a filter of no bits does not panic")
				}
			}()
			f.Add(keys[0])
		}()
	}

	all := NewBloomFromWords(make([]uint64, 2), 100, 0)
	if all.Add(keys[0]); !all.Test(keys[1]) || all.TestBytes(keys, nil) != len(keys) || all.BitSet().Any() {
		t.Error("a filter with k = 0 must contain everything and set nothing")
	}
}

func TestBloomOverWords(t *testing.T) {
	words := make([]uint64, 10)
	f := NewBloomFromWords(words, 640, 5)
	f.AddString("test")
	if Count(words) == 0 {
		t.Error("the words are not shared")
	}
	if g := NewBloomFromWords(words, 640, 5); !g.TestString("test") {
		t.Error("a filter over the same words lacks the key")
	}
	if f.Cap() != 640 || f.K() != 5 || f.SizeBytes() != 80 || f.BitSet() != f.BitSet() {
		t.Error("the filter's description is wrong")
	}
	f.BitSet().ClearAll()
	if f.TestString("test") {
		t.Error("BitSet is not the filter's own")
	}
}

func TestBloomSetOperations(t *testing.T) {
	keys := bloomKeys(11, 60)
	make2 := func() (f, g *Bloom) {
		f, g = mustBloom(t, 5000, 4), mustBloom(t, 5000, 4)
		f.AddBytes(keys[:40])
		g.AddBytes(keys[20:])
		return f, g
	}
	both := mustBloom(t, 5000, 4)
	both.AddBytes(keys)
	f, g := make2()
	if f.Equal(g) || !f.Equal(f.Copy()) {
		t.Error("Equal")
	}
	if err := f.Merge(g); err != nil || !f.Equal(both) {
		t.Errorf("Merge: %v", err)
	}
	f, g = make2()
	c := f.Copy()
	if err := f.Intersect(g); err != nil || f.TestBytes(keys[20:40], nil) != 20 || f.Fill() >= c.Fill() {
		t.Errorf("Intersect: %v", err)
	}
	if c.TestBytes(keys[:40], nil) != 40 {
		t.Error("a copy shares memory")
	}
	for _, other := range []*Bloom{mustBloom(t, 5001, 4), mustBloom(t, 5000, 5)} {
		before := c.Copy()
		if err := c.Merge(other); !errors.Is(err, ErrMismatch) || !c.Equal(before) {
			t.Errorf("Merge of different filters: %v", err)
		}
		if err := c.Intersect(other); !errors.Is(err, ErrMismatch) || !c.Equal(before) {
			t.Errorf("Intersect of different filters: %v", err)
		}
	}
	if c.ClearAll() != c || c.BitSet().Any() || c.Cap() != 5000 || c.Test(keys[0]) {
		t.Error("ClearAll")
	}
}

func TestBloomEstimateExtremes(t *testing.T) {
	f := mustBloom(t, 1000, 3)
	if f.EstimatedCount() != 0 || f.ApproximatedSize() != 0 || f.FPRate() != 0 {
		t.Error("an empty filter has keys")
	}
	f.BitSet().SetAll()
	if f.EstimatedCount() != math.MaxUint64 || f.ApproximatedSize() != math.MaxUint32 || f.FPRate() != 1 {
		t.Error("a full filter has a finite number of keys")
	}
}

func TestBloomAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	f := mustBloom(t, 100_000, 7)
	keys := bloomKeys(12, 300)
	strs := keyStrings(keys)
	long := string(make([]byte, 1000))
	hits := NewBitSet(300)
	for name, fn := range map[string]func(){
		"one": func() {
			var key [44]byte // must not escape to the heap
			f.Add(key[:])
			f.Test(key[:])
			f.TestAndAdd(key[:])
			f.TestOrAdd(key[:])
		},
		"string": func() {
			f.AddString(long)
			f.TestString(long)
			f.TestAndAddString(long)
			f.TestOrAddString(long)
		},
		"batch": func() {
			f.AddBytes(keys)
			f.AddStrings(strs)
			f.TestBytes(keys, hits)
			f.TestStrings(strs, hits)
			f.TestBytes(keys[:5], nil)
		},
	} {
		if n := testing.AllocsPerRun(20, fn); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestBloomVast is about filters of more than 2^32 bits.
func TestBloomVast(t *testing.T) {
	if testing.Short() || math.MaxUint>>32 == 0 {
		t.Skip("768 MiB of address space")
	}
	m := uint(3)
	m = m<<31 + 12345
	keys := bloomKeys(13, bloomTileMin)
	want := map[uint]bool{}
	for _, key := range keys {
		for _, b := range bloomReference(key, uint64(m), 3) {
			want[uint(b)] = true
		}
	}
	f := mustBloom(t, m, 3)
	forEachLevel(t, func(t *testing.T) {
		if f.TestBytes(keys, nil) != 0 {
			t.Error("an empty filter contains a key")
		}
		f.AddBytes(keys)
		high := 0
		for b := range want {
			if !f.BitSet().Test(b) {
				t.Errorf("bit %d is clear", b)
			}
			if low := uint(uint32(b)); low != b {
				high++
				if f.BitSet().Test(low) != want[low] {
					t.Errorf("bit %d is set, as if for %d", low, b)
				}
			}
		}
		if high == 0 {
			t.Error("no bit is past 2^32")
		}
		if f.TestBytes(keys, nil) != len(keys) || !f.Test(keys[0]) || f.TestString("absent") {
			t.Error("wrong answers")
		}
		for b := range want {
			f.BitSet().Clear(b)
		}
	})
}

// FuzzBloomModel runs a program of operations against a set of bits computed by
// the description of the format.
func FuzzBloomModel(f *testing.F) {
	f.Add(uint16(1000), uint8(4), []byte("\x00Love\x01Love\x02is\x03in"))
	f.Add(uint16(0), uint8(0), []byte("\x04a\x05bc\x06\x07"))
	f.Fuzz(func(t *testing.T, m16 uint16, k8 uint8, program []byte) {
		m, k := uint(m16)+1, uint(k8%20)+1
		b := mustBloom(t, m, k)
		model := map[uint64]bool{}
		for len(program) > 1 {
			op, n := program[0]%8, min(int(program[1]%32), len(program)-2)
			key := program[2 : 2+n]
			program = program[2+n:]
			bits := bloomReference(key, uint64(m), k)
			present := true
			for _, x := range bits {
				present = present && model[x]
			}
			got := present
			switch op {
			case 0:
				b.Add(key)
			case 1:
				got = b.Test(key)
			case 2:
				got = b.TestAndAdd(key)
			case 3:
				got = b.TestOrAddString(string(key))
			case 4:
				b.AddStrings(slices.Repeat([]string{string(key)}, 20))
			case 5:
				got = b.TestBytes(slices.Repeat([][]byte{key}, 20), nil) == 20
			case 6:
				data, _ := b.MarshalBinary()
				b = new(Bloom)
				if err := b.UnmarshalBinary(data); err != nil {
					t.Fatal(err)
				}
			case 7:
				b = b.Copy()
			}
			if got != present {
				t.Fatalf("op %d of %x: %v, want %v", op, key, got, present)
			}
			if op == 0 || op >= 2 && op <= 4 {
				for _, x := range bits {
					model[x] = true
				}
			}
		}
		if b.BitSet().Count() != uint(len(model)) {
			t.Fatalf("%d bits, want %d", b.BitSet().Count(), len(model))
		}
		for x := range b.BitSet().EachSet() {
			if !model[uint64(x)] {
				t.Fatalf("bit %d is set", x)
			}
		}
	})
}

func ExampleNewBloom() {
	f, err := NewBloom(1000, 0.01)
	if err != nil {
		panic(err)
	}
	f.AddString("Love")
	fmt.Println(f.TestString("Love"), f.TestString("Hate"))
	// Output: true false
}

func ExampleBloom_TestStrings() {
	f, err := NewBloom(1000, 1e-6)
	if err != nil {
		panic(err)
	}
	f.AddStrings([]string{"to", "be", "or"})

	var hits BitSet
	n := f.TestStrings([]string{"to", "sleep", "or", "dream"}, &hits)
	fmt.Println(n, "may be there:", hits.String())
	// Output: 2 may be there: {0,2}
}
