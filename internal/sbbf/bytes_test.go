package sbbf

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// Hashes of the first n of the bytes i·i + 7·i, computed with Sum64 of cespare/xxhash 2.3.0.
var bytesVectors = []struct {
	n int
	h uint64
}{
	{0, 0xef46db3751d8e999},
	{1, 0xe934a84adb052768},
	{2, 0x1117bcf629953d7f},
	{3, 0xbb3a592908a981a8},
	{4, 0x798a8b758de10b9c},
	{5, 0x4f7337a88ef7863f},
	{7, 0xc524fe6186d68234},
	{8, 0x628b254fd17d4862},
	{12, 0x043665c447d22a2a},
	{15, 0x4d507d18ed8c77b7},
	{16, 0x7283caaf83ce3398},
	{21, 0x1accac4cc49c5184},
	{31, 0xff266226c2de2379},
	{32, 0xad211363e6d6be0f},
	{33, 0xa8489fde2b7ec3ae},
	{47, 0xb0dfc05a7b5d5745},
	{63, 0xe91f43e8d0ae523e},
	{64, 0x81c939fdb6a47468},
	{100, 0xe43cd255bde054f5},
	{200, 0x115eb4da1f603543},
}

func TestHashBytes(t *testing.T) {
	b := make([]byte, 200)
	for i := range b {
		b[i] = byte(i*i + 7*i)
	}
	for _, v := range bytesVectors {
		if h := HashBytes(b[:v.n]); h != v.h {
			t.Errorf("HashBytes of %d bytes: %#x, want %#x", v.n, h, v.h)
		}
	}
	for _, v := range hashVectors {
		le := binary.LittleEndian.AppendUint64(nil, v.x)
		if h8, h4 := HashBytes(le), HashBytes(le[:4]); h8 != v.h8 || h4 != v.h4 {
			t.Errorf("HashBytes of %#x: %#x and %#x, want %#x and %#x", v.x, h8, h4, v.h8, v.h4)
		}
	}
}

// checkKey adds a key to a bitset that has ones beside it, in both forms, and tests it.
func checkKey(t *testing.T, bits, key []byte) {
	t.Helper()
	h := HashBytes(key)
	s := unsafe.String(unsafe.SliceData(key), len(key))
	p := Of(bits)
	want := bytes.Clone(bits)
	if hit := textTest(want, h); p.TestBytes(key) != hit || p.TestString(s) != hit {
		t.Fatalf("%d bytes in %d: found is %v, want %v", len(key), len(bits), !hit, hit)
	}
	textAdd(want, h)
	if len(key)%2 == 0 {
		p.AddBytes(key)
	} else {
		p.AddString(s)
	}
	if !bytes.Equal(bits, want) {
		t.Fatalf("%d bytes: added in the wrong place of %d", len(key), len(bits))
	}
	if !p.TestBytes(key) || !p.TestString(s) {
		t.Fatalf("%d bytes in %d: missing", len(key), len(bits))
	}
	// Any bit that is missing is missed.
	block := bits[textIndex(h, uint64(len(bits)/Bytes))*Bytes:][:Bytes]
	for word, bit := range textBits(h) {
		w := block[4*word:]
		binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)&^(1<<bit))
		if p.TestBytes(key) || p.TestString(s) {
			t.Fatalf("%d bytes: the bit of word %d is missing", len(key), word)
		}
		binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)|1<<bit)
	}
}

// Keys of any length at both ends of their memory, in bitsets of several sizes that end
// where theirs does. The longest are for one call of the kernel and too long for it.
func TestBytes(t *testing.T) {
	const size = 1 << 13
	m, keys := asBytes(kerneltest.Guarded(t, size/8)), asBytes(kerneltest.Guarded(t, (maxKey+size)/8))
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		for i := 0; i+8 <= len(keys); i += 8 {
			binary.LittleEndian.PutUint64(keys[i:], r.Uint64())
		}
		check := func(n int) {
			for _, blocks := range []int{1, 7, 250} {
				bits := m[size-blocks*Bytes-r.IntN(Bytes):][: blocks*Bytes : blocks*Bytes]
				for i := range bits {
					bits[i] = byte(r.Uint32() & r.Uint32())
				}
				checkKey(t, bits, keys[:n:n])
				checkKey(t, bits, keys[len(keys)-n:])
			}
		}
		for n := range 201 {
			check(n)
		}
		for _, n := range []int{4095, 4096, maxKey - 1, maxKey, maxKey + 1, maxKey + 100} {
			check(n)
		}
	})
}

// No key is in a bitset without a block, and none can be added, whatever its length.
func TestBytesNoBlock(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, b := range [][]byte{nil, bytes.Repeat([]byte{0xff}, Bytes-1)} {
			for _, n := range []int{0, 1, 40, maxKey + 1} {
				p, key := Of(b), make([]byte, n)
				if p.TestBytes(key) || p.TestString(string(key)) {
					t.Errorf("%d bytes are found in %d", n, len(b))
				}
				for _, add := range []func(){func() { p.AddBytes(key) }, func() { p.AddString(string(key)) }} {
					func() {
						defer func() {
							if recover() == nil {
								t.Errorf("adding %d bytes to %d does not panic", n, len(b))
							}
						}()
						add()
					}()
				}
			}
		}
	})
}

func FuzzBytes(f *testing.F) {
	for _, n := range []int{0, 1, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 95, 127, 200} {
		f.Add(bytes.Repeat([]byte("key"), 67)[:n], uint16(n))
	}
	f.Fuzz(func(t *testing.T, key []byte, blocks uint16) {
		kerneltest.EachLevel(t, func(t *testing.T) {
			checkKey(t, make([]byte, (int(blocks)+1)*Bytes), key)
		})
	})
}
