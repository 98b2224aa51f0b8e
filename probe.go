package bitsieve

// Probing without a filter: the blocks of a Blocked in a slice of bytes that
// somebody else keeps. It is for stores whose filters lie in tables, pages and
// messages, and who look one key up in many of them.

import (
	"fmt"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/model"
)

// HashKey returns the hash by which TestBlocks, and every filter without a secret
// key that has TestHash, knows key: XXH3 of 64 bits. It is the same on every machine
// and never changes. Whoever chooses keys can make them collide.
func HashKey(key []byte) uint64 { return hash.Bytes(key) }

// HashKeyString is HashKey for the bytes of s.
func HashKeyString(s string) uint64 { return hash.String(s) }

// TestBlocks reports whether a key with the hash h may have been added to bits by
// AddBlocks with the same k: false is certain.
//
// bits are blocks of 64 bytes, at any address, such as those that a Blocked of the
// same K has in its file after the header: the same on machines of either byte order.
// It neither keeps nor allocates anything, and any number of goroutines may test bits
// that nobody writes.
//
// The arguments may come from outside. Bits that are no whole number of blocks, none
// at all, and a k outside 1 to 16 give true: what cannot be read may hold the key.
func TestBlocks(bits []byte, k int, h uint64) bool { return block.TestBits(bits, k, h) }

// AddBlocks adds keys by their hashes, which must be uniform in all of their 64 bits:
// HashKey's are. Each sets k bits, 1 <= k <= 16, in one of the blocks of 64 bytes that
// bits are, at any address; afterwards they are what the blocks of a Blocked of this
// size would be. Bits that are no whole number of blocks, none at all, and another k
// are mistakes of the program, and panic. No other goroutine may use bits meanwhile.
//
// BlocksFor says how many blocks to begin with, all zeros, and which k to take.
func AddBlocks(bits []byte, k int, hashes []uint64) {
	if !block.Valid(bits, k) {
		panic(fmt.Sprintf("bitsieve: AddBlocks to %d bytes with k = %d", len(bits), k))
	}
	block.AddBits(bits, k, hashes)
}

// BlocksFor returns how many blocks of 64 bytes give n keys at least so many bits
// each, and the k that has the lowest false-positive rate there by the model of the
// blocked filter. BlockedRate says which rate that is: at 10 bits per key 0.97 %, at
// 16 0.087 %, for many keys.
//
// It always returns what NewBlockedWithSize and AddBlocks take, as far as memory
// allows: n = 0 counts as 1, fewer bits per key than 1, and NaN, as 1; and no size is
// more than the address space holds. Few keys get more bits than asked for, as
// there are whole blocks only: a single key 512.
func BlocksFor(n uint64, bitsPerKey float64) (blocks uint64, k int) {
	return model.BlocksFor(n, bitsPerKey, maxBlocks)
}

// BlockedRate returns the false-positive rate that the model of the blocked filter
// expects of so many blocks of 64 bytes after n distinct keys, each of which sets k
// bits, 1 <= k <= 16: that is Blocked.ExpectedFPRate, and BloomRate for Bloom. More than
// 2,048 keys a block, no blocks and another k give 1.
func BlockedRate(blocks uint64, k int, n uint64) float64 {
	if blocks == 0 || k < block.MinK || k > block.MaxK {
		return 1
	}
	return model.ExpectedRate(float64(n), blocks, k)
}
