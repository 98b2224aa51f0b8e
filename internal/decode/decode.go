// Package decode turns the set bits of words into their indices.
//
// Indices is the verb that all others use: it decodes whole words into the room that
// it is given, and can go on where it stopped. The verbs of verbs.go are for an append
// to a slice and for a search from a bit on. The files named after an architecture
// decide between a kernel and decodeGeneric, in this file, which is the specification
// of every kernel and what runs where there is none.
//
// Long work is cut in pieces of a few tens of microseconds, between which the scheduler
// can stop it: see tooLong.
package decode

import "math/bits"

const wordBits = 64

// An Index is a type for indices. Those of 32 bits wrap around.
type Index interface{ uint | uint32 }

// loopWords is how many words are decoded sooner by a plain loop.
const loopWords = 16

// decodeGeneric writes base + i to dst for every set bit i of words, in
// ascending order, and stops before the first word whose bits do not fit. Of what
// is left of dst then, some may have been written. It returns the number of
// indices written and of words consumed.
//
// The number of bits per word is unpredictable. So four indices are written
// without asking whether there are as many, as long as what is written too much
// will be overwritten: the words at the end that have four bits together go bit by
// bit, and so do short slices, which are too short to benefit.
func decodeGeneric[T Index](dst []T, words []uint64, base T) (written, consumed int) {
	end := len(words)
	if end <= loopWords {
		end = 0
	}
	for spare := 0; end > 0 && spare < 4; {
		end--
		spare += bits.OnesCount64(words[end])
	}
	n, i := 0, 0
	for ; i < end && len(dst)-n >= wordBits; i++ {
		w := words[i]
		ones := bits.OnesCount64(w)
		p := (*[wordBits]T)(dst[n:])
		n += ones
		for j := 0; ; j += 4 {
			p[j&60] = base + T(bits.TrailingZeros64(w))
			w &= w - 1
			p[j&60+1] = base + T(bits.TrailingZeros64(w))
			w &= w - 1
			p[j&60+2] = base + T(bits.TrailingZeros64(w))
			w &= w - 1
			p[j&60+3] = base + T(bits.TrailingZeros64(w))
			w &= w - 1
			if j+4 >= ones {
				break
			}
		}
		base += wordBits
	}
	for ; i < len(words); i++ {
		first := n
		for w := words[i]; w != 0; w &= w - 1 {
			if uint(n) >= uint(len(dst)) {
				return first, i
			}
			dst[n] = base + T(bits.TrailingZeros64(w))
			n++
		}
		base += wordBits
	}
	return n, len(words)
}
