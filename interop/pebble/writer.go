package pebble

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// Hashes wait in chunks until their number is known, and with it the filter's size.
const chunkHashes = 16 << 10

type bloomChunk [chunkHashes]uint32

var bloomChunks = sync.Pool{New: func() any { return new(bloomChunk) }}

// A bloomWriter makes filters of Pebble's format.
type bloomWriter struct {
	bitsPerKey int
	n          int           // hashes so far
	last       uint32        // the last one, if n > 0
	chunk      *bloomChunk   // the one being filled, nil if n = 0
	full       []*bloomChunk // those before it
}

// AddKey adds a key, unless it hashes like the one before it: the versions of one key follow each
// other, and take no more space than one.
func (w *bloomWriter) AddKey(key []byte) {
	h := hash(key)
	if h == w.last && w.n > 0 {
		return
	}
	i := w.n % chunkHashes
	if i == 0 {
		w.next()
	}
	w.chunk[i] = h
	w.last = h
	w.n++
}

// next puts an empty chunk in the place of a full one.
func (w *bloomWriter) next() {
	if w.chunk != nil {
		w.full = append(w.full, w.chunk)
	}
	w.chunk = bloomChunks.Get().(*bloomChunk)
}

// Finish appends to dst the filter of all keys since the last Finish.
func (w *bloomWriter) Finish(dst []byte) []byte {
	lines := 0
	if w.n > 0 {
		lines = (w.n*w.bitsPerKey+lineBits-1)/lineBits | 1 // odd, so that the remainder depends on all bits of the hash
	}
	dst, filter := extend(dst, lines*lineBytes+trailerBytes)
	if w.n == 0 {
		return dst // of nothing but zeros
	}
	trailer := filter[lines*lineBytes:]
	trailer[0] = probesFor(w.bitsPerKey)
	binary.LittleEndian.PutUint32(trailer[1:], uint32(lines))
	for _, c := range w.full {
		addHashes(filter, uint32(lines), trailer[0], c[:])
		bloomChunks.Put(c)
	}
	addHashes(filter, uint32(lines), trailer[0], w.chunk[:(w.n-1)%chunkHashes+1])
	bloomChunks.Put(w.chunk)
	*w = bloomWriter{bitsPerKey: w.bitsPerKey, full: w.full[:0]}
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
