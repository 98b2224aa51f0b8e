package redisbloom

import (
	"encoding/binary"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
)

// View is a filter that lies in somebody else's bytes. It is a small value, to be copied
// and kept at will, as long as the bytes stay what they are; its methods allocate nothing,
// and any number of goroutines may use them.
type View struct {
	header []byte // the header of a dump
	data   []byte // what follows: the links' bits
	gap    uint64 // bytes before each chunk that are no bits
}

// NewView returns a view of a file as WriteTo makes it: all of it and no more, at any
// alignment, neither copied nor changed. It checks the header as RedisBloom does, and that
// the pairs are those of BF.SCANDUMP, chunks of 16 MiB but for a link's last one: ReadFrom
// takes others. Errors are *bitsieve.FormatErrors that wrap ErrTruncated, ErrTrailingData,
// ErrHeader, or ErrMemory for links that no machine addresses.
func NewView(data []byte) (View, error) {
	header, at, err := fileHeader(data)
	if err != nil {
		return View{}, err
	}
	v := View{header: header, data: data[at:], gap: pairBytes}
	iterator := uint64(1)
	for i := range v.Links() {
		l := linkAt(header, i)
		for left := l.bytes; left > 0; {
			size := min(left, 1<<chunkShift)
			iterator += size
			if err := checkPair(data, at, iterator, size); err != nil {
				return View{}, err
			}
			at += pairBytes + size
			left -= size
		}
	}
	if err := checkPair(data, at, 0, 0); err != nil {
		return View{}, err
	}
	v.data = v.data[:len(v.data)-pairBytes]
	if at += pairBytes; uint64(len(data)) > at {
		return View{}, format.Errorf(bitsieve.ErrTrailingData, "file", int64(at), "%d bytes after the last pair", uint64(len(data))-at)
	}
	return v, nil
}

// fileHeader returns the header in a file, and where the pair after it starts.
func fileHeader(data []byte) (header []byte, at uint64, err error) {
	if len(data) < pairBytes {
		return nil, 0, format.Errorf(bitsieve.ErrTruncated, "iterator", int64(len(data)), "%d bytes", len(data))
	}
	if iterator := binary.LittleEndian.Uint64(data); iterator != 1 {
		return nil, 0, format.Errorf(bitsieve.ErrHeader, "iterator", 0, "is %d, want the 1 of a header", int64(iterator))
	}
	size := binary.LittleEndian.Uint64(data[8:])
	if size > uint64(len(data)-pairBytes) {
		return nil, 0, format.Errorf(bitsieve.ErrTruncated, "header", int64(len(data)), "%d bytes of %d", len(data)-pairBytes, size)
	}
	at = pairBytes + size
	header = data[pairBytes:at]
	_, err = checkHeader(header, pairBytes)
	return header, at, err
}

// checkPair checks that a pair with an iterator and a number of bytes lies at a byte of
// data.
func checkPair(data []byte, at, iterator, size uint64) error {
	have := uint64(len(data)) - at
	if have < pairBytes {
		return format.Errorf(bitsieve.ErrTruncated, "iterator", int64(len(data)), "%d bytes of %d", have, pairBytes)
	}
	gotIterator, gotSize := binary.LittleEndian.Uint64(data[at:]), binary.LittleEndian.Uint64(data[at+8:])
	if gotIterator != iterator || gotSize != size {
		return format.Errorf(bitsieve.ErrHeader, "iterator", int64(at), "%d and %d bytes, want %d and %d", int64(gotIterator), gotSize, iterator, size)
	}
	if have-pairBytes < size {
		return format.Errorf(bitsieve.ErrTruncated, "bits", int64(len(data)), "%d bytes of %d", have-pairBytes, size)
	}
	return nil
}

// NewViewOf is NewView for a header, the bytes of a dump's first pair, and the bits of all
// links, those of all other pairs one after the other.
func NewViewOf(header, bits []byte) (View, error) {
	total, err := checkHeader(header, 0)
	if err != nil {
		return View{}, err
	}
	switch {
	case uint64(len(bits)) < total:
		return View{}, format.Errorf(bitsieve.ErrTruncated, "bits", int64(len(bits)), "%d bytes of %d", len(bits), total)
	case uint64(len(bits)) > total:
		return View{}, format.Errorf(bitsieve.ErrTrailingData, "bits", int64(total), "%d bytes of %d", len(bits), total)
	}
	return View{header: header, data: bits}, nil
}

// chain returns what the header says of the chain.
func (v *View) chain() chainInfo {
	if len(v.header) == 0 {
		return chainInfo{}
	}
	return parseChain(v.header)
}

func (v *View) wide() bool { c := v.chain(); return c.wide() }

// A walk goes through the links of a view, the newest first.
type walk struct {
	view  *View
	i     int // the link, once next has said so
	end   uint64
	probe probe
	size  uint64 // of the link's bits, without gaps
}

func (v *View) walk() walk { return walk{view: v, i: v.Links(), end: uint64(len(v.data))} }

// next goes on to the next older link.
func (w *walk) next() bool {
	if w.i == 0 {
		return false
	}
	w.i--
	l := linkAt(w.view.header, w.i)
	chunks := (l.bytes + 1<<chunkShift - 1) >> chunkShift
	start := w.end - l.bytes - chunks*w.view.gap
	b, gap := w.view.data[start:w.end], w.view.gap
	if gap > 0 {
		b = b[gap:]
	}
	if chunks == 1 {
		gap = 0
	}
	w.probe, w.size, w.end = l.probe(b, gap), l.bytes, start
	return true
}

func (v *View) has(h pair) bool {
	for w := v.walk(); w.next(); {
		if w.probe.test(h) {
			return true
		}
	}
	return false
}

// Test reports whether key may have been added: false is certain.
func (v View) Test(key []byte) bool { return v.has(hashKey(key, v.wide())) }

// TestString reports whether s may have been added: false is certain.
func (v View) TestString(s string) bool { return v.has(hashKey(hash.KeyBytes(s), v.wide())) }

// TestBytes tests keys and returns how many may be present. Bit i of hits says whether
// keys[i] may be: hits is resized to len(keys) bits and overwritten. It may be nil if
// only the number is wanted.
func (v View) TestBytes(keys [][]byte, hits *bitsieve.BitSet) int {
	return testKeys(source{view: v}, keys, hits)
}

// TestStrings is TestBytes for strings.
func (v View) TestStrings(keys []string, hits *bitsieve.BitSet) int {
	return testKeys(source{view: v}, keys, hits)
}

// Links returns the number of links.
func (v View) Links() int { c := v.chain(); return int(c.links) }
