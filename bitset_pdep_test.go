package bitsieve

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// extractReference and depositReference move one bit at a time.
func extractReference(src, mask []uint64) []uint64 {
	var out []uint64
	for j, i := range AppendIndices(nil, mask) {
		if j%64 == 0 {
			out = append(out, 0)
		}
		out[j/64] |= src[i/64] >> (i % 64) & 1 << (j % 64)
	}
	return out
}

func depositReference(dst, src, mask []uint64) []uint64 {
	out := slices.Clone(dst)
	word, stopped := -1, false
	for j, i := range AppendIndices(nil, mask) {
		if w := int(i / 64); w != word {
			word, stopped = w, j/64 >= len(src)
		}
		if stopped {
			break
		}
		out[i/64] &^= 1 << (i % 64)
		if j/64 < len(src) {
			out[i/64] |= src[j/64] >> (j % 64) & 1 << (i % 64)
		}
	}
	return out
}

// maskWords returns n words of one of several densities, the last one not zero.
func maskWords(r *rand.Rand, n, density int) []uint64 {
	p := make([]uint64, n)
	for i := range p {
		switch density {
		case 0:
			p[i] = r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
		case 1:
			p[i] = r.Uint64()
		case 2:
			p[i] = r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64()
		case 3:
			p[i] = -(r.Uint64() & 1) // all or nothing
		}
	}
	p[n-1] |= 1 << r.UintN(64)
	return p
}

func TestExtractDepositWords(t *testing.T) {
	const canary = 0xdeadbeefcafef00d
	r := rand.New(rand.NewPCG(9, 10))
	random := func(n int) []uint64 { return maskWords(r, n, 1) }
	kerneltest.EachLevel(t, func(t *testing.T) {
		for n := 1; n <= 40; n++ {
			for density := range 4 {
				mask, src := maskWords(r, n, density), random(n)

				want := extractReference(src, mask)
				dst := append(append([]uint64{canary}, random(len(want))...), canary)
				extractWords(dst[1:len(dst)-1], src, mask)
				if !slices.Equal(dst[1:len(dst)-1], want) {
					t.Fatalf("extractWords: %d words, density %d:\ngot  %x\nwant %x\nsrc  %x\nmask %x", n, density, dst[1:len(dst)-1], want, src, mask)
				}
				if dst[0] != canary || dst[len(dst)-1] != canary {
					t.Fatalf("extractWords: %d words, density %d: wrote outside", n, density)
				}

				// Sources shorter than the mask asks for, as long and longer.
				for _, size := range []int{1, len(want) - 1, len(want), len(want) + 1} {
					if size < 1 {
						continue
					}
					src := random(size)
					dst := append(append([]uint64{canary}, random(n)...), canary)
					want := depositReference(dst[1:n+1], src, mask)
					depositWords(dst[1:n+1], src, mask)
					if !slices.Equal(dst[1:n+1], want) {
						t.Fatalf("depositWords: %d words from %d, density %d:\ngot  %x\nwant %x\nsrc  %x\nmask %x", n, size, density, dst[1:n+1], want, src, mask)
					}
					if dst[0] != canary || dst[n+1] != canary {
						t.Fatalf("depositWords: %d words from %d, density %d: wrote outside", n, size, density)
					}
				}
			}
		}
	})
}

// TestExtractToExactWords extracts a whole number of words by a mask that ends
// in empty words, where a kernel must not begin another word.
func TestExtractToExactWords(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		memory := []uint64{0, 77}
		dst := FromWords(memory[:1:1])
		src := NewBitSet(640).SetAll()
		src.ExtractTo(NewBitSet(640).SetRange(32, 96), dst)
		if memory[0] != ^uint64(0) || memory[1] != 77 || dst.Len() != 64 {
			t.Errorf("%x, length %d", memory, dst.Len())
		}
	})
}

func TestDepositToKeepsTheLength(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		dst := NewBitSet(10)
		NewBitSet(64).SetAll().DepositTo(NewBitSet(64).Set(3).Set(20), dst)
		checkSet(t, "DepositTo", dst, where(10, func(i uint) bool { return i == 3 }))
	})
}
