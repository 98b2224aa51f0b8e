package main

import (
	"encoding/hex"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/bench/measure"
)

// The families of keys, see measure.Key.
const (
	familyUint64 = iota
	familyHash
	familyString16
	familyString44
)

// urlPrefix makes a key of 44 bytes of the 16 hexadecimal digits that tell keys
// of either length apart.
const urlPrefix = "https://www.example.org/art/"

// appendString appends the text of key i of a string family.
func appendString(dst []byte, family, i uint64) []byte {
	if family == familyString44 {
		dst = append(dst, urlPrefix...)
	}
	z := measure.Key(family, i)
	b := [8]byte{byte(z >> 56), byte(z >> 48), byte(z >> 40), byte(z >> 32), byte(z >> 24), byte(z >> 16), byte(z >> 8), byte(z)}
	return hex.AppendEncode(dst, b[:])
}

// texts turns indices into keys whose bytes lie one after the other in
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
