package pext

import "math/bits"

// The verbs in Go: the specification of the kernels, and what runs where there is
// no fast PEXT.

// extractGeneric is Extract.
func extractGeneric(dst, src, mask []uint64) (n int) {
	src = src[:len(mask)]
	var acc uint64 // the next word of dst
	var fill int   // the number of its bits that are there
	for i, m := range mask {
		if m == 0 {
			continue
		}
		x, c := extractWord(src[i], m), bits.OnesCount64(m)
		n += c
		acc |= x << fill
		if fill += c; fill >= 64 {
			dst[0] = acc
			dst = dst[1:]
			fill -= 64
			acc = x >> (c - fill)
		}
	}
	if fill > 0 {
		dst[0] = acc
	}
	return n
}

// depositGeneric is Deposit from bit pos of src on. It returns the next bit.
func depositGeneric(dst, src, mask []uint64, pos uint) uint {
	dst = dst[:len(mask)]
	for i, m := range mask {
		if m == 0 {
			continue
		}
		w := pos / 64
		if w >= uint(len(src)) {
			break
		}
		x := src[w] >> (pos % 64)
		if w+1 < uint(len(src)) {
			x |= src[w+1] << 1 << (^pos % 64)
		}
		dst[i] = dst[i]&^m | depositWord(x, m)
		pos += uint(bits.OnesCount64(m))
	}
	return pos
}

// Constants with a field of ones at the bottom of each lane.
const (
	low1of2 = 0x5555555555555555
	low2of4 = 0x3333333333333333
	low4of8 = 0x0f0f0f0f0f0f0f0f
	low1of4 = 0x1111111111111111
	low1of8 = 0x0101010101010101
)

// extractWord packs the bits of w that m selects at the bottom, as PEXT does.
//
// It merges packed lanes into packed lanes of twice the width, all of a width
// at once: the upper half of a lane moves down by the number of places that are
// free in the lower half. At a width of 8 the lanes are bytes, and the running
// counts say where each of them goes.
func extractWord(w, m uint64) uint64 {
	w &= m
	c2, c4, sums := laneCounts(m)

	// Pairs: the upper bit moves if the lower one is not selected.
	move := w & (^m & low1of2 << 1)
	w = w ^ move | move>>1

	// Nibbles: the upper pair moves by two places less the lower pair's count.
	by1 := w & (c2 & low1of4 * 0xc)
	by2 := w & (^(c2 | c2>>1) & low1of4 * 0xc)
	w = w ^ by1 ^ by2 | by1>>1 | by2>>2

	// Bytes: the upper nibble moves by four places less the lower one's count.
	free := 4*low1of8 - c4&low4of8
	hi := w &^ low4of8
	w &= low4of8
	move = hi & (free & low1of8 * 0xff)
	hi = hi ^ move | move>>1
	move = hi & (free >> 1 & low1of8 * 0xff)
	hi = hi ^ move | move>>2
	move = hi & (free >> 2 & low1of8 * 0xff)
	hi = hi ^ move | move>>4
	w |= hi

	r := w & 0xff
	r |= w >> 8 & 0xff << (sums & 63)
	r |= w >> 16 & 0xff << (sums >> 8 & 63)
	r |= w >> 24 & 0xff << (sums >> 16 & 63)
	r |= w >> 32 & 0xff << (sums >> 24 & 63)
	r |= w >> 40 & 0xff << (sums >> 32 & 63)
	r |= w >> 48 & 0xff << (sums >> 40 & 63)
	r |= w >> 56 << (sums >> 48 & 63)
	return r
}

// depositWord spreads the low bits of w over the places that m selects, as PDEP
// does. It is extractWord backwards. Bits that a lane has past its count are
// cleared at the end.
func depositWord(w, m uint64) uint64 {
	c2, c4, sums := laneCounts(m)

	x := w & 0xff
	x |= w >> (sums & 63) & 0xff << 8
	x |= w >> (sums >> 8 & 63) & 0xff << 16
	x |= w >> (sums >> 16 & 63) & 0xff << 24
	x |= w >> (sums >> 24 & 63) & 0xff << 32
	x |= w >> (sums >> 32 & 63) & 0xff << 40
	x |= w >> (sums >> 40 & 63) & 0xff << 48
	x |= w >> (sums >> 48 & 63) << 56

	// Bytes: a copy moves up by four places less the lower nibble's count.
	free := 4*low1of8 - c4&low4of8
	hi := x
	move := hi & (free >> 2 & low1of8 * 0xff)
	hi = hi ^ move | move&(0x0f*low1of8)<<4
	move = hi & (free >> 1 & low1of8 * 0xff)
	hi = hi ^ move | move&(0x3f*low1of8)<<2
	move = hi & (free & low1of8 * 0xff)
	hi = hi ^ move | move&(0x7f*low1of8)<<1
	x = x&low4of8 | hi&^low4of8

	// Nibbles: likewise, by two places less the lower pair's count, 0 to 2.
	is1 := c2 & low1of4
	is0 := ^(c2 | c2>>1) & low1of4
	is2 := c2 >> 1 & low1of4
	x = x&low2of4 | x&(is2*0xc) | x&(is1*0x6)<<1 | x&(is0*0x3)<<2

	// Pairs: a lower bit that is not selected replaces the upper one.
	empty := ^m & low1of2
	return (x&^(empty<<1) | x&empty<<1) & m
}

// laneCounts returns the numbers of set bits in each pair and each nibble of m,
// and in byte i of sums that in bytes 0 to i.
func laneCounts(m uint64) (c2, c4, sums uint64) {
	c2 = m - m>>1&low1of2
	c4 = c2&low2of4 + c2>>2&low2of4
	return c2, c4, (c4 + c4>>4) & low4of8 * low1of8
}

// selectGeneric is Select.
//
// It is the broadword selection of S. Vigna, "Broadword Implementation of
// Rank/Select Queries", 2008: running counts of all bytes, one addition that
// compares them all with j, and the same again for the bits of the byte found.
func selectGeneric(w uint64, j uint) uint {
	const high = 0x80 * low1of8
	// A sum's highest bit is set iff the count is above j: neither exceeds 64,
	// so no sum carries into the next byte.
	_, _, sums := laneCounts(w)
	at := uint(bits.TrailingZeros64((sums+uint64(127-j)*low1of8)&high)) &^ 7
	j -= uint(sums << 8 >> (at & 63) & 0xff)

	// Byte i is made nonzero iff bit i is set, then one iff so.
	each := w >> (at & 63) & 0xff * low1of8 & 0x8040201008040201
	sums = (each + 0x7f*low1of8) & high >> 7 * low1of8
	return at + uint(bits.TrailingZeros64((sums+uint64(127-j)*low1of8)&high))/8
}
