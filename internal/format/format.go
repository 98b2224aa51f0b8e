// Package format reads and writes filters' files: the header and its checks, the
// payload and its checksum, saving in one step, and mapping. It knows what kinds
// of filter there are and what is valid in the header of each, but not the
// filters: to it a payload is a slice of words.
//
// The file format: a header of 128 bytes, then the filter's bits. Integers are
// little-endian, offsets and sizes are in bytes.
//
//	offset  size  field
//	     0     8  magic: 89 42 53 56 0d 0a 1a 0a
//	     8     4  version: 1
//	    12     4  kind: 1 = blocked, 2 = bloom, the standard filter, 3 = counting,
//	                    4 = spectral, 5 = scalable, 6 = sharded, 7 = a shard of
//	                    one, 8 = whitelist, 9 = a set of IPv4 addresses
//	    16     4  header length: 128
//	    20     4  k, the number of bits (or counters) that a key has
//	    24     4  hash: 0 = none (addresses)
//	                    1 = XXH3-64, and hash.Mix for integers
//	                    2 = HighwayHash-64 under a secret key
//	                    3 = the MurmurHash3-128 pair of hash.Murmur (bloom)
//	                    4 = HighwayHash-256 under a secret key (bloom)
//	    28     4  flags: 0
//	    32     8  key check: HighwayHash-64 of a fixed text under the key; 0 without
//	    40     8  number of blocks of 64 bytes
//	    48     8  number of keys, as estimated when the file was written
//	    56     8  number of keys that the filter was sized for, 0 if unknown
//	    64     8  false-positive rate that it was sized for, an IEEE 754 double
//	    72     8  payload checksum: XXH3-64 of all bytes from 128 on
//	    80     8  number of bits that keys are spread over (bloom); else 0
//	    88    32  four integers whose meaning depends on the kind; 0 if it has none
//	   120     8  header checksum: XXH3-64 of bytes 0 to 119
//	   128        payload: the words, in order, then zeros to a whole block
//
// The file ends with its last block. The payload's offset is a multiple of a
// cache line, so that a file mapped at a page boundary is probed where it lies.
// As in PNG, the magic breaks when a transfer strips the eighth bit, translates
// line ends, or takes the file for text.
//
// What the kinds have in the payload, and in the integers from offset 88 on:
//
//	blocked    The blocks, of 8 words: see internal/block.
//	bloom      Bit i is bit i%64 of word i/64; the bits after the last are 0.
//	counting   Blocks of 16 words with 16 counters of 4 bits each: see
//	           internal/counters. The number at 40 is twice theirs.
//	spectral   Blocks of 64 counters, of 8, 16 or 32 bits: see internal/spectral.
//	           Integers: the counters' width in bits, the number of additions.
//	scalable   The stages, oldest first: complete files of kind blocked, each with
//	           its exact number of keys at 48. Integers: the number of stages, and
//	           of keys in the newest. k is that of the newest.
//	sharded    As blocked; the shards are equal parts of the blocks, in order.
//	           Integer: the number of shards.
//	shard      The blocks of one shard. Integers: the number of shards, the
//	           shard's index from 0, the number of blocks of all.
//	whitelist  The complete file of a filter, of a kind that is none of shard,
//	           whitelist and ipv4; then the exceptions, as in internal/keyset, and
//	           zeros to a whole block. Integers: the number of exceptions, how many
//	           of them are integers, the bytes that the others take. k, hash, key
//	           check and the fields from 48 to 71 are the filter's.
//	ipv4       Directories, then pages: see internal/pages. Integers: the number of
//	           directories, and of pages.
//
// A later version keeps the first 12 bytes. Everything a reader does not know
// (a flag, an integer without a meaning that is not 0) is an error to it: a filter
// that is half understood gives wrong answers.
package format

import (
	"fmt"

	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/spectral"
)

const (
	magic   = "\x89BSV\r\n\x1a\n"
	version = 1

	// HeaderBytes is the length of the header, KindOffset where the kind is in it and
	// BlocksOffset where the number of blocks is.
	HeaderBytes  = 128
	KindOffset   = offKind
	BlocksOffset = offBlocks

	offVersion      = 8
	offKind         = 12
	offHeaderLength = 16
	offK            = 20
	offHash         = 24
	offFlags        = 28
	offKeyCheck     = 32
	offBlocks       = 40
	offItems        = 48
	offCapacity     = 56
	offRate         = 64
	offPayloadSum   = 72
	offBits         = 80
	offExtra        = 88
	offHeaderSum    = 120
)

// A Kind is a kind of filter.
type Kind uint32

const (
	Blocked   Kind = 1
	Bloom     Kind = 2
	Counting  Kind = 3
	Spectral  Kind = 4
	Scalable  Kind = 5
	Sharded   Kind = 6
	Shard     Kind = 7
	Whitelist Kind = 8
	IPv4      Kind = 9
)

// MaxBloomK is the largest k of a standard filter. Adding one key with a k that a
// hostile file claims could otherwise take forever.
const MaxBloomK = 1 << 16

// A HashID says how a filter hashes its keys.
type HashID uint32

const (
	NoHash      HashID = 0
	XXH3        HashID = 1
	Highway     HashID = 2
	Murmur      HashID = 3
	HighwayWide HashID = 4
)

// A kindRule says what is valid in the header of a kind of file.
type kindRule struct {
	kind       Kind
	name       string
	minK, maxK uint32
	hashes     []HashID
	bits       bool // the number of bits is given; else the blocks say it all
	extra      int  // how many of Extra's integers have a meaning
}

var (
	hashes64  = []HashID{XXH3, Highway}
	hashes128 = []HashID{Murmur, HighwayWide}
	anyHash   = []HashID{XXH3, Highway, Murmur, HighwayWide}
	noHash    = []HashID{NoHash}
)

var kindRules = [...]kindRule{
	{Blocked, "blocked", block.MinK, block.MaxK, hashes64, false, 0},
	{Bloom, "bloom", 1, MaxBloomK, hashes128, true, 0},
	{Counting, "counting", block.MinK, block.MaxK, hashes64, false, 0},
	{Spectral, "spectral", spectral.MinK, spectral.MaxK, hashes64, false, 2},
	{Scalable, "scalable", block.MinK, block.MaxK, hashes64, false, 2},
	{Sharded, "sharded", block.MinK, block.MaxK, hashes64, false, 1},
	{Shard, "shard", block.MinK, block.MaxK, hashes64, false, 3},
	{Whitelist, "whitelist", 1, MaxBloomK, anyHash, false, 3},
	{IPv4, "ipv4", 0, 0, noHash, false, 2},
}

// rule returns what is valid for a kind, nil if the kind is unknown.
func (k Kind) rule() *kindRule {
	for i := range kindRules {
		if kindRules[i].kind == k {
			return &kindRules[i]
		}
	}
	return nil
}

func (k Kind) String() string {
	if r := k.rule(); r != nil {
		return r.name
	}
	return fmt.Sprintf("unknown (%d)", uint32(k))
}

func (h HashID) String() string {
	switch h {
	case NoHash:
		return "none"
	case XXH3:
		return "XXH3-64"
	case Highway:
		return "HighwayHash-64"
	case Murmur:
		return "MurmurHash3-128"
	case HighwayWide:
		return "HighwayHash-256"
	}
	return fmt.Sprintf("unknown (%d)", uint32(h))
}

// Keyed reports whether the hash needs a secret key.
func (h HashID) Keyed() bool { return h == Highway || h == HighwayWide }
