package pebble

import (
	"encoding/binary"
	"math/bits"

	"github.com/cockroachdb/pebble/v2"
)

// Pebble's Bloom filter, which is that of RocksDB's block-based table up to format version 4: lines
// of 64 bytes, then
//
//	1 byte     probes, the number of bits that a key sets
//	4 bytes    lines, little-endian
//
// A key's 32-bit hash h picks line h mod lines, and in it the bits (h + i × delta) mod 512 for i
// from 0 to probes − 1, delta being h rotated right by 17 bits. Bit i is bit i mod 8 of byte i / 8.
const (
	lineBytes    = 64
	lineBits     = 8 * lineBytes
	trailerBytes = 5
	maxProbes    = 30
)

// FilterPolicy is Pebble's bloom.FilterPolicy: the approximate number of bits per key, of which 10
// are usual and give a false-positive rate of about 1.2 %. It has the same name, writes the same
// bytes and gives the same answers, in less time. A number below 0 counts as 0.
//
// A FilterPolicy may be used by any number of goroutines; each of its writers by one.
type FilterPolicy int

var _ pebble.FilterPolicy = FilterPolicy(0)

// Name returns the name that Pebble's policy has, "rocksdb.BuiltinBloomFilter".
func (p FilterPolicy) Name() string { return "rocksdb.BuiltinBloomFilter" }

// MayContain reports whether key may be among those that filter was made from: false is certain.
// The answer does not depend on p.
//
// A filter without bits contains nothing, as in Pebble. Bytes that no writer of this format makes
// may contain everything: no lines, lines without bits, which make Pebble panic, and more than
// 30 probes, a number by which RocksDB marks its newer filters.
func (p FilterPolicy) MayContain(_ pebble.FilterType, filter, key []byte) bool {
	return mayContain(filter, hash(key))
}

// NewWriter returns a writer of filters. Its memory comes from a pool, to which Finish returns it.
func (p FilterPolicy) NewWriter(pebble.FilterType) pebble.FilterWriter {
	return &bloomWriter{bitsPerKey: max(int(p), 0)}
}

// mayContain is MayContain for a key's hash.
func mayContain(filter []byte, h uint32) bool {
	n := len(filter) - trailerBytes
	if n <= 0 {
		return false
	}
	probes := filter[n]
	lines := binary.LittleEndian.Uint32(filter[n+1:])
	if probes > maxProbes || lines == 0 {
		return true
	}
	if uint64(n) != uint64(lines)*lineBytes {
		return mayContainAny(filter[:n], lines, probes, h)
	}
	return testLine((*[lineBytes]byte)(filter[lineAt(h%lines):]), probes, h)
}

// lineAt returns where a line begins. As Pebble counts bits in 32-bit numbers, it wraps round after
// 512 MiB.
func lineAt(line uint32) uint32 { return line * lineBits / 8 }

// testLineGeneric is testLine in Go: the specification of the kernel. It has no branch on the data: half
// of the keys that are not there would be mispredicted.
func testLineGeneric(line *[lineBytes]byte, probes uint8, h uint32) bool {
	delta := bits.RotateLeft32(h, 15)
	hit := byte(1)
	for range probes {
		hit &= line[h>>3%lineBytes] >> (h % 8)
		h += delta
	}
	return hit != 0
}

// mayContainAny is mayContain for lines of any size: RocksDB's are as long as the lines of the
// machine's cache, and damaged filters have any.
func mayContainAny(data []byte, lines uint32, probes uint8, h uint32) bool {
	bitsPerLine := 8 * (uint32(len(data)) / lines)
	if bitsPerLine == 0 {
		return true
	}
	delta := bits.RotateLeft32(h, 15)
	first := h % lines * bitsPerLine
	for range probes {
		bit := first + h%bitsPerLine
		if data[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
		h += delta
	}
	return true
}
