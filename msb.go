package bitsieve

// Bitmaps with the highest bit of a byte first: bit i is 0x80 >> (i%8) of byte i/8. Redis
// stores bitmaps so (SETBIT), and so do many network and image formats. MSB works on
// such bytes where they lie; ReverseBits, FromMSB and AppendMSB turn them into the order
// of BitSet, lowest bit first, and back.

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"

	"github.com/bitsieve/bitsieve/internal/bitrev"
	"github.com/bitsieve/bitsieve/internal/decode"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// ReverseBits sets dst[i] to the bits of src[i] in reverse order, for each index that both
// slices have. The rest of dst is untouched. dst may be src; if it overlaps src
// otherwise, its contents are undefined.
func ReverseBits(dst, src []byte) {
	n := min(len(dst), len(src))
	bitrev.Reverse(dst[:n], src[:n])
}

// FromMSB returns the set of the integers whose bits are set in data, of which the
// highest bit of a byte comes first. The data are copied. The length of the set is
// 8·len(data).
func FromMSB(data []byte) *BitSet { return new(BitSet).SetMSB(data) }

// SetMSB replaces the set by FromMSB(data), in its own memory if that is large enough, and
// returns it. It panics if 8·len(data) is no uint, which only a 32-bit platform can have.
func (b *BitSet) SetMSB(data []byte) *BitSet {
	length := uint(len(data)) * 8
	if length/8 != uint(len(data)) {
		panic(capacityMessage)
	}
	bitrev.MSBFirst(b.resize(length), data)
	return b
}

// AppendMSB appends the set to dst as bytes with the highest bit first, Len()/8 of them,
// rounded up, and returns the extended slice. It allocates at most once.
func (b *BitSet) AppendMSB(dst []byte) []byte {
	n := int(b.length/8 + (b.length%8+7)/8)
	dst = slices.Grow(dst, n)[:len(dst)+n]
	bitrev.ToMSB(dst[len(dst)-n:], b.words)
	return dst
}

// MSB is a bitmap in bytes with the highest bit of a byte first, as the bytes of a Redis
// string: any []byte is one, by conversion and without a copy. Its length is fixed, as
// that of a slice is; see Grow.
//
// Any number of goroutines may read the bytes; a writer must be alone. On a 32-bit
// platform a bitmap has at most 2^29-1 bytes.
type MSB []byte

// Len returns the length in bits, 8·len(b).
func (b MSB) Len() uint { return 8 * uint(len(b)) }

// Test reports whether bit i is set, as GETBIT does: from the length on, no bit is.
func (b MSB) Test(i uint) bool {
	return i/8 < uint(len(b)) && b[i/8]<<(i%8) >= 0x80
}

// Set sets bit i. Like an assignment to an element of a slice, it panics if i is not below
// the length.
func (b MSB) Set(i uint) { b[i/8] |= 0x80 >> (i % 8) }

// Clear clears bit i. From the length on, that changes nothing.
func (b MSB) Clear(i uint) {
	if i/8 < uint(len(b)) {
		b[i/8] &^= 0x80 >> (i % 8)
	}
}

// SetTo is Set(i) if value is true, and Clear(i) otherwise.
func (b MSB) SetTo(i uint, value bool) {
	if value {
		b.Set(i)
		return
	}
	b.Clear(i)
}

// Grow returns b with zero bits appended, so that it has at least the given number of
// bits, rounded up to whole bytes: what SETBIT does before it sets a bit past the end.
// Like append, it works in the memory of b if that has the capacity.
func (b MSB) Grow(length uint) MSB {
	old, n := len(b), int(length/8+(length%8+7)/8)
	if n <= old {
		return b
	}
	b = slices.Grow(b, n-old)[:n]
	memory.ClearOf(b[old:])
	return b
}

// Count returns the number of set bits, as BITCOUNT does.
func (b MSB) Count() uint { return countBytes(b) }

// CountRange returns the number of set bits in [from, to), which is 0 if the range is empty.
// What lies past the length is not set. BITCOUNT key from to-1 BIT counts the same.
func (b MSB) CountRange(from, to uint) uint {
	to = min(to, b.Len())
	if from >= to {
		return 0
	}
	first, last := from/8, (to-1)/8
	head, tail := byte(0xff)>>(from%8), byte(0xff)<<(-to%8)
	if first == last {
		return uint(bits.OnesCount8(b[first] & head & tail))
	}
	return uint(bits.OnesCount8(b[first]&head)+bits.OnesCount8(b[last]&tail)) + countBytes(b[first+1:last])
}

func countBytes(p []byte) uint {
	head, words, tail := bitrev.Words(p)
	n := popcount.Count(words)
	for _, x := range head {
		n += bits.OnesCount8(x)
	}
	for _, x := range tail {
		n += bits.OnesCount8(x)
	}
	return uint(n)
}

// NextSet returns the first set bit from bit i on, and whether there is one: BITPOS key 1.
func (b MSB) NextSet(i uint) (uint, bool) { return b.next(i, 0) }

// NextClear returns the first clear bit from bit i on below the length, and whether there is
// one. BITPOS key 0 without an end says Len() where there is none.
func (b MSB) NextClear(i uint) (uint, bool) { return b.next(i, ^uint64(0)) }

// next returns the first bit from i on that differs from those of flip, which are all alike.
func (b MSB) next(i uint, flip uint64) (uint, bool) {
	if i/8 >= uint(len(b)) {
		return 0, false
	}
	x := int(i / 8)
	if w := (b[x] ^ byte(flip)) << (i % 8); w != 0 {
		return i + uint(bits.LeadingZeros8(w)), true
	}
	x++
	for ; len(b)-x >= 32; x += 32 {
		p := b[x : x+32 : x+32]
		if (binary.NativeEndian.Uint64(p)^flip)|(binary.NativeEndian.Uint64(p[8:])^flip)|
			(binary.NativeEndian.Uint64(p[16:])^flip)|(binary.NativeEndian.Uint64(p[24:])^flip) != 0 {
			break
		}
	}
	for ; len(b)-x >= 8; x += 8 {
		// In big-endian order the first bit is the highest of the word.
		if w := binary.BigEndian.Uint64(b[x:]) ^ flip; w != 0 {
			return 8*uint(x) + uint(bits.LeadingZeros64(w)), true
		}
	}
	for ; x < len(b); x++ {
		if w := b[x] ^ byte(flip); w != 0 {
			return 8*uint(x) + uint(bits.LeadingZeros8(w)), true
		}
	}
	return 0, false
}

// EachSet returns an iterator over the set bits in ascending order. The bits may be changed
// during the iteration; a change to the eight bytes at hand is not seen.
func (b MSB) EachSet() iter.Seq[uint] {
	return func(yield func(uint) bool) {
		x := 0
		for ; len(b)-x >= 8; x += 8 {
			for w := binary.BigEndian.Uint64(b[x:]); w != 0; {
				i := uint(bits.LeadingZeros64(w))
				if !yield(8*uint(x) + i) {
					return
				}
				w &^= 1 << 63 >> i
			}
		}
		for i, ok := b.NextSet(8 * uint(x)); ok; i, ok = b.NextSet(i + 1) {
			if !yield(i) {
				return
			}
		}
	}
}

// AppendIndices appends the numbers of the set bits to dst, in ascending order, and returns
// the extended slice. It allocates at most once, and not at all if dst has room.
func (b MSB) AppendIndices(dst []uint) []uint {
	// Decoding wants the lowest bit first: it gets so much at a time as stays in the
	// first-level cache.
	var words [256]uint64
	dst = slices.Grow(dst, int(b.Count()))
	for base := uint(0); len(b) > 0; base += wordBits * uint(len(words)) {
		chunk := b[:min(len(b), wordBytes*len(words))]
		b = b[len(chunk):]
		w := words[:(len(chunk)+wordBytes-1)/wordBytes]
		bitrev.MSBFirst(w, chunk)
		n := popcount.Count(w)
		decode.Indices(dst[len(dst):len(dst)+n], w, base)
		dst = dst[:len(dst)+n]
	}
	return dst
}

// And returns the bits that are set in both x and y. It is as long as the longer of the two:
// like BITOP, it takes the shorter one to go on in zeros. The result is in the memory of
// b if that has the capacity, whatever b's length is; b may be x or y, and if it
// overlaps one of them otherwise, the result is undefined.
func (b MSB) And(x, y MSB) MSB {
	b, n := b.room(x, y)
	b.combine(msbAnd, x[:n], y[:n])
	memory.ClearOf(b[n:])
	return b
}

// Or returns the bits that are set in x, in y or in both, under the conditions of And.
func (b MSB) Or(x, y MSB) MSB {
	b, n := b.room(x, y)
	b.combine(msbOr, x[:n], y[:n])
	b.keep(x, y, n)
	return b
}

// Xor returns the bits that are set in exactly one of x and y, under the conditions of And.
func (b MSB) Xor(x, y MSB) MSB {
	b, n := b.room(x, y)
	b.combine(msbXor, x[:n], y[:n])
	b.keep(x, y, n)
	return b
}

// AndNot returns the bits that are set in x but not in y, under the conditions of And:
// BITOP DIFF.
func (b MSB) AndNot(x, y MSB) MSB {
	b, n := b.room(x, y)
	b.combine(msbAndNot, x[:n], y[:n])
	if len(x) > n {
		memory.CopyOf(b[n:], x[n:])
	} else {
		memory.ClearOf(b[n:])
	}
	return b
}

// room returns b at the length of the longer operand, and the length of the shorter.
func (b MSB) room(x, y MSB) (MSB, int) {
	long := max(len(x), len(y))
	if cap(b) < long {
		b = make(MSB, long)
	}
	return b[:long], min(len(x), len(y))
}

// keep copies what only the longer operand has, from byte n on.
func (b MSB) keep(x, y MSB, n int) {
	if len(x) > n {
		memory.CopyOf(b[n:], x[n:])
	} else {
		memory.CopyOf(b[n:], y[n:])
	}
}

type msbOp uint8

const (
	msbAnd msbOp = iota
	msbOr
	msbXor
	msbAndNot
)

// combine sets the first bytes of b to x op y, which are of one length. The order of bits
// does not matter, so that the kernels for words do most of it.
func (b MSB) combine(op msbOp, x, y MSB) {
	b = b[:len(x)]
	skip, d, p, q := bitrev.Shared(b, x, y)
	switch op {
	case msbAnd:
		andWords(d, p, q)
	case msbOr:
		orWords(d, p, q)
	case msbXor:
		xorWords(d, p, q)
	case msbAndNot:
		andNotWords(d, p, q)
	}
	combineEnds(op, b[:skip], x, y)
	skip += wordBytes * len(d)
	combineEnds(op, b[skip:], x[skip:], y[skip:])
}

// combineEnds is combine for the few bytes around the words, and for all bytes on machines
// that cannot load words from where they lie.
func combineEnds(op msbOp, b, x, y []byte) {
	x, y = x[:len(b)], y[:len(b)]
	for i, v := range y {
		switch op {
		case msbAnd:
			b[i] = x[i] & v
		case msbOr:
			b[i] = x[i] | v
		case msbXor:
			b[i] = x[i] ^ v
		case msbAndNot:
			b[i] = x[i] &^ v
		}
	}
}
