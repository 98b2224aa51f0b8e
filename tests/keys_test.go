package tests

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/race"
)

// scatteredKeys returns n keys of 0 to 50 bytes in an order that has nothing to
// do with where they lie, of which the first and the last are not near each other.
func scatteredKeys(n int) [][]byte {
	r := rand.New(rand.NewPCG(31, 32))
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	keys := make([][]byte, n)
	for i := range keys {
		at, length := r.IntN(len(text)-50), r.IntN(51)
		keys[i] = text[at : at+length : at+length]
	}
	return keys
}

// TestScatteredKeys is about keys that are read ahead, empty ones among them.
func TestScatteredKeys(t *testing.T) {
	keys := scatteredKeys(3*chunkKeys + 5)
	for i := 7; i < len(keys); i += 50 {
		keys[i] = nil
	}
	strs := make([]string, len(keys))
	for i, key := range keys {
		strs[i] = unsafe.String(unsafe.SliceData(key), len(key)) // a copy would lie in order
	}
	type filter interface {
		AddBytes(keys [][]byte)
		AddStrings(keys []string)
		TestBytes(keys [][]byte, hits *BitSet) int
		TestStrings(keys []string, hits *BitSet) int
		TestString(key string) bool
	}
	for name, make := range map[string]func() filter{
		"Blocked": func() filter { return mustBlocked(t, 1000, 8) },
		"keyed":   func() filter { return mustBlocked(t, 1000, 8, WithKey(secretKey)) },
		"Bloom":   func() filter { return mustBloom(t, 20011, 7) },
	} {
		t.Run(name, func(t *testing.T) {
			half := len(keys) / 2
			f, g := make(), make()
			f.AddBytes(keys[:half])
			g.AddStrings(strs[:half])
			want := NewBitSet(uint(len(keys)))
			for i, s := range strs {
				want.SetTo(uint(i), f.TestString(s))
				if f.TestString(s) != g.TestString(s) {
					t.Fatalf("key %d: AddBytes and AddStrings differ", i)
				}
			}
			if n := want.Count(); n < uint(half) || n == uint(len(keys)) {
				t.Fatalf("%d of %d keys are present", n, len(keys))
			}
			var hits BitSet
			if f.TestBytes(keys, &hits); !hits.Equal(want) {
				t.Error("TestBytes and TestString differ")
			}
			if f.TestStrings(strs, &hits); !hits.Equal(want) {
				t.Error("TestStrings and TestString differ")
			}
			if race.Enabled {
				return // the race detector allocates
			}
			if n := testing.AllocsPerRun(3, func() {
				f.AddBytes(keys)
				f.TestBytes(keys, &hits)
				f.TestStrings(strs, &hits)
			}); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}
