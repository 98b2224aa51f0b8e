package tests

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// AddBlocks makes the bytes that a Blocked has in its file, and TestBlocks gives its
// answers, wherever they lie.
func TestBlocksAsBlocked(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for k := block.MinK; k <= block.MaxK; k++ {
			blocks := 1 + r.IntN(30)
			f, err := NewBlockedWithSize(uint64(blocks), k)
			if err != nil {
				t.Fatal(err)
			}
			keys, hashes := make([]string, 20*blocks), make([]uint64, 20*blocks)
			for i := range keys {
				keys[i] = fmt.Sprint("key ", i)
				hashes[i] = HashKeyString(keys[i])
				if h := HashKey([]byte(keys[i])); h != hashes[i] || h != f.HashString(keys[i]) {
					t.Fatalf("HashKey(%q) = %#x, HashKeyString %#x", keys[i], h, hashes[i])
				}
			}
			f.AddStrings(keys)
			memory := make([]byte, blocks*block.Bytes+block.Bytes)
			for off := range block.Bytes {
				clear(memory)
				bits := memory[off:][:blocks*block.Bytes]
				AddBlocks(bits, k, hashes[:off/4])
				AddBlocks(bits, k, hashes[off/4:])
				if !bytes.Equal(bits, payload(t, f)) {
					t.Fatalf("k = %d, %d blocks: the bits are not those of a Blocked", k, blocks)
				}
				for i := range uint64(50) {
					if h := r.Uint64(); TestBlocks(bits, k, h) != f.TestHash(h) || !TestBlocks(bits, k, hashes[i%uint64(len(hashes))]) {
						t.Fatalf("k = %d, %d blocks, %d bytes off: the answers are not those of a Blocked", k, blocks, off)
					}
				}
			}
		}
	})
}

// Bits and k from outside that cannot be read may hold every key; who adds to them
// has made a mistake.
func TestBlocksUnreadable(t *testing.T) {
	for _, c := range []struct{ bytes, k int }{
		{0, 8}, {1, 8}, {32, 8}, {63, 8}, {65, 8}, {96, 8}, {127, 8}, {64, 0}, {64, -1}, {64, 17}, {64, math.MinInt}, {64, math.MaxInt},
	} {
		if !TestBlocks(make([]byte, c.bytes), c.k, 1) {
			t.Errorf("TestBlocks of %d bytes, k = %d: false", c.bytes, c.k)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("AddBlocks to %d bytes, k = %d: no panic", c.bytes, c.k)
				}
			}()
			AddBlocks(make([]byte, c.bytes), c.k, []uint64{1})
		}()
	}
	if !TestBlocks(nil, 8, 1) {
		t.Error("TestBlocks of nil: false")
	}
}

func TestBlocksFor(t *testing.T) {
	for _, c := range []struct {
		bits, rate float64
		k          int
	}{{6, 0.0587, 4}, {8, 0.0234, 5}, {10, 0.00973, 6}, {12, 0.00422, 7}, {16, 0.000862, 9}, {24, 5.42e-5, 12}} {
		const n = 1 << 20
		blocks, k := BlocksFor(n, c.bits)
		if blocks != n*uint64(c.bits)/512 || k != c.k {
			t.Errorf("%v bits per key: %d blocks, k = %d", c.bits, blocks, k)
		}
		if rate := BlockedRate(blocks, k, n); math.Abs(rate-c.rate) > 0.01*c.rate {
			t.Errorf("%v bits per key: rate %v, want %v", c.bits, rate, c.rate)
		}
		f, err := NewBlockedWithSize(blocks, k)
		if err != nil {
			t.Fatal(err)
		}
		if f.ExpectedFPRate(n) != BlockedRate(blocks, k, n) {
			t.Error("BlockedRate and ExpectedFPRate differ")
		}
	}
	if r := BlockedRate(0, 8, 1); r != 1 {
		t.Errorf("no blocks: rate %v", r)
	}
	if r := BlockedRate(1, 17, 1); r != 1 {
		t.Errorf("k = 17: rate %v", r)
	}
	if blocks, k := BlocksFor(math.MaxUint64, math.Inf(1)); blocks != maxBlocks || k != 1 {
		t.Errorf("the most: %d blocks, k = %d", blocks, k)
	}
}
