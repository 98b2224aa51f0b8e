// Package hash turns keys into 64-bit hashes: XXH3 for strings and byte slices,
// a mixer for integers, and HighwayHash-64 for all of them when there is a secret
// key. The answers depend neither on the CPU nor on its byte order. Murmur is the
// 256-bit hash of the standard filter.
package hash

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/minio/highwayhash"
	"github.com/zeebo/xxh3"
)

// KeySize is the length in bytes of a secret key.
const KeySize = highwayhash.Size

// MixMul is the multiplier of the mixer and of a block's second word, and
// MixFirst its first shift.
//
// The mixer's later shifts are by 32: the operand shifted down is then also the
// half that the AVX2 kernels multiply. A first shift by s turns every key of the
// form x<<s | x into a multiple of one constant, and some strides of x then have 50
// times the false positives. Keys of two equal 32-bit halves, s = 32, exist in
// practice; those for 29 need to be looked for. TestBlockedStructuredKeys has one.
const (
	MixMul   = 0xd6e8feb86659fd93
	MixFirst = 29
)

// Mix is a bijection of the 64-bit integers with full avalanche:
// TestMixAvalanche. The batch kernels compute it for several keys per
// instruction.
func Mix(x uint64) uint64 {
	x ^= x >> MixFirst
	x *= MixMul
	x ^= x >> 32
	x *= MixMul
	x ^= x >> 32
	return x
}

// ErrKey is wrapped when a secret key has the wrong length, is missing, or is
// not the one that a filter was made with.
var ErrKey = errors.New("bitsieve: wrong key")

// A Hasher turns keys into hashes. The zero value has no secret key.
type Hasher struct {
	key *[KeySize]byte // nil for the default
}

// New returns a Hasher with a copy of the secret key, or without one if key is
// nil. A key of another length than KeySize is an error that wraps ErrKey.
func New(key []byte) (Hasher, error) {
	if key == nil {
		return Hasher{}, nil
	}
	if len(key) != KeySize {
		return Hasher{}, fmt.Errorf("%w: %d bytes, want %d", ErrKey, len(key), KeySize)
	}
	k := [KeySize]byte(key)
	return Hasher{key: &k}, nil
}

// Bytes returns the hash of b without a secret key.
func Bytes(b []byte) uint64 { return xxh3.Hash(b) }

// String returns the hash of the bytes of s without a secret key.
func String(s string) uint64 { return xxh3.HashString(s) }

// Keyed reports whether there is a secret key.
func (h Hasher) Keyed() bool { return h.key != nil }

// Bytes returns the hash of b.
func (h Hasher) Bytes(b []byte) uint64 {
	if h.key != nil {
		return highwayhash.Sum64(b, h.key[:])
	}
	return Bytes(b)
}

// String returns the hash of the bytes of s.
func (h Hasher) String(s string) uint64 {
	if h.key != nil {
		return highwayhash.Sum64(unsafe.Slice(unsafe.StringData(s), len(s)), h.key[:])
	}
	return String(s)
}

// Uint64 returns the hash of an integer.
func (h Hasher) Uint64(x uint64) uint64 {
	if h.key != nil {
		return h.KeyedUint64(x)
	}
	return Mix(x)
}

// KeyedUint64 hashes the eight little-endian bytes of x under the secret key,
// which there must be.
func (h Hasher) KeyedUint64(x uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return highwayhash.Sum64(b[:], h.key[:])
}

// Check returns a value by which a filter's file recognises the right key
// without revealing it: the hash of a fixed text. It is 0 without a key.
func (h Hasher) Check() uint64 {
	if h.key == nil {
		return 0
	}
	return h.String("bitsieve key check")
}

// Equal reports whether h and g hash every key alike.
func (h Hasher) Equal(g Hasher) bool {
	if h.key == nil || g.key == nil {
		return h.key == g.key
	}
	return *h.key == *g.key
}

func (h Hasher) keyedWide(key []byte) Wide {
	sum, le := highwayhash.Sum(key, h.key[:]), binary.LittleEndian
	return Wide{le.Uint64(sum[0:]), le.Uint64(sum[8:]), le.Uint64(sum[16:]), le.Uint64(sum[24:])}
}

// WideUint64 is Wide for the eight little-endian bytes of x.
func (h Hasher) WideUint64(x uint64) Wide {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return h.Wide(b[:])
}
