package rounds

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// A filter of so many words lies between guard pages, flush with one of them.
const guardedWords = 1 << 13

// TestRounds compares each round with its specification, for every number of
// keys.
func TestRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	near := cpu.Tune.Batches.BloomNear
	defer func() { cpu.Tune.Batches.BloomNear = near }()
	kerneltest.EachLevel(t, func(t *testing.T) {
		mem := kerneltest.Guarded(t, guardedWords)
		for n := 1; n <= Size; n++ {
			for _, size := range []int{1, 50, 50, 4000, 4000} { // with either hint, but for the first
				words, start := kerneltest.RandomPlace(r).Slice(mem, size)
				kerneltest.Fill(r, words, kerneltest.Random, 0)
				before, after := kerneltest.Sides(mem, start, size)
				kerneltest.SetCanary(before, after)
				cpu.Tune.Batches.BloomNear = !cpu.Tune.Batches.BloomNear
				checkRounds(t, r, words, n)
				if !kerneltest.CanaryIntact(before, after) {
					t.Fatalf("n = %d: wrote outside the filter", n)
				}
			}
		}
	})
}

func checkRounds(t *testing.T, r *rand.Rand, words []uint64, n int) {
	t.Helper()
	size := 64 * uint64(len(words))
	d := NewDivisor(size - r.Uint64N(min(size, 100)))
	var want Batch
	for s := range want.bit {
		want.bit[s] = d.Mod(r.Uint64())
		want.key[s] = uint64(s)
		for i := range want.hash {
			want.hash[i][s] = r.Uint64()
		}
	}
	got := want
	first(words, &got, n, d)
	firstGeneric(&want, n, d)
	want.near = got.near
	if got != want {
		t.Fatalf("n = %d: first differs", n)
	}
	// Of a later round, some keys are ruled out.
	r.Shuffle(n, func(i, j int) {
		got.key[i], got.key[j] = got.key[j], got.key[i]
		got.bit[i], got.bit[j] = got.bit[j], got.bit[i]
	})
	want = got

	i := r.Uint64N(70)
	unchanged := slices.Clone(words)
	live, wantLive := test(words, &got, n, i, d), testGeneric(words, &want, n, i, d)
	if live != wantLive || !slices.Equal(got.key[:live], want.key[:live]) ||
		!slices.Equal(got.bit[:live], want.bit[:live]) {
		t.Fatalf("n = %d: test differs", n)
	}
	// What follows the live ones is unspecified, what follows the n is not.
	if !slices.Equal(got.key[n:], want.key[n:]) || !slices.Equal(got.bit[n:], want.bit[n:]) ||
		got.hash != want.hash {
		t.Fatalf("n = %d: test writes outside its keys", n)
	}
	if !slices.Equal(words, unchanged) {
		t.Fatalf("n = %d: test changes the filter", n)
	}

	got = want
	add(words, &got, n, i, d)
	addGeneric(unchanged, &want, n, i, d)
	if got != want || !slices.Equal(words, unchanged) {
		t.Fatalf("n = %d: add differs", n)
	}
}

// TestTestAndAdd compares with the same keys one after the other, doubles among
// them, in filters so small that keys share bits.
func TestTestAndAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for k := uint64(1); k <= MaxTestAndAddK; k++ {
			for _, n := range []int{1, 2, 63, 64, 65, Size - 1, Size} {
				d := NewDivisor(k*uint64(n) + r.Uint64N(64))
				words := make([]uint64, (d.M+63)/64)
				want := slices.Clone(words)
				var b Batch
				wantHits, hits, count := make([]uint64, (n+63)/64), make([]uint64, (n+63)/64), 0
				for j := range n {
					h := hash.Hasher{}.WideUint64(r.Uint64N(uint64(n)))
					b.Put(j, h)
					hit := uint64(1)
					for i := range k {
						bit := h.Location(i) % d.M
						hit &= want[bit/64] >> (bit % 64)
						want[bit/64] |= 1 << (bit % 64)
					}
					count += int(hit & 1)
					wantHits[j/64] |= hit & 1 << (j % 64)
				}
				saved := b
				if got := b.TestAndAdd(words, d, k, n, hits); got != count || !slices.Equal(hits, wantHits) || !slices.Equal(words, want) {
					t.Fatalf("k = %d, n = %d: %d hits %x, want %d %x", k, n, got, hits, count, wantHits)
				}
				clear(words)
				if got := saved.TestAndAdd(words, d, k, n, nil); got != count {
					t.Fatalf("k = %d, n = %d: %d hits without a place for them, want %d", k, n, got, count)
				}
			}
		}
	})
}

// TestBatch adds and tests keys, and compares with their locations one by one.
func TestBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	keyed, err := hash.New(bytes.Repeat([]byte{7}, hash.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, h := range []hash.Hasher{{}, keyed} {
			for _, k := range []uint64{1, 2, 3, 7, 16} {
				for _, n := range []int{1, 2, 63, 64, 65, Size - 1, Size} {
					checkBatch(t, r, h, k, n)
				}
			}
		}
	})
}

func checkBatch(t *testing.T, r *rand.Rand, h hash.Hasher, k uint64, n int) {
	t.Helper()
	fatalf := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("keyed %v, k = %d, n = %d: %s", h.Keyed(), k, n, fmt.Sprintf(format, args...))
	}
	keys := make([]string, n+3) // more than n go into a Batch only if they fit
	for j := range keys {
		keys[j] = fmt.Sprint(r.Uint64())
	}
	keys = keys[:n+r.IntN(4)]
	d := NewDivisor(64*k*uint64(n) - r.Uint64N(64))
	words := make([]uint64, k*uint64(n))
	want := slices.Clone(words)

	var b Batch
	filled := Fill(&b, h, keys)
	if filled != min(len(keys), Size) {
		fatalf("Fill puts in %d of %d keys", filled, len(keys))
	}
	for j, key := range keys[:filled] {
		if w := h.Wide([]byte(key)); [4]uint64{b.hash[0][j], b.hash[1][j], b.hash[2][j], b.hash[3][j]} !=
			[4]uint64{w.H0, w.H1, w.H2, w.H3} || b.key[j] != uint64(j) {
			fatalf("Fill makes the hash of key %d something else", j)
		}
	}
	b.Add(words, d, k, n)
	for _, key := range keys[:n] {
		w := h.Wide([]byte(key))
		for i := range k {
			bit := w.Location(i) % d.M
			want[bit/64] |= 1 << (bit % 64)
		}
	}
	if !slices.Equal(words, want) {
		fatalf("Add sets other bits")
	}

	// Keys of which every other one was added, as byte slices.
	mixed := make([][]byte, n)
	wantHits, hits := make([]uint64, (n+63)/64), make([]uint64, (n+63)/64)
	count := 0
	for j := range mixed {
		mixed[j] = []byte(keys[j])
		if j%2 != 0 {
			mixed[j] = []byte(fmt.Sprint(r.Uint64()))
		}
		present := uint64(1)
		for i := range k {
			present &= BitAt(words, h.Wide(mixed[j]).Location(i)%d.M)
		}
		wantHits[j/64] |= present << (j % 64)
		count += int(present)
	}
	Fill(&b, h, mixed)
	if got := b.Test(words, d, k, n, nil); got != count {
		fatalf("Test counts %d, want %d", got, count)
	}
	Fill(&b, h, mixed)
	if got := b.Test(words, d, k, n, hits); got != count || !slices.Equal(hits, wantHits) {
		fatalf("Test finds %d, %x, want %d, %x", got, hits, count, wantHits)
	}
}

func TestBitAt(t *testing.T) {
	words := []uint64{0, 1 << 63, 1}
	for i := range uint64(192) {
		want := uint64(0)
		if i == 127 || i == 128 {
			want = 1
		}
		if got := BitAt(words, i); got != want {
			t.Errorf("bit %d: %d, want %d", i, got, want)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	keys := make([]string, Size)
	for j := range keys {
		keys[j] = fmt.Sprint(j)
	}
	words, hits := make([]uint64, 100), make([]uint64, Size/64)
	d := NewDivisor(6400)
	kerneltest.EachLevel(t, func(t *testing.T) {
		if n := testing.AllocsPerRun(10, func() {
			var b Batch
			n := Fill(&b, hash.Hasher{}, keys)
			b.Add(words, d, 7, n)
			n = Fill(&b, hash.Hasher{}, keys)
			b.Test(words, d, 7, n, hits)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
