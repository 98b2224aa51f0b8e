package main

import (
	"encoding/hex"
	"math/rand/v2"
	"unsafe"
)

// Keys come from families: key i of a family is a bijective scramble of the two
// numbers, so that no two keys are equal, and which keys are in a filter is
// known without storing them.
const (
	familyUint64 = iota
	familyHash
	familyString16
	familyString44
)

// absentFrom is the index from which a family's keys are never added, and
// trialFrom the first of those with which false-positive rates are measured.
const (
	absentFrom = 1 << 40
	trialFrom  = 1 << 44
)

// key returns key i < 2^48 of a family. It is SplitMix64's output function
// (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014):
// the keys are as good as random hashes.
func key(family, i uint64) uint64 {
	z := (family<<48 | i) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// urlPrefix makes a key of 44 bytes of the 16 hexadecimal digits that tell keys
// of either length apart.
const urlPrefix = "https://www.example.org/art/"

// appendString appends the text of key i of a string family.
func appendString(dst []byte, family, i uint64) []byte {
	if family == familyString44 {
		dst = append(dst, urlPrefix...)
	}
	z := key(family, i)
	b := [8]byte{byte(z >> 56), byte(z >> 48), byte(z >> 40), byte(z >> 32), byte(z >> 24), byte(z >> 16), byte(z >> 8), byte(z)}
	return hex.AppendEncode(dst, b[:])
}

// mixed returns the indices of n keys, in random order, of which half, as coins
// fall, are below present and the others are absent ones.
func mixed(n int, present uint64) []uint64 {
	r := rand.New(rand.NewPCG(5, present))
	index := make([]uint64, n)
	for i := range index {
		if r.Uint64()>>63 == 0 {
			index[i] = r.Uint64N(present)
		} else {
			index[i] = absentFrom + uint64(i)
		}
	}
	return index
}

// anyOf returns the indices of n present keys in random order.
func anyOf(n int, present uint64) []uint64 {
	r := rand.New(rand.NewPCG(6, present))
	index := make([]uint64, n)
	for i := range index {
		index[i] = r.Uint64N(present)
	}
	return index
}

// integers turns indices into keys in place.
func integers(family uint64, index []uint64) []uint64 {
	for i, x := range index {
		index[i] = key(family, x)
	}
	return index
}

// strings turns indices into keys whose bytes lie one after the other in
// memory.
func texts(family uint64, index []uint64) []string {
	var text []byte
	keys := make([]string, len(index))
	size := len(appendString(nil, family, 0))
	text = make([]byte, 0, size*len(index))
	for i, x := range index {
		start := len(text)
		text = appendString(text, family, x)
		keys[i] = unsafe.String(&text[start], size)
	}
	return keys
}

// A cursor hands out a list in batches, over and over.
type cursor[K any] struct {
	keys []K
	at   int
}

// next returns the next batch. The list is never shorter than one.
func (c *cursor[K]) next() []K {
	if c.at+batch > len(c.keys) {
		c.at = 0
	}
	c.at += batch
	return c.keys[c.at-batch : c.at]
}
