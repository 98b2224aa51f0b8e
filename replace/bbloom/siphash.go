package bbloom

import (
	"encoding/binary"
	"math/bits"
)

// The keys of SipHash that the peer has unless others are given.
const (
	defaultK0 = uint64(0xdeadbeaf)
	defaultK1 = uint64(0xfaebdaed)
)

// What SipHash's state starts from: "somepseudorandomlygeneratedbytes".
const (
	sipC0 = 0x736f6d6570736575
	sipC1 = 0x646f72616e646f6d
	sipC2 = 0x6c7967656e657261
	sipC3 = 0x7465646279746573
)

// sipHash returns the SipHash-2-4 of p (Aumasson and Bernstein, 2012) in two parts: h
// is its high bits, l its low ones, as many as the filter's size takes.
func (bl *Bloom) sipHash(p []byte) (l, h uint64) { return bl.split(siphash24(bl.k0, bl.k1, p)) }

func (bl *Bloom) split(sum uint64) (l, h uint64) {
	l, h = sum&bl.size, sum>>(bl.shift&63)
	if bl.hashVersion >= 1 {
		l |= 1
	}
	return l, h
}

// siphash24 returns the SipHash-2-4 of p under the key k0, k1.
func siphash24(k0, k1 uint64, p []byte) uint64 {
	v0, v1, v2, v3 := k0^sipC0, k1^sipC1, k0^sipC2, k1^sipC3
	last := uint64(len(p)) << 56
	for ; len(p) >= 8; p = p[8:] {
		m := binary.LittleEndian.Uint64(p)
		v3 ^= m
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0 ^= m
	}
	last |= tail(p)
	v3 ^= last
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xff
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	return v0 ^ v1 ^ v2 ^ v3
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v2 += v3
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v1
	v0 += v3
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}

// tail returns the up to seven bytes of p as an integer, the first in its lowest byte.
func tail(p []byte) (x uint64) {
	switch {
	case len(p) >= 4:
		// The two halves overlap in what they share.
		n := len(p)
		return uint64(binary.LittleEndian.Uint32(p)) | uint64(binary.LittleEndian.Uint32(p[n-4:]))<<(8*(n-4)&63)
	case len(p) > 0:
		n := len(p)
		return uint64(p[0]) | uint64(p[n/2])<<(8*(n/2)&63) | uint64(p[n-1])<<(8*(n-1)&63)
	}
	return 0
}
