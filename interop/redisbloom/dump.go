package redisbloom

import (
	"fmt"
	"iter"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// ScanDump is BF.SCANDUMP: given 0 it returns 1 and the header, given an iterator that it
// returned the next one and a chunk, and 0 and nil after the last chunk or for what is no
// iterator. Chunks have at most 16 MiB. The bytes are the filter's own, but for the
// header: they are not to be changed, and change when keys are added.
func (f *Filter) ScanDump(iterator int64) (next int64, chunk []byte) {
	if len(f.links) == 0 {
		return 0, nil
	}
	if iterator == 0 {
		return 1, f.appendHeader(nil)
	}
	at := uint64(iterator - 1)
	for i := range f.links {
		l := &f.links[i]
		if at < l.bytes {
			size := min(l.bytes-at, 1<<chunkShift)
			return iterator + int64(size), l.probe.bytes[at : at+size]
		}
		at -= l.bytes
	}
	return 0, nil
}

// Chunks returns the pairs of a dump, for BF.LOADCHUNK or a Loader, in order: all that
// BF.SCANDUMP replies but the last, 0 and no bytes. What ScanDump says of the bytes holds
// here too, and no key is to be added while the dump goes on.
func (f *Filter) Chunks() iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		for next, chunk := f.ScanDump(0); next != 0 && yield(next, chunk); {
			next, chunk = f.ScanDump(next)
		}
	}
}

func (f *Filter) appendHeader(b []byte) []byte {
	b = f.chain.append(b)
	for i := range f.links {
		b = f.links[i].append(b)
	}
	return b
}

// Loader makes a filter of the pairs of a dump, as BF.LOADCHUNK does, but in order only.
// Its memory grows as chunks arrive, at most about twice as much, whatever the header
// claims. The zero value is ready to use. A Loader is for one goroutine at a time.
type Loader struct {
	chain chainInfo
	links []linkInfo
	bits  [][]byte // of the links so far; of the last one perhaps not all
	full  uint64   // bytes of the last of bits that have come
	at    uint64   // bytes of all links that have come
	total uint64
}

// firstRead is the most memory that a header gets on its word.
const firstRead = 1 << 20

// Load takes the next pair. The first is 1 and the header. Errors leave the Loader as it
// was: they are *bitsieve.FormatErrors, whose offset counts from the first byte of the bits or,
// for the header, of it. They wrap ErrHeader if the header is not one that RedisBloom
// takes, or the iterator is not the next one: a chunk is missing, comes twice, belongs to
// two links or is more than all; ErrTruncated or ErrTrailingData for a header of the wrong
// length, ErrMemory for links that are larger than the memory that there is.
func (l *Loader) Load(iterator int64, chunk []byte) error {
	if l.links == nil {
		if iterator != 1 {
			return format.Errorf(bitsieve.ErrHeader, "iterator", 0, "is %d, want the 1 of a header first", iterator)
		}
		return l.start(chunk, 0)
	}
	if err := l.checkChunk(iterator, uint64(len(chunk)), int64(l.at)); err != nil {
		return err
	}
	return l.take(chunk)
}

// start takes the header, which lies at a byte of a file.
func (l *Loader) start(header []byte, at int64) error {
	total, err := checkHeader(header, at)
	if err != nil {
		return err
	}
	if err := memory.Check(total); err != nil {
		return &format.Error{Field: "bytes", Offset: at, Detail: fmt.Sprintf("%d in all links: %v", total, err), Err: bitsieve.ErrMemory}
	}
	l.chain, l.total = parseChain(header), total
	for i := range int(l.chain.links) {
		l.links = append(l.links, linkAt(header, i))
	}
	return nil
}

// checkChunk checks that a chunk of so many bytes is the next one: that it lies in one
// link, which RedisBloom asks for, and follows what has come.
func (l *Loader) checkChunk(iterator int64, size uint64, offset int64) error {
	if l.at == l.total {
		return format.Errorf(bitsieve.ErrHeader, "iterator", offset, "%d and %d bytes after all of %d", iterator, size, l.total)
	}
	left := l.left()
	if size == 0 || size > left || iterator != int64(l.at+size)+1 {
		return format.Errorf(bitsieve.ErrHeader, "iterator", offset,
			"%d and %d bytes after %d; want at most %d bytes, the iterator as many more", iterator, size, l.at, left)
	}
	return nil
}

// left returns how many bytes of the link at hand have not come. There is one.
func (l *Loader) left() uint64 {
	if n := len(l.bits); n > 0 && l.full < l.links[n-1].bytes {
		return l.links[n-1].bytes - l.full
	}
	return l.links[len(l.bits)].bytes
}

// take takes the next bytes, no more than are left.
func (l *Loader) take(p []byte) error {
	n := len(l.bits)
	if n == 0 || l.full == l.links[n-1].bytes {
		l.bits = append(l.bits, nil)
		l.full = 0
		n++
	}
	bits, size := l.bits[n-1], l.links[n-1].bytes
	if need := l.full + uint64(len(p)); need > uint64(len(bits)) {
		room := min(size, max(need, 2*l.full, min(size, firstRead)))
		if err := memory.Check(room); err != nil {
			if l.full == 0 {
				l.bits = l.bits[:n-1]
				l.full = 0
				if n > 1 {
					l.full = l.links[n-2].bytes
				}
			}
			return err
		}
		grown := newBits(room)
		memory.CopyOf(grown, bits[:l.full])
		bits = grown
		l.bits[n-1] = bits
	}
	memory.CopyOf(bits[l.full:], p)
	l.full += uint64(len(p))
	l.at += uint64(len(p))
	return nil
}

// Done reports whether all of the dump has come.
func (l *Loader) Done() bool { return l.links != nil && l.at == l.total }

// Filter returns the filter, and forgets it. It is an error that wraps
// bitsieve.ErrTruncated unless Done.
func (l *Loader) Filter() (*Filter, error) {
	if !l.Done() {
		return nil, format.Errorf(bitsieve.ErrTruncated, "bits", int64(l.at), "%d bytes of %d", l.at, l.total)
	}
	f := &Filter{chain: l.chain}
	for i, info := range l.links {
		f.links = append(f.links, newLink(info, l.bits[i]))
	}
	*l = Loader{}
	return f, nil
}
