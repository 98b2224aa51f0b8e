package decode

import (
	"math/bits"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// sparseWords is how many words, if they are sparse, are decoded by a plain loop in
// the time that a kernel takes to begin, or that it takes to count them for it.
const sparseWords = 8

// shortAndSparse reports whether n words of which first is the first are to be decoded
// by a plain loop: a few that begin like sparse ones.
func shortAndSparse(n int, first uint64) bool {
	return n <= sparseWords && bits.OnesCount64(first) <= 2
}

// CountFirst reports whether to append indices by counting the set bits of words, so
// that dst has room for a kernel. Otherwise AppendInGo is to append what it can: where
// there is no kernel, and of short and sparse words.
func CountFirst(words []uint64) bool {
	return cpu.Current() != cpu.LevelGeneric && len(words) > 0 && !shortAndSparse(len(words), words[0])
}

// AppendInGo appends the indices of the set bits of words to dst as far as dst has room,
// and returns how many words that were. It leaves alone what is behind them if those
// are all.
func AppendInGo[T Index](dst []T, words []uint64) ([]T, int) {
	n, consumed := decodeGeneric(dst[len(dst):cap(dst)], words, 0)
	return dst[:len(dst)+n], consumed
}

// From writes to dst the indices of the set bits of words from bit i on, in ascending
// order, as many as fit. It returns the last of them, or 0 if there are none, and dst
// cut to their number. What is left of dst has undefined contents.
func From(dst []uint, words []uint64, i uint) (last uint, indices []uint) {
	x := i / wordBits
	if x >= uint(len(words)) || len(dst) == 0 {
		return 0, dst[:0]
	}
	n := 0
	w := words[x] >> (i % wordBits) << (i % wordBits)
	if shortAndSparse(len(words)-int(x), w) {
		for {
			for ; w != 0; w &= w - 1 {
				if n >= len(dst) {
					return dst[len(dst)-1], dst
				}
				dst[n] = x*wordBits + uint(bits.TrailingZeros64(w))
				n++
			}
			x++
			if x >= uint(len(words)) {
				break
			}
			w = words[x]
		}
	} else {
		if i%wordBits != 0 {
			n = bitByBit(dst, w, x*wordBits)
			x++
		}
		if n < len(dst) && x < uint(len(words)) {
			written, consumed := Indices(dst[n:], words[x:], x*wordBits)
			n += written
			x += uint(consumed)
			if x < uint(len(words)) {
				n += bitByBit(dst[n:], words[x], x*wordBits)
			}
		}
	}
	if n == 0 {
		return 0, dst[:0]
	}
	return dst[n-1], dst[:n]
}

// bitByBit writes base + i to dst for the set bits i of w, as many as fit, and
// returns how many they are.
func bitByBit(dst []uint, w uint64, base uint) int {
	for i := range dst {
		if w == 0 {
			return i
		}
		dst[i] = base + uint(bits.TrailingZeros64(w))
		w &= w - 1
	}
	return len(dst)
}
