package tests

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twmb/murmur3"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// bloomReference computes the bits of a key as the format's description has it.
func bloomReference(key []byte, m uint64, k int) []uint64 {
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

func mustBloom(t testing.TB, m uint64, k int) *Bloom {
	t.Helper()
	f, err := NewBloomWithSize(m, k)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// bloomOver is NewBloomFromWords for parameters that are in range.
func bloomOver(t testing.TB, words []uint64, m uint64, k int) *Bloom {
	t.Helper()
	f, err := NewBloomFromWords(words, m, k)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// peerForm returns the bytes that github.com/bits-and-blooms/bloom writes.
func peerForm(f *Bloom) []byte {
	b := binary.BigEndian.AppendUint64(nil, f.Bits())
	b = binary.BigEndian.AppendUint64(b, uint64(f.K()))
	b, _ = f.BitSet().AppendBinary(b)
	return b
}

func TestBloomStreamVector(t *testing.T) {
	f := mustBloom(t, 1000, 4)
	f.AddString("Love")
	if got, want := f.BitSet().AsSlice(make([]uint, 4)), []uint{235, 747, 846, 866}; !slices.Equal(got, want) {
		t.Errorf("bits %v, want %v", got, want)
	}
	data := peerForm(f)
	const want = "428f87817e24f1cb1a88dccba6102bff66ed990398b1e80bc87246dc47916360"
	if sum := sha256.Sum256(data); len(data) != 152 || hex.EncodeToString(sum[:]) != want {
		t.Errorf("stream of %d bytes with SHA-256 %x, want 152 and %s", len(data), sum, want)
	}
}

// TestBloomGolden fixes the bits for all architectures and levels.
func TestBloomGolden(t *testing.T) {
	const want = "32375392b0c3049a9bbe55ad0318f651898e3174c0dfff56b0d6b5328b618257"
	kerneltest.EachLevel(t, func(t *testing.T) {
		h := sha256.New()
		for i, m := range []uint64{1, 64, 1000, 1 << 14, 99991} {
			for _, k := range []int{1, 2, 3, 7, 8, 13} {
				f := mustBloom(t, m, k)
				f.AddBytes(bloomKeys(uint64(i), 300))
				h.Write(peerForm(f))
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("SHA-256 of the filters is %s, want %s", got, want)
		}
	})
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
	const n = 2*rounds.Size + 37
	keys, absent := bloomKeys(1, n), bloomKeys(2, n)
	ks := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33}
	if testing.Short() {
		ks = []int{1, 2, 3, 4, 7}
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, m := range []uint64{1, 2, 63, 64, 65, 1000, 4096, 20011} {
			for _, k := range ks {
				want := NewBitSet(uint(m))
				for _, key := range keys {
					for _, b := range bloomReference(key, m, k) {
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
				f := bloomOver(t, want.Words(), m, k)
				for _, key := range slices.Concat(keys, absent) {
					all := true
					for _, b := range bloomReference(key, m, k) {
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

func TestBloomNoFalseNegatives(t *testing.T) {
	n := 20_000 / testScale()
	keys := bloomKeys(7, n)
	f, err := NewBloom(uint64(n), 0.01)
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

// TestBloomShort is about bitsets that hold fewer bits than m.
func TestBloomShort(t *testing.T) {
	keys := bloomKeys(10, 100)
	words := make([]uint64, 3)
	f, want := bloomOver(t, words, 1000, 5), mustBloom(t, 1000, 5)
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
		if c := f.Clone(); !c.Equal(f) {
			t.Fatal("a copy differs")
		}
	}

	for _, f := range []*Bloom{{}, bloomOver(t, nil, 0, 3)} {
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

	all := bloomOver(t, make([]uint64, 2), 100, 0)
	if all.Add(keys[0]); !all.Test(keys[1]) || all.TestBytes(keys, nil) != len(keys) || all.BitSet().Any() {
		t.Error("a filter with k = 0 must contain everything and set nothing")
	}
}

func TestBloomOverWords(t *testing.T) {
	words := make([]uint64, 10)
	f := bloomOver(t, words, 640, 5)
	f.AddString("test")
	if Count(words) == 0 {
		t.Error("the words are not shared")
	}
	if g := bloomOver(t, words, 640, 5); !g.TestString("test") {
		t.Error("a filter over the same words lacks the key")
	}
	if f.Bits() != 640 || f.K() != 5 || f.SizeBytes() != 80 || f.BitSet() != f.BitSet() {
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
	if f.Equal(g) || !f.Equal(f.Clone()) {
		t.Error("Equal")
	}
	if err := f.Union(g); err != nil || !f.Equal(both) {
		t.Errorf("Union: %v", err)
	}
	f, g = make2()
	c := f.Clone()
	if err := f.Intersect(g); err != nil || f.TestBytes(keys[20:40], nil) != 20 || f.Fill() >= c.Fill() {
		t.Errorf("Intersect: %v", err)
	}
	if c.TestBytes(keys[:40], nil) != 40 {
		t.Error("a copy shares memory")
	}
	for _, other := range []*Bloom{mustBloom(t, 5001, 4), mustBloom(t, 5000, 5)} {
		before := c.Clone()
		if err := c.Union(other); !errors.Is(err, ErrMismatch) || !c.Equal(before) {
			t.Errorf("Union of different filters: %v", err)
		}
		if err := c.Intersect(other); !errors.Is(err, ErrMismatch) || !c.Equal(before) {
			t.Errorf("Intersect of different filters: %v", err)
		}
	}
	if c.Clear(); c.BitSet().Any() || c.Bits() != 5000 || c.Test(keys[0]) {
		t.Error("Clear")
	}
}

func TestBloomAllocs(t *testing.T) {
	if race.Enabled {
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

// FuzzBloomModel runs a program of operations against a set of bits computed by
// the description of the format.
func FuzzBloomModel(f *testing.F) {
	f.Add(uint16(1000), uint8(4), []byte("\x00Love\x01Love\x02is\x03in"))
	f.Add(uint16(0), uint8(0), []byte("\x04a\x05bc\x06\x07"))
	f.Fuzz(func(t *testing.T, m16 uint16, k8 uint8, program []byte) {
		m, k := uint64(m16)+1, int(k8%20)+1
		b := mustBloom(t, m, k)
		model := map[uint64]bool{}
		for len(program) > 1 {
			op, n := program[0]%8, min(int(program[1]%32), len(program)-2)
			key := program[2 : 2+n]
			program = program[2+n:]
			bits := bloomReference(key, m, k)
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
				b = bloomOver(t, b.BitSet().Words(), m, k)
			case 7:
				b = b.Clone()
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
