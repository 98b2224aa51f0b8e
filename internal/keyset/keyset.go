// Package keyset is a compact exact set of keys, byte strings and integers apart. It
// keeps the keys themselves, so that no other key is ever taken for one of them.
//
// The byte strings lie one after the other in one slice, each behind its length. An
// open-addressing table with linear probing finds them: a byte of a key's hash for
// each slot, and four bytes that say where the key is. Most keys that are looked up
// are not in the set, and for nearly all of these the bytes of hashes suffice, of which
// a million keys take 1.4 to 2 MB.
// Integers have a table of their own, whose slots hold them.
//
// A table is filled to 3/4 at most, and grows by half. So a byte string takes its own
// length, 1 byte more (2 from 128 bytes on) and 6.8 to 10.3 of the table; an integer
// takes 12.2 to 18.3 bytes.
//
// Tables are hashed under a random seed, so that nobody can make keys that are slow
// to find, neither by listing them nor in a file. What a file holds, see Encode, does
// not depend on it.
//
// Any number of goroutines may look up and take keys at the same time; adding, and
// what else changes a set, needs exclusive access. No method that looks up or takes
// allocates memory.
package keyset

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/bitsieve/bitsieve/internal/memory"
)

// A Set is a set of keys, some of which may be taken: they are no members, but can
// be listed and restored. The zero value is empty. It must not be copied.
type Set struct {
	seed  maphash.Seed
	texts table[uint32] // where in blob a key starts
	blob  []byte        // keys, each after its length as a uvarint
	ints  table[uint64] // the integers

	taken atomic.Int64
}

// MaxBlob bounds the byte strings of a set, with their lengths.
const MaxBlob = math.MaxUint32

// Len returns the number of members.
func (s *Set) Len() int { return s.texts.n + s.ints.n - s.Taken() }

// Empty reports whether there are no keys at all, taken or not.
func (s *Set) Empty() bool { return s.texts.n+s.ints.n == 0 }

// Taken returns the number of keys that are taken.
func (s *Set) Taken() int { return int(s.taken.Load()) }

// SizeBytes returns how much memory the set takes.
func (s *Set) SizeBytes() uint64 {
	return uint64(cap(s.blob)) + s.texts.sizeBytes(4) + s.ints.sizeBytes(8)
}

// Add adds a byte string, of which it keeps a copy. It reports whether that is new:
// a key that is taken stays so, and is not. It panics when the set outgrows MaxBlob.
func (s *Set) Add(key []byte) bool {
	if s.texts.full() {
		s.reserve(s.texts.n/2+minGrow, 0, 0)
	}
	h := s.hash(key)
	if s.find(h, key) >= 0 {
		return false
	}
	at := len(s.blob)
	if uint64(at)+binary.MaxVarintLen64+uint64(len(key)) > MaxBlob {
		panic("bitsieve: exceptions of more than 4 GiB")
	}
	s.blob = binary.AppendUvarint(s.blob, uint64(len(key)))
	s.blob = append(s.blob, key...)
	s.texts.insert(h, uint32(at), false)
	return true
}

// AddUint64 is Add for an integer.
func (s *Set) AddUint64(x uint64) bool {
	if s.ints.full() {
		s.reserve(0, s.ints.n/2+minGrow, 0)
	}
	h := s.hashUint64(x)
	if s.findUint64(h, x) >= 0 {
		return false
	}
	s.ints.insert(h, x, false)
	return true
}

// Has reports whether key is a member.
func (s *Set) Has(key []byte) bool {
	if s.texts.n == 0 {
		return false
	}
	i := s.find(s.hash(key), key)
	return i >= 0 && !s.texts.isTaken(i)
}

// HasUint64 is Has for an integer.
func (s *Set) HasUint64(x uint64) bool {
	if s.ints.n == 0 {
		return false
	}
	i := s.findUint64(s.hashUint64(x), x)
	return i >= 0 && !s.ints.isTaken(i)
}

// Take takes a member. It reports whether key was one, and whether it had been taken
// before. Of several goroutines that take the same member exactly one is told the
// former, and the others the latter.
func (s *Set) Take(key []byte) (taken, before bool) {
	if s.texts.n == 0 {
		return false, false
	}
	i := s.find(s.hash(key), key)
	if i < 0 {
		return false, false
	}
	return s.count(s.texts.take(i))
}

// TakeUint64 is Take for an integer.
func (s *Set) TakeUint64(x uint64) (taken, before bool) {
	if s.ints.n == 0 {
		return false, false
	}
	i := s.findUint64(s.hashUint64(x), x)
	if i < 0 {
		return false, false
	}
	return s.count(s.ints.take(i))
}

// count counts a key that was taken, and not one that had been before.
func (s *Set) count(taken bool) (bool, bool) {
	if taken {
		s.taken.Add(1)
	}
	return taken, !taken
}

// Restore makes the keys that were taken members again.
func (s *Set) Restore() {
	clear(s.texts.taken)
	clear(s.ints.taken)
	s.taken.Store(0)
}

// Keys returns the keys that are taken, or those that are not: the byte strings in
// lexical order, which must not be changed, and the integers in ascending order.
func (s *Set) Keys(taken bool) (texts [][]byte, ints []uint64) {
	s.texts.each(func(i int) {
		if s.texts.isTaken(i) == taken {
			texts = append(texts, s.text(s.texts.refs[i]))
		}
	})
	s.ints.each(func(i int) {
		if s.ints.isTaken(i) == taken {
			ints = append(ints, s.ints.refs[i])
		}
	})
	slices.SortFunc(texts, bytes.Compare)
	slices.Sort(ints)
	return texts, ints
}

// Keep removes the members that are not wanted, and makes the tables as small as they
// can be. Keys that are taken stay so.
func (s *Set) Keep(text func([]byte) bool, integer func(uint64) bool) {
	texts, ints := s.Keys(false)
	texts = slices.DeleteFunc(texts, func(key []byte) bool { return !text(key) })
	ints = slices.DeleteFunc(ints, func(x uint64) bool { return !integer(x) })
	takenTexts, takenInts := s.Keys(true)
	texts, ints = append(texts, takenTexts...), append(ints, takenInts...)
	var kept Set
	kept.reserve(len(texts), len(ints), blobBytes(texts))
	for _, key := range texts {
		kept.Add(key)
	}
	for _, x := range ints {
		kept.AddUint64(x)
	}
	for _, key := range takenTexts {
		kept.Take(key)
	}
	for _, x := range takenInts {
		kept.TakeUint64(x)
	}
	s.Move(&kept)
}

// Reserve makes room for keys, where they are so many more than those in s that growing
// by half would not do. For integers it makes none.
func Reserve[K string | []byte | uint64](s *Set, keys []K) {
	switch keys := any(keys).(type) {
	case []string:
		if len(keys) > s.texts.n/2 {
			s.reserve(len(keys), 0, blobBytes(keys))
		}
	case [][]byte:
		if len(keys) > s.texts.n/2 {
			s.reserve(len(keys), 0, blobBytes(keys))
		}
	}
}

// reserve makes room for so many more byte strings and integers, and for so many bytes
// of the former, lengths included.
func (s *Set) reserve(texts, ints, size int) {
	if s.seed == (maphash.Seed{}) {
		s.seed = maphash.MakeSeed()
	}
	if texts > 0 {
		s.texts.grow(s.texts.n+texts, func(at uint32) uint64 { return s.hash(s.text(at)) })
	}
	if ints > 0 {
		s.ints.grow(s.ints.n+ints, s.hashUint64)
	}
	if free := cap(s.blob) - len(s.blob); size > free {
		blob := make([]byte, len(s.blob), len(s.blob)+size) // no more than that, unlike slices.Grow
		memory.CopyOf(blob, s.blob)
		s.blob = blob
	}
}

// Copy makes s a copy of t that shares no memory with it.
func (s *Set) Copy(t *Set) {
	s.Move(&Set{seed: t.seed, texts: t.texts.clone(), blob: memory.CloneOf(t.blob), ints: t.ints.clone()})
	s.taken.Store(t.taken.Load())
}

// Move makes s what t is, which is to be forgotten.
func (s *Set) Move(t *Set) {
	s.seed, s.texts, s.blob, s.ints = t.seed, t.texts, t.blob, t.ints
	s.taken.Store(t.taken.Load())
}

// Equal reports whether s and t have the same members.
func (s *Set) Equal(t *Set) bool {
	if s.Len() != t.Len() {
		return false
	}
	same := true
	s.texts.each(func(i int) { same = same && (s.texts.isTaken(i) || t.Has(s.text(s.texts.refs[i]))) })
	s.ints.each(func(i int) { same = same && (s.ints.isTaken(i) || t.HasUint64(s.ints.refs[i])) })
	return same
}

// Clear removes all keys, and lets go of the memory.
func (s *Set) Clear() { s.Move(new(Set)) }

// find returns the slot of a key with hash h, -1 if there is none.
func (s *Set) find(h uint64, key []byte) int {
	tag := tagOf(h)
	for i := s.texts.next(s.texts.start(h), tag); i >= 0; i = s.texts.next(i+1, tag) {
		if string(s.text(s.texts.refs[i])) == string(key) {
			return i
		}
	}
	return -1
}

// findUint64 is find for an integer.
func (s *Set) findUint64(h, x uint64) int {
	tag := tagOf(h)
	for i := s.ints.next(s.ints.start(h), tag); i >= 0; i = s.ints.next(i+1, tag) {
		if s.ints.refs[i] == x {
			return i
		}
	}
	return -1
}

// text returns the key that starts at the given place.
func (s *Set) text(at uint32) []byte {
	n, width := uint64(s.blob[at]), 1
	if n >= 0x80 {
		n, width = binary.Uvarint(s.blob[at:])
	}
	return s.blob[int(at)+width:][:n]
}

// blobBytes returns how much of a blob keys take.
func blobBytes[K string | []byte](keys []K) (n int) {
	for _, key := range keys {
		// A uvarint has seven bits a byte.
		n += (bits.Len(uint(len(key))|1)+6)/7 + len(key)
	}
	return n
}

func (s *Set) hash(key []byte) uint64 { return maphash.Bytes(s.seed, key) }

func (s *Set) hashUint64(x uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return maphash.Bytes(s.seed, b[:])
}
