package leveldb

import (
	"encoding/binary"

	"github.com/bitsieve/bitsieve/internal/hash"
)

// LevelDB's hash, with the seed of its Bloom filter.
const (
	hashSeed = 0xbc9f1d34
	hashMul  = 0xc6a4a793
)

// hashKey returns the 32-bit hash of a key.
func hashKey(key []byte) uint32 { return hashFrom(start(len(key)), key) }

// hashFrom takes in the rest of a key.
func hashFrom(h uint32, key []byte) uint32 {
	for len(key) >= 8 { // half of the loads and of the checks
		w := binary.LittleEndian.Uint64(key)
		h = step(step(h, uint32(w)), uint32(w>>32))
		key = key[8:]
	}
	if len(key) >= 4 {
		h = step(h, binary.LittleEndian.Uint32(key))
		key = key[4:]
	}
	return finish(h, key)
}

// start returns the state of the hash of a key of n bytes, before its first byte.
func start(n int) uint32 { return hashSeed ^ uint32(n)*hashMul }

// step takes in four bytes.
func step(h, w uint32) uint32 {
	h = (h + w) * hashMul
	return h ^ h>>16
}

// finish takes in the last bytes of a key, 0 to 3.
func finish(h uint32, tail []byte) uint32 {
	switch len(tail) {
	case 0:
		return h
	case 3:
		h += uint32(tail[2]) << 16
		fallthrough
	case 2:
		h += uint32(tail[1]) << 8
	}
	h = (h + uint32(tail[0])) * hashMul
	return h ^ h>>24
}

// chunkKeys is the number of keys of a batch that are hashed at a time: the bits of a word of results, and
// what hash.Touch is made for.
const chunkKeys = 64

// hashBatch fills dst with the hashes of the first len(dst) keys, at most chunkKeys.
func hashBatch[K string | []byte](dst []uint32, keys []K) {
	keys = keys[:len(dst)]
	hash.Touch(keys)
	for len(dst) >= 4 {
		hash4((*[4]uint32)(dst), hash.KeyBytes(keys[0]), hash.KeyBytes(keys[1]), hash.KeyBytes(keys[2]), hash.KeyBytes(keys[3]))
		dst, keys = dst[4:], keys[4:]
	}
	for i, key := range keys {
		dst[i] = hashKey(hash.KeyBytes(key))
	}
}

// hash4 hashes four keys side by side: a step waits for the one before it, for longer than four steps take.
func hash4(dst *[4]uint32, a, b, c, d []byte) {
	ha, hb, hc, hd := start(len(a)), start(len(b)), start(len(c)), start(len(d))
	n := min(len(a), len(b), len(c), len(d))
	i := 0
	for ; i+4 <= n; i += 4 {
		ha = step(ha, binary.LittleEndian.Uint32(a[i:]))
		hb = step(hb, binary.LittleEndian.Uint32(b[i:]))
		hc = step(hc, binary.LittleEndian.Uint32(c[i:]))
		hd = step(hd, binary.LittleEndian.Uint32(d[i:]))
	}
	dst[0] = hashFrom(ha, a[i:])
	dst[1] = hashFrom(hb, b[i:])
	dst[2] = hashFrom(hc, c[i:])
	dst[3] = hashFrom(hd, d[i:])
}
