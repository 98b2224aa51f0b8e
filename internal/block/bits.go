package block

// Probing of bytes: blocks as files have them, at any address. In a file a block is
// 512 bits of which bit i is bit i%8 of byte i/8, and bit f of lane j is bit 64j + f:
// what a block is in the memory of a little-endian machine. Blocks in bytes need no
// Filter, and the functions below keep nothing between two calls.
//
// The kernels load and store at any alignment, so they take the bytes as they are.

import (
	"encoding/binary"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/race"
)

// Valid reports whether bits are whole blocks, at least one, and a key can have k
// bits there.
func Valid(bits []byte, k int) bool {
	return uint(k-MinK) <= MaxK-MinK && len(bits) != 0 && len(bits)%Bytes == 0
}

// Bits is a Filter over bytes that somebody else keeps, for testing only. Bytes are
// Valid with K, or empty: then it contains nothing.
type Bits struct {
	Bytes []byte
	K     int
	Hash  hash.Hasher
}

// Blocks returns the number of blocks.
func (f *Bits) Blocks() uint64 { return uint64(len(f.Bytes)) / Bytes }

// Block copies block i, in words, to b.
func (f *Bits) Block(i uint64, b *Block) {
	p := (*[Bytes]byte)(f.Bytes[i*Bytes:])
	for j := range b {
		b[j] = binary.LittleEndian.Uint64(p[8*j:])
	}
}

// TestHash reports whether h may have been added.
func (f *Bits) TestHash(h uint64) bool { return len(f.Bytes) != 0 && TestBits(f.Bytes, f.K, h) }

// TestHashes is Filter.TestHashes.
func (f *Bits) TestHashes(hashes, hits []uint64) { f.testBatch(hashes, hits, false) }

// TestUint64s is Filter.TestUint64s.
func (f *Bits) TestUint64s(keys, hits []uint64) { f.testBatch(keys, hits, true) }

func (f *Bits) testBatch(keys, hits []uint64, mixed bool) {
	hits = hits[:(len(keys)+63)/64]
	race.Read(keys)
	race.Write(hits)
	raceRead(f.Bytes)
	switch {
	case len(f.Bytes) == 0:
		clear(hits)
	case vectorBlocks(f.Blocks()):
		f.testVector(keys, hits, mixed)
	default:
		f.testGeneric(keys, hits, mixed)
	}
}

// testVector is Filter.testPart.
func (f *Bits) testVector(keys, hits []uint64, mixed bool) {
	blocks := viewBits(f.Bytes)
	done := 0 // of the keys of hits[0]
	for n := nextBatch(len(keys)); n > 0; n = nextBatch(len(keys)) {
		hits[(n-1)/64] = 0
		testKernel(blocks, f.K, keys[:n], hits, mixed)
		keys, hits, done = keys[n:], hits[n/64:], n%64
	}
	if len(keys) == 0 {
		return
	}
	var word uint64
	for i, x := range keys {
		if mixed {
			x = hash.Mix(x)
		}
		word |= bit(TestBits(f.Bytes, f.K, x)) << (i & 63)
	}
	orInto(hits, word, done)
}

// testGeneric is the same in Go, as the function of that name for blocks.
func (f *Bits) testGeneric(keys, hits []uint64, mixed bool) {
	var chunk [genericChunk]uint64
	for at := 0; len(keys) > 0; at++ {
		hashes := mixChunk(&chunk, keys, mixed)
		if f.Blocks() >= genericAhead {
			f.readAhead(hashes)
		}
		var word uint64
		for i, h := range hashes {
			word |= testAt(blockAt(f.Bytes, h), h, f.K) << (i & 63)
		}
		hits[at] = word
		keys = keys[len(hashes):]
	}
}

// readAhead is the function of that name for blocks.
//
//go:noinline
func (f *Bits) readAhead(hashes []uint64) (sum byte) {
	for _, h := range hashes {
		sum ^= blockAt(f.Bytes, h)[0]
	}
	return sum
}

// TestBits reports whether h may have been added to the blocks in bits: always, if
// they are not Valid with k.
func TestBits(bits []byte, k int, h uint64) bool {
	raceRead(bits)
	return testBits(unsafe.SliceData(bits), len(bits), k, h, cpu.Current())
}

// AddBits adds hashes, the keys, to the blocks in bits, which must be Valid with k.
func AddBits(bits []byte, k int, keys []uint64) {
	race.Read(keys)
	raceWrite(bits)
	if vectorBlocks(uint64(len(bits)) / Bytes) {
		blocks := viewBits(bits)
		for n := nextBatch(len(keys)); n > 0; n = nextBatch(len(keys)) {
			addKernel(blocks, k, keys[:n], false)
			keys = keys[n:]
		}
	}
	for _, h := range keys {
		addAt(blockAt(bits, h), h, k)
	}
}

// viewBits returns the blocks in bits, for kernels: Go code must not look at them,
// for they may not be aligned.
func viewBits(bits []byte) []Block {
	return unsafe.Slice((*Block)(unsafe.Pointer(unsafe.SliceData(bits))), len(bits)/Bytes)
}

// blockAt returns the block of a hash.
func blockAt(bits []byte, h uint64) *[Bytes]byte {
	at := Index(h, uint64(len(bits))/Bytes) * Bytes
	return (*[Bytes]byte)(bits[at:])
}

// testAt is Test for a block in bytes.
func testAt(b *[Bytes]byte, h uint64, k int) uint64 {
	w := word(h)
	if k < 8 {
		return testLanesAt(b, w, w, k) & 1
	}
	hit := b[w>>19&7] >> (w >> 16 & 7) & (b[8+w>>25&7] >> (w >> 22 & 7)) &
		(b[16+w>>31&7] >> (w >> 28 & 7)) & (b[24+w>>37&7] >> (w >> 34 & 7)) &
		(b[32+w>>43&7] >> (w >> 40 & 7)) & (b[40+w>>49&7] >> (w >> 46 & 7)) &
		(b[48+w>>55&7] >> (w >> 52 & 7)) & (b[56+w>>61&7] >> (w >> 58 & 7))
	if k > 8 {
		return testLanesAt(b, w, word2(h), k-8) & uint64(hit) & 1
	}
	return uint64(hit) & 1
}

// testLanesAt is testLanes for a block in bytes.
func testLanesAt(b *[Bytes]byte, w, v uint64, n int) uint64 {
	hit := byte(1)
	fields, lane := turn(w, v)
	for range n {
		hit &= b[lane&7*8+uint(fields>>3&7)] >> (fields & 7)
		fields >>= fieldBits
		lane++
	}
	return uint64(hit)
}

// addAt is Add for a block in bytes.
func addAt(b *[Bytes]byte, h uint64, k int) {
	w := word(h)
	if k < 8 {
		addLanesAt(b, w, w, k)
		return
	}
	addLanesAt(b, w, w, 8)
	if k > 8 {
		addLanesAt(b, w, word2(h), k-8)
	}
}

// addLanesAt is addLanes for a block in bytes.
func addLanesAt(b *[Bytes]byte, w, v uint64, n int) {
	fields, lane := turn(w, v)
	for range n {
		b[lane&7*8+uint(fields>>3&7)] |= 1 << (fields & 7)
		fields >>= fieldBits
		lane++
	}
}

// testBitsGeneric is TestBits for the n bytes from bits on: the specification of the
// kernel for one key, and what it jumps to for what it does not know.
func testBitsGeneric(bits *byte, n, k int, h uint64, _ cpu.Level) bool {
	b := unsafe.Slice(bits, n)
	return !Valid(b, k) || testAt(blockAt(b, h), h, k) != 0
}

// raceRead and raceWrite declare an access by the first byte in place of all: see
// Filter.RaceRead.

func raceRead(bits []byte) {
	if race.Enabled && len(bits) > 0 {
		race.Read(bits[:1])
	}
}

func raceWrite(bits []byte) {
	if race.Enabled && len(bits) > 0 {
		race.Write(bits[:1])
	}
}
