package bitsieve

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/minio/highwayhash"
	"github.com/zeebo/xxh3"
)

// KeySize is the length in bytes of the secret key that WithKey takes.
const KeySize = highwayhash.Size

// mixMul is the multiplier of the uint64 mixer and of a block's second word.
//
// The mixer's later shifts are by 32, at which the operand shifted down is also
// the half that the AVX2 kernels' multiplication wants by itself. The first is
// not: a first shift by s makes a multiple of one constant of every key of the
// form x<<s | x, which an unlucky stride of x then turns into 50 times the
// false positives. With s = 32 such keys exist (a pair of equal 32-bit halves);
// with 29 they need to be looked for. TestBlockedStructuredKeys has one.
const (
	mixMul   = 0xd6e8feb86659fd93
	mixFirst = 29
)

// mixUint64 is a bijection of the 64-bit integers with full avalanche:
// TestMixerAvalanche. The batch kernels compute it for several keys per
// instruction.
func mixUint64(x uint64) uint64 {
	x ^= x >> mixFirst
	x *= mixMul
	x ^= x >> 32
	x *= mixMul
	x ^= x >> 32
	return x
}

// hasher turns keys into 64-bit hashes: XXH3 and the mixer by default,
// HighwayHash-64 with a secret key when there is one. The answers depend
// neither on the CPU nor on its byte order.
type hasher struct {
	key *[KeySize]byte // nil for the default
}

func (h hasher) bytes(b []byte) uint64 {
	if h.key != nil {
		return highwayhash.Sum64(b, h.key[:])
	}
	return xxh3.Hash(b)
}

func (h hasher) string(s string) uint64 {
	if h.key != nil {
		return highwayhash.Sum64(unsafe.Slice(unsafe.StringData(s), len(s)), h.key[:])
	}
	return xxh3.HashString(s)
}

func (h hasher) uint64(x uint64) uint64 {
	if h.key != nil {
		return h.keyedUint64(x)
	}
	return mixUint64(x)
}

// keyedUint64 hashes the eight little-endian bytes of x.
func (h hasher) keyedUint64(x uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return highwayhash.Sum64(b[:], h.key[:])
}

// check returns a value by which a filter's file recognises the right key
// without revealing it: the hash of a fixed text. It is 0 without a key.
func (h hasher) check() uint64 {
	if h.key == nil {
		return 0
	}
	return h.string("bitsieve key check")
}

// equal reports whether h and g hash every key alike.
func (h hasher) equal(g hasher) bool {
	if h.key == nil || g.key == nil {
		return h.key == g.key
	}
	return *h.key == *g.key
}

func newHasher(key []byte) (hasher, error) {
	if key == nil {
		return hasher{}, nil
	}
	if len(key) != KeySize {
		return hasher{}, fmt.Errorf("%w: %d bytes, want %d", ErrKey, len(key), KeySize)
	}
	k := [KeySize]byte(key)
	return hasher{key: &k}, nil
}
