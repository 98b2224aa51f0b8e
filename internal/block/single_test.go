package block

import (
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestSingleVerbs compares the verbs for one key with their specification, with
// and without a secret key, from and to every state of a few blocks.
func TestSingleVerbs(t *testing.T) {
	keyed, err := hash.New([]byte("0123456789abcdef0123456789ABCDEF"))
	if err != nil {
		t.Fatal(err)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for k := MinK; k <= MaxK; k++ {
			for _, h := range []hash.Hasher{{}, keyed} {
				var f, want Filter
				f.Init(New(3, false), k, h)
				want.Init(New(3, false), k, h)
				for range 60 {
					x := r.Uint64()
					if got := f.TestHash(x); got != testHashGeneric(&want, x) {
						t.Fatalf("k = %d: TestHash(%#x) = %v", k, x, got)
					}
					if got := f.TestUint64(x); got != testUint64Generic(&want, x) {
						t.Fatalf("k = %d, keyed %v: TestUint64(%#x) = %v", k, h.Keyed(), x, got)
					}
					f.AddHash(x)
					addHashGeneric(&want, x)
					if !f.TestHash(x) {
						t.Fatalf("k = %d: TestHash(%#x) = false after AddHash", k, x)
					}
					x = r.Uint64()
					f.AddUint64(x)
					addUint64Generic(&want, x)
					if !f.TestUint64(x) {
						t.Fatalf("k = %d, keyed %v: TestUint64(%#x) = false after AddUint64", k, h.Keyed(), x)
					}
					for i := range f.Blocks {
						if f.Blocks[i] != want.Blocks[i] {
							t.Fatalf("k = %d, keyed %v: block %d is not what the specification makes of it", k, h.Keyed(), i)
						}
					}
				}
			}
		}
	})
}

// A Filter that no constructor made contains nothing and cannot be added to, at
// every level; a closed one panics.
func TestNoBlocks(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, k := range []int{6, 8, 12} {
			var zero, closed Filter
			closed.Init(New(1, false), k, hash.Hasher{})
			closed.Close()
			if zero.TestHash(1) || zero.TestUint64(1) {
				t.Error("a zero Filter contains a key")
			}
			for name, verb := range map[string]func(){
				"AddHash to a zero Filter":        func() { zero.AddHash(1) },
				"AddUint64 to a zero Filter":      func() { zero.AddUint64(1) },
				"AddHash to a closed Filter":      func() { closed.AddHash(1) },
				"AddUint64 to a closed Filter":    func() { closed.AddUint64(1) },
				"TestHash of a closed Filter":     func() { closed.TestHash(1) },
				"TestUint64 of a closed Filter":   func() { closed.TestUint64(1) },
				"TestHashes of a closed Filter":   func() { closed.TestHashes(make([]uint64, 99), make([]uint64, 2)) },
				"AddUint64s to a closed Filter":   func() { closed.AddUint64s(make([]uint64, 99)) },
				"TestAndAddHash of a zero Filter": func() { zero.TestAndAddHash(1) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s does not panic", name)
						}
					}()
					verb()
				}()
			}
		}
	})
}
