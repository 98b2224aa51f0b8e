package leveldb

import "encoding/binary"

// LevelDB's hash, with the seed of its Bloom filter.
const (
	hashSeed = 0xbc9f1d34
	hashMul  = 0xc6a4a793
)

// hash returns the 32-bit hash of a key.
func hash(key []byte) uint32 {
	h := start(len(key))
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
