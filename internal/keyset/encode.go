package keyset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/bitsieve/bitsieve/internal/memory"
)

// The form of a set in a file: words, of which those with the integers, in ascending
// order, come first. The byte strings follow, in lexical order, each after its length
// as a uvarint, eight bytes to a little-endian word, and zeros to the end. So equal
// sets have the same form on every machine.

// A Size says what Decode needs to know beside the words.
type Size struct {
	Keys  uint64 // byte strings and integers
	Ints  uint64 // integers
	Bytes uint64 // of the byte strings, with their lengths
}

// Words returns the number of words that a set takes.
func (n Size) Words() uint64 { return n.Ints + n.Bytes/8 + (n.Bytes%8+7)/8 }

// Encode returns the form of the members.
func (s *Set) Encode() (words []uint64, size Size) {
	texts, ints := s.Keys(false)
	size = Size{uint64(len(texts) + len(ints)), uint64(len(ints)), uint64(blobBytes(texts))}
	words = slices.Grow(ints, int(size.Words())-len(ints))
	var w packer
	for _, key := range texts {
		var head [binary.MaxVarintLen64]byte
		words = w.append(words, head[:binary.PutUvarint(head[:], uint64(len(key)))])
		words = w.append(words, key)
	}
	if w.n > 0 {
		words = append(words, w.word)
	}
	return words, size
}

// A packer makes words of bytes.
type packer struct {
	word uint64
	n    int // bytes in it
}

func (w *packer) append(words []uint64, b []byte) []uint64 {
	for len(b) > 0 {
		if w.n == 0 && len(b) >= 8 {
			words = append(words, binary.LittleEndian.Uint64(b))
			b = b[8:]
			continue
		}
		w.word |= uint64(b[0]) << (8 * w.n)
		b = b[1:]
		if w.n++; w.n == 8 {
			words = append(words, w.word)
			*w = packer{}
		}
	}
	return words
}

// A Fault says where an encoded set is wrong, and how.
type Fault struct {
	Offset int64 // in bytes
	Detail string
}

func (f *Fault) Error() string { return fmt.Sprintf("at byte %d: %s", f.Offset, f.Detail) }

func fault(offset uint64, detail string, args ...any) *Fault {
	return &Fault{int64(offset), fmt.Sprintf(detail, args...)}
}

// maxGrowth bounds the memory that a set takes by the bytes of its encoded form. The
// table of a key of one byte takes 4/3 × (1 + 4 + 1/8) bytes.
const maxGrowth = 8

// Decode returns the set that words hold, of which it keeps none. What is not
// exactly what Encode makes, with zeros after it, is a *Fault; a set that may not fit
// into memory is an error that wraps memory.ErrMemory.
func Decode(words []uint64, size Size) (*Set, error) {
	have := uint64(len(words))
	switch {
	case size.Ints > size.Keys || size.Ints > have:
		return nil, fault(0, "%d integers among %d keys in %d words", size.Ints, size.Keys, have)
	case size.Bytes > MaxBlob || size.Words() > have:
		return nil, fault(0, "%d integers and %d bytes of keys in %d words", size.Ints, size.Bytes, have)
	case size.Keys-size.Ints > size.Bytes:
		return nil, fault(0, "%d keys in %d bytes", size.Keys-size.Ints, size.Bytes)
	}
	if err := memory.Check(maxGrowth * 8 * have); err != nil {
		return nil, err
	}
	s := new(Set)
	s.reserve(int(size.Keys-size.Ints), int(size.Ints), 0)
	for i, x := range words[:size.Ints] {
		if i > 0 && x <= words[i-1] {
			return nil, fault(8*uint64(i), "integer %d follows %d", x, words[i-1])
		}
		s.ints.insert(s.hashUint64(x), x, false)
	}
	words = words[size.Ints:]
	blob := make([]byte, 8*len(words))
	for i, w := range words {
		binary.LittleEndian.PutUint64(blob[8*i:], w)
	}
	if i := bytes.IndexFunc(blob[size.Bytes:], func(r rune) bool { return r != 0 }); i >= 0 {
		return nil, fault(8*size.Ints+size.Bytes+uint64(i), "%#x after the last key", blob[size.Bytes+uint64(i)])
	}
	s.blob = blob[:size.Bytes:size.Bytes]
	if err := s.index(size); err != nil {
		return nil, err
	}
	return s, nil
}

// index fills the table of byte strings from a blob whose keys have not been looked
// at.
func (s *Set) index(size Size) error {
	var last []byte
	at, n := uint64(0), uint64(0)
	for ; at < size.Bytes; n++ {
		if n == size.Keys-size.Ints {
			return fault(8*size.Ints+at, "%d bytes after %d keys", size.Bytes-at, n)
		}
		length, width := binary.Uvarint(s.blob[at:])
		if width <= 0 || width > 1 && length>>(7*(width-1)) == 0 {
			return fault(8*size.Ints+at, "no length of a key")
		}
		start := at + uint64(width)
		if length > size.Bytes-start {
			return fault(8*size.Ints+at, "a key of %d bytes, %d are left", length, size.Bytes-start)
		}
		key := s.blob[start : start+length]
		if n > 0 && bytes.Compare(last, key) >= 0 {
			return fault(8*size.Ints+at, "the keys are not in order")
		}
		s.texts.insert(s.hash(key), uint32(at), false)
		last, at = key, start+length
	}
	if n != size.Keys-size.Ints {
		return fault(8*size.Ints+at, "%d keys, want %d", n, size.Keys-size.Ints)
	}
	return nil
}
