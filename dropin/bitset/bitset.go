// Package bitset takes the place of github.com/bits-and-blooms/bitset v1: change
// the import path and nothing else. The names and signatures are its own, and so
// are the answers and the serialised bytes; the work is done by
// [github.com/bitsieve/bitsieve.BitSet], which BitSet is another name for.
//
// # Differences
//
// These are deliberate. Each is where the peer, at v1.29.0, breaks what its own
// documentation says, or trusts a stranger.
//
//   - ReadFrom and UnmarshalBinary allocate memory for data that are there, not as
//     the header demands: 8 bytes cannot claim gigabytes. After a failed
//     UnmarshalBinary or UnmarshalJSON the set is unchanged, where the peer's
//     may be empty. After an error ReadFrom and WriteTo return the bytes that
//     were read or written, not 0.
//   - FromWithLength takes only the words that the length needs, and clears the
//     bits of the last one that are past the length. The peer keeps both, counts
//     them as members, and makes them members when the set grows.
//   - Copy copies the bits below the smaller length and no others. The peer
//     copies whole words, which clears up to 63 bits more of the destination.
//   - ExtractTo overwrites the first mask.Count() bits of the destination and
//     leaves the others. The peer merges them with what is there in some words,
//     and wipes the rest of the word in others.
//   - DepositTo sets no bit past the destination's length, and the destination
//     may be the receiver.
//   - Lengths up to the largest uint work on 32-bit platforms. The peer computes
//     a negative number of words from 2^31 - 63 on.
//   - EachSet, NextSetMany and AsSlice give the same members, but NextSetMany
//     and AsSlice may write to what is left of the buffer's capacity.
//   - BigEndian, LittleEndian and Base64StdEncoding may be called while other
//     goroutines serialise sets.
//   - The type's name, as %T prints it, is that of the root package's.
//   - Panics say "bitsieve: …", and the panic for a nil set is raised for the
//     argument of IsSuperSet too. Its type is Error, as the peer's.
package bitset

import (
	"encoding/binary"
	"math"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/compat"
)

// A BitSet is a set of non-negative integers. The zero value is an empty set of
// length 0.
type BitSet = bitsieve.BitSet

// Error is the type of the panic value for a nil set.
type Error = compat.Error

// New returns an empty set of the given length, or of length 0 if there can be
// no such length.
func New(length uint) (b *BitSet) {
	defer func() {
		if recover() != nil {
			b = MustNew(0)
		}
	}()
	return bitsieve.NewBitSet(length)
}

// MustNew returns an empty set of the given length. It panics if there can be no
// such length.
func MustNew(length uint) *BitSet {
	if length == Cap() {
		panic("bitset: length exceeds the capacity")
	}
	return bitsieve.NewBitSet(length)
}

// From returns a set over the words of buf, without copying them. See
// [bitsieve.FromWords].
func From(buf []uint64) *BitSet { return bitsieve.FromWords(buf) }

// FromWithLength is From with a length in bits. It panics if set is too short
// for it. See [bitsieve.FromWordsWithLength].
func FromWithLength(length uint, set []uint64) *BitSet {
	return bitsieve.FromWordsWithLength(length, set)
}

// Cap returns the largest uint, which is the largest length that a set can have
// as far as its interface goes. Memory runs out before.
func Cap() uint { return math.MaxUint }

// BigEndian makes big-endian the byte order of the binary and JSON forms of
// every set in the process. It is the default.
func BigEndian() { compat.SetLittleEndian(false) }

// LittleEndian makes little-endian the byte order of the binary and JSON forms
// of every set in the process.
func LittleEndian() { compat.SetLittleEndian(true) }

// BinaryOrder returns the byte order in force.
func BinaryOrder() binary.ByteOrder { return compat.ByteOrder() }

// Base64StdEncoding makes the standard base64 alphabet that of the JSON form of
// every set in the process. The default is the URL alphabet.
func Base64StdEncoding() { compat.SetStdBase64(true) }
