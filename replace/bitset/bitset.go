// Package bitset takes the place of github.com/bits-and-blooms/bitset v1 by a line
// of go.mod, in a program and in every dependency of it, with no source touched:
//
//	replace github.com/bits-and-blooms/bitset => github.com/bitsieve/bitsieve/replace/bitset vX.Y.Z
//
// It is [github.com/bitsieve/bitsieve/dropin/bitset] under a module path of its own,
// which says where the answers differ from the peer's. Code that imports the drop-in
// itself needs no replace line; both have the same types.
//
// A module that appears in a replace line cannot also be required by its own path.
package bitset

import (
	"encoding/binary"

	"github.com/bitsieve/bitsieve/dropin/bitset"
)

// A BitSet is a set of non-negative integers. The zero value is an empty set of
// length 0.
type BitSet = bitset.BitSet

// Error is the type of the panic value for a nil set.
type Error = bitset.Error

// New returns an empty set of the given length, or of length 0 if there can be
// no such length.
func New(length uint) *BitSet { return bitset.New(length) }

// MustNew returns an empty set of the given length. It panics if there can be no
// such length.
func MustNew(length uint) *BitSet { return bitset.MustNew(length) }

// From returns a set over the words of buf, without copying them.
func From(buf []uint64) *BitSet { return bitset.From(buf) }

// FromWithLength is From with a length in bits. It panics if set is too short for
// it.
func FromWithLength(length uint, set []uint64) *BitSet { return bitset.FromWithLength(length, set) }

// Cap returns the largest uint.
func Cap() uint { return bitset.Cap() }

// BigEndian makes big-endian the byte order of the binary and JSON forms of
// every set in the process. It is the default.
func BigEndian() { bitset.BigEndian() }

// LittleEndian makes little-endian the byte order of the binary and JSON forms
// of every set in the process.
func LittleEndian() { bitset.LittleEndian() }

// BinaryOrder returns the byte order in force.
func BinaryOrder() binary.ByteOrder { return bitset.BinaryOrder() }

// Base64StdEncoding makes the standard base64 alphabet that of the JSON form of
// every set in the process. The default is the URL alphabet.
func Base64StdEncoding() { bitset.Base64StdEncoding() }
