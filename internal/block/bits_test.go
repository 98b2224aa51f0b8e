package block

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// bitsMem is memory between guard pages for filters' bytes.
type bitsMem struct {
	mem []byte
}

func newBitsMem(t *testing.T) bitsMem {
	words := kerneltest.Guarded(t, 1<<13)
	return bitsMem{unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))}
}

// at returns n bytes, off bytes from the start of the memory or, if end is set, from
// its end.
func (m bitsMem) at(n, off int, end bool) []byte {
	if end {
		off = len(m.mem) - n - off
	}
	return m.mem[off : off+n : off+n]
}

// fileOrder puts blocks into b as files have them.
func fileOrder(b []byte, blocks []Block) {
	for i, w := range Flatten(blocks) {
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
}

// Blocks in bytes have the bits and give the answers of a Filter's, at every
// alignment and flush with the pages before and after, at every level.
func TestBitsAgainstFilter(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		m := newBitsMem(t)
		r := rand.New(rand.NewPCG(11, 12))
		for k := MinK; k <= MaxK; k++ {
			for off := range 2 * Bytes {
				if testing.Short() && (off+k)%5 != 0 {
					continue
				}
				blocks := 1 + r.IntN(40)
				f := filterOver(New(uint64(blocks), false), k)
				bits := m.at(blocks*Bytes, off%Bytes, off >= Bytes)
				clear(bits)
				hashes := make([]uint64, r.IntN(10*blocks))
				for i := range hashes {
					hashes[i] = r.Uint64()
				}
				f.AddHashes(hashes)
				AddBits(bits, k, hashes)
				want := make([]byte, len(bits))
				fileOrder(want, f.Blocks)
				if !bytes.Equal(bits, want) {
					t.Fatalf("k = %d, %d blocks, %d bytes off: the bits differ", k, blocks, off)
				}
				for i := range 200 {
					h := r.Uint64()
					if i < len(hashes) && i%2 == 0 {
						h = hashes[i]
					}
					if got, want := TestBits(bits, k, h), f.TestHash(h); got != want {
						t.Fatalf("k = %d, %d blocks, %d bytes off: TestBits(%#x) = %v, want %v", k, blocks, off, h, got, want)
					}
				}
			}
		}
	})
}

// Every one of a key's bits counts.
func TestBitsNearMiss(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		for k := MinK; k <= MaxK; k++ {
			for range 100 {
				h := r.Uint64()
				own := make([]byte, Bytes)
				addAt((*[Bytes]byte)(own), h, k)
				if !TestBits(own, k, h) {
					t.Fatalf("k = %d: %#x is absent where its bits alone are set", k, h)
				}
				full := bytes.Repeat([]byte{0xff}, Bytes)
				for i := range 8 * Bytes {
					full[i/8] ^= 1 << (i % 8)
					if got, want := TestBits(full, k, h), own[i/8]>>(i%8)&1 == 0; got != want {
						t.Fatalf("k = %d: TestBits(%#x) = %v without bit %d", k, h, got, i)
					}
					full[i/8] ^= 1 << (i % 8)
				}
			}
		}
	})
}

// What cannot be read may hold the key.
func TestBitsInvalid(t *testing.T) {
	for _, c := range []struct{ bytes, k int }{{0, 8}, {1, 8}, {63, 8}, {65, 8}, {64, 0}, {64, -1}, {64, 17}, {64, 1 << 30}} {
		if Valid(make([]byte, c.bytes), c.k) || !TestBits(make([]byte, c.bytes), c.k, 1) {
			t.Errorf("%d bytes, k = %d: not taken for unreadable", c.bytes, c.k)
		}
	}
}
