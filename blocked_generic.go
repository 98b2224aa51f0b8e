package bitsieve

// The blocked filter's kernels in plain Go: the specification of every assembly
// kernel, and what runs where there is none.
//
// A filter is a run of blocks of 512 bits, one cache line each: eight lanes of
// 64 bits. A key's 64-bit hash h picks one block and k bits inside it:
//
//	block  = high 64 bits of h × blocks
//	w      = h × wordMul                  the in-block word
//	field  = bits 16+6j … 21+6j of w      lane j's bit, for j in 0 … 7
//	j is on iff (j + w) mod 8 < k         the low three bits of w rotate the lanes
//
// For k = 8 every lane is on. For k > 8 every lane has one bit from w, and the
// k − 8 lanes with (j + w) mod 8 < k − 8 have a second one, at the same field of
// a second word, w2 = (h ^ h>>32) × mixMul; the two may coincide.
//
// The block uses the high bits of h. The multiplications bring the low bits of
// h, of which the block knows nothing, up into every field.

import "math/bits"

const (
	blockWords = 8              // 64-bit words in a block
	blockBytes = 8 * blockWords // a cache line

	minK = 1
	maxK = 16

	wordMul    = 0x9e3779b97f4a7c15 // 2^64 / golden ratio
	fieldShift = 16                 // lane 0's field; lane j's is 6j higher
	fieldBits  = 6
)

// block is the unit that one key touches.
type block = [blockWords]uint64

func blockIndex(h, blocks uint64) uint64 {
	i, _ := bits.Mul64(h, blocks)
	return i
}

func blockWord(h uint64) uint64  { return h * wordMul }
func blockWord2(h uint64) uint64 { return (h ^ h>>32) * mixMul }

// addBlock sets the k bits of a hash.
func addBlock(b *block, h uint64, k int) {
	w := blockWord(h)
	if k < 8 {
		addLanes(b, w, w, k)
		return
	}
	b[0] |= 1 << (w >> 16 & 63)
	b[1] |= 1 << (w >> 22 & 63)
	b[2] |= 1 << (w >> 28 & 63)
	b[3] |= 1 << (w >> 34 & 63)
	b[4] |= 1 << (w >> 40 & 63)
	b[5] |= 1 << (w >> 46 & 63)
	b[6] |= 1 << (w >> 52 & 63)
	b[7] |= 1 << (w >> 58 & 63)
	if k > 8 {
		addLanes(b, w, blockWord2(h), k-8)
	}
}

// turn moves v's fields to its low end, beginning with that of the first lane
// that w's rotation chooses, which it returns: what follows goes on by six bits
// and one lane, round from 7 to 0.
func turn(w, v uint64) (fields uint64, lane uint) {
	const allFields = blockWords * fieldBits
	lane = uint(-w) & 7
	first := fieldBits * lane
	v >>= fieldShift
	return v>>first | v<<(allFields-first), lane
}

// addLanes sets the bits that v places in the n lanes that w's rotation chooses.
func addLanes(b *block, w, v uint64, n int) {
	fields, lane := turn(w, v)
	for range n {
		b[lane&7] |= 1 << (fields & 63)
		fields >>= fieldBits
		lane++
	}
}

// testBlock returns 1 if the k bits of a hash are all set, 0 otherwise. It has
// no branch on the data, and returns no bool that invites one: half of all
// lookups in a busy filter would be mispredicted.
func testBlock(b *block, h uint64, k int) uint64 {
	w := blockWord(h)
	if k < 8 {
		return testLanes(b, w, w, k) & 1
	}
	hit := b[0] >> (w >> 16 & 63) & (b[1] >> (w >> 22 & 63)) &
		(b[2] >> (w >> 28 & 63)) & (b[3] >> (w >> 34 & 63)) &
		(b[4] >> (w >> 40 & 63)) & (b[5] >> (w >> 46 & 63)) &
		(b[6] >> (w >> 52 & 63)) & (b[7] >> (w >> 58 & 63))
	if k > 8 {
		hit &= testLanes(b, w, blockWord2(h), k-8)
	}
	return hit & 1
}

// testLanes returns an odd number if the bits that v places in the n lanes that
// w's rotation chooses are all set, an even one otherwise.
func testLanes(b *block, w, v uint64, n int) uint64 {
	hit := uint64(1)
	fields, lane := turn(w, v)
	for range n {
		hit &= b[lane&7] >> (fields & 63)
		fields >>= fieldBits
		lane++
	}
	return hit
}

// addHashGeneric and testHashGeneric are for one key.
func addHashGeneric(f *Blocked, h uint64) {
	addBlock(&f.blocks[blockIndex(h, uint64(len(f.blocks)))], h, f.k)
}

func testHashGeneric(f *Blocked, h uint64) bool {
	return testBlock(&f.blocks[blockIndex(h, uint64(len(f.blocks)))], h, f.k) != 0
}

// addKeyed and testKeyed are for an integer in a filter with a secret key.
func addKeyed(f *Blocked, x uint64)       { addHash(f, f.hash.keyedUint64(x)) }
func testKeyed(f *Blocked, x uint64) bool { return testHash(f, f.hash.keyedUint64(x)) }

const (
	// genericTile is the number of hashes whose blocks are read ahead at a time.
	genericTile = 64
	// genericAhead is the number of blocks from which they are: 1 MiB, what lies
	// in a core's own caches.
	genericAhead = 1 << 14
)

// readAhead reads a word of each hash's block, the nearest that Go has to a
// prefetch: a processor looks ahead over a score of these short steps, but over
// only two or three whole probes. It must not be inlined, or the compiler would
// see that nobody wants the sum.
//
//go:noinline
func readAhead(blocks []block, hashes []uint64) (sum uint64) {
	for _, h := range hashes {
		sum ^= blocks[blockIndex(h, uint64(len(blocks)))][0]
	}
	return sum
}

// addHashesGeneric adds every hash.
func addHashesGeneric(blocks []block, k int, hashes []uint64) {
	for len(hashes) > 0 {
		tile := hashes[:min(genericTile, len(hashes))]
		hashes = hashes[len(tile):]
		if len(blocks) >= genericAhead {
			readAhead(blocks, tile)
		}
		for _, h := range tile {
			addBlock(&blocks[blockIndex(h, uint64(len(blocks)))], h, k)
		}
	}
}

// testHashesGeneric sets bit i of hits to whether hashes[i] may be present,
// for every i in [0, len(hashes)), and clears the other bits of the last word
// it writes. It returns the number of bits set.
func testHashesGeneric(blocks []block, k int, hashes []uint64, hits []uint64) (n int) {
	for at := 0; len(hashes) > 0; at++ {
		tile := hashes[:min(genericTile, len(hashes))]
		hashes = hashes[len(tile):]
		if len(blocks) >= genericAhead {
			readAhead(blocks, tile)
		}
		var word uint64
		for i, h := range tile {
			word |= testBlock(&blocks[blockIndex(h, uint64(len(blocks)))], h, k) << (i & 63)
		}
		hits[at] = word
		n += bits.OnesCount64(word)
	}
	return n
}

// addUint64sGeneric and testUint64sGeneric are the same for keys that are mixed
// on the way.
func addUint64sGeneric(blocks []block, k int, keys []uint64) {
	var tile [genericTile]uint64
	for len(keys) > 0 {
		t := mixTile(&tile, keys)
		addHashesGeneric(blocks, k, t)
		keys = keys[len(t):]
	}
}

func testUint64sGeneric(blocks []block, k int, keys []uint64, hits []uint64) (n int) {
	var tile [genericTile]uint64
	for len(keys) > 0 {
		t := mixTile(&tile, keys)
		n += testHashesGeneric(blocks, k, t, hits)
		keys, hits = keys[len(t):], hits[1:]
	}
	return n
}

// mixTile returns the hashes of the first keys, in tile.
func mixTile(tile *[genericTile]uint64, keys []uint64) []uint64 {
	t := tile[:min(len(tile), len(keys))]
	for i := range t {
		t[i] = mixUint64(keys[i])
	}
	return t
}
