package guava

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/rounds"
)

// TestLocate compares a round's bits with those of single keys for all sizes of filters,
// 2^37 bits included, and numbers next to multiples of the size, where a quotient by
// floating point goes wrong first. There are no such filters: nothing is looked at.
func TestLocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, m := range []uint64{64, 1<<13 - 64, 1 << 13, 1<<13 + 64, 95850624, 1<<31 - 64, 1 << 31, 1<<31 + 64, 64 * 1000003, 64 * maxWords, 1 << 37} {
			for _, s := range []Strategy{MITZ32, MITZ64} {
				p := newProbes(nil, 7, s)
				p.div = rounds.NewDivisor(m)
				if m >= 8*minVectorBytes {
					p.inverse = 1 / float64(m)
				}
				for round := range 40 {
					testLocate(t, r, &p, uint64(round))
				}
			}
		}
	})
}

func testLocate(t *testing.T, r *rand.Rand, p *probes, i uint64) {
	t.Helper()
	var tile tile
	var sums [tileKeys]sum
	for j := range sums {
		h := sum{r.Uint64(), r.Uint64()}
		if j%2 == 0 {
			near := math.MaxInt64 / p.div.M * p.div.M // the last multiple
			h = sum{[]uint64{0, math.MaxUint64, 1 << 63, near, r.Uint64() % near / p.div.M * p.div.M}[j/2%5] + uint64(j%3) - 1, 0}
		}
		sums[j] = h
		tile.put(p, j, h)
	}
	for n := range tileKeys + 1 {
		if n == 0 || n > 20 && n < tileKeys-9 {
			continue
		}
		tile.locate(p, n, i)
		for j, h := range sums[:n] {
			if want := p.locate(p.terms(h), i); tile.bit[j] != want {
				t.Fatalf("%d bits, %v: bit %d of %x, key %d of %d: %d, want %d", p.div.M, p.strategy, i, h, j, n, tile.bit[j], want)
			}
		}
	}
}

// TestSift compares a round with its specification, in data that begins or ends at a page
// that faults.
func TestSift(t *testing.T) {
	mem := memory.Bytes(kerneltest.Guarded(t, 1<<13))
	r := rand.New(rand.NewPCG(3, 4))
	for i := range mem {
		mem[i] = byte(r.Uint32() | r.Uint32()&r.Uint32())
	}
	size := len(mem)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, data := range [][]byte{mem, mem[:8], mem[size-8:], mem[:minVectorBytes], mem[size-minVectorBytes:], mem[1 : size-7], mem[7 : size-1], mem[3 : 3+8*333]} {
			for _, s := range []Strategy{MITZ32, MITZ64} {
				p := newProbes(data, 7, s)
				for n := 1; n <= tileKeys; n++ {
					testSift(t, r, &p, n)
				}
			}
		}
	})
}

func testSift(t *testing.T, r *rand.Rand, p *probes, n int) {
	t.Helper()
	var tile tile
	var wantBit, wantKey []uint64
	for s := range n {
		tile.h1[s], tile.h2[s] = r.Uint64(), r.Uint64()
	}
	for s := range n {
		j := uint64(r.IntN(n))
		bit := []uint64{r.Uint64() % p.div.M, 0, p.div.M - 1}[max(r.IntN(8)-5, 0)]
		tile.key[s], tile.bit[s] = j, bit
		if p.data[bit/8^7]>>(bit%8)&1 != 0 {
			wantKey = append(wantKey, j)
			wantBit = append(wantBit, p.locate(sum{tile.h1[j], tile.h2[j]}, 3))
		}
	}
	live := tile.sift(p, n, 3)
	if live != len(wantKey) {
		t.Fatalf("%d bytes, %d keys: %d are left, want %d", len(p.data), n, live, len(wantKey))
	}
	for s := range live {
		if tile.key[s] != wantKey[s] || tile.bit[s] != wantBit[s] {
			t.Fatalf("%d bytes, %d keys: place %d: key %d, bit %d, want %d, %d", len(p.data), n, s, tile.key[s], tile.bit[s], wantKey[s], wantBit[s])
		}
	}
	for s := live; s < tileKeys; s++ {
		if tile.key[s] >= tileKeys || tile.bit[s] >= p.div.M {
			t.Fatalf("%d bytes, %d keys: place %d holds key %d, bit %d", len(p.data), n, s, tile.key[s], tile.bit[s])
		}
	}
	prefetch(p.data, tile.bit[:live]) // must not fault
}
