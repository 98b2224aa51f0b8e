package hash

// MurmurHash3 as github.com/bits-and-blooms/bloom v3 does it:
//
//	(h0, h1) = MurmurHash3-x64-128 of the key
//	(h2, h3) = MurmurHash3-x64-128 of the key and one more byte, 1
//	location i = h[i%2] + i × h[2 or 3]    mod 2^64; h2 for i%4 = 0 or 3, else h3
//	bit i = location i mod m
//
// The hash is written out here because no library returns both pairs for one pass
// over the key. The tests compare it with github.com/twmb/murmur3.

import (
	"encoding/binary"
	"math/bits"
)

const (
	murmurC1 = 0x87c37b91114253d5
	murmurC2 = 0x4cf5ad432745937f
)

// Wide is a 256-bit hash, all that a standard filter needs to know of a key. It is no
// array, for the compiler keeps only a struct in registers.
type Wide struct{ H0, H1, H2, H3 uint64 }

// Murmur returns both MurmurHash3 pairs of a key.
func Murmur(key []byte) Wide { return Hasher{}.Wide(key) }

// Wide returns the 256-bit hash of key: both MurmurHash3 pairs, or HighwayHash-256
// under the secret key if there is one.
func (hasher Hasher) Wide(key []byte) (h Wide) {
	if hasher.key != nil {
		return hasher.keyedWide(key)
	}
	le := binary.LittleEndian
	n := len(key)
	var a, b uint64 // the state after the key's whole blocks
	for i := 0; i <= n-16; i += 16 {
		p := key[i : i+16]
		a, b = murmurBlock(a, b, le.Uint64(p), le.Uint64(p[8:]))
	}
	c, d := a, b // the same for the key and the additional byte
	tail := n & 15
	shift := 8 * uint(tail) & 63 // the byte's place in its half of the tail
	switch {
	case tail == 0:
		c ^= murmurLow(1)
	case tail < 8:
		low := murmurTail(key, tail)
		a ^= murmurLow(low)
		c ^= murmurLow(low | 1<<shift)
	default:
		low := le.Uint64(key[n-tail:])
		high := le.Uint64(key[n-8:]) >> (128 - 8*tail) // none for tail == 8
		if tail < 15 {
			c ^= murmurLow(low)
			d ^= murmurHigh(high | 1<<shift)
		} else {
			c, d = murmurBlock(c, d, low, high|1<<shift)
		}
		a ^= murmurLow(low)
		b ^= murmurHigh(high)
	}
	h.H0, h.H1 = murmurFinal(a, b, uint64(n))
	h.H2, h.H3 = murmurFinal(c, d, uint64(n)+1)
	return h
}

// murmurTail returns the last n bytes of key, 0 < n < 8, as a little-endian
// number.
func murmurTail(key []byte, n int) uint64 {
	le := binary.LittleEndian
	if len(key) >= 8 {
		return le.Uint64(key[len(key)-8:]) >> (64 - 8*n)
	}
	if n >= 4 {
		return uint64(le.Uint32(key)) | uint64(le.Uint32(key[n-4:]))<<(8*(n-4))
	}
	// The first, the middle and the last of 1 to 3 bytes, which may coincide.
	return uint64(key[0]) | uint64(key[n/2])<<(8*(n/2)) | uint64(key[n-1])<<(8*(n-1))
}

func murmurLow(k uint64) uint64  { return bits.RotateLeft64(k*murmurC1, 31) * murmurC2 }
func murmurHigh(k uint64) uint64 { return bits.RotateLeft64(k*murmurC2, 33) * murmurC1 }

// murmurBlock takes in 16 bytes.
func murmurBlock(a, b, low, high uint64) (uint64, uint64) {
	a = bits.RotateLeft64(a^murmurLow(low), 27) + b
	a = a*5 + 0x52dce729
	b = bits.RotateLeft64(b^murmurHigh(high), 31) + a
	b = b*5 + 0x38495ab5
	return a, b
}

func murmurFinal(a, b, length uint64) (uint64, uint64) {
	a ^= length
	b ^= length
	a += b
	b += a
	a = murmurMix(a)
	b = murmurMix(b)
	a += b
	return a, a + b
}

func murmurMix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// Location returns the ith location of the key.
func (h Wide) Location(i uint64) uint64 {
	x, y := h.H0, h.H2
	if i&1 != 0 {
		x = h.H1
	}
	if (i+1)&2 != 0 {
		y = h.H3
	}
	return x + i*y
}
