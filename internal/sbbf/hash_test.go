package sbbf

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// Hashes of integers' 8 and lower 4 bytes, computed with Sum64 of parquet-go 0.32.0's
// bloom/xxhash.
var hashVectors = []struct{ x, h8, h4 uint64 }{
	{0x0, 0x34c96acdcadb1bbb, 0x3aefa6fd5cf2deb4},
	{0x1, 0x9f29cb17a2a49995, 0xf42f94001fcb5351},
	{0x2a, 0xb556806fb6d14353, 0xd756d7b62fc50bf1},
	{0xffffffff, 0xfcf55a534242931b, 0x7f78e4bda3addf93},
	{0x8000000000000000, 0x3f425eacf01544e0, 0x3aefa6fd5cf2deb4},
	{0x123456789abcdef, 0xea3c52081e9843ec, 0xb80a02efdbe8080e},
	{0xffffffffffffffff, 0x85d136adb773c6c9, 0x7f78e4bda3addf93},
}

func TestHashVectors(t *testing.T) {
	for _, v := range hashVectors {
		if h := HashUint64(v.x); h != v.h8 {
			t.Errorf("HashUint64(%#x) = %#x, want %#x", v.x, h, v.h8)
		}
		if h := HashUint32(uint32(v.x)); h != v.h4 {
			t.Errorf("HashUint32(%#x) = %#x, want %#x", uint32(v.x), h, v.h4)
		}
	}
}

// The batches at every level against one integer at a time, in place and not, on
// memory that ends where the keys and the hashes do.
func TestHashBatches(t *testing.T) {
	const page = 1 << 13
	kerneltest.EachLevel(t, func(t *testing.T) {
		from, to := kerneltest.Guarded(t, 2*page), kerneltest.Guarded(t, 2*page)
		r := rand.New(rand.NewPCG(7, 8))
		check := func(n int) {
			keys, dst := from[len(from)-n:], to[len(to)-n:]
			before := to[len(to)-n-min(8, len(to)-n) : len(to)-n]
			kerneltest.SetCanary(before)
			want := make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64() >> r.IntN(64)
				want[i] = HashUint64(keys[i])
			}
			HashUint64s(dst, keys)
			if !slices.Equal(dst, want) || !kerneltest.CanaryIntact(before) {
				t.Fatalf("HashUint64s of %d", n)
			}
			HashUint64s(keys, keys)
			if !slices.Equal(keys, want) {
				t.Fatalf("HashUint64s of %d in place", n)
			}
			ints := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(from))), 2*len(from))
			ints = ints[len(ints)-n:]
			for i := range ints {
				ints[i] = r.Uint32() >> r.IntN(32)
				want[i] = HashUint32(ints[i])
			}
			HashUint32s(dst, ints)
			if !slices.Equal(dst, want) || !kerneltest.CanaryIntact(before) {
				t.Fatalf("HashUint32s of %d", n)
			}
		}
		for n := range 100 {
			check(n)
		}
		check(maxHash - 1)
		check(maxHash + 9)
	})
}

// Integers added and tested are their hashes added and tested.
func TestIntegers(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, n := range []int{0, 1, 15, 16, 64, 511, 512, 513, 1601, maxBatch + 65} {
			keys, ints := make([]uint64, n), make([]uint32, n)
			h8, h4 := make([]uint64, n), make([]uint64, n)
			for i := range keys {
				keys[i], ints[i] = r.Uint64(), r.Uint32()
				h8[i], h4[i] = HashUint64(keys[i]), HashUint32(ints[i])
			}
			words := (n + 63) / 64
			a, b := make([]byte, 500*Bytes), make([]byte, 500*Bytes)
			same := func(verb string, count, wantCount int, got, want []uint64) {
				t.Helper()
				if count != wantCount || !slices.Equal(got, want) || !slices.Equal(a, b) {
					t.Fatalf("%s of %d: %d, want %d", verb, n, count, wantCount)
				}
			}
			got, want := make([]uint64, words), make([]uint64, words)
			AddUint64s(a, keys[:n/2])
			AddHashes(b, h8[:n/2])
			same("TestUint64s", TestUint64s(a, keys, got), TestHashes(b, h8, want), got, want)
			same("TestUint64s without hits", TestUint64s(a, keys, nil), TestHashes(b, h8, nil), nil, nil)
			AddUint32s(a, ints[:n/2])
			AddHashes(b, h4[:n/2])
			same("TestUint32s", TestUint32s(a, ints, got), TestHashes(b, h4, want), got, want)
			same("TestUint32s without hits", TestUint32s(a, ints, nil), TestHashes(b, h4, nil), nil, nil)
			for i := range n / 5 { // twice in one batch
				keys[i*5], h8[i*5] = keys[i], h8[i]
				ints[i*5], h4[i*5] = ints[i], h4[i]
			}
			same("TestAndAddUint64s", TestAndAddUint64s(a, keys, got), TestAndAddHashes(b, h8, want), got, want)
			same("TestAndAddUint32s", TestAndAddUint32s(a, ints, got), TestAndAddHashes(b, h4, want), got, want)
		}
	})
}

// Single integers are their hashes, at every alignment, in bitsets of any size.
func TestSingleIntegers(t *testing.T) {
	const size = 1 << 16
	m := asBytes(kerneltest.Guarded(t, size/8))
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, blocks := range []int{1, 2, 3, 31, 1000, size/Bytes - 1} {
			for off := range Bytes {
				got := m[size-blocks*Bytes-off:][: blocks*Bytes : blocks*Bytes]
				clear(got)
				want := make([]byte, len(got))
				for range 20 {
					x := r.Uint64() >> r.IntN(64)
					y := uint32(r.Uint64() >> (32 + r.IntN(32)))
					oneAddUint64(got, x)
					oneAddUint32(got, y)
					textAdd(want, HashUint64(x))
					textAdd(want, HashUint32(y))
					if !bytes.Equal(got, want) {
						t.Fatalf("%d blocks: %#x or %#x is in the wrong place", blocks, x, y)
					}
					if !oneTestUint64(got, x) || !oneTestUint32(got, y) {
						t.Fatalf("%d blocks: %#x or %#x is missing", blocks, x, y)
					}
					x, y = r.Uint64(), r.Uint32()
					if oneTestUint64(got, x) != textTest(want, HashUint64(x)) || oneTestUint32(got, y) != textTest(want, HashUint32(y)) {
						t.Fatalf("%d blocks: %#x or %#x, which was not added", blocks, x, y)
					}
				}
			}
		}
	})
}

// Any bit that is missing is missed: each of a key's eight words without its bit.
func TestEachWord(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for x := range uint64(100) {
			b := make([]byte, 3*Bytes)
			for word := range Words {
				for i := range b {
					b[i] = 0xff
				}
				for _, h := range []uint64{x << 32 * 0x9e3779b9, HashUint64(x), HashUint32(uint32(x))} {
					w := b[int(textIndex(h, 3))*Bytes+4*word:]
					binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)&^(1<<textBits(h)[word]))
				}
				if oneTest(b, x<<32*0x9e3779b9) || oneTestUint64(b, x) || oneTestUint32(b, uint32(x)) {
					t.Fatalf("key %d: the bit of word %d is missing", x, word)
				}
			}
		}
	})
}
