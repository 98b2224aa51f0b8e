package pebble

import (
	"encoding/binary"
	"math/bits"
)

// A bloomWriter makes filters of Pebble's format.
type bloomWriter struct {
	bitsPerKey int
	hashes     hashes[uint32]
}

// AddKey adds a key.
func (w *bloomWriter) AddKey(key []byte) { w.hashes.add(hash(key)) }

// Finish appends to dst the filter of all keys since the last Finish.
func (w *bloomWriter) Finish(dst []byte) []byte {
	n, lines := w.hashes.n, 0
	if n > 0 {
		lines = (n*w.bitsPerKey+lineBits-1)/lineBits | 1 // odd, so that the remainder depends on all bits of the hash
	}
	dst, filter := extend(dst, lines*lineBytes+trailerBytes)
	if n == 0 {
		return dst // nothing but zeros
	}
	trailer := filter[lines*lineBytes:]
	trailer[0] = probesFor(w.bitsPerKey)
	binary.LittleEndian.PutUint32(trailer[1:], uint32(lines))
	w.hashes.drain(func(part []uint32) { addHashes(filter, uint32(lines), trailer[0], part) })
	return dst
}

// probesFor returns the number of bits that a key sets: bits per key × ln 2, rounded down as LevelDB
// does.
func probesFor(bitsPerKey int) uint8 {
	return uint8(min(max(float64(bitsPerKey)*0.69, 1), maxProbes))
}

// addHashes sets the bits of hashes.
func addHashes(filter []byte, lines uint32, probes uint8, hashes []uint32) {
	for _, h := range hashes {
		setLine((*[lineBytes]byte)(filter[lineAt(h%lines):]), probes, h)
	}
}

func setLine(line *[lineBytes]byte, probes uint8, h uint32) {
	delta := bits.RotateLeft32(h, 15)
	for range probes {
		line[h>>3%lineBytes] |= 1 << (h % 8)
		h += delta
	}
}

// extend appends n zeros to dst and returns it with them, and them alone.
func extend(dst []byte, n int) (all, tail []byte) {
	old := len(dst)
	if n <= cap(dst)-old {
		all = dst[:old+n]
		clear(all[old:])
	} else {
		all = make([]byte, old+n)
		copy(all, dst)
	}
	return all, all[old:]
}
