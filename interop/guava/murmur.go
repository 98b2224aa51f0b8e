package guava

// MurmurHash3-x64-128 with seed 0 (Austin Appleby, public domain), over the bytes that
// Guava's funnels make of keys: written out here for integers and code units, whose
// bytes need not be laid out in memory first. The tests compare it with
// github.com/twmb/murmur3.

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

const (
	murmurC1 = 0x87c37b91114253d5
	murmurC2 = 0x4cf5ad432745937f
)

// A sum is a key's hash, of which MITZ32 takes the first half only.
type sum struct{ h1, h2 uint64 }

// sumBytes returns the hash of b.
func sumBytes(b []byte) sum {
	le := binary.LittleEndian
	n := len(b)
	var x, y uint64
	i := 0
	for ; i <= n-16; i += 16 {
		p := b[i : i+16]
		x, y = murmurBlock(x, y, le.Uint64(p), le.Uint64(p[8:]))
	}
	tail := b[i:]
	if len(tail) >= 8 {
		if len(tail) > 8 {
			y ^= murmurHigh(le.Uint64(b[n-8:]) >> (128 - 8*len(tail)))
		}
		x ^= murmurLow(le.Uint64(tail))
	} else if len(tail) > 0 {
		x ^= murmurLow(short(b, len(tail)))
	}
	return murmurFinal(x, y, uint64(n))
}

// short returns the last n bytes of b, 0 < n < 8, as a little-endian number.
func short(b []byte, n int) uint64 {
	le := binary.LittleEndian
	if len(b) >= 8 {
		return le.Uint64(b[len(b)-8:]) >> (64 - 8*n)
	}
	if n >= 4 {
		return uint64(le.Uint32(b)) | uint64(le.Uint32(b[n-4:]))<<(8*(n-4))
	}
	// The first, the middle and the last of 1 to 3 bytes, which may coincide.
	return uint64(b[0]) | uint64(b[n/2])<<(8*(n/2)) | uint64(b[n-1])<<(8*(n-1))
}

// sumString returns the hash of the bytes of s.
func sumString(s string) sum { return sumBytes(unsafe.Slice(unsafe.StringData(s), len(s))) }

// sumInt returns the hash of the n low bytes, 4 or 8, of an integer.
func sumInt(x uint64, n uint64) sum { return murmurFinal(murmurLow(x), 0, n) }

// sumUnits returns the hash of code units, two little-endian bytes each.
func sumUnits(units []uint16) sum {
	var x, y uint64
	n := 2 * uint64(len(units))
	for len(units) >= 8 {
		x, y = murmurBlock(x, y, join(units[:4]), join(units[4:8]))
		units = units[8:]
	}
	y ^= murmurHigh(join(units[min(4, len(units)):]))
	x ^= murmurLow(join(units[:min(4, len(units))]))
	return murmurFinal(x, y, n)
}

// join returns at most four code units as a little-endian number.
func join(units []uint16) (x uint64) {
	for i, u := range units {
		x |= uint64(u) << (16 * i)
	}
	return x
}

// sumChars returns the hash of the UTF-16 code units of s.
func sumChars(s string) sum {
	var x, y uint64
	var half [2]uint64 // the code units since the last block
	n := uint64(0)     // all code units
	for len(s) > 0 {
		if n%8 == 0 && len(s) >= 8 {
			b := unsafe.Slice(unsafe.StringData(s), 8)
			if ascii := binary.LittleEndian.Uint64(b); ascii&0x8080808080808080 == 0 {
				x, y = murmurBlock(x, y, spread(ascii&0xffffffff), spread(ascii>>32))
				n += 8
				s = s[8:]
				continue
			}
		}
		r, size := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s)
		}
		s = s[size:]
		unit := r
		if r > 0xffff {
			var low rune
			unit, low = utf16.EncodeRune(r)
			half[n/4%2] |= uint64(unit) << (16 * (n % 4))
			if n++; n%8 == 0 {
				x, y = murmurBlock(x, y, half[0], half[1])
				half = [2]uint64{}
			}
			unit = low
		}
		half[n/4%2] |= uint64(unit) << (16 * (n % 4))
		if n++; n%8 == 0 {
			x, y = murmurBlock(x, y, half[0], half[1])
			half = [2]uint64{}
		}
	}
	y ^= murmurHigh(half[1])
	x ^= murmurLow(half[0])
	return murmurFinal(x, y, 2*n)
}

// spread makes four bytes four code units.
func spread(x uint64) uint64 {
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & 0x00ff00ff00ff00ff
}

// A half of a tail that is zero changes nothing: both of these map 0 to 0.
func murmurLow(k uint64) uint64  { return bits.RotateLeft64(k*murmurC1, 31) * murmurC2 }
func murmurHigh(k uint64) uint64 { return bits.RotateLeft64(k*murmurC2, 33) * murmurC1 }

// murmurBlock takes in 16 bytes.
func murmurBlock(x, y, low, high uint64) (uint64, uint64) {
	x = bits.RotateLeft64(x^murmurLow(low), 27) + y
	x = x*5 + 0x52dce729
	y = bits.RotateLeft64(y^murmurHigh(high), 31) + x
	y = y*5 + 0x38495ab5
	return x, y
}

func murmurFinal(x, y, length uint64) sum {
	x ^= length
	y ^= length
	x += y
	y += x
	x = murmurMix(x)
	y = murmurMix(y)
	x += y
	return sum{x, x + y}
}

func murmurMix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
