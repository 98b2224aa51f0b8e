//go:build purego || (!amd64 && !arm64)

package popcount

// Count returns the number of set bits in p.
func Count(p []uint64) int { return countGeneric(p) }

// And returns the number of set bits in a & b, of the words that a has.
func And(a, b []uint64) int { return andCountGeneric(a, b) }

// Or returns the number of set bits in a | b, of the words that a has.
func Or(a, b []uint64) int { return orCountGeneric(a, b) }

// Xor returns the number of set bits in a ^ b, of the words that a has.
func Xor(a, b []uint64) int { return xorCountGeneric(a, b) }

// AndNot returns the number of set bits in a &^ b, of the words that a has.
func AndNot(a, b []uint64) int { return andNotCountGeneric(a, b) }

// AndWithCount sets dst = a & b and returns the number of set bits in it.
func AndWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return andWithCountGeneric(dst[:n], a[:n], b[:n])
}

// OrWithCount sets dst = a | b and returns the number of set bits in it.
func OrWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return orWithCountGeneric(dst[:n], a[:n], b[:n])
}

// XorWithCount sets dst = a ^ b and returns the number of set bits in it.
func XorWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return xorWithCountGeneric(dst[:n], a[:n], b[:n])
}

// AndNotWithCount sets dst = a &^ b and returns the number of set bits in it.
func AndNotWithCount(dst, a, b []uint64) int {
	n := min(len(dst), len(a), len(b))
	return andNotWithCountGeneric(dst[:n], a[:n], b[:n])
}
