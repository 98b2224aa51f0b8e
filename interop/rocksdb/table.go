package rocksdb

import (
	"encoding/binary"
	"math/bits"
)

const (
	lineBytes = 64
	lineBits  = 8 * lineBytes
	maxLines  = 1<<26 - 1 // RocksDB counts bytes in 32 bits
	maxK      = 30
	golden    = 0x9e3779b9 // what the next probe is the one before times
)

// A table is what is probed: the lines of a filter. It is the specification of the
// kernels.
type table struct {
	bits []byte // whole lines; none hold no key
	k    int    // probes, 1 to maxK; 0 if there are no lines
	all  bool   // there are no lines, and every key passes
}

func (t *table) lines() uint64 { return uint64(len(t.bits)) / lineBytes }

// offset returns where the line of a key begins, for a table that has lines.
func (t *table) offset(h uint64) uint64 { return uint64(uint32(h)) * t.lines() >> 32 * lineBytes }

// line returns the line that begins at an offset.
func (t *table) line(offset uint64) *[lineBytes]byte {
	return (*[lineBytes]byte)(t.bits[offset : offset+lineBytes])
}

// test reports whether the key with hash h may have been added.
func (t *table) test(h uint64) bool {
	if len(t.bits) == 0 {
		return t.all
	}
	return testOne(t, h)
}

// testLine looks at the probes that start from h, and stops at the first that
// misses: half of them do in a filter that is full.
func testLine(line *[lineBytes]byte, h uint32, k int) bool {
	for range k {
		if line[h>>26]>>(h>>23&7)&1 == 0 {
			return false
		}
		h *= golden
	}
	return true
}

// testLineWhole is testLine without a branch on what the line holds, as a number: for
// batches, in which one key's misprediction would keep the next waiting.
func testLineWhole(line *[lineBytes]byte, h uint32, k int) uint64 {
	all := uint64(1)
	for range k {
		all &= word(line, h>>29) >> (h >> 23 & 63)
		h *= golden
	}
	return all
}

// word returns word i of a line, in little-endian order: what follows the three bits of
// its number in a place is then the bit's number in the word.
func word(line *[lineBytes]byte, i uint32) uint64 {
	return binary.LittleEndian.Uint64(line[i*8 : i*8+8])
}

// add adds the key with hash h. It panics if there are no lines.
func (t *table) add(h uint64) {
	if len(t.bits) == 0 {
		t.addToNone()
		return
	}
	addLine(t.line(t.offset(h)), uint32(h>>32), t.k)
}

// addToNone is add for a table without lines: in one that every key passes there is
// nothing to do.
func (t *table) addToNone() {
	if !t.all {
		panic("rocksdb: adding to a filter without bits")
	}
}

func addLine(line *[lineBytes]byte, h uint32, k int) {
	for range k {
		i := h >> 29
		binary.LittleEndian.PutUint64(line[i*8:i*8+8], word(line, i)|1<<(h>>23&63))
		h *= golden
	}
}

// testAndAdd adds the key with hash h and reports whether it may have been there
// before.
func (t *table) testAndAdd(h uint64) bool {
	if len(t.bits) == 0 {
		t.addToNone()
		return true
	}
	line := t.line(t.offset(h))
	was := testLineWhole(line, uint32(h>>32), t.k)
	addLine(line, uint32(h>>32), t.k)
	return was != 0
}

// setBits returns how many bits of a line are set.
func setBits(line *[lineBytes]byte) (n int) {
	for i := range uint32(lineBytes / 8) {
		n += bits.OnesCount64(word(line, i))
	}
	return n
}
