package rocksdb

import (
	"encoding/binary"
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/hash"
)

// The hash is XXH3 of xxHash 0.7.2, a preview: of no length is it the XXH3 of 0.8,
// which has other constants, reads short keys in another order and adds neighbours'
// words in long ones. RocksDB calls it XXPH3 and has one change of its own, for the
// empty key.

// Hash returns RocksDB's 64-bit hash of a key, its GetSliceHash64.
func Hash(key []byte) uint64 { return xxph3(key) }

// HashString is Hash for the bytes of s.
func HashString(s string) uint64 { return xxph3(hash.KeyBytes(s)) }

const (
	prime32a = 0x9e3779b1
	prime32b = 0x85ebca77
	prime32c = 0xc2b2ae3d
	prime64a = 0x9e3779b185ebca87
	prime64b = 0xc2b2ae3d27d4eb4f
	prime64c = 0x165667b19e3779f9
	prime64d = 0x85ebca77c2b2ae63
	prime64e = 0x27d4eb2f165667c5
)

// secret is the default one of xxHash, as little-endian words.
var secret = [24]uint64{
	0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
	0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
	0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
	0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8,
	0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
	0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af,
}

// The parts of the secret that start between its words.
var (
	secretMiddle = secretFrom(3)              // for what comes after 128 bytes of up to 240
	secretEnd    = secretFrom(136 - 17)       // for the last 16 bytes of them
	secretLast   = secretFrom(8*scramble - 7) // for the last stripe
	secretMerge  = secretFrom(11)             // for merging the accumulators
)

// secretFrom returns the words of the secret from byte i on, zeros after its end.
func secretFrom(i int) (words [16]uint64) {
	var bytes [8*len(secret) + 8*len(words)]byte
	for j, w := range secret {
		binary.LittleEndian.PutUint64(bytes[8*j:], w)
	}
	for j := range words {
		words[j] = binary.LittleEndian.Uint64(bytes[i+8*j:])
	}
	return words
}

const (
	stripe     = 64                // bytes that eight accumulators take at a time
	scramble   = len(secret) - 8   // the words of the secret that end a block
	blockBytes = stripe * scramble // a block: a stripe for each step of the secret by a word
	shortMax   = 128               // lengths up to which 16 bytes are taken from each end
	middleMax  = 240               // lengths up to which 16 bytes are taken in order
)

// The words of the secret that keys of up to 16 bytes need.
const (
	secret0 = 0xbe4ba423396cfeb8
	secret8 = 0x1cad21f72c81017c
)

func xxph3(key []byte) uint64 {
	n := len(key)
	le := binary.LittleEndian
	switch {
	case n > 16:
		return xxph3Long(key)
	case n > 8:
		lo := le.Uint64(key) ^ secret0
		hi := le.Uint64(key[n-8:]) ^ secret8
		return avalanche(uint64(n) + lo + hi + fold(lo, hi))
	case n >= 4:
		x := (uint64(le.Uint32(key)) | uint64(le.Uint32(key[n-4:]))<<32) ^ secret0
		x = uint64(n) + (x^x>>51)*prime32a
		return avalanche((x ^ x>>47) * prime64b)
	case n > 0:
		x := uint32(key[0]) | uint32(key[n>>1])<<8 | uint32(key[n-1])<<16 | uint32(n)<<24
		return avalanche(uint64(x^secret0&0xffffffff) * prime64a)
	}
	return emptyHash
}

// emptyHash is fold(secret0, prime64b): not 0 as in xxHash, which would be no choice
// at all for a filter that goes on by multiplying.
const emptyHash = 0x5342c3010fe1dd04

// xxph3Long is xxph3 for keys of more than 16 bytes.
//
//go:noinline
func xxph3Long(key []byte) uint64 {
	n := len(key)
	if n > shortMax {
		if n > middleMax {
			return xxph3Stripes(key)
		}
		return xxph3Middle(key)
	}
	sum := uint64(n) * prime64a
	if n > 32 {
		if n > 64 {
			if n > 96 {
				sum += mix(key[48:], secret[12], secret[13]) + mix(key[n-64:], secret[14], secret[15])
			}
			sum += mix(key[32:], secret[8], secret[9]) + mix(key[n-48:], secret[10], secret[11])
		}
		sum += mix(key[16:], secret[4], secret[5]) + mix(key[n-32:], secret[6], secret[7])
	}
	return avalanche(sum + mix(key, secret[0], secret[1]) + mix(key[n-16:], secret[2], secret[3]))
}

// xxph3Middle is xxph3 for 129 to 240 bytes.
func xxph3Middle(key []byte) uint64 {
	n := len(key)
	sum := uint64(n) * prime64a
	for i := range 8 {
		sum += mix(key[16*i:], secret[2*i], secret[2*i+1])
	}
	sum = avalanche(sum)
	for i := 8; i < n/16; i++ {
		sum += mix(key[16*i:], secretMiddle[2*(i-8)], secretMiddle[2*(i-8)+1])
	}
	return avalanche(sum + mix(key[n-16:], secretEnd[0], secretEnd[1]))
}

// xxph3Stripes is xxph3 for more than 240 bytes.
func xxph3Stripes(key []byte) uint64 {
	n := len(key)
	acc := [8]uint64{prime32c, prime64a, prime64b, prime64c, prime64d, prime32b, prime64e, prime32a}
	rest := key
	for len(rest) >= blockBytes {
		accumulate(&acc, rest[:blockBytes])
		for i := range acc {
			acc[i] = (acc[i] ^ acc[i]>>47 ^ secret[scramble+i]) * prime32a
		}
		rest = rest[blockBytes:]
	}
	accumulate(&acc, rest[:len(rest)&^(stripe-1)])
	if n%stripe != 0 {
		accumulateStripe(&acc, key[n-stripe:], secretLast[:])
	}
	sum := uint64(n) * prime64a
	for i := 0; i < len(acc); i += 2 {
		sum += fold(acc[i]^secretMerge[i], acc[i+1]^secretMerge[i+1])
	}
	return avalanche(sum)
}

// accumulate takes whole stripes, no more than a block.
func accumulate(acc *[8]uint64, p []byte) {
	for i := 0; len(p) >= stripe; i++ {
		accumulateStripe(acc, p, secret[i:])
		p = p[stripe:]
	}
}

// accumulateStripe takes the first stripe of p under the first words of the secret
// given.
func accumulateStripe(acc *[8]uint64, p []byte, secret []uint64) {
	p, secret = p[:stripe], secret[:len(acc)]
	for i := range acc {
		x := binary.LittleEndian.Uint64(p[8*i:])
		keyed := x ^ secret[i]
		acc[i] += x + keyed&0xffffffff*(keyed>>32)
	}
}

// mix takes the first 16 bytes of p under two words of the secret.
func mix(p []byte, a, b uint64) uint64 {
	return fold(binary.LittleEndian.Uint64(p)^a, binary.LittleEndian.Uint64(p[8:16])^b)
}

// fold returns the exclusive or of the halves of the product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func avalanche(x uint64) uint64 {
	x ^= x >> 37
	x *= prime64c
	return x ^ x>>32
}
